package gemini_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/boathook/boathook/itest/agentlab"
	"github.com/boathook/boathook/itest/geminirun"
)

// TestHarnessRepeats shows that two runs without boathook look the same and leave the same behind after normalization,
// which is what the tests that compare with a control run rely on.
func TestHarnessRepeats(t *testing.T) {
	l := geminirun.New(t, "")
	l.Model(t, everything())
	first := l.Headless(t, geminirun.Relaunch, "please do").Normal()
	firstTree := agentlab.Tree(t, l.Home, nil)
	l.Refurnish(t, "first")
	second := l.Headless(t, geminirun.Relaunch, "please do").Normal()
	if diff := cmp.Diff(first, second); diff != "" {
		t.Errorf("two runs differ (-first +second):\n%s", diff)
	}
	if diff := cmp.Diff(firstTree, agentlab.Tree(t, l.Home, nil)); diff != "" {
		t.Errorf("two homes differ (-first +second):\n%s", diff)
	}
}

// TestHarnessTerminal shows that the driver can approve a tool and quit.
func TestHarnessTerminal(t *testing.T) {
	l := geminirun.New(t, "")
	l.Model(t, touch())
	recorded := addRecorder(t, l, "Notification", "SessionEnd")
	approve(t, l)
	if got := len(only(recorded(), "Notification")); got != 1 {
		t.Errorf("Notification fired %d times, want once", got)
	}
}

// approve is a session on a terminal: a prompt, one tool that is approved, the end.
func approve(t *testing.T, l *geminirun.Lab, env ...string) {
	t.Helper()
	term := l.Terminal(t, env...)
	term.Expect(`Type your message`)
	term.Submit("please do", `Allow once`)
	term.Enter()
	term.Expect(`That was all\.`)
	if code := term.Quit(); code != 0 {
		t.Errorf("the CLI ended with exit code %d", code)
	}
	mustExist(t, l, "side-effect")
}
