package git

import (
	"strings"

	"github.com/boathook/boathook/internal/effect/unit"
	"github.com/boathook/boathook/internal/shellcmd/word"
)

// line is git's command line, read past the options that stand before the subcommand.
type line struct {
	sub  string
	args []word.Arg
	// settings are the values of -c: key=value.
	settings []word.Arg
	// dir is the value of -C.
	dir  word.Arg
	help bool
}

// global reads git's own options.
func global(args []word.Arg) line {
	var l line
	for i := 0; i < len(args); i++ {
		text := args[i].Text
		if text == "" || text[0] != '-' {
			l.sub, l.args = text, args[i+1:]
			l.help = text == "help"
			return l
		}
		switch text {
		case "-c":
			if i+1 < len(args) {
				l.settings = append(l.settings, args[i+1])
			}
			i++
		case "-C":
			if i+1 < len(args) {
				l.dir = args[i+1]
			}
			i++
		case "--git-dir", "--work-tree", "--namespace", "--exec-path", "--super-prefix", "--config-env", "--attr-source":
			i++
		case "-h", "--help", "--version", "-v", "--man-path", "--info-path", "--html-path":
			l.help = true
			return l
		}
	}
	return l
}

// unalias follows an alias that the line itself defines: git -c alias.x='reset --hard' x.
func (l line) unalias() line {
	for _, s := range l.settings {
		key, value, _ := strings.Cut(s.Text, "=")
		if len(key) <= len("alias.") || !strings.EqualFold(key[:len("alias.")], "alias.") || !strings.EqualFold(key[len("alias."):], l.sub) {
			continue
		}
		if strings.HasPrefix(value, "!") {
			return l
		}
		words := strings.Fields(value)
		if len(words) == 0 {
			return l
		}
		inner := global(append(word.Lits(words...), l.args...))
		return line{sub: inner.sub, args: inner.args, dir: l.dir, help: inner.help}
	}
	return l
}

// options sorts a subcommand's words. long are its long options, the dangerous ones first, a = after those with a value: git takes any
// beginning of a name that is no other's, so an unknown one is taken for the first that it may be. short are its one-letter options
// with a value.
func options(args []word.Arg, long, short string) unit.Opts {
	full := unit.Completed(args, long)
	valued := short
	for n := range strings.FieldsSeq(long) {
		if v, ok := strings.CutSuffix(n, "="); ok {
			valued += " " + v
		}
	}
	return unit.Options(full, valued)
}
