package lenient

import (
	"strings"
	"testing"
)

func TestShown(t *testing.T) {
	for text, want := range map[string]string{
		"a\r\nb\tc\n": "a\nb\tc\n", "\x1b[31mred\x07": "\ufffd[31mred\ufffd", "\x00": "\ufffd", "a\u202eb": "a\ufffdb", "é <b>": "é <b>",
	} {
		if got := Shown(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

// TestCut: no part of a word is left, unless it is all of the text.
func TestCut(t *testing.T) {
	long := strings.Repeat("x", 2*longWord)
	for _, tc := range []struct {
		text string
		most int
		want string
	}{
		{"short", 5, "short"},
		{"token=abc def", 9, "token=abc"},
		{"token=abc def", 12, "token=abc"},
		{"abcdef", 3, "abc"},
		{"a " + long, 2 + longWord, "a " + long[:longWord]},
		{"a " + long, 1 + longWord, "a"},
		{"xé", 2, "x"},
		{"", 0, ""},
		{"abc", 0, ""},
	} {
		if got := Cut(tc.text, tc.most); got != tc.want {
			t.Errorf("%.20q to %d: %q, want %q", tc.text, tc.most, got, tc.want)
		}
	}
}
