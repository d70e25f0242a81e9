package pending

import (
	"path/filepath"
	"slices"
	"strings"
)

// Process is one process, as its descendants look for it.
type Process struct {
	PID, Parent int
	// Name is its program; Args the command line, where that can be read.
	Name string
	Args []string
}

// Look finds a process.
type Look func(pid int) (Process, bool)

// maxUp bounds the way up.
const maxUp = 64

// UnderAgent tells whether a process runs below a known agent: by the programs above it, or by what agents set for what they start.
// It is no boundary, since a program can leave its parents and its environment; it stops an agent that only tries. pid is 0 where a
// variable says so.
func UnderAgent(lookup func(string) (string, bool), pid int, look Look) (agent string, at int, ok bool) {
	seen := map[int]bool{}
	for range maxUp {
		p, found := look(pid)
		if !found || seen[pid] {
			break
		}
		seen[pid] = true
		if agent := agentOf(p); agent != "" {
			return agent, p.PID, true
		}
		if p.Parent <= 1 {
			break
		}
		pid = p.Parent
	}
	for _, m := range markers() {
		if v, set := lookup(m.name); set && v != "" {
			return m.agent, 0, true
		}
	}
	return "", 0, false
}

type marker struct{ name, agent string }

// markers are variables that agents set for what they run. Those that only an editor sets for all its terminals are none.
func markers() []marker {
	return []marker{
		{"CLAUDECODE", "claude"},
		{"GEMINI_CLI", "gemini"},
		{"QWEN_CODE", "qwen"},
		{"QWEN_CODE_SESSION_ID", "qwen"},
		{"GEMINI_SESSION_ID", "gemini"},
		{"CODEX_SANDBOX", "codex"},
		{"CODEX_SANDBOX_NETWORK_DISABLED", "codex"},
		{"CODEX_THREAD_ID", "codex"},
		{"CODEX_CI", "codex"},
		{"COPILOT_CLI", "copilot"},
		{"CURSOR_AGENT", "cursor"},
		{"CLINE_ACTIVE", "cline"},
		{"OPENCODE", "opencode"},
		{"OPENCODE_SESSION_ID", "opencode"},
		{"AMP_CURRENT_THREAD_ID", "amp"},
		{"AGENT_THREAD_ID", "amp"},
		{"ANTIGRAVITY_AGENT", "antigravity"},
	}
}

// programs are the agents' own names, and the folders of their packages.
func programs() []struct {
	agent           string
	names, packages []string
} {
	return []struct {
		agent           string
		names, packages []string
	}{
		{"claude", []string{"claude"}, []string{"@anthropic-ai/claude-code"}},
		{"gemini", []string{"gemini"}, []string{"@google/gemini-cli"}},
		{"codex", []string{"codex"}, []string{"@openai/codex"}},
		{"copilot", []string{"copilot"}, []string{"@github/copilot"}},
		{"cursor", []string{"cursor", "cursor-agent"}, nil},
		{"windsurf", []string{"windsurf"}, nil},
		{"cline", []string{"cline"}, nil},
		{"amp", []string{"amp"}, []string{"@sourcegraph/amp"}},
		{"qwen", []string{"qwen"}, []string{"@qwen-code/qwen-code"}},
		{"opencode", []string{"opencode"}, []string{"opencode-ai"}},
		{"antigravity", []string{"agy", "antigravity"}, nil},
	}
}

// agentOf names the agent that a process is: by its program, or by the script that an interpreter runs.
func agentOf(p Process) string {
	names := []string{program(p.Name)}
	var scripts []string
	if len(p.Args) > 0 {
		names = append(names, program(p.Args[0]))
	}
	if slices.ContainsFunc(names, interpreter) {
		script := scriptOf(p.Args[min(1, len(p.Args)):])
		names = append(names, program(script))
		scripts = append(scripts, filepath.ToSlash(script))
	}
	for _, of := range programs() {
		for _, name := range of.names {
			if slices.Contains(names, name) {
				return of.agent
			}
		}
		for _, pack := range of.packages {
			for _, s := range scripts {
				if strings.Contains(s, "/"+pack+"/") {
					return of.agent
				}
			}
		}
	}
	return ""
}

// scriptOf is the script among an interpreter's arguments; what follows it is its own.
func scriptOf(args []string) string {
	for i := 0; i < len(args); i++ {
		a := args[i]
		switch {
		case slices.Contains([]string{"-r", "--require", "--import", "--loader", "--experimental-loader", "-C", "--conditions", "--env-file",
			"--preload", "-X", "-W", "-c", "--config"}, a):
			i++ // its value
		case !strings.HasPrefix(a, "-") && a != "run" && a != "x":
			return a
		}
	}
	return ""
}

// program is a program's name as people say it.
func program(path string) string {
	name := strings.ToLower(path[strings.LastIndexAny(path, `/\`)+1:])
	for _, end := range []string{".exe", ".cmd", ".js", ".mjs", ".cjs"} {
		name = strings.TrimSuffix(name, end)
	}
	return strings.TrimSuffix(strings.TrimPrefix(name, "."), "-wrapped")
}

func interpreter(name string) bool {
	for _, is := range []string{"node", "nodejs", "bun", "deno", "python", "python3", "mainthread"} {
		if name == is || strings.HasPrefix(name, "python3.") {
			return true
		}
	}
	return false
}
