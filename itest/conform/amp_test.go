package conform

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/boathook/boathook/itest/build"
)

// TestAmpAsks shows how a person is asked in Amp's plugin runtime: through Amp's own dialog, with the reason in it.
func TestAmpAsks(t *testing.T) {
	t.Parallel()
	l := NewLab(t, amp())
	l.Configure(t, build.Fixture(t, "judge"))
	l.Install(t)
	r := startAmpRuntime(t, l, filepath.Join(l.Home, ".config", "amp", "plugins", "boathook.ts"))
	defer r.stop()
	call := map[string]any{"thread": map[string]any{"id": "T-1"}, "toolUseID": "toolu_1", "tool": "Bash", "input": map[string]any{"cmd": "echo ask-me"}}
	for _, tc := range []struct {
		name, action string
		approve      func(title, message string) bool
	}{
		{"yes", "allow", func(_, message string) bool { return strings.Contains(message, "judge-asks-tool.call.") }},
		{"no", "reject-and-continue", func(string, string) bool { return false }},
		{"nobody", "reject-and-continue", nil},
	} {
		r.approve = tc.approve
		got := r.tell("tool.call", call)
		message, _ := got["message"].(string)
		if got["action"] != tc.action || tc.action != "allow" && !strings.Contains(message, "judge-asks-tool.call.") {
			t.Errorf("%s: %v", tc.name, got)
		}
	}
}
