package install

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/boathook/boathook/internal/config"
	claudehost "github.com/boathook/boathook/internal/host/claude"
	codexhost "github.com/boathook/boathook/internal/host/codex"
	geminihost "github.com/boathook/boathook/internal/host/gemini"
	"github.com/boathook/boathook/internal/managed"
)

// A managed install puts hooks for everybody on the machine into the places that agents read for an administrator. They call
// the program with the administrator's config, which no user can write, so that neither a user's settings nor a repository's
// have a say in them. All of it is root's: files and directories there are made for everybody to read and root to write.

// managedLists are the agents that have such a place, by id.
func managedLists(env Env) []listed {
	var out []listed
	for _, l := range []listed{claudeList(), codexList(), copilotList(), cursorList(), windsurfList(), geminiList(), qwenList()} {
		path := managed.File(env.root(), env.GOOS, l.host().ID)
		if path == "" {
			continue
		}
		l.dir, l.file, l.others = func(Env) string { return filepath.Dir(path) }, filepath.Base(path), nil
		switch l.host().ID {
		case geminihost.Host().ID:
			l.pins = []pair{{"hooksConfig", object{{"enabled", true}}}}
		case "qwen":
			l.pins = []pair{{"disableAllHooks", false}}
		}
		out = append(out, l)
	}
	return out
}

// managedAgents are those of managedLists as the installer knows agents.
func managedAgents(env Env) []agent {
	var out []agent
	for _, l := range managedLists(env) {
		a := l.agent(agent{
			id: l.host().ID, title: l.host().Title,
			restart: "sessions that run take the managed hooks when they are started again",
			stop:    "restart running sessions: those of some agents keep the hooks that they started with",
		})
		add, undo := a.add, a.undo
		switch a.id {
		case codexhost.Host().ID:
			a.add = func(p *planner, at place) error { return firstOf(add(p, at), p.requireHooks(at.Dir)) }
			a.undo = func(p *planner, at place) error { return firstOf(undo(p, at), p.unrequireHooks(at.Dir)) }
		case claudehost.Host().ID:
			a.restart = "Claude Code takes the hooks at once, also in sessions that run"
		}
		out = append(out, a)
	}
	if managed.File(env.root(), env.GOOS, "opencode") != "" {
		out = append(out, managedOpencode(env))
	}
	return out
}

// geminiList is Gemini CLI's settings.json, which a user's own install leaves alone: there it is an extension.
func geminiList() listed {
	return listed{
		host: geminihost.Host, entry: geminiEntry, dropped: qwenDrops, // Qwen Code's files are read as Gemini CLI's
		off: func(data []byte) bool {
			hooks, _ := fileTree(data)["hooksConfig"].(map[string]any)
			return hooks["enabled"] == false
		},
	}
}

func geminiEntry(p *planner, ev event) object {
	group := object{{hooksKey, []any{object{
		{"type", "command"}, {"name", ownerName}, {"command", shellCommand(p.env.Exe, p.plan.Config, "gemini", ev.Name)},
		{"timeout", geminiTimeout}, {"env", geminiShell},
	}}}}
	if ev.Tool {
		group = append(object{{"matcher", ""}}, group...)
	}
	return group
}

// root is where the machine's files begin.
func (env Env) root() string {
	if env.Root == "" {
		return string(filepath.Separator)
	}
	return env.Root
}

// managedState is where the manifest of a managed install is.
func managedState(env Env) string {
	if env.GOOS == "darwin" {
		return filepath.Join(env.root(), "Library", "Application Support", ownerName, "install")
	}
	return filepath.Join(env.root(), "var", "lib", ownerName, "install")
}

// pickManaged gives the agents that were asked for, else all.
func (p *planner) pickManaged() ([]agent, error) {
	all := managedAgents(p.env)
	if len(p.req.Agents) == 0 {
		return all, nil
	}
	list, err := find(p.req.Agents)
	if err != nil {
		return nil, err
	}
	var out []agent
	for _, a := range list {
		i := slices.IndexFunc(all, func(m agent) bool { return m.id == a.id })
		if i < 0 {
			return nil, refuse("install %s for everybody: %s reads no hooks of an administrator's; each user can install it", a.id, a.title)
		}
		out = append(out, all[i])
	}
	return out, nil
}

// planManaged plans an install for everybody.
func planManaged(p *planner) error {
	list, err := p.pickManaged()
	if err != nil {
		return err
	}
	if err := p.begin(); err != nil {
		return err
	}
	if err := p.managedConfig(); err != nil {
		return err
	}
	for _, a := range list {
		if err := p.addManaged(a); err != nil {
			return err
		}
	}
	if len(p.req.Agents) == 0 {
		p.unmanageable(list)
	}
	p.agent = ""
	changes := p.plan.Changes
	p.plan.Changes = nil
	p.remember()
	p.plan.Changes = append(p.plan.Changes, changes...)
	return nil
}

func (p *planner) addManaged(a agent) error {
	p.agent = a.id
	at := place{Agent: a.id, Dir: a.places(p.env)[0]}
	for _, path := range a.files(at.Dir) {
		p.sweep(path)
		if err := p.rootAlone(path); err != nil {
			return err
		}
	}
	before := len(p.plan.Changes)
	if err := a.add(p, at); err != nil {
		return err
	}
	if !slices.Contains(p.next.Places, at) {
		p.next.Places = append(p.next.Places, at)
	}
	if len(p.plan.Changes) > before && !slices.Contains(p.plan.Restart, a.restart) {
		p.plan.Restart = append(p.plan.Restart, a.restart)
	}
	return nil
}

// unmanageable names the agents that have no place for managed hooks.
func (p *planner) unmanageable(list []agent) {
	var none []string
	for _, a := range agents() {
		if !slices.ContainsFunc(list, func(m agent) bool { return m.id == a.id }) {
			none = append(none, a.title)
		}
	}
	p.note("%s: there is no place of an administrator's for hooks; there each user has to run 'boathook install'", strings.Join(none, ", "))
}

// managedConfig plans the administrator's config. One that is there stays as it is.
func (p *planner) managedConfig() error {
	path := p.env.Managed
	p.plan.Config = path
	p.sweep(path)
	if err := checkText(path, p.env.Exe); err != nil {
		return err
	}
	if exists(path) {
		if now, err := readFile(path); err == nil && p.recorded(path, now) {
			known, _ := p.old.file(path)
			p.next.put(known, sum(now))
		}
		return p.rootAlone(path)
	}
	s := config.Load(config.Request{Env: p.env.Lookup})
	// A user's files of variables must not fill what is not set here.
	values := map[string]any{"env_files": []string{filepath.Join(filepath.Dir(path), "boathook.env")}}
	for _, v := range s.Values {
		if !strings.HasPrefix(v.Source, "environment") || v.Key == "data_dir" || v.Key == "env_files" || v.Key == "environment" {
			continue
		}
		key := v.Key
		if key == "telemetry.api_key" { // the key is among the headers
			key = "telemetry.headers"
		}
		if value := native(s, key); value != "" {
			values[key] = value
			if err := p.takeOver(v, value); err != nil {
				return err
			}
		}
		if keyNamed(v.Key).Secret {
			p.note("%s goes into %s, which everybody on this machine can read, since their hooks do", v.Key, path)
		}
	}
	return p.own(path, []byte(render(values)), 0o644)
}

// planUnmanaged plans to take the hooks for everybody out again.
func planUnmanaged(p *planner) error {
	p.undoing = true
	list, err := p.pickManaged()
	if err != nil {
		return err
	}
	if err := p.begin(); err != nil {
		return err
	}
	p.plan.Config = p.env.Managed
	for _, a := range slices.Backward(list) {
		p.agent = a.id
		p.undoPlace(a, place{Agent: a.id, Dir: a.places(p.env)[0]})
	}
	p.agent = ""
	if len(p.next.Places) > 0 || len(p.plan.Failures) > 0 {
		p.rmdirs(slices.DeleteFunc(slices.Clone(p.next.Dirs), p.needed))
		p.order()
		return nil
	}
	p.sweep(p.env.Managed)
	if err := p.disown(p.env.Managed, func([]byte) bool { return false }); err != nil {
		return err
	}
	p.rmdirs(slices.Clone(p.next.Dirs))
	if exists(p.state) {
		p.change(Change{Op: Forget, Path: p.state, Why: "the manifest and the backups, and the directories made for them", dirs: p.old.Dirs})
	}
	return nil
}

// managedAllowed refuses worlds in which a managed install would protect nothing.
func (p *planner) managedAllowed() error {
	switch {
	case p.req.Workspace != "" || p.req.Config != "" || p.req.Purge:
		return misuse("a managed install is for everybody, and has a config of its own: --workspace, --config and --purge don't go with it")
	case p.env.Managed == "" || p.env.GOOS == "windows":
		return refuse("install for everybody: that is not supported on Windows yet")
	case p.env.UID != 0 && p.env.Root == "":
		return refuse("install for everybody: root alone can do that; run it with sudo")
	case p.undoing:
		return nil
	}
	if err := checkExe(p.env.Exe); err != nil {
		return err
	}
	return p.rootAlone(p.env.Exe)
}

// rootAlone refuses a file that somebody else could change or replace.
func (p *planner) rootAlone(path string) error {
	if real := resolved(path); real != path {
		if err := p.rootAlone(real); err != nil {
			return err
		}
	}
	for at := path; ; at = filepath.Dir(at) {
		info, err := os.Stat(at)
		if err == nil {
			uid, known := owner(info)
			open := info.Mode().Perm()&0o022 != 0 && info.Mode()&fs.ModeSticky == 0
			switch {
			case known && uid != 0 && uid != p.env.UID:
				return refuse("use %s for everybody: %s belongs to a user (uid %d), who could change it; let root own it", path, at, uid)
			case open:
				return refuse("use %s for everybody: others can write to %s (mode %04o); chmod go-w it", path, at, info.Mode().Perm())
			}
		}
		if at == p.env.root() || at == filepath.Dir(at) {
			return nil
		}
	}
}

// unmanaged leaves out the agents whose hooks an administrator installed for everybody: a second one would have every event
// twice, and the first can't be weakened.
func (p *planner) unmanaged(list []agent) ([]agent, error) {
	var out []agent
	for _, a := range list {
		path := ManagedBy(p.env, a.id)
		switch {
		case path == "":
			out = append(out, a)
		case p.req.Found:
			p.note("%s has managed hooks already (%s), which record for you too", a.title, path)
		default:
			return nil, refuse("install %s: an administrator has installed its hooks for everybody (%s), and they record for you too", a.id, path)
		}
	}
	return out, nil
}

// ManagedBy is the file that has an administrator's hooks of an agent; empty where there are none.
func ManagedBy(env Env, agent string) string {
	if !managed.Runs(env.root(), env.goos(), agent, env.Managed) {
		return ""
	}
	return managed.File(env.root(), env.goos(), agent)
}

func (env Env) goos() string {
	if env.GOOS == "" {
		return runtime.GOOS
	}
	return env.GOOS
}

func firstOf(errs ...error) error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

// LookManaged tells what is installed for everybody.
func LookManaged(env Env) []Installation {
	p := &planner{env: env, plan: &Plan{Config: env.Managed}, req: Request{Managed: true}}
	_ = p.load() // without a manifest, what the files say
	var out []Installation
	for _, a := range managedAgents(env) {
		dir := a.places(env)[0]
		known := slices.ContainsFunc(p.old.Places, func(at place) bool { return at.Agent == a.id })
		if !known && ManagedBy(env, a.id) == "" {
			continue
		}
		in := Installation{Agent: a.id, Title: a.title, Dir: dir, NotRun: notAsWritten, Config: env.Managed}
		if m, ok := a.mark(dir); ok {
			in.Version, in.DataDir = m.Version, m.DataDir
		}
		a.look(&in, p)
		if why := p.rootAlone(in.File); why != nil {
			in.fault(ByHand, in.File, "is not root's alone: %s", strings.TrimPrefix(why.Error(), fmt.Sprintf("use %s for everybody: ", in.File)))
		}
		out = append(out, in)
	}
	return out
}
