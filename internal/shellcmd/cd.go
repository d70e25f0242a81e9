package shellcmd

import (
	"strings"

	"github.com/boathook/boathook/internal/shellcmd/word"
)

func (w *shell) cd(in *invocation) status {
	w.note(in)
	defer func(before *cell) { w.before = before }(w.get(special, "dir"))
	args := operandsOf(in.Argv)
	for _, a := range in.Argv[1:] {
		if a.Text == "-" {
			args = []word.Arg{a}
		}
	}
	switch name := in.Argv[0].Text; {
	case name == "popd":
		c := w.get(special, "stack")
		if c == nil || len(c.vals) > 1 || len(c.vals[0].list) == 0 {
			w.setDir(word.Arg{Text: word.Unknown})
			return anyStatus
		}
		l := c.vals[0].list
		w.set(special, "stack", one(val{array: true, list: l[:len(l)-1]}))
		w.setDir(word.Lit(l[len(l)-1]))
	case name == "pushd" && len(args) > 0:
		l := []string{w.dir().Text}
		if c := w.get(special, "stack"); c != nil && len(c.vals) == 1 {
			l = append(c.vals[0].list[:len(c.vals[0].list):len(c.vals[0].list)], l...)
		}
		w.set(special, "stack", one(val{array: true, list: l}))
		w.setDir(dirArg(args[0]))
	case name == "pushd":
		w.setDir(word.Arg{Text: word.Unknown})
	case len(args) == 0:
		w.setDir(word.Arg{Text: w.variable("HOME").text})
	case args[0].Text == "-":
		w.setDir(word.Arg{Text: w.variable("OLDPWD").text})
	case args[0].Text == "":
	default:
		w.setDir(dirArg(args[0]))
		if w.stands(args[0]) {
			return success
		}
	}
	return anyStatus
}

// stands tells whether a directory is sure to be there: the one where all this starts, or what holds it.
func (w *shell) stands(a word.Arg) bool {
	dir := strings.TrimSuffix(a.Text, "/")
	return a.Known() && !a.Glob && strings.HasPrefix(dir, "/") && (w.opt.Dir == dir || strings.HasPrefix(w.opt.Dir, dir+"/"))
}

// dirArg is a directory as far as it is known: a pattern stands for one that is not.
func dirArg(a word.Arg) word.Arg {
	if a.Glob {
		if i := strings.IndexAny(a.Text, "*?["); i >= 0 {
			a.Text = a.Text[:i] + word.Unknown
		}
	}
	return a
}
