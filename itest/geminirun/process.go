package geminirun

import (
	"testing"

	"github.com/boathook/boathook/itest/agentlab"
)

// Launcher says how the CLI is started.
type Launcher bool

// Relaunch is the default of the CLI: it starts itself once more. Direct saves that (GEMINI_CLI_NO_RELAUNCH).
const (
	Direct   Launcher = false
	Relaunch Launcher = true
)

func (l Launcher) env() []string {
	if l == Relaunch {
		return nil
	}
	return []string{"GEMINI_CLI_NO_RELAUNCH=true"}
}

// Headless runs one prompt with every tool allowed and the output as JSON lines.
func (l *Lab) Headless(tb testing.TB, launcher Launcher, prompt string, env ...string) agentlab.Result {
	tb.Helper()
	args := []string{l.script, "-p", prompt, "-m", "gemini-2.5-flash", "--yolo", "-o", "stream-json"}
	return l.Run(tb, l.Work, l.environ(append(launcher.env(), env...)...), "node", args...)
}

// Install brings a boathook of the lab's own, installs it for the Gemini CLI and fails the test if that fails. The environment is imported by it.
func (l *Lab) Install(tb testing.TB, env ...string) {
	tb.Helper()
	l.Bring(tb)
	l.MustBoathook(tb, env, "install", "gemini", "--yes")
}
