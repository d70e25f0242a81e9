package otlp

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/boathook/boathook/internal/record"
)

var update = flag.Bool("update", false, "write the golden files anew")

// session is every recorded payload of an agent, as one session, and its first tool call denied at the end.
func session(t testing.TB, agent string) []record.Record {
	t.Helper()
	names := map[string][]string{
		"gemini": {
			"SessionStart", "BeforeAgent", "BeforeModel", "BeforeToolSelection", "AfterModel", "AfterModel.last-chunk", "BeforeTool", "AfterTool",
			"BeforeTool.mcp", "AfterTool.error", "AfterTool.shell-exit3", "AfterTool.write_file", "Notification", "PreCompress",
			"PreCompress.manual", "AfterAgent", "SessionEnd.clear", "SessionStart.clear", "SessionEnd",
		},
		"antigravity": {
			"PreInvocation", "PreToolUse", "PostToolUse", "PreToolUse", "PostToolUse.failed", "PreToolUse.write", "PostToolUse.null-call", "PostInvocation",
			"Stop", "PreInvocation.print-mode", "PreToolUse.print-mode",
		},
		"claude": {
			"SessionStart", "UserPromptSubmit", "PreToolUse.Bash", "PermissionRequest", "PostToolUse.Bash", "PreToolUse.Edit", "PostToolUse.Edit",
			"PostToolUseFailure.Bash", "PostToolBatch", "Notification", "Stop", "ConfigChange", "SessionEnd",
		},
	}[agent]
	var out []record.Record
	for n, name := range names {
		out = append(out, recorded(t, n, agent, name))
	}
	gate := map[string]string{"gemini": "BeforeTool", "antigravity": "PreToolUse", "claude": "PreToolUse"}[agent]
	return append(out, recorded(t, len(names), agent, gate, denied))
}

// TestGoldenSpans shows both families of the recorded payloads, with content and without.
func TestGoldenSpans(t *testing.T) {
	for _, agent := range []string{"gemini", "antigravity", "claude"} {
		for _, content := range []string{"redacted", "none"} {
			t.Run(agent+" "+content, func(t *testing.T) {
				var b strings.Builder
				for _, s := range spansIn(t, inStore(t, session(t, agent)...), both(content == "redacted")) {
					b.WriteString(show(s))
				}
				path := filepath.Join("testdata", agent+"."+content+".golden")
				if *update {
					must(t, os.WriteFile(path, []byte(b.String()), 0o600))
				}
				want, err := os.ReadFile(path)
				must(t, err)
				if diff := cmp.Diff(string(want), b.String()); diff != "" {
					t.Errorf("(-want +got; -update writes it anew):\n%s", diff)
				}
			})
		}
	}
}
