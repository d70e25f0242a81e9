package agentrun

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"

	"github.com/boathook/boathook/internal/foreign"
)

// ErrNone says that the agent would find no hook of boathook's.
var ErrNone = errors.New("there are none")

// Hook is one handler as the agent reads it.
type Hook struct {
	// Command is a command line, or for Cline the path of a script.
	Command string
	// Env is what the agent sets for this handler alone (Gemini CLI 0.61.0).
	Env map[string]string
	// Matcher selects tools or sources; nil where there is none.
	Matcher *string
	// Type and Timeout are as written: an agent drops a handler of a type that it does not know.
	Type    string
	Timeout float64
	// Flat says that the handler stands in the event's list itself and not in a group.
	Flat bool
	// Count is how many handlers the event has; the first is this.
	Count int
}

// Hooks are the installed hooks of one agent.
type Hooks struct {
	Agent string
	// File is where they were read: a file, or for Cline its directory of scripts.
	File string
	// ByEvent has them by the agent's event name.
	ByEvent map[string]Hook
	// Disabled says that the file itself switches them off.
	Disabled bool
}

// Installed reads the hooks back from the file that the agent itself reads in a directory. An error that is ErrNone means
// that nothing is installed there.
func Installed(agent, dir string) (Hooks, error) { return installed(agent, dir, foreign.Read) }

// InProject does the same in the directory of a project, where links are not followed.
func InProject(agent, dir string) (Hooks, error) {
	return installed(agent, dir, func(path string) ([]byte, error) { return foreign.ReadIn(filepath.Dir(dir), path) })
}

func installed(agent, dir string, read func(path string) ([]byte, error)) (Hooks, error) {
	h := Hooks{Agent: agent, ByEvent: map[string]Hook{}}
	var members map[string]json.RawMessage
	var err error
	switch {
	case pluginsBelow(agent) != "":
		err = h.plugin(dir, read)
	case agent == "cline":
		h.scripts(dir, read)
	case listed(agent):
		err = h.list(dir, read)
	default:
		members, err = h.read(dir, read)
	}
	if errors.Is(err, fs.ErrNotExist) {
		err = ErrNone
	}
	if err != nil {
		return h, fmt.Errorf("read installed hooks %s: %w", h.File, err)
	}
	for event, raw := range members {
		if hook, ok := first(raw, every); ok {
			hook.Command = expand(agent, hook.Command, dir)
			h.ByEvent[event] = hook
		}
	}
	if len(h.ByEvent) == 0 {
		return h, fmt.Errorf("read installed hooks %s: %w", h.File, ErrNone)
	}
	return h, nil
}

// read gives the members of the object that has the events.
func (h *Hooks) read(dir string, read func(path string) ([]byte, error)) (map[string]json.RawMessage, error) {
	switch h.Agent {
	case "gemini":
		h.File = filepath.Join(dir, "hooks", "hooks.json")
		var file struct {
			Hooks map[string]json.RawMessage `json:"hooks"`
		}
		b, err := read(h.File)
		if err == nil {
			err = json.Unmarshal(b, &file)
		}
		return file.Hooks, err
	case "antigravity":
		h.File = filepath.Join(dir, "hooks.json")
		var file struct {
			Boathook map[string]json.RawMessage `json:"boathook"`
		}
		b, err := read(h.File)
		if err == nil {
			err = json.Unmarshal(b, &file)
		}
		if enabled, ok := file.Boathook["enabled"]; ok {
			h.Disabled = string(enabled) == "false"
		}
		return file.Boathook, err
	}
	return nil, fmt.Errorf("it is not known where %s has its hooks", h.Agent)
}

// handler is one command in either agent's file.
type handler struct {
	Type    string            `json:"type"`
	Command string            `json:"command"`
	Env     map[string]string `json:"env"`
	Timeout float64           `json:"timeout"`
	// Seconds is how Copilot CLI calls the timeout (1.0.102).
	Seconds float64 `json:"timeoutSec"`
}

// group is a matcher with its handlers. A flat handler, as Antigravity's lifecycle events have it, is read as one too.
type group struct {
	handler
	Matcher *string   `json:"matcher"`
	Hooks   []handler `json:"hooks"`
}

func every(string) bool { return true }

// first finds the first handler of an event whose command counts, and how many there are. What is no list (a named hook also
// has switches and markers) has none.
func first(raw json.RawMessage, counts func(command string) bool) (hook Hook, ok bool) {
	var groups []group
	if json.Unmarshal(raw, &groups) != nil {
		return Hook{}, false
	}
	for _, g := range groups {
		list, flat := g.Hooks, false
		if g.Command != "" {
			list, flat = []handler{g.handler}, true
		}
		for _, h := range list {
			if h.Command == "" || !counts(h.Command) {
				continue
			}
			if hook.Count++; hook.Count == 1 {
				hook = Hook{Command: h.Command, Env: h.Env, Matcher: g.Matcher, Type: h.Type, Timeout: max(h.Timeout, h.Seconds), Flat: flat, Count: 1}
			}
		}
	}
	return hook, hook.Count > 0
}

// expand does what Gemini CLI does to the strings of an extension's hooks.json: plain replacement (0.61.0).
func expand(agent, command, dir string) string {
	if agent != "gemini" {
		return command
	}
	return strings.NewReplacer("${extensionPath}", dir, "${/}", "/", "${pathSeparator}", "/").Replace(command)
}
