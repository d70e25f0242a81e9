package redact

import (
	"encoding/json"
	"strings"
	"testing"
	"time"
)

func TestTruncate(t *testing.T) {
	tests := []struct {
		in    string
		limit int
		want  string
	}{
		{"abc", 3, "abc"},
		{"abcd", 3, "abc…[TRUNCATED:1]"},
		{"가나다", 4, "가…[TRUNCATED:6]"},
		{"abc…[TRUNCATED:1]", 3, "abc…[TRUNCATED:1]"},
		{"abcdef[REDACTED:jwt]", 12, "abcdef…[TRUNCATED:14]"},
		{"abc", 0, "…[TRUNCATED:3]"},
		{"abc", -1, "…[TRUNCATED:3]"},
	}
	for _, tt := range tests {
		if got := Truncate(tt.in, tt.limit); got != tt.want {
			t.Errorf("Truncate(%q, %d) = %q, want %q", tt.in, tt.limit, got, tt.want)
		}
	}
}

// TestLongStrings cuts every kind of secret at every kind of place.
func TestLongStrings(t *testing.T) {
	var r *Redactor
	for _, c := range canaries() {
		text := "\n" + c.before + c.secret + c.after + "\n"
		for _, offset := range []int{-len(text) - 1, -len(text) + 3, -len(text) / 2, -len(c.after) - 2, -9, 0, overlap - 9} {
			fill := strings.Repeat("lorem ipsum ", MaxString)[:MaxString+offset]
			in, _ := json.Marshal(map[string]string{"prompt": fill + text + strings.Repeat("z ", 5000)})
			out := r.JSON(in, Counts{})
			if !json.Valid(out) || !strings.Contains(string(out), truncatedOpen) {
				t.Fatalf("%s at %d: not JSON or not cut", c.typ, offset)
			}
			if len(out) > MaxString+100 {
				t.Errorf("%s at %d: %d bytes kept", c.typ, offset, len(out))
			}
			for _, line := range strings.FieldsFunc(c.secret, func(r rune) bool { return r == '\n' || r == '\\' }) {
				if len(line) >= 8 && line[0] != '-' && strings.Contains(string(out), line[:8]) {
					t.Errorf("%s at %d: starts to leak: %s", c.typ, offset, out[MaxString-100:])
				}
			}
			if again := r.JSON(out, nil); string(again) != string(out) {
				t.Errorf("%s at %d: twice differs", c.typ, offset)
			}
		}
	}
}

// TestHugeString: what lies past the cut is neither scanned nor kept.
func TestHugeString(t *testing.T) {
	var r *Redactor
	response := func(n int) []byte {
		return []byte(`{"tool_response":"` + strings.Repeat(`password: \"x9x9x9x9\"\n`, n/24) + `"}`)
	}
	huge, cut := response(32<<20), response(2*MaxString)
	out := r.JSON(huge, nil)
	took := func(in []byte) time.Duration {
		best := time.Hour
		for range 5 {
			start := time.Now()
			r.JSON(in, nil)
			best = min(best, time.Since(start))
		}
		return best
	}
	// The huge one is 160 times as long, and read once, about 12 times the work; scanned, it would be 160 times.
	// Other things run too: it looks again before it complains.
	for tries := 0; ; tries++ {
		all, some := took(huge), took(cut)
		if all <= 60*some {
			break
		}
		if tries == 5 {
			t.Fatalf("took %v, and %v where the string is just past the cut", all, some)
		}
	}
	var kept map[string]string
	if err := json.Unmarshal(out, &kept); err != nil {
		t.Fatal(err)
	}
	if got := kept["tool_response"]; len(got) > MaxString+40 || strings.Contains(got, "x9x9x9x9") {
		t.Errorf("%d bytes kept", len(got))
	}
}
