package cli

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestWrap(t *testing.T) {
	tests := []struct {
		name, in string
		width    int
		want     []string
	}{
		{"fits", "a b c", 5, []string{"a b c"}},
		{"at spaces", "one two three", 8, []string{"one two", "three"}},
		{"just so", "one two three", 7, []string{"one two", "three"}},
		{"no spaces", `{"a":"b"}`, 4, []string{`{"a"`, `:"b"`, `}`}},
		{"indented", "  one two", 6, []string{"  one", "two"}},
		{"a pipe", "one two three", 0, []string{"one two three"}},
		{"wide runes", "한국어 문장", 5, []string{"한국", "어", "문장"}},
		{"narrower than a rune", "한국", 1, []string{"한", "국"}},
		{"empty", "", 5, []string{""}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, wrap(tt.in, tt.width)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func FuzzWrap(f *testing.F) {
	f.Add("one two  three", 4)
	f.Fuzz(func(t *testing.T, s string, width int) {
		if width < 2 || width > 200 {
			t.Skip()
		}
		s = plain(s)
		lines := wrap(s, width)
		for _, line := range lines {
			if columns(line) > width {
				t.Errorf("%q is wider than %d", line, width)
			}
		}
		squeeze := func(s string) string { return strings.ReplaceAll(s, " ", "") }
		if squeeze(strings.Join(lines, "")) != squeeze(s) {
			t.Errorf("wrap(%q, %d) = %q", s, width, lines)
		}
	})
}
