package install

import (
	"maps"
	"path/filepath"
	"slices"

	codexhost "github.com/boathook/boathook/internal/host/codex"
	"github.com/boathook/boathook/internal/shellquote"
)

// Codex reads groups of handlers from hooks.json when a session starts. It runs none that its user has not trusted, and
// knows them by their place in the file: one that is put before others would make those untrusted (0.171.0).

func codex() agent {
	return trusting(codexList().agent(agent{
		id: "codex", title: "Codex", detect: func(env Env) bool { return here(env, codexDir(env), "codex") },
		restart: "start a new Codex session: those that run keep the hooks that they started with",
		stop:    "restart running Codex sessions: they keep the hooks that they started with",
	}))
}

// codexDir is Codex's directory; CODEX_HOME stands for all of it (0.171.0).
func codexDir(env Env) string { return agentDir(env, "CODEX_HOME", ".codex") }

func codexList() listed {
	return listed{
		host: codexhost.Host, dir: codexDir, file: "hooks.json",
		entry: codexEntry, dropped: codexDrops,
		others: func(_ Env, project string) []string { return inProject(project, ".codex/hooks.json") },
	}
}

// Codex gives hooks at a session's end and at an interrupt 3 s at most (0.171.0). Timeouts are in seconds.
const (
	codexTimeout    = 60
	codexEndTimeout = 3
)

// codexEntry is a group. Codex uses the user's shell, which may not know POSIX.
func codexEntry(p *planner, ev event) object {
	timeout := codexTimeout
	if ev.Name == "SessionEnd" || ev.Name == "Interrupt" {
		timeout = codexEndTimeout
	}
	group := object{{hooksKey, []any{object{
		{"type", "command"}, {"command", shellquote.Shell(shellCommand(p.env.Exe, p.plan.Config, "codex", ev.Name))}, {"timeout", timeout},
	}}}}
	if ev.Tool {
		group = append(object{{"matcher", everyTool}}, group...)
	}
	return group
}

// codexDrops tells what 0.171.0 takes no hook of the file for.
func codexDrops(data []byte) string {
	if why := strictJSON(data, false); why != "" {
		return why
	}
	file := fileTree(data)
	for _, name := range slices.Sorted(maps.Keys(file)) {
		if name != hooksKey && name != "description" {
			return `it has "` + name + `", and nothing but "description" and "hooks" may be there`
		}
	}
	if text, there := file["description"]; there && text != nil {
		if _, ok := text.(string); !ok {
			return `"description" is no text`
		}
	}
	r := rules{types: []string{"command", "mcp_tool", "prompt", "agent"}, whole: true}
	return r.broken(codexhost.Host(), file)
}

// codexConfig is the file of settings, in which hooks may be too.
func codexConfig(env Env) string { return filepath.Join(codexDir(env), "config.toml") }
