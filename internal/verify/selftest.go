package verify

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"time"

	"github.com/boathook/boathook/internal/agentrun"
	"github.com/boathook/boathook/internal/host"
	"github.com/boathook/boathook/internal/install"
	"github.com/boathook/boathook/internal/managed"
	"github.com/boathook/boathook/internal/paths"
	"github.com/boathook/boathook/internal/trial"
)

// The selftest starts every installed command line with every sample of its event, as the agent starts it, and looks at
// what the agent would get and at what was recorded. One thing of the command is changed: in place of the config that is
// baked into it stands a temporary one with the same settings, but its own data directory, a guard of the selftest's and no
// telemetry. Nothing runs with the real config, not even once: there is no event that would leave no record in the user's
// data and no question at the user's guard. Of the real config is only looked at whether it is there and can be read.
//
// Nothing is started but what install wrote: a command or a script that somebody edited, or that came with a project, is a
// fault and no more (install.Installation says which).

// SelftestOptions is the world of a selftest.
type SelftestOptions struct {
	Hosts []*host.Host
	// Home is the user's, Lookup the environment, Path the PATH that agents have, Tmp the directory for temporary files.
	Home   string
	Lookup paths.Lookup
	// Places are where install has put hooks, or where they are found.
	Places []install.Installation
	Path   string
	Tmp    string
	// Managed is the administrator's config file, Root what the directories of administrators are in, empty for /.
	Managed, Root string
	Now           func() time.Time
}

// ErrManaged says that an administrator's settings would send the selftest to real places.
var ErrManaged = errors.New("the administrator's settings can't be replaced by temporary ones")

// RunSelftest runs one. The error is for one that could not be run; what it found wrong is in the result.
func RunSelftest(ctx context.Context, o SelftestOptions) (out *Selftest, err error) {
	t := &tester{SelftestOptions: o, out: &Selftest{}}
	found := t.find()
	if len(found) == 0 {
		return t.finish(), nil
	}
	if t.guard, err = trial.StartGuard(ctx); err != nil {
		return nil, err
	}
	defer t.guard.Close()
	if t.box, err = newSandbox(o.Tmp); err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, t.box.close()) }()
	for _, p := range found {
		if err := t.agent(ctx, p); err != nil {
			return nil, err
		}
	}
	if err := t.stored(ctx); err != nil {
		return nil, err
	}
	return t.finish(), nil
}

// tester is one selftest.
type tester struct {
	SelftestOptions
	out   *Selftest
	guard *trial.Guard
	box   *sandbox
}

// place is where an agent has hooks, with what install knows of it.
type place struct {
	host   *host.Host
	hooks  agentrun.Hooks
	result *AgentResult
	known  install.Installation
}

// notRun says why an event's command is not started.
func (p place) notRun(event string) string {
	switch {
	case p.known.NotRun != "":
		return p.known.NotRun
	case !slices.Contains(p.known.Intact, event):
		return "it is not as boathook wrote it"
	}
	return ""
}

// known is what install knows of the hooks of an agent in a directory.
func (t *tester) known(agent, dir string) install.Installation {
	this, err := os.Stat(dir)
	for _, in := range t.Places {
		other, failed := os.Stat(in.Dir)
		if in.Agent == agent && err == nil && failed == nil && os.SameFile(this, other) {
			return in
		}
	}
	return install.Installation{NotRun: "install does not know it"}
}

// own tells whether install put hooks into the user's own configuration of an agent.
func (t *tester) own(agent string) bool {
	return slices.ContainsFunc(t.Places, func(in install.Installation) bool { return in.Agent == agent && !in.Workspace })
}

// find reads what is installed.
func (t *tester) find() []place {
	var found []place
	for _, h := range t.Hosts {
		for i, dir := range append([]string{agentrun.Dir(h.ID, t.Home, t.Lookup)}, projects(t.Places, h.ID)...) {
			hooks, err := readHooks(h.ID, dir, i > 0)
			a := &AgentResult{Agent: h.ID, Title: h.Title, Installed: !errors.Is(err, agentrun.ErrNone), File: hooks.File, Events: []*EventResult{}}
			if i > 0 {
				a.project = filepath.Dir(dir)
			}
			if i == 0 || a.Installed {
				t.out.Agents = append(t.out.Agents, a)
			}
			switch {
			case err == nil:
				found = append(found, place{h, hooks, a, t.known(h.ID, dir)})
			case !a.Installed && (i > 0 || t.own(h.ID)):
				t.missing(a)
			case a.Installed:
				a.fault("the agent can't read its hooks: "+cause(err), "mend the file, or move it away and run '"+a.reinstall()+"'")
			}
		}
	}
	return found
}

// missing is what install put somewhere and the agent would not find.
func (t *tester) missing(a *AgentResult) {
	a.Installed = true
	if a.project != "" {
		t.out.Agents = append(t.out.Agents, a)
	}
	text := "the file has no hook of boathook's any more, and install put them there"
	if _, err := os.Lstat(a.File); errors.Is(err, fs.ErrNotExist) {
		text = "the file is missing, and install put the hooks there"
	}
	a.fault(text+": "+a.Title+" runs none", a.reinstall())
}

// agent tests the hooks of one.
func (t *tester) agent(ctx context.Context, p place) error {
	h, hooks, a := p.host, p.hooks, p.result
	p.file()
	t.trust(p)
	if t.outranked(p) {
		a.Notes = append(a.Notes, "an administrator's hooks run for this agent: these stay silent beside them, and were not tested")
		return nil
	}
	for _, ev := range h.Events {
		hook, registered := hooks.ByEvent[ev.Name]
		if !registered {
			if ev.Default {
				a.Notes = append(a.Notes, ev.Name+" is not registered, and usually is: boathook install "+h.ID+" --events default")
			}
			continue
		}
		e := &EventResult{Event: ev.Name, Forms: []string{}}
		a.Events = append(a.Events, e)
		if err := t.event(ctx, p, ev, hook, e); err != nil {
			return err
		}
	}
	for name := range hooks.ByEvent {
		if _, known := h.Event(name); !known {
			a.fault(fmt.Sprintf("an entry %s is registered, and %s has no such event", fieldName(name), h.Title), a.reinstall())
		}
	}
	return nil
}

// outranked tells whether an administrator's hooks run for an agent: a user's own stay silent beside them, as far as there are
// managed settings and it is not those that they read.
func (t *tester) outranked(p place) bool {
	_, err := os.Stat(t.Managed)
	return err == nil && p.known.Config != t.Managed && managed.Runs("/"+t.Root, runtime.GOOS, p.host.ID, t.Managed)
}

// event tests one registered event.
func (t *tester) event(ctx context.Context, p place, ev host.Event, hook agentrun.Hook, e *EventResult) error {
	h, a := p.host, p.result
	list, err := samplesOf(h, ev, t.box.home)
	if err != nil {
		return err
	}
	if why := p.notRun(ev.Name); why != "" {
		e.fault("not started: "+why, a.reinstall())
		e.written(h, ev, hook, list, a)
		return nil
	}
	w, err := rewire(h.ID, hook, t.box.root, t.configPath())
	if err != nil {
		e.fault("the command can't be tested: "+err.Error(), a.reinstall())
		return nil
	}
	reviewAsks, err := t.configure(w, a, e)
	if err != nil || len(e.Faults) > 0 {
		return err
	}
	if len(list) == 0 {
		a.Notes = append(a.Notes, ev.Name+" is registered, and there is no sample of its payload: it was not tested")
	}
	runner := agentrun.Agent{ID: h.ID, Home: t.box.home, Path: t.Path, Work: t.box.work, Now: t.Now}
	for _, form := range forms(h.ID, w.command, runner) {
		e.Forms = append(e.Forms, form.name)
		for _, s := range list {
			hook.Command = w.command
			r := &oneRun{t: t, host: h, event: ev, hook: hook, agent: runner, form: form, sample: s, action: decided(ev, s.want, reviewAsks)}
			if err := r.run(ctx, a, e); err != nil {
				return err
			}
		}
	}
	e.written(h, ev, hook, list, a)
	return nil
}
