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
	if !w.hasFiles() || len(c.Argv) < 2 {
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
			v = val{text: word.Unknown}
		}
		d.Text += v.text
		d.From = union(d.From, v.by)
	}
	return d, true
}

// writesFiles keeps what programs write into files: tee, cp, mv, ln, and the like.
func (w *shell) writesFiles(c word.Command, at int) {
	name := c.Name()
	switch name {
	case "tee":
		w.tee(c, operandsOf(c.Argv), at)
	case "cp", "mv", "ln", "install", "gcp", "gmv":
		w.copies(name, operandsOf(c.Argv))
	case "rm", "unlink", "shred", "truncate":
		if !w.hasFiles() {
			return
		}
		for _, a := range operandsOf(c.Argv) {
			if p, ok := w.path(a); ok && w.get(file, p) != nil {
				w.set(file, p, nil)
			}
		}
	case "sed", "perl", "patch", "dd", "sort", "ed", "ex", "sponge", "python", "python3":
		if !w.hasFiles() {
			return
		}
		for _, a := range c.Argv[1:] {
			if p, ok := w.path(a); ok && w.get(file, p) != nil && (name != "sort" && name != "sed" && name != "perl" || inPlace(c)) {
				w.set(file, p, one(val{text: word.Unknown, wild: true, by: []int{at}}))
			}
		}
	case "curl", "wget":
		w.downloads(c, at)
	}
}

func inPlace(c word.Command) bool {
	for _, a := range c.Argv[1:] {
		if strings.HasPrefix(a.Text, "-") && (strings.ContainsAny(a.Text, "io") || strings.HasPrefix(a.Text, "--in-place")) {
			return true
		}
	}
	return false
}

func operandsOf(argv []word.Arg) (out []word.Arg) {
	for i, a := range argv[1:] {
		if a.Text == "--" {
			return append(out, argv[i+2:]...)
		}
		if !strings.HasPrefix(a.Text, "-") || a.Text == "-" {
			out = append(out, a)
		}
	}
	return out
}

func (w *shell) tee(c word.Command, operands []word.Arg, at int) {
	text := c.Stdin.Text
	if !c.Stdin.Given {
		text = word.Unknown
	}
	v := val{text: text, wild: true, by: union(c.Stdin.From, []int{at})}
	for _, a := range operands {
		p, ok := w.path(a)
		if !ok {
			continue
		}
		next := one(v)
		if len(c.Argv) > 1 && (c.Argv[1].Text == "-a" || c.Argv[1].Text == "--append") {
			next = joined(w.get(file, p), next)
		}
		w.setFile(p, next)
	}
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

func (w *shell) copies(name string, operands []word.Arg) {
	if len(operands) < 2 || !w.hasFiles() {
		return
	}
	to, ok := w.path(operands[len(operands)-1])
	if !ok {
		return
	}
	for _, a := range operands[:len(operands)-1] {
		p, ok := w.path(a)
		c := w.get(file, p)
		if !ok || c == nil {
			continue
		}
		w.setFile(to, c)
		w.setFile(path.Join(to, path.Base(p)), c)
		if name == "mv" || name == "gmv" {
			w.set(file, p, nil)
		}
	}
}

// downloads notes the file that a download is kept in.
func (w *shell) downloads(c word.Command, at int) {
	for i, a := range c.Argv {
		if a.Text != "-o" && a.Text != "-O" && a.Text != "--output" && a.Text != "--output-document" || i+1 >= len(c.Argv) {
			continue
		}
		if p, ok := w.path(c.Argv[i+1]); ok {
			w.setFile(p, one(val{text: word.Unknown, wild: true, by: []int{at}}))
		}
	}
}

// runsFile runs what is in a file which the text made, where a program is given it as code, or it is the program.
func (w *shell) runsFile(c word.Command, at int) {
	if !w.hasFiles() {
		return
	}
	if v, ok := w.content(c.Argv[0]); ok && strings.Contains(c.Argv[0].Text, "/") {
		w.runText(v, langOfScript(v.text, "sh"), c.Argv, at)
		return
	}
	lang := interpreter(c.Name())
	if lang == "" {
		return
	}
	if i := scriptOperand(c.Argv); i > 0 {
		if v, ok := w.content(c.Argv[i]); ok {
			w.runText(v, lang, c.Argv[i:], at)
		}
	}
}

// scriptOperand is the place of the first operand of a shell, 0 for none.
func scriptOperand(argv []word.Arg) int {
	for i := 1; i < len(argv); i++ {
		t := argv[i].Text
		switch {
		case t == "-o" || t == "+o" || t == "-O" || t == "--rcfile" || t == "--init-file" || t == "-W" || t == "-X":
			i++
		case strings.HasPrefix(t, "-") && t != "-" || strings.HasPrefix(t, "+"):
			if !strings.HasPrefix(t, "--") && strings.ContainsAny(t, "ce") && !strings.HasPrefix(t, "-e") {
				return 0
			}
		default:
			return i
		}
	}
	return 0
}

func (w *shell) runText(v val, lang string, args []word.Arg, at int) {
	if v.unset {
		return
	}
	n := word.Inner{Text: &word.Data{Given: true, Text: v.text, From: v.by}, Lang: lang, Args: args, Via: word.Via{Kind: "file", Detail: args[0].Text}}
	outer := w.r.Commands[at]
	in := invocation{Command: outer, wild: v.wild, depth: w.bud.depth}
	w.inner(&n, word.Command{Argv: outer.Argv, Via: w.via, Stdin: outer.Stdin, Assigns: outer.Assigns}, &in, nil)
}

func interpreter(name string) string {
	switch name {
	case "sh", "bash", "zsh", "dash", "ksh", "mksh", "ash", "rbash", "fish":
		return name
	case "python", "python3", "python2":
		return "python"
	case "perl", "ruby", "node", "php", "lua":
		return name
	}
	return ""
}

// langOfScript reads the first line of a script.
func langOfScript(text, otherwise string) string {
	if !strings.HasPrefix(text, "#!") {
		return otherwise
	}
	line, _, _ := strings.Cut(text[2:], "\n")
	for _, f := range strings.Fields(line) {
		f = path.Base(f)
		if lang := interpreter(f); lang != "" {
			return lang
		}
		if f != "env" && !strings.HasPrefix(f, "-") {
			return f
		}
	}
	return otherwise
}
