package wrap

import (
	"strings"
	"testing"

	"github.com/boathook/boathook/internal/shellcmd/word"
)

// FuzzUnwrap holds that no words make it fail, and that what it gives is not much more than what it was given.
func FuzzUnwrap(f *testing.F) {
	for _, s := range []string{
		"sudo\x00-u\x00x\x00rm", "env\x00-S\x00a 'b", "xargs\x00-I{}\x00rm\x00{}", "find\x00.\x00-exec\x00rm\x00{}\x00;", "parallel\x00a\x00:::\x00b",
		"bash\x00-c", "docker\x00run\x00-v\x00/:/x\x00a\x00b", "git\x00-c\x00alias.x=!y\x00x", "perl\x00-pi\x00-e\x00x\x00f", "pwsh\x00-enc\x00AA==",
		"crontab\x00-", "tmux\x00send\x00a", "vim\x00-c\x00!x", "sed\x00-e", "make\x00--eval\x00$(shell x)", "tar\x00-I\x00x", "ssh\x00h\x00x", "nix\x00-c",
	} {
		f.Add(s, "in put\n'x' y")
	}
	f.Fuzz(func(t *testing.T, argv, stdin string) {
		var c word.Command
		for w := range strings.SplitSeq(argv, "\x00") {
			c.Argv = append(c.Argv, word.Lit(w))
		}
		c.Stdin = word.Data{Given: stdin != "", Text: stdin}
		c.Assigns = []word.Assign{{Name: "GIT_PAGER", Value: word.Lit(stdin)}}
		inner, _ := Unwrap(c)
		size := 0
		for _, in := range inner {
			for _, a := range in.Argv {
				size += len(a.Text) + 1
			}
			if in.Text != nil {
				size += len(in.Text.Text)
			}
			OnHost(word.Command{Argv: in.Argv, Host: "x"}, []word.Mount{{Source: "/", Target: "/x"}})
		}
		given := len(argv) + len(stdin) + 64
		if size > given*given+1<<21 {
			t.Errorf("%d bytes from %d", size, given)
		}
	})
}

func TestBounded(t *testing.T) {
	long := strings.Repeat("{}", 1<<17)
	for _, c := range []word.Command{
		{Argv: append(word.Lits("xargs", "-I{}"), word.Lits(long, long)...), Stdin: word.Data{Given: true, Text: strings.Repeat("a\n", 1<<10)}},
		{Argv: append(word.Lits("find", "."), word.Lits("-exec", long, ";")...)},
		{Argv: append(word.Lits("parallel", long, ":::"), word.Lits(strings.Repeat("x", 1<<16), "y")...)},
		{Argv: append(word.Lits("find"), append(word.Lits(strings.Split(strings.Repeat("a ", 1<<16), " ")...), word.Lits("-exec", "{}", "{}", ";")...)...)},
		{Argv: word.Lits(strings.Split(strings.Repeat("env ", 1<<16), " ")...)},
		{Argv: word.Lits("sudo", strings.Repeat("-", 1<<18))},
		{Argv: word.Lits("bash", "-"+strings.Repeat("x", 1<<18))},
	} {
		inner, _ := Unwrap(c)
		size := 0
		for _, in := range inner {
			size += len(joined(in.Argv).Text)
		}
		if size > 1<<27 {
			t.Errorf("%s: %d bytes", c.Name(), size)
		}
	}
}
