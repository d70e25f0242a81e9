package off

import (
	"testing"
	"time"
)

// TestWords: what is said of a switch names the command that ends it, and that alone.
func TestWords(t *testing.T) {
	hour := Span{Since: noon, Until: noon.Add(time.Hour)}
	for _, tc := range []struct {
		name, project string
		span          Span
		lasts, ends   string
	}{
		{"everywhere", "", Span{Since: noon}, "until 'boathook on'", ""},
		{"a project", "/p", Span{Since: noon}, "until 'boathook on --project /p'", ""},
		{"a name that a shell would split", "/a b", Span{Since: noon}, "until 'boathook on --project '/a b''", ""},
		{"an hour", "", hour, "until 2026-03-01 13:00:00 (1 h)", "'boathook on' ends it"},
		{"an hour in a project", "/p", hour, "until 2026-03-01 13:00:00 (1 h)", "'boathook on --project /p' ends it"},
	} {
		if got := tc.span.Lasts(noon, tc.project); got != tc.lasts {
			t.Errorf("%s: %q, want %q", tc.name, got, tc.lasts)
		}
		if got := tc.span.Ends(tc.project); got != tc.ends {
			t.Errorf("%s: %q, want %q", tc.name, got, tc.ends)
		}
	}
}
