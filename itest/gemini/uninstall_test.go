package gemini_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/boathook/boathook/itest/agentlab"
	"github.com/boathook/boathook/itest/geminirun"
	"github.com/boathook/boathook/itest/mockguard"
)

// TestUninstallLeavesNothing compares a home in which boathook was installed, used and removed with one that never saw it:
// every path and every content, the CLI's own transcripts included, with nothing ignored.
func TestUninstallLeavesNothing(t *testing.T) {
	l := geminirun.New(t, "")
	l.Model(t, everything())
	l.Headless(t, geminirun.Relaunch, "please do")
	control := agentlab.Tree(t, l.Refurnish(t, "control"), nil)

	installGuarded(t, l, mockguard.Always(mockguard.Verdict{Decision: mockguard.Allow}))
	l.Headless(t, geminirun.Relaunch, "please do")
	l.WaitLog(t)
	if diff := cmp.Diff(control, agentlab.Tree(t, l.Home, nil)); diff == "" {
		t.Fatal("the home with boathook in it equals the control: the comparison sees nothing")
	}
	if r := l.Boathook(t, nil, "uninstall", "gemini", "--purge", "--yes"); r.Code != 0 {
		t.Fatalf("uninstall: exit code %d\n%s%s", r.Code, r.Stdout, r.Stderr)
	}
	l.WaitIdle(t)
	if diff := cmp.Diff(control, agentlab.Tree(t, l.Home, nil)); diff != "" {
		t.Errorf("the home is not as without boathook (-control +got):\n%s", diff)
	}
}
