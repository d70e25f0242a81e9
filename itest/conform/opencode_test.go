package conform

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/boathook/boathook/itest/agentlab"
	"github.com/boathook/boathook/itest/build"
	"github.com/boathook/boathook/itest/mockmodel"
)

// TestOpencodeRewriteAsks shows that another input for a call is no grant: the user is asked for the command that the hook put
// in place. The suite's own session without permission ends before it comes to that, with the first refusal.
func TestOpencodeRewriteAsks(t *testing.T) {
	t.Parallel()
	l := NewLab(t, opencode())
	l.Configure(t, build.Fixture(t, "judge"))
	l.Install(t)
	seen := l.Session(t, Session{Prompt: mockmodel.Prompt(one+"rewrite-me", "please")})
	if len(seen.Asked) != 1 || !strings.Contains(seen.Asked[0], "> rewritten") {
		t.Errorf("the user was asked for %q, want the command that makes rewritten", seen.Asked)
	}
	if len(seen.Files) > 0 {
		t.Errorf("without the user's permission %q were made", seen.Files)
	}
	asked := slices.ContainsFunc(seen.Records, func(r agentlab.Record) bool { return r.HostEvent == "permission.asked" })
	if !asked {
		t.Error("nothing was recorded of the user being asked")
	}
}

// TestOpencodePluginThatThrows shows that what a test of a plugin calls a fault is one for the real program, too: a plugin that throws
// where it should not denies the call. Without that the plugin's care would be for nothing.
func TestOpencodePluginThatThrows(t *testing.T) {
	t.Parallel()
	l := NewLab(t, opencode())
	l.Write(t, filepath.Join(l.Home, ".config", "opencode", "plugin", "mine.js"),
		`export const Mine = async () => ({ "tool.execute.before": async () => undefined.x })`)
	seen := l.Session(t, Session{Prompt: mockmodel.Prompt(calm, "please"), Permit: true})
	if len(seen.Files) > 0 {
		t.Errorf("%q were made", seen.Files)
	}
}
