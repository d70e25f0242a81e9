package shellcmd

import (
	"path"
	"slices"
	"strings"

	"github.com/boathook/boathook/internal/shellcmd/produce"
	"github.com/boathook/boathook/internal/shellcmd/word"
)

// path is a file's name as a key: absolute where the directory is known.
func (w *shell) path(a word.Arg) (string, bool) {
	if !a.Known() || a.Glob || a.Text == "" {
		return "", false
	}
	if path.IsAbs(a.Text) {
		return path.Clean(a.Text), true
	}
	return path.Join(w.dir().Text, a.Text), true
}

// dir is where the shell is.
func (w *shell) dir() word.Arg {
	c := w.get(special, "dir")
	if c == nil {
		return word.Arg{}
	}
	v := w.choose(c)
	return word.Arg{Text: v.text, Many: v.many && v.text != word.Unknown}
}

func (w *shell) setDir(a word.Arg) {
	now := w.dir()
	next := a.Text
	switch {
	case path.IsAbs(next) || strings.HasPrefix(next, word.Unknown):
	case now.Text == word.Unknown || now.Text == "" && next != "":
		next = now.Text + "/" + next
		if now.Text == "" {
			next = a.Text
		}
	default:
		next = path.Join(now.Text, next)
	}
	if path.IsAbs(next) {
		next = path.Clean(next)
	}
	w.set(variable, "OLDPWD", one(val{text: now.Text}))
	w.set(special, "dir", one(val{text: next, by: a.By}))
	w.set(variable, "PWD", one(val{text: next}))
}

// content is what a file holds, if the text made it.
func (w *shell) content(a word.Arg) (val, bool) {
	if !w.mayBeFile(a.Text) {
		return val{}, false
	}
	p, ok := w.path(a)
	if !ok {
		return val{}, false
	}
	c := w.get(file, p)
	if c == nil {
		return val{}, false
	}
	return w.choose(c), true
}

// fromFiles says of arguments that are files which the text made who wrote them.
func (w *shell) fromFiles(c *word.Command) {
	if !w.hasFiles() {
		return
	}
	cloned := false
	for i, a := range c.Argv {
		v, ok := w.content(a)
		if !ok || len(v.by) == 0 {
			continue
		}
		if !cloned {
			c.Argv, cloned = append([]word.Arg(nil), c.Argv...), true
		}
		c.Argv[i].By = union(a.By, v.by)
	}
}

func (w *shell) hasFiles() bool { return w.files }

// readFile is the output of a program that is given a file which the text made.
func (w *shell) readFile(c word.Command) (word.Data, bool) {
	if !w.hasFiles() || len(c.Argv) < 2 || onlyNames(c.Name()) {
		return word.Data{}, false
	}
	if c.Name() == "cat" {
		return w.cat(c)
	}
	for i := len(c.Argv) - 1; i > 0; i-- {
		v, ok := w.content(c.Argv[i])
		if !ok || strings.HasPrefix(c.Argv[i].Text, "-") {
			continue
		}
		next := c
		next.Argv = append(append([]word.Arg(nil), c.Argv[:i]...), c.Argv[i+1:]...)
		next.Stdin = word.Data{Given: true, Text: v.text, From: v.by}
		return produce.Output(next)
	}
	return word.Data{}, false
}

// onlyNames tells of programs whose output is made of their arguments, not of files that these name.
func onlyNames(name string) bool {
	switch name {
	case "echo", "printf", "print", "basename", "dirname", "realpath", "readlink", "which", "command", "type", "expr", "seq", "ls", "find",
		"xargs", "yes", "pwd", "mktemp", "git", "stat", "true":
		return true
	}
	return false
}

func (w *shell) cat(c word.Command) (word.Data, bool) {
	d := word.Data{Given: true}
	for _, a := range c.Argv[1:] {
		if strings.HasPrefix(a.Text, "-") && a.Text != "-" {
			return d, false
		}
		v, ok := w.content(a)
		if a.Text == "-" {
			v, ok = val{text: c.Stdin.Text, by: c.Stdin.From}, true
		}
		if !ok {
			v = w.anyOf(w.scripts(a))
		}
		d.Text += v.text
		d.From = union(d.From, v.by)
	}
	return d, true
}

// anyOf is what is known of a file that may be any of these, or another.
func (w *shell) anyOf(list []val) (v val) {
	for _, s := range list {
		if w.bud.spend(len(s.text)) {
			v.text += s.text
			v.by = union(v.by, s.by)
		}
	}
	v.text += word.Unknown
	return v
}

// mayBeFile tells by its last part whether a path can be a file that the text has made.
func (w *shell) mayBeFile(text string) bool {
	base := text[strings.LastIndexByte(text, '/')+1:]
	if len(w.fileNames) >= maxNames || base == ".." || base == "." || base == "" {
		return len(w.fileNames) > 0
	}
	return slices.Contains(w.fileNames, base)
}

const maxNames = 24

func (w *shell) setFile(p string, c *cell) {
	w.files = true
	if base := path.Base(p); len(w.fileNames) < maxNames && !slices.Contains(w.fileNames, base) {
		w.fileNames = append(w.fileNames, base)
	}
	w.set(file, p, c)
}
