package install

import (
	"path"
	"path/filepath"
	"strings"

	"github.com/boathook/boathook/internal/confedit"
	antigravityhost "github.com/boathook/boathook/internal/host/antigravity"
	"github.com/boathook/boathook/internal/shellquote"
)

// Antigravity's two programs read named hooks from ~/.gemini/config/hooks.json, and from .agents/hooks.json in a project.
// The file is strict JSON: one comment, one wrong type or one lifecycle event in the shape of a tool event, and all hooks
// in it are dropped without a word (agy 1.0.7, 1.1.25).

func antigravity() agent {
	return agent{
		id: "antigravity", title: "Antigravity", detect: antigravityIsHere, places: antigravityPlaces, workspace: ".agents",
		add: addAntigravity, undo: undoAntigravity, mark: antigravityMark, holds: antigravityHolds,
		files: antigravityFiles, look: lookAntigravity, doubles: antigravityDoubles,
		restart: "start a new Antigravity session: running ones keep the hooks that they read",
		stop:    "restart running Antigravity sessions: until then they call the script that is gone, and take that for a refusal of every tool",
	}
}

// antigravityTimeout is in seconds and has to be a whole number.
const antigravityTimeout = 30

func antigravityIsHere(env Env) bool {
	for _, name := range []string{"config", "antigravity", "antigravity-cli"} {
		if exists(filepath.Join(env.Home, ".gemini", name)) {
			return true
		}
	}
	return onPath(env, "agy") != "" || onPath(env, "antigravity") != ""
}

func antigravityPlaces(env Env) []string {
	return []string{filepath.Join(env.Home, ".gemini", "config")}
}

func antigravityFiles(dir string) []string {
	return []string{antigravityMember(dir).path, filepath.Join(dir, stubName)}
}

func antigravityMember(dir string) member {
	return member{path: filepath.Join(dir, "hooks.json"), key: ownerName, ours: isAntigravityHook}
}

// isAntigravityHook tells whether a command runs our script.
func isAntigravityHook(command string) bool {
	program, _, ours := strings.Cut(command, " --agent antigravity --event ")
	return ours && path.Base(strings.Trim(program, "'")) == stubName
}

func addAntigravity(p *planner, at place) error {
	if at.Workspace {
		if err := p.workspace(filepath.Dir(at.Dir)); err != nil {
			return err
		}
	}
	m, script := antigravityMember(at.Dir), filepath.Join(at.Dir, stubName)
	now, err := p.read(script)
	if err != nil {
		return err
	}
	if _, ours := stubOwner(now.data); now.exists && !ours {
		return refuse("write %s: a file of that name is there that boathook did not write; move it away first", script)
	}
	if _, known := p.old.file(script); at.Workspace && now.exists && !known {
		p.consent("%s came with the project: boathook did not write it on this machine, and it and its hooks are replaced", script)
	}
	events, err := p.events(antigravityhost.Host(), m.path, isAntigravityHook)
	if err != nil {
		return err
	}
	if err := p.strict(m.path); err != nil {
		return err
	}
	replaced, err := p.replacedHooks(m.path)
	if err != nil {
		return err
	}
	if err := p.own(script, p.stub(), 0o755); err != nil {
		return err
	}
	return p.set(m, antigravityHooks(events, script), replaced)
}

func antigravityHooks(list []event, script string) []byte {
	var hooks object
	for _, e := range list {
		handler := object{
			{"type", "command"}, {"command", shellquote.Word(script) + " --agent antigravity --event " + e.Name}, {"timeout", antigravityTimeout},
		}
		if e.Tool {
			hooks = append(hooks, pair{e.Name, []any{object{{"matcher", ""}, {"hooks", []any{handler}}}}})
			continue
		}
		hooks = append(hooks, pair{e.Name, []any{handler}})
	}
	return compact(hooks)
}

// strict refuses a file that Antigravity would drop.
func (p *planner) strict(path string) error {
	now, err := p.read(path)
	if err != nil {
		return err
	}
	if err := confedit.Strict(now.data); err != nil {
		return refuse("edit %s:%w: Antigravity drops the whole file for that, without a word; mend it first", path, err)
	}
	if _, err := confedit.Names(now.data); err != nil {
		return badFile(path, err)
	}
	if why := dropped(now.data); why != "" {
		return refuse("edit %s: %s: Antigravity drops the whole file for that, without a word; mend it first", path, why)
	}
	return nil
}

func antigravityMark(dir string) (mark, bool) {
	data, _ := readFile(filepath.Join(dir, stubName)) // none is no mark
	return stubOwner(data)
}

func antigravityHolds(_ *planner, dir string) bool {
	m := antigravityMember(dir)
	data, _ := readFile(m.path) // without one there is nothing
	value, _ := confedit.Member(data, m.key)
	ours, _ := m.count(value)
	_, marked := antigravityMark(dir)
	return marked || ours > 0
}

// undoAntigravity leaves the script where the file can't be edited: a command that is missing counts as a refusal.
func undoAntigravity(p *planner, at place) error {
	m, script := antigravityMember(at.Dir), filepath.Join(at.Dir, stubName)
	if at.Workspace {
		if err := noLinks(filepath.Dir(at.Dir), at.Dir, m.path, script); err != nil {
			return err
		}
	}
	p.sweep(m.path)
	p.sweep(script)
	if err := p.unset(m); err != nil {
		return err
	}
	return p.disown(script, func(data []byte) bool { _, ours := stubOwner(data); return ours })
}
