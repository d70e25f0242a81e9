package cli

import (
	"strings"
	"testing"
	"time"
)

func TestParseWhen(t *testing.T) {
	zone := time.FixedZone("east", 9*3600)
	now := time.Date(2026, 3, 1, 12, 0, 0, 0, zone)
	tests := []struct{ in, want string }{
		{"1h", "2026-03-01T11:00:00+09:00"},
		{"90s", "2026-03-01T11:58:30+09:00"},
		{"2d", "2026-02-27T12:00:00+09:00"},
		{"1w", "2026-02-22T12:00:00+09:00"},
		{"2026-01-31", "2026-01-31T00:00:00+09:00"},
		{"2026-01-31 14:30", "2026-01-31T14:30:00+09:00"},
		{"08:15", "2026-03-01T08:15:00+09:00"},
		{"2026-01-31T14:30:00Z", "2026-01-31T14:30:00Z"},
	}
	for _, tt := range tests {
		got, err := parseWhen(now, tt.in)
		if err != nil || got.Format(time.RFC3339) != tt.want {
			t.Errorf("parseWhen(%q) = %s, %v; want %s", tt.in, got.Format(time.RFC3339), err, tt.want)
		}
	}
	for _, in := range []string{"soon", "-1h", "d", "1x", "99999999d", "2026-13-01", "25:00"} {
		if got, err := parseWhen(now, in); err == nil {
			t.Errorf("parseWhen(%q) = %s, want an error", in, got)
		}
	}
}

func TestParseSpanRefusesBackwards(t *testing.T) {
	now := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	if _, err := parseSpan(now, "1h", "2h"); err == nil || codeOf(err) != exitUsage || !strings.Contains(err.Error(), "before") {
		t.Errorf("parseSpan = %v", err)
	}
}
