package cli

import (
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
)

func TestPlain(t *testing.T) {
	tests := []struct{ name, in, want string }{
		{"ascii", "ls -l 'a b'", "ls -l 'a b'"},
		{"colour", "\x1b[31mred\x1b[0m", `\x1b[31mred\x1b[0m`},
		{"window title", "\x1b]0;owned\x07", `\x1b]0;owned\x07`},
		{"one-byte CSI", "a\u009b31mb", `a\x9b31mb`},
		{"lines", "a\nb\r\nc\td", `a\nb\r\nc d`},
		{"bidi override", "a\u202eb", `a\u{202e}b`},
		{"tag characters", "a\U000e0041", `a\u{e0041}`},
		{"broken UTF-8", "a\xffb", `a\xffb`},
		{"korean and its space", "삭제\u3000해", "삭제 해"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, plain(tt.in)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestPlainJSONKeepsTheMeaning(t *testing.T) {
	in := map[string]string{"a": "x\u009b31m\u202e\x7f\U000e0041\u0007 é 한글 😀"}
	line, err := json.Marshal(in)
	if err != nil {
		t.Fatal(err)
	}
	got := plainJSON(line)
	for _, r := range string(got) {
		if hidden(r) {
			t.Errorf("%q is left in %s", r, got)
		}
	}
	var back map[string]string
	if err := json.Unmarshal(got, &back); err != nil {
		t.Fatalf("%s: %v", got, err)
	}
	if diff := cmp.Diff(in, back); diff != "" {
		t.Error(diff)
	}
}

func TestShorten(t *testing.T) {
	tests := []struct {
		in    string
		width int
		want  string
	}{
		{"short", 10, "short"},
		{"exactly", 7, "exactly"},
		{"too long for it", 8, "too lon…"},
		{"한국어문장", 5, "한국…"},
		{"no limit", 0, "no limit"},
	}
	for _, tt := range tests {
		if got := shorten(tt.in, tt.width); got != tt.want {
			t.Errorf("shorten(%q, %d) = %q, want %q", tt.in, tt.width, got, tt.want)
		}
	}
}

func FuzzPlain(f *testing.F) {
	f.Add("\x1b]52;c;aGk=\x07")
	f.Add("a\u2028b\xf0\x9f")
	f.Fuzz(func(t *testing.T, s string) {
		got := plain(s)
		if !utf8.ValidString(got) || strings.ContainsFunc(got, hidden) {
			t.Errorf("plain(%q) = %q", s, got)
		}
	})
}
