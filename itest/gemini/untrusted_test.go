package gemini_test

import (
	"path/filepath"
	"testing"
	"time"

	"github.com/boathook/boathook/itest/agentlab"
	"github.com/boathook/boathook/itest/geminirun"
)

// TestUntrustedFolder works in a folder that the user does not trust. The CLI then ignores hooks in settings, but not those of
// an extension, which is why boathook installs as one.
func TestUntrustedFolder(t *testing.T) {
	l := geminirun.New(t, "")
	l.Model(t, touch())
	installGuarded(t, l, noTouching())
	term := l.Terminal(t, "GEMINI_CLI_TRUST_WORKSPACE=")
	term.Expect(`3\. Don't trust`)
	time.Sleep(300 * time.Millisecond) // the dialog takes no keys while it appears
	term.Press("3", `(?s)● 3\. Don't trust.*Type your message`)
	term.Submit("please do", `That was all\.`)
	if code := term.Quit(); code != 0 {
		t.Errorf("the CLI ended with exit code %d", code)
	}
	mustNotExist(t, filepath.Join(l.Work, "side-effect"))
	before := agentlab.Select(l.WaitLog(t), "BeforeTool")
	if len(before) != 1 || before[0].Decision.Action != "deny" {
		t.Errorf("records of BeforeTool: %+v", before)
	}
}
