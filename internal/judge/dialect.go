package judge

import (
	"runtime"
	"strings"
)

// dialects are those in which an agent's tool may have its command line read; "" is a POSIX shell.
func dialects(agent, hostName string) []string { return dialectsOn(runtime.GOOS, agent, hostName) }

func dialectsOn(goos, agent, hostName string) []string {
	name := strings.ToLower(hostName)
	switch {
	case strings.Contains(name, "powershell") || name == "pwsh":
		return []string{"powershell"}
	case name == "cmd":
		return []string{"cmd"}
	case goos != "windows" || agent == "claude" && name == "bash":
		return []string{""} // Claude Code brings a bash of Git's
	}
	switch agent {
	case "gemini", "codex", "copilot", "cursor", "qwen", "antigravity":
		return []string{"powershell"}
	}
	return []string{"powershell", "cmd"} // whichever the user has
}
