package effect_test

import (
	"strings"
	"testing"

	"github.com/boathook/boathook/internal/effect"
	"github.com/boathook/boathook/internal/shellcmd"
	"github.com/boathook/boathook/internal/shellcmd/word"
	"github.com/boathook/boathook/policy"
)

func FuzzOfCommands(f *testing.F) {
	for _, all := range [][]string{tampering, tamperingGuard, harmless} {
		for _, text := range all {
			f.Add(strings.Join(strings.Fields(text), "\x00"), "", "/home/dev/shop")
		}
	}
	for _, text := range []string{"dd of=", "chmod", "kill -", "tar f", "tar xC", "sed -i", "rsync : :", "find -name", "mkfs", "patch -p", "del /", "reg", "sudo", "%", "rm - --", "cp -t"} {
		f.Add(strings.Join(strings.Fields(text), "\x00"), "+++ b/x\n", word.Unknown)
	}
	f.Fuzz(func(t *testing.T, argv, stdin, dir string) {
		c := word.Command{Dir: word.Lit(dir), Stdin: word.Data{Given: stdin != "", Text: stdin}}
		for a := range strings.SplitSeq(argv, "\x00") {
			c.Argv = append(c.Argv, word.Arg{Text: a, Glob: strings.Contains(a, "*"), Many: strings.Contains(a, word.Unknown)})
		}
		op := c
		op.Op = "move"
		redirect := word.Command{Dir: c.Dir, Redirects: []word.Redirect{{Op: ">", Target: c.Argv[0]}}}
		for _, e := range effect.OfCommands(shellcmd.Result{Commands: []word.Command{c, op, redirect}, Unsure: []shellcmd.Unsure{{Kind: "command", Command: 0}}}, guarded()) {
			if e.Kind == "" || e.Command < -1 || e.Command > 2 {
				t.Errorf("%+v", e)
			}
		}
	})
}

// However much a text does, its effects are bounded.
func TestBounds(t *testing.T) {
	many := word.Command{Argv: word.Lits("rm", "-rf"), Dir: word.Lit("/")}
	for range 20_000 {
		many.Argv = append(many.Argv, word.Lit(strings.Repeat("x/../", 10)+"home"), word.Lit("~/.claude"))
	}
	var r shellcmd.Result
	for range 50 {
		r.Commands = append(r.Commands, many)
	}
	got := effect.OfCommands(r, guarded())
	if len(got) > 10_000 || got[len(got)-1].Kind != policy.Dynamic {
		t.Errorf("%d effects, the last %+v", len(got), got[len(got)-1])
	}
	long := word.Command{Argv: word.Lits("rm", strings.Repeat("a/", 1<<19), strings.Repeat("*", 1<<20)), Dir: word.Lit(strings.Repeat("/x", 1<<19)), Stdin: word.Data{Given: true, Text: strings.Repeat("+++ a\n", 1<<18)}}
	for _, name := range []string{"rm", "patch", "mv", "find", "tar", "python3", "chmod", "pkill", "xyz", "apply_patch", "dd"} {
		long.Argv[0].Text = name
		if got := effect.OfCommands(shellcmd.Result{Commands: []word.Command{long}}, guarded()); len(got) > 10_000 {
			t.Errorf("%s: %d effects", name, len(got))
		}
	}
}
