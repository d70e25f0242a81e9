package hookrun

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/boathook/boathook/hook/canon"
	"github.com/boathook/boathook/internal/config"
	"github.com/boathook/boathook/internal/host"
	"github.com/boathook/boathook/internal/host/registry"
	"github.com/boathook/boathook/internal/lenient"
)

// named takes the agent and the event from the arguments, which is all that an installed hook needs.
func (r *run) named() {
	if r.args.agent == "" {
		r.host, r.registered = registry.Unknown(), true
	} else {
		r.host, r.registered = registry.Lookup(r.args.agent)
	}
	r.event, r.known = r.host.Event(r.args.event)
}

// unsure tells whether the payload has to say what the arguments don't: an event that the agent does not have may be a slip,
// and must not make of a gate what nothing can stop.
func (r *run) unsure() bool { return r.args.agent == "" || !r.known }

// identify looks at the payload where the arguments leave open whose hook this is, and where the environment says that it
// is not the agent that the hook was installed for.
func (r *run) identify(payload lenient.Value) {
	foreign := r.foreign()
	if !r.unsure() && foreign == nil {
		return
	}
	found := registry.Detect(r.env.Lookup, payload)
	switch {
	case found.Host != nil && slices.Contains(foreign, found.Host.ID):
		// Both say so. An environment alone says nothing: a repository may have made it.
		r.become(found.Host, found.Event)
		r.note(fmt.Sprintf("a hook that was installed for %s is run by %s", r.args.agent, found.Host.ID))
		r.elsewhere = r.hasItsOwn(found.Host)
	case r.args.agent == "":
		r.detected(found)
	case found.Host != nil && found.Host.ID == r.host.ID && found.Event != "":
		r.become(found.Host, found.Event)
		if r.args.event == "" {
			r.note("event: there is no --event, the payload says which it is")
		} else {
			r.note(fmt.Sprintf("event %s is not known for %s, the payload says which it is", r.quoted(r.args.event), r.host.ID))
		}
	}
}

// detected takes the agent that was found; the event that the arguments name counts where the agent has it.
func (r *run) detected(found registry.Found) {
	switch len(found.Candidates) {
	case 0:
		r.note("agent: there is no --agent, and the payload is of no agent that is known; there is no answer")
	case 1:
		event := found.Event
		if _, known := found.Host.Event(r.args.event); known {
			event = r.args.event
		}
		r.become(found.Host, event)
		r.note("agent: there is no --agent, the payload says whose it is")
	default:
		r.note("agent: there is no --agent, and the payload could be of " + strings.Join(found.Candidates, " or ") + "; there is no answer")
	}
}

// become makes this run a hook of another agent or event. The watchdog's answer changes in the same moment: what is closed
// is so for the agent that was found, too.
func (r *run) become(h *host.Host, event string) {
	r.mu.Lock()
	r.host, r.registered = h, true
	r.event, r.known = h.Event(event)
	r.event = r.withPerson(h, r.event)
	if worst, ok := r.worst(); ok {
		r.verdict = worst
	}
	r.own = r.expected()
	r.settle()
	r.mu.Unlock()
	r.expectHooks()
}

// who is the agent and the event, for the watchdog.
func (r *run) who() (*host.Host, host.Event) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.host, r.event
}

// foreign names the agents that run hooks of Claude Code's settings as their own (Copilot CLI 1.0.102, and Cursor by its
// source) of which there is a variable.
func (r *run) foreign() []string {
	if r.args.agent != "claude" {
		return nil
	}
	var out []string
	for _, v := range [...]struct{ name, id string }{{"COPILOT_CLI", "copilot"}, {"CURSOR_VERSION", "cursor"}} {
		if value, ok := r.env.Lookup(v.name); ok && value != "" {
			out = append(out, v.id)
		}
	}
	return out
}

// hasItsOwn tells whether an agent has boathook's own hook for this kind of event, which then is the one that counts. It
// looks at the user's own file alone, where no variable can lead it elsewhere; one that cannot be read is none.
func (r *run) hasItsOwn(h *host.Host) bool {
	file := map[string]string{"copilot": ".copilot/hooks/boathook.json", "cursor": ".cursor/hooks.json"}[h.ID]
	if file == "" || r.event.Kind == canon.Other {
		return false
	}
	home := config.Home(r.request(), r.settings)
	if home == "" {
		return false
	}
	path := filepath.Join(home, filepath.FromSlash(file))
	if r.stuck(filepath.Dir(path)) != "" {
		return false
	}
	var text string
	if !within(diskTime, func() { text = readOwn(path) }) {
		return false
	}
	for _, line := range lenient.Find([]byte(text), []string{"command", "bash"}) {
		if host.Runs(h.ID, line) && slices.ContainsFunc(h.Events, func(ev host.Event) bool {
			return ev.Kind == r.event.Kind && strings.Contains(line, " --event "+ev.Name+" ")
		}) {
			return true
		}
	}
	return false
}

func readOwn(path string) string {
	const most = 1 << 20
	info, err := os.Stat(path)
	if err != nil || !info.Mode().IsRegular() {
		return ""
	}
	f, err := os.Open(path)
	if err != nil {
		return ""
	}
	defer func() { _ = f.Close() }()
	text, err := io.ReadAll(io.LimitReader(f, most))
	if err != nil {
		return ""
	}
	return string(text)
}
