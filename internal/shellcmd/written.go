package shellcmd

import (
	"path"
	"strings"

	"github.com/boathook/boathook/internal/shellcmd/word"
)

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
	case "dd":
		w.dd(c, at)
	case "sed", "perl", "patch", "sort", "ed", "ex", "sponge", "python", "python3":
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

// dd keeps what is written to of=.
func (w *shell) dd(c word.Command, at int) {
	v := val{text: c.Stdin.Text, wild: true, by: union(c.Stdin.From, []int{at})}
	if !c.Stdin.Given {
		v.text = word.Unknown
	}
	to := word.Arg{}
	for _, a := range c.Argv[1:] {
		name, value, _ := strings.Cut(a.Text, "=")
		switch name {
		case "of":
			to = a
			to.Text = value
		case "status", "bs", "obs", "ibs":
		case "if":
			in := a
			in.Text = value
			if got, ok := w.content(in); ok {
				v = got
				continue
			}
			v.text = word.Unknown
		default:
			v.text = word.Unknown
		}
	}
	if p, ok := w.path(to); ok {
		w.setFile(p, one(v))
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
			w.setVague(a, one(v))
			continue
		}
		next := one(v)
		if len(c.Argv) > 1 && (c.Argv[1].Text == "-a" || c.Argv[1].Text == "--append") {
			next = joined(w.get(file, p), next)
		}
		w.setFile(p, next)
	}
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
