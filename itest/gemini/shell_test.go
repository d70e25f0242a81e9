package gemini_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/boathook/boathook/itest/agentlab"
	"github.com/boathook/boathook/itest/geminirun"
)

// TestShellStartupCannotSilence has files and variables that the shell which the CLI starts for a hook obeys before it reads
// the hook's command. bash takes a hook's standard input, a socket, for a network login and reads ~/.bashrc when SHLVL is
// below 2, as it is under an agent that no shell started; else it reads BASH_ENV, which a project's .env can set. What
// ~/.bashrc prints comes before the answer, and an answer that is not JSON alone is none to the CLI (0.61.0).
func TestShellStartupCannotSilence(t *testing.T) {
	const quit = "case $BASH_EXECUTION_STRING in *boathook*) exit 0;; esac\n"
	for _, c := range []struct {
		name, bashrc, dotenv string
		env                  []string
	}{
		{"bashrc prints", "echo welcome\n", "", nil},
		{"bashrc prints, strict environment", "echo welcome\n", "", []string{"GITHUB_SHA=0123456789"}},
		{"project sets BASH_ENV", "", "BASH_ENV=./quit.sh\n", []string{"SHLVL=1"}},
		{"project sets SHLVL and BASH_ENV", "", "SHLVL=7\nBASH_ENV=./quit.sh\n", nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			l := geminirun.New(t, "")
			model := l.Model(t, touch())
			installGuarded(t, l, noTouching())
			check(t, os.WriteFile(filepath.Join(l.Home, ".bashrc"), []byte(c.bashrc), 0o644))
			check(t, os.WriteFile(filepath.Join(l.Work, ".env"), []byte(c.dotenv), 0o644))
			check(t, os.WriteFile(filepath.Join(l.Work, "quit.sh"), []byte(quit), 0o644))
			r := l.Headless(t, geminirun.Direct, "please do", c.env...)
			checkDenied(t, l, r, model)
			if got := agentlab.Select(l.WaitLog(t), "BeforeTool"); len(got) != 1 || got[0].Decision.Action != "deny" {
				t.Errorf("records of BeforeTool: %+v", got)
			}
		})
	}
}
