package cli

import (
	"bytes"
	"strings"
	"testing"
	"time"
)

// TestBar: on a terminal a bar that is redrawn and leaves nothing; elsewhere a line now and then, and with --json none.
func TestBar(t *testing.T) {
	for _, tt := range []struct {
		name           string
		terminal, json bool
		want           string
		lines          int
	}{
		{"on a terminal", true, false, "\r[############------------]  50 %  1 of 2 records of old sessions, 5.0 MB of 10.0 MB  claude\x1b[K", 0},
		{"in a pipe", false, false, " 50 %  1 of 2 records of old sessions, 5.0 MB of 10.0 MB  claude\n", 2},
		{"as JSON", false, true, "", 0},
	} {
		var out bytes.Buffer
		now := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
		env := testEnv(t.TempDir())
		env.Stderr, env.IsTerminal, env.Width, env.Now = &out, tt.terminal, 100, func() time.Time { return now }
		b := newBar(env, "old sessions", tt.json)
		b.tell(0, 2, 0, 10_000_000, "claude") // too early
		if out.Len() > 0 {
			t.Errorf("%s: at once: %q", tt.name, out.String())
		}
		now = now.Add(11 * time.Second)
		b.tell(1, 2, 5_000_000, 10_000_000, "claude")
		if out.String() != tt.want {
			t.Errorf("%s: %q, want %q", tt.name, out.String(), tt.want)
		}
		now = now.Add(11 * time.Second)
		b.tell(2, 2, 10_000_000, 10_000_000, "claude")
		b.end()
		if got := strings.Count(out.String(), "\n"); got != tt.lines || tt.terminal && !strings.HasSuffix(out.String(), "\r\x1b[K") {
			t.Errorf("%s: %d lines: %q", tt.name, got, out.String())
		}
	}
}
