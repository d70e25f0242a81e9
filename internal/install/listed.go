package install

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"

	"github.com/boathook/boathook/internal/confedit"
	"github.com/boathook/boathook/internal/host"
)

// listed is an agent that reads hooks from lists in a JSON file of the user's: {"hooks": {EVENT: [entry, …]}}. An entry is a
// handler, or a group of handlers with a matcher. Ours are entries of their own at the end of the lists: nothing of others
// is touched, and none of them has another place in its list than before.
type listed struct {
	host func() *host.Host
	// dir is where the file is, file its name there.
	dir  func(env Env) string
	file string
	// entry is what is written for an event.
	entry func(p *planner, ev event) object
	// choose leaves out events that are not to be registered after all; nil where there are none.
	choose func(p *planner, list []event) []event
	// versioned says that the file has to say "version": 1 at its top.
	versioned bool
	// pins are members that go with our entries where the file has none of that name.
	pins []pair
	// adds are members that the agent writes into the file by itself.
	adds []string
	// dropped tells what the agent would drop the whole file for, empty where nothing is wrong.
	dropped func(data []byte) string
	// off is the setting by which the file switches hooks off, empty where it does not; nil where that is not possible.
	off func(data []byte) string
	// others are further files in which the agent finds hooks; project is possibly empty.
	others func(env Env, project string) []string
}

// agent fills in what all such agents share.
func (l listed) agent(a agent) agent {
	a.places = func(env Env) []string { return []string{l.dir(env)} }
	a.files = func(dir string) []string { return []string{l.path(dir)} }
	a.add, a.undo = l.add, l.undo
	a.mark = func(dir string) (mark, bool) { return commandMark(l.path(dir), l.ours) }
	a.holds = func(_ *planner, dir string) bool { return runs(l.path(dir), l.ours) }
	a.look, a.doubles = l.look, l.doubles
	return a
}

func (l listed) path(dir string) string { return filepath.Join(dir, l.file) }

func (l listed) switchedOff(data []byte) string {
	if l.off == nil {
		return ""
	}
	return l.off(data)
}

// ours recognises a command of boathook's for this agent.
func (l listed) ours(command string) bool { return host.Runs(l.host().ID, command) }

// commandMark is what the commands in a file say of their install.
func commandMark(path string, ours func(string) bool) (mark, bool) {
	data, err := readFile(path)
	if err != nil {
		return mark{}, false
	}
	var lines []string
	commands(data, func(_, command string) {
		if ours(command) {
			lines = append(lines, command)
		}
	})
	var in Installation
	in.wired(lines)
	return mark{Owner: ownerName, Config: in.Config}, in.Config != ""
}

func (l listed) add(p *planner, at place) error {
	path := l.path(at.Dir)
	now, err := p.read(path)
	if err != nil {
		return err
	}
	title := l.host().Title
	if why := l.dropped(now.data); why != "" {
		return refuse("edit %s: %s: %s drops the whole file for that, without a word; mend it first", path, why, title)
	}
	events, err := p.events(l.host(), path, l.ours)
	if err != nil {
		return err
	}
	if l.choose != nil {
		events = l.choose(p, events)
	}
	p.keepOnFailure(l.onFailure(now.data))
	known, ok := p.old.file(path)
	want, made, err := l.edited(p, now.data, events, l.made(now.data, known, ok))
	if err != nil {
		return badFile(path, err)
	}
	if why := l.dropped(want); why != "" {
		return refuse("edit %s: what would be written there is nothing that %s takes (%s)", path, title, why)
	}
	if off := l.switchedOff(want); off != "" {
		p.note("%s has %s: no hook of %s runs until that is gone", path, off, title)
	}
	if err := p.dir(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	if !ok || !slices.Contains(known.After, sum(now.data)) {
		if known, err = l.original(p, now, known, ok); err != nil {
			return badFile(path, err)
		}
	}
	known.Made = made
	p.next.put(known, sum(want))
	p.write(now, want, 0o644, "")
	return nil
}

// original keeps what the file is to be after an uninstall: what it is now, without our entries. Where nobody but boathook
// edited it since, that is known already.
func (l listed) original(p *planner, now found, known file, ok bool) (file, error) {
	if !now.exists {
		return file{Path: known.Path}, nil
	}
	base, err := l.without(now.data, l.made(now.data, known, ok))
	if err != nil {
		return known, err
	}
	next := file{Path: known.Path, Before: sum(base)}
	if ok && known.Before == "" && l.emptied(base) {
		next.Before = ""
		return next, nil
	}
	p.backup(known.Path, base)
	return next, nil
}

// undo plans to take our entries out: the original bytes come back where nobody edited the file since.
func (l listed) undo(p *planner, at place) error {
	path := l.path(at.Dir)
	p.sweep(path)
	now, err := p.read(path)
	if err != nil {
		return err
	}
	known, ok := p.old.file(path)
	p.next.drop(path)
	if !now.exists || ok && p.unedited(now, known) {
		return nil
	}
	left, err := l.without(now.data, l.made(now.data, known, ok))
	switch {
	case err != nil && !bytes.Contains(now.data, []byte(" hook --agent "+l.host().ID+" ")):
		return nil // no entry of ours can be in it
	case err != nil:
		return badFile(path, err)
	case ok && known.Before == "" && l.emptied(left):
		p.remove(now)
		return nil
	}
	p.rewrite(now, left)
	return nil
}

// emptied tells that nothing is left in a file but what the agent itself adds.
func (l listed) emptied(data []byte) bool {
	names, err := confedit.Names(data)
	return emptied(data) || err == nil && len(names) > 0 && !slices.ContainsFunc(names, func(name string) bool { return !slices.Contains(l.adds, name) })
}

// keepOnFailure goes on with what is installed where nothing was asked for.
func (p *planner) keepOnFailure(have string) {
	if p.req.OnFailure == "" {
		p.req.OnFailure = have
	}
}

// here tells whether one of an agent's files or programs is on this machine.
func here(env Env, dir string, programs ...string) bool {
	return isPlace(dir) || slices.ContainsFunc(programs, func(name string) bool { return onPath(env, name) != "" })
}

// isPlace tells whether a path is a directory, also behind a link.
func isPlace(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

// agentDir is an agent's directory: what a variable names, else a name in the home directory.
func agentDir(env Env, variable, name string) string {
	if dir := lookup(env, variable); variable != "" && filepath.IsAbs(dir) {
		return filepath.Clean(dir)
	}
	return filepath.Join(env.Home, name)
}
