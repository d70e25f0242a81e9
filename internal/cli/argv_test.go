package cli

import (
	"testing"

	"github.com/boathook/boathook/internal/shellcmd/word"
	"github.com/boathook/boathook/policy"
)

func TestArgvText(t *testing.T) {
	const text = `rm '*' * if=a HEAD~3`
	spans := [][2]int{{0, 2}, {3, 6}, {7, 8}, {9, 13}, {14, 20}}
	for _, tc := range []struct {
		c    policy.Command
		want string
	}{
		{policy.Command{Argv: []string{"rm", "*", "*", "if=a", "HEAD~3"}, Words: spans}, text},
		{policy.Command{Argv: []string{"rm", "-rf", "*", "{}", "a b", "", "it's", "$X"}}, `rm -rf * {} 'a b' '' 'it'\''s' '$X'`},
		{policy.Command{Argv: []string{"rm", word.Unknown + "/x"}}, "rm " + word.Unknown + "/x"},
		{policy.Command{Op: "delete", Argv: []string{"/home"}}, "delete /home"},
	} {
		if got := argvText(tc.c, text); got != tc.want {
			t.Errorf("%v: %s, not %s", tc.c.Argv, got, tc.want)
		}
	}
	if got := viaTexts([]string{"wrapper sudo", "code python3", "code python"}); len(got) != 2 || got[1] != "code python" {
		t.Errorf("%q", got)
	}
}
