package produce

import (
	"strings"
	"testing"

	"github.com/boathook/boathook/internal/shellcmd/word"
)

// FuzzOutput holds that no words make it fail, and that outputs keep their bound.
func FuzzOutput(f *testing.F) {
	for _, s := range []string{
		"echo\x00-e\x00\\x41", "printf\x00%5s%d\\n\x00a", "tr\x00a-z\x00b", "cut\x00-d:\x00-f1,3-", "sed\x00s/a/b/g;s|^|x|", "base64\x00-d", "xxd\x00-r\x00-p",
		"head\x00-c\x005", "tail\x00-n+2", "awk\x00{print $2}", "seq\x001\x003", "fold\x00-w3", "basename\x00/a/b.c\x00.c", "mktemp\x00aXXXX", "grep\x00-v\x00a",
		"paste\x00-sd,", "openssl\x00enc\x00-base64\x00-d", "printf\x00%*.*s\x003\x002\x00x", "expr\x00substr\x00abc\x002\x001", "gunzip", "rev", "tac",
	} {
		f.Add(s, "a:b c\nd\n")
	}
	f.Fuzz(func(t *testing.T, argv, stdin string) {
		var c word.Command
		for w := range strings.SplitSeq(argv, "\x00") {
			c.Argv = append(c.Argv, word.Lit(w))
		}
		c.Stdin = word.Data{Given: stdin != "", Text: stdin}
		out, ok := Output(c)
		if len(out.Text) > limit+len(word.Unknown) {
			t.Errorf("%d bytes", len(out.Text))
		}
		if !ok && out.Text != "" {
			t.Errorf("a text that is not known: %q", out.Text)
		}
	})
}

func TestBounded(t *testing.T) {
	big := strings.Repeat("aaaa:aaaa\n", 1<<14)
	for _, words := range [][]string{
		{"printf", strings.Repeat("%s%65535s", 1<<10), "a", "b", "c"}, {"printf", "%s", big, big, big}, {"sed", "s/a/" + strings.Repeat("b", 1<<16) + "/g"},
		{"tr", "a", "b"}, {"fold", "-w1"}, {"cut", "-d:", "-f" + strings.Repeat("1-,", 80) + "1"}, {"yes", big}, {"tac"}, {"sort", "-u"}, {"grep", "a"}, {"awk", "{print \"" + big + "\"}"},
		{"cat", "-", "-", "-", "-"}, {"basename", "-a", big, big}, {"xxd", "-p"}, {"base64"}, {"echo", big, big}, {"sed", strings.Repeat("s/a/aa/g;", 60)},
	} {
		c := cmd(big, words...)
		if out, _ := Output(c); len(out.Text) > limit+len(word.Unknown) {
			t.Errorf("%s: %d bytes", words[0], len(out.Text))
		}
	}
}
