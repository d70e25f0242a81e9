package trial

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// Commands are the installed command lines, by the agent's event name.
type Commands map[string]string

// handler is one command in either agent's file.
type handler struct {
	Command string `json:"command"`
}

// group is a matcher with its handlers. A flat handler, as Antigravity's lifecycle events have it, is read as one too.
type group struct {
	handler
	Hooks []handler `json:"hooks"`
}

// Installed reads the command lines back from the files that the agent itself reads in a home.
func Installed(agent, home string) (Commands, error) {
	events, dir, err := installedEvents(agent, home)
	if err != nil {
		return nil, err
	}
	out := Commands{}
	for event, groups := range events {
		if command := first(groups); command != "" {
			out[event] = expand(command, dir)
		}
	}
	if len(out) == 0 {
		return nil, fmt.Errorf("read installed hooks %s: there are none", agent)
	}
	return out, nil
}

func installedEvents(agent, home string) (events map[string][]group, dir string, err error) {
	switch agent {
	case "gemini":
		dir = filepath.Join(home, ".gemini", "extensions", "boathook")
		var file struct {
			Hooks map[string][]group `json:"hooks"`
		}
		err = readJSON(filepath.Join(dir, "hooks", "hooks.json"), &file)
		return file.Hooks, dir, err
	case "antigravity":
		dir = filepath.Join(home, ".gemini", "config")
		var raw struct {
			Boathook map[string]json.RawMessage `json:"boathook"`
		}
		if err = readJSON(filepath.Join(dir, "hooks.json"), &raw); err != nil {
			return nil, dir, err
		}
		return groupsOf(raw.Boathook), dir, nil
	}
	return nil, "", fmt.Errorf("read installed hooks %s: no session is recorded for this agent", agent)
}

// groupsOf keeps the members that are lists: a named hook also has switches and markers.
func groupsOf(members map[string]json.RawMessage) map[string][]group {
	out := map[string][]group{}
	for name, raw := range members {
		var groups []group
		if json.Unmarshal(raw, &groups) == nil {
			out[name] = groups
		}
	}
	return out
}

func readJSON(path string, into any) error {
	b, err := os.ReadFile(path)
	if err != nil {
		return fmt.Errorf("read installed hooks: %w", err)
	}
	if err := json.Unmarshal(b, into); err != nil {
		return fmt.Errorf("read installed hooks %s: %w", path, err)
	}
	return nil
}

func first(groups []group) string {
	for _, g := range groups {
		if g.Command != "" {
			return g.Command
		}
		for _, h := range g.Hooks {
			if h.Command != "" {
				return h.Command
			}
		}
	}
	return ""
}

// expand does what Gemini CLI does to the strings of an extension's hooks.json: plain replacement (0.61.0).
func expand(command, dir string) string {
	return strings.NewReplacer("${extensionPath}", dir, "${/}", "/", "${pathSeparator}", "/").Replace(command)
}
