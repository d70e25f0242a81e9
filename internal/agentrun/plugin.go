package agentrun

import (
	"errors"
	"path/filepath"
	"strings"

	"github.com/boathook/boathook/internal/paths"
	"github.com/boathook/boathook/internal/plugin"
	"github.com/boathook/boathook/internal/shellquote"
)

// pluginsBelow is where agents that run plugins look for them, below the directory of the user's settings (Amp
// 0.0.1790142911-g7618fb, opencode 1.18.33).
func pluginsBelow(agent string) string {
	switch agent {
	case "amp":
		return "amp/plugins"
	case "opencode":
		return "opencode/plugin"
	}
	return ""
}

// pluginDir honours XDG_CONFIG_HOME, as both agents do.
func pluginDir(agent, home string, lookup paths.Lookup) string {
	config := filepath.Join(home, ".config")
	if lookup != nil {
		if dir, ok := lookup("XDG_CONFIG_HOME"); ok && filepath.IsAbs(dir) {
			config = dir
		}
	}
	return filepath.Join(config, filepath.FromSlash(pluginsBelow(agent)))
}

// plugin reads the head of a plugin's file. There is no command line in it: the one here starts what the plugin starts, with
// the same arguments and without the same variables.
func (h *Hooks) plugin(dir string, read func(path string) ([]byte, error)) error {
	h.File = filepath.Join(dir, plugin.Name(h.Agent))
	text, err := read(h.File)
	if err != nil {
		return err
	}
	head, ok := plugin.Read(text)
	if !ok {
		return errors.New("it names no program, config and events")
	}
	for _, event := range head.Events {
		h.ByEvent[event] = Hook{
			Command: "exec 2>/dev/null; unset " + strings.Join(plugin.Unset(), " ") + "; " + shellquote.Quote(head.Program) +
				" hook --agent " + h.Agent + " --event " + event + " --config " + shellquote.Quote(head.Config),
			Count: 1,
		}
	}
	return nil
}
