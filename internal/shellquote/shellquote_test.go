package shellquote

import (
	"os/exec"
	"regexp"
	"strings"
	"testing"
)

func TestWord(t *testing.T) {
	tests := []struct{ in, want string }{
		{"/usr/bin/boathook", "/usr/bin/boathook"},
		{"a b", "'a b'"},
		{"", "''"},
		{"~x", "'~x'"},
		{"it's", `'it'\''s'`},
		{"$HOME/x", "'$''HOME/x'"},
		{"é", "'é'"},
		{"a*", "'a*'"},
	}
	for _, tt := range tests {
		if got := Word(tt.in); got != tt.want {
			t.Errorf("Word(%q) = %s, want %s", tt.in, got, tt.want)
		}
	}
}

func FuzzQuote(f *testing.F) {
	for _, s := range []string{"", "a b", "it's", "$HOME ${x} $$ $'x'", "`id`", "\\", "new\nline", "\x01\xff"} {
		f.Add(s)
	}
	sh, err := exec.LookPath("sh")
	substituted := regexp.MustCompile(`\$[\w{]`)
	f.Fuzz(func(t *testing.T, s string) {
		if err != nil || strings.ContainsRune(s, 0) {
			t.Skip("no shell, or not a word")
		}
		if got := Quote(s); substituted.MatchString(got) {
			t.Errorf("%s would be substituted", got)
		}
		out, err := exec.Command(sh, "-c", "printf %s "+Word(s)+" "+Quote(s)).Output()
		if err != nil || string(out) != s+s {
			t.Errorf("%q came back as %q: %v", s, out, err)
		}
	})
}
