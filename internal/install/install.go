// Package install puts boathook's hooks into agents' configurations and takes them out again. A Plan is computed first,
// without writing anything, so that it can be shown; Apply then makes the changes one by one and takes them back if one
// fails. A manifest in the data directory remembers what was there before. `boathook install` and `boathook uninstall`
// call it. Everything it needs of the world is in Env.
package install

import (
	"errors"
	"fmt"

	"github.com/boathook/boathook/internal/paths"
)

// Env is the world as the installer sees it.
type Env struct {
	// Home is the user's home directory; Lookup finds environment variables.
	Home   string
	Lookup paths.Lookup
	// Exe is the program that the hooks will run, Version its version.
	Exe, Version string
	// Managed is the administrator's config file, empty where there can be none.
	Managed string
	// UID is the user's id, -1 where the system has none.
	UID  int
	GOOS string
}

// Request is what the user asked for. Paths are absolute.
type Request struct {
	// Agents are ids as in Agents(); none means all that Detect finds, or for Uninstall all that are installed.
	Agents []string
	// Workspace is a project to install into instead of the user's own configuration.
	Workspace string
	// Config is the config file that the hooks will read; empty means the default place.
	Config string
	// Events are "default", "all" and names of events; the union of them is registered. None means "default".
	Events []string
	// KeepPinta leaves an installed pinta-gemini in place.
	KeepPinta bool
	// Purge makes Uninstall remove the config, the data and the backups too.
	Purge bool
}

// Refused is an error that means: nothing was changed, because it isn't boathook's to change, or would not work.
type Refused struct{ Err error }

func (r *Refused) Error() string { return r.Err.Error() }
func (r *Refused) Unwrap() error { return r.Err }

func refuse(format string, args ...any) error {
	return &Refused{fmt.Errorf(format, args...)}
}

// ErrUnknownAgent says that Request.Agents names an agent that can't be installed.
var ErrUnknownAgent = errors.New("unknown agent")

// agent is one agent as the installer knows it. The functions may return a *Refused.
type agent struct {
	id, title string
	// detect tells whether the agent seems to be on this machine.
	detect func(env Env) bool
	// add puts the changes that install the agent into the plan.
	add func(p *planner) error
	// found adds what uninstall must undo although the manifest doesn't know it.
	found func(p *planner) error
	// workspace says that Request.Workspace is possible.
	workspace bool
	// restart tells what the user must do before the hooks run.
	restart string
}

func agents() []agent {
	return []agent{gemini(), antigravity()}
}

// Agents lists the ids of the agents that can be installed.
func Agents() []string {
	var out []string
	for _, a := range agents() {
		out = append(out, a.id)
	}
	return out
}

// Detect lists the agents that seem to be on this machine.
func Detect(env Env) []string {
	var out []string
	for _, a := range agents() {
		if a.detect(env) {
			out = append(out, a.id)
		}
	}
	return out
}

func find(ids []string) ([]agent, error) {
	var out []agent
next:
	for _, id := range ids {
		for _, a := range agents() {
			if a.id == id || a.id == aliases[id] {
				out = append(out, a)
				continue next
			}
		}
		return nil, fmt.Errorf("%w %q", ErrUnknownAgent, id)
	}
	return out, nil
}

// aliases are other names that people and the agents themselves use.
var aliases = map[string]string{"agy": "antigravity", "antigravity1": "antigravity", "antigravity2": "antigravity", "gemini-cli": "gemini"}
