package install

import (
	"path/filepath"

	claudehost "github.com/boathook/boathook/internal/host/claude"
	"github.com/boathook/boathook/internal/shellquote"
	"github.com/boathook/boathook/internal/switched"
)

// Claude Code reads groups of handlers from settings.json, with everything else that is set there, and again whenever the
// file changes. One thing that it doesn't take, also of what has nothing to do with hooks, and no hook of the file runs
// (2.1.332).

func claude() agent {
	return claudeList().agent(agent{
		id: "claude", title: "Claude Code", detect: func(env Env) bool { return here(env, claudeDir(env), "claude") },
		restart: "Claude Code takes the hooks at once, also in sessions that run",
		stop:    "Claude Code lets go of the hooks at once, also in sessions that run",
	})
}

// claudeDir is Claude Code's directory; CLAUDE_CONFIG_DIR stands for all of it (2.1.332).
func claudeDir(env Env) string { return agentDir(env, "CLAUDE_CONFIG_DIR", ".claude") }

func claudeList() listed {
	return listed{
		host: claudehost.Host, dir: claudeDir, file: "settings.json",
		entry: claudeEntry, dropped: claudeDrops, off: switched.AllOff,
		others: func(_ Env, project string) []string {
			return inProject(project, ".claude/settings.json", ".claude/settings.local.json")
		},
	}
}

// claudeTimeout is in seconds. It is above whatever a hook takes by itself; and at a session's end, where Claude Code waits
// for 1.5 s, it waits for as long as a handler says there (2.1.332).
const claudeTimeout = 60

// everyTool matches all tools, on each agent that has matchers.
const everyTool = "*"

// claudeEntry is a group. Cursor runs Claude Code's hooks too, with the payload in a here-document behind the command,
// which is why that is one command.
func claudeEntry(p *planner, ev event) object {
	handler := object{
		{"type", "command"}, {"command", shellquote.Group(shellCommand(p.env.Exe, p.plan.Config, "claude", ev.Name))}, {"timeout", claudeTimeout},
	}
	if p.req.OnFailure == Block && ev.Gate {
		handler[1].value = shellquote.Group(failing(p.env.Exe, p.plan.Config, "claude", ev.Name))
		handler = append(handler, pair{"onFailure", Block})
	}
	group := object{{hooksKey, []any{handler}}}
	if ev.Tool {
		group = append(object{{"matcher", everyTool}}, group...)
	}
	return group
}

// claudeDrops tells what 2.1.332 drops the file for, as far as that was seen.
func claudeDrops(data []byte) string {
	if why := strictJSON(data, true); why != "" {
		return why
	}
	file := fileTree(data)
	r := rules{types: []string{"command", "http", "prompt", "agent", "mcp_tool"}}
	if why := r.broken(claudehost.Host(), file); why != "" {
		return why
	}
	return claudeSettings(file)
}

// claudeSettings looks at settings beside the hooks.
func claudeSettings(file map[string]any) string {
	if env, there := file["env"]; there {
		if _, ok := env.(map[string]any); !ok {
			return `"env" is no object`
		}
	}
	value, there := file["permissions"]
	if !there {
		return ""
	}
	permissions, ok := value.(map[string]any)
	if !ok {
		return `"permissions" is no object`
	}
	for _, name := range []string{"allow", "deny", "ask", "additionalDirectories"} {
		value, there := permissions[name]
		if !there {
			continue
		}
		list, ok := value.([]any)
		if !ok {
			return "permissions." + name + " is no list"
		}
		for _, rule := range list {
			if _, ok := rule.(string); !ok {
				return "permissions." + name + " has a rule that is no text"
			}
		}
	}
	return ""
}

// inProject lists files of a project, if there is one.
func inProject(project string, names ...string) []string {
	if project == "" {
		return nil
	}
	var out []string
	for _, name := range names {
		out = append(out, filepath.Join(project, filepath.FromSlash(name)))
	}
	return out
}
