package shellcmd

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"github.com/boathook/boathook/internal/shellcmd/word"
)

// redirects is where a statement's input and output are, beside those that are around it.
type redirects struct {
	list []word.Redirect
	// in is the new input, to the path of the file that the output goes into, and hidden says that it goes where nobody reads it.
	in     *cell
	to     string
	append bool
	hidden bool
	unsure bool
}

// redirected runs a statement with its redirections.
func (w *shell) redirected(s *syntax.Stmt) (st status) {
	if len(s.Redirs) == 0 {
		if s.Cmd == nil {
			return success
		}
		return w.command(s.Cmd, nil)
	}
	w.each(func() { st = w.withRedirects(s) })
	return st
}

func (w *shell) withRedirects(s *syntax.Stmt) (st status) {
	procs := w.procs
	w.procs = nil
	var rd redirects
	for _, r := range s.Redirs {
		w.redirect(r, &rd)
	}
	mine := w.procs
	w.procs = procs
	run := func() {
		switch {
		case s.Cmd != nil:
			st = w.command(s.Cmd, rd.list)
		case len(rd.list) > 0:
			w.emit(word.Command{Redirects: rd.list})
		}
		if s.Cmd == nil && rd.in != nil && w.capture {
			// $(<file) prints the file.
			w.print(data(rd.in), true)
		}
	}
	if rd.in != nil {
		old := w.get(special, "in")
		w.set(special, "in", rd.in)
		defer w.set(special, "in", old)
	}
	w.into(&rd, run)
	w.finish(mine)
	return st
}

// into runs something whose output goes where the redirections say.
func (w *shell) into(rd *redirects, run func()) {
	if rd.to == "" && !rd.hidden {
		run()
		if rd.unsure {
			w.print(word.Data{Given: true, Text: word.Unknown}, true)
		}
		return
	}
	got := w.output(run)
	if rd.to == "" {
		return
	}
	if rd.append {
		got = joined(w.get(file, rd.to), got)
	}
	w.setFile(rd.to, got)
}

// joined is a file's content with more behind it. What was in it before is not known where the text did not make it.
func joined(a, b *cell) *cell {
	if a == nil {
		a = one(val{text: ""})
	}
	var out []val
	for _, x := range a.vals {
		for _, y := range b.vals {
			y.text, y.by, y.wild = x.text+y.text, union(x.by, y.by), x.wild || y.wild
			out = append(out, y)
		}
	}
	if len(out) > maxVals {
		out = []val{unknownVal(true)}
	}
	return &cell{vals: out}
}

func (w *shell) redirect(r *syntax.Redirect, rd *redirects) {
	fd := ""
	if r.N != nil {
		fd = r.N.Value
	}
	switch r.Op {
	case syntax.Hdoc, syntax.DashHdoc:
		if r.Hdoc != nil && (fd == "" || fd == "0") {
			v := w.heredoc(r)
			rd.in = one(v)
		}
		return
	case syntax.WordHdoc:
		v := w.value(r.Word)
		v.text += "\n"
		if fd == "" || fd == "0" {
			rd.in = one(v)
		}
		return
	}
	target := w.single(r.Word)
	op := r.Op.String()
	switch r.Op {
	case syntax.DplIn:
		if fd == "" || fd == "0" {
			rd.in = one(unknownVal(true))
			if target.Text == "0" {
				rd.in = nil
			}
		}
		return
	case syntax.DplOut:
		if fdLike(target.Text) {
			w.duplicate(fd, target.Text, rd)
			return
		}
		op = "&>"
	case syntax.AppClob:
		op = ">>"
	case syntax.RdrAllClob:
		op = "&>"
	case syntax.AppAllClob:
		op = "&>>"
	}
	rd.list = append(rd.list, word.Redirect{Op: op, FD: fd, Target: target})
	w.target(op, fd, target, rd)
}

func fdLike(s string) bool {
	s = strings.TrimSuffix(s, "-")
	return strings.Trim(s, "0123456789") == ""
}

// duplicate reads [fd]>&other.
func (w *shell) duplicate(fd, other string, rd *redirects) {
	if fd != "" && fd != "1" {
		return
	}
	switch other {
	case "1":
	case "2", "-":
		rd.hidden = true
	default:
		rd.unsure = true
	}
}

func (w *shell) target(op, fd string, target word.Arg, rd *redirects) {
	path, ok := w.path(target)
	switch {
	case op == "<" || op == "<>":
		if fd != "" && fd != "0" {
			return
		}
		rd.in = one(unknownVal(true))
		if c := w.get(file, path); ok && c != nil {
			rd.in = c
		}
	case fd != "" && fd != "1" && op[0] != '&':
		// Errors, or a descriptor that the text may bring back; the file's content is not told then.
		if ok && fd != "2" {
			w.setFile(path, one(unknownVal(true)))
		}
	case path == "/dev/null" || path == "/dev/stderr" || path == "/dev/fd/2" || path == "/dev/tty":
		rd.hidden = true
	case path == "/dev/stdout" || path == "/dev/fd/1" || path == "/proc/self/fd/1":
	default:
		rd.to, rd.append = path, strings.HasSuffix(op, ">>")
		if !ok {
			rd.to, rd.hidden = "", true
		}
	}
}

// heredoc is the text of a here-document.
func (w *shell) heredoc(r *syntax.Redirect) val {
	quoted := false
	for _, p := range r.Word.Parts {
		lit, ok := p.(*syntax.Lit)
		quoted = quoted || !ok || strings.Contains(lit.Value, "\\")
	}
	tabs := r.Op == syntax.DashHdoc
	if quoted {
		text := r.Hdoc.Lit()
		if tabs {
			text = stripTabs(text, true)
		}
		return val{text: text}
	}
	b := builder{w: w, heredoc: true, tabs: tabs}
	b.dquoted(r.Hdoc.Parts)
	v := b.value()
	return v
}

// stripTabs takes the tabs off the lines' starts; first says that the text itself begins a line.
func stripTabs(s string, first bool) string {
	lines := strings.SplitAfter(s, "\n")
	for i, l := range lines {
		if i > 0 || first {
			lines[i] = strings.TrimLeft(l, "\t")
		}
	}
	return strings.Join(lines, "")
}

// data is what flows out of a cell. Where it has several values none of them is told: who runs it looks at each.
func data(c *cell) word.Data {
	if c == nil || len(c.vals) == 0 {
		return word.Data{}
	}
	if len(c.vals) == 1 {
		v := c.vals[0]
		if v.unset {
			return word.Data{}
		}
		return word.Data{Given: true, Text: v.text, From: v.by}
	}
	d := word.Data{Given: true, Text: word.Unknown}
	for _, v := range c.vals {
		d.From = union(d.From, v.by)
	}
	return d
}
