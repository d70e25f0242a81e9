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

// What somebody copies stays in one piece.
func TestWrapText(t *testing.T) {
	tests := []struct {
		name, in string
		width    int
		want     []string
	}{
		{"as wrap", "one two three", 8, []string{"one two", "three"}},
		{"a path with its line", "see /home/user/config.toml:14: no", 12, []string{"see", "/home/user/config.toml:14:", "no"}},
		{"a path first", "/home/user/x is gone", 8, []string{"/home/user/x", "is gone"}},
		{"a URL", "at (https://a.example/v1/traces) now", 10, []string{"at", "(https://a.example/v1/traces)", "now"}},
		{"a command", "so 'boathook doctor --fix' mends it", 10, []string{"so", "'boathook doctor --fix'", "mends it"}},
		{"prose in quotes", "the 'quick brown' fox", 10, []string{"the 'quick", "brown' fox"}},
		{"a long word", "abcdefghijkl", 5, []string{"abcde", "fghij", "kl"}},
		{"a pipe", "one 'boathook log -f' three", 0, []string{"one 'boathook log -f' three"}},
		{"empty", "", 5, []string{""}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, wrapText(tt.in, tt.width)); diff != "" {
				t.Error(diff)
			}
		})
	}
	for cure, want := range map[string]string{
		"chmod 600 /a":                          "chmod_600_/a",
		"boathook install gemini (takes it)":    "boathook_install_gemini (takes it)",
		"boathook install gemini, or edit /a":   "boathook_install_gemini, or edit /a",
		"look at it: ls -l /a":                  "look at it: ls_-l_/a",
		"sudo chown root /a && sudo chmod 6 /a": "sudo_chown_root_/a_&&_sudo_chmod_6_/a",
		"edit /a: take boathook out":            "edit /a: take boathook out",
	} {
		if got := strings.ReplaceAll(gluedCommand(cure), glue, "_"); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

func FuzzWrapText(f *testing.F) {
	f.Add("one /two 'boathook three  four'", 4)
	f.Fuzz(func(t *testing.T, s string, width int) {
		if width < 2 || width > 200 {
			t.Skip()
		}
		s = plain(s)
		lines := wrapText(s, width)
		squeeze := func(s string) string { return strings.ReplaceAll(s, " ", "") }
		if squeeze(strings.Join(lines, "")) != squeeze(s) {
			t.Errorf("wrapText(%q, %d) = %q", s, width, lines)
		}
	})
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

// TestTablesFitTheTerminal: a table's last column is broken below itself, or stands below the others where no room is left.
func TestTablesFitTheTerminal(t *testing.T) {
	rows := [][]string{{"RULE", "WHY"}, {"a-long-name", "This says in many words why something is not to be done."}}
	for width, want := range map[int]string{
		0:  "RULE         WHY\na-long-name  This says in many words why something is not to be done.\n",
		60: "RULE         WHY\na-long-name  This says in many words why something is not to\n             be done.\n",
		40: "RULE\n    WHY\na-long-name\n    This says in many words why\n    something is not to be done.\n",
	} {
		var out strings.Builder
		if err := (&Env{Stdout: &out, IsTerminal: width > 0, Width: width}).rows(rows); err != nil || out.String() != want {
			t.Errorf("%d: %v\n%s", width, err, out.String())
		}
	}
}
