package shellcmd

import (
	"strconv"
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
	// from is the descriptor that the new input is.
	from string
	// both says that output goes into the pipe as well, as it does in zsh.
	both bool
	// exec says that they stay.
	exec bool
	// vague is that file where its path is known in part.
	vague word.Arg
}

// redirected runs a statement with its redirections.
func (w *shell) redirected(s *syntax.Stmt) status {
	both := w.zsh && w.direct
	w.direct = false
	if len(s.Redirs) == 0 {
		if s.Cmd == nil {
			return success
		}
		return w.command(s.Cmd, nil)
	}
	return w.eachStatus(func() status { return w.withRedirects(s, both) })
}

func (w *shell) withRedirects(s *syntax.Stmt, both bool) (st status) {
	procs := w.procs
	w.procs = nil
	rd := redirects{exec: isExec(s), both: both}
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
		if !rd.exec {
			defer func() {
				if rd.from != "" {
					w.set(special, rd.from, w.get(special, "in"))
				}
				w.set(special, "in", old)
			}()
		}
	}
	if rd.exec {
		// What is printed from here on goes there; it is not told what that is.
		run()
		if rd.to != "" {
			w.setFile(rd.to, one(unknownVal(true)))
		}
	} else {
		w.into(&rd, run)
	}
	w.finish(mine)
	return st
}

// isExec tells whether a statement is exec with redirections alone, which stay.
func isExec(s *syntax.Stmt) bool {
	c, ok := s.Cmd.(*syntax.CallExpr)
	return ok && len(c.Args) == 1 && c.Args[0].Lit() == "exec"
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
	if rd.both && len(got.vals) == 1 {
		w.print(data(got), true)
	}
	if rd.to == "" {
		w.setVague(rd.vague, got)
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
		fd = w.descriptor(r.N.Value)
	}
	switch r.Op {
	case syntax.Hdoc, syntax.DashHdoc:
		if r.Hdoc != nil {
			w.feed(fd, one(w.heredoc(r)), rd)
		}
		return
	case syntax.WordHdoc:
		v := w.value(r.Word)
		v.text += "\n"
		w.feed(fd, one(v), rd)
		return
	}
	target := w.single(r.Word)
	op := r.Op.String()
	switch r.Op {
	case syntax.DplIn:
		if fd == "" || fd == "0" {
			if c := w.get(special, "fd "+target.Text); c != nil {
				rd.in, rd.from = c, "fd "+target.Text
			} else if target.Text != "0" {
				rd.in = one(unknownVal(true))
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

// feed gives a descriptor something to read.
func (w *shell) feed(fd string, in *cell, rd *redirects) {
	if fd == "" || fd == "0" {
		if rd.in != nil && w.zsh {
			// zsh reads one after the other.
			in = joined(rd.in, in)
		}
		rd.in = in
		return
	}
	w.set(special, "fd "+fd, in)
	w.setFile("/dev/fd/"+fd, in)
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
		if c := w.get(special, "to "+other); c != nil {
			if v := w.choose(c); !v.unset && v.known() {
				rd.to, rd.append = v.text, true
				return
			}
		}
		rd.unsure = true
	}
}

// descriptor is a descriptor's number; that of {name} is a new one, which the variable then has.
func (w *shell) descriptor(s string) string {
	if len(s) < 3 || s[0] != '{' {
		return s
	}
	w.bud.procs++
	fd := strconv.Itoa(100 + w.bud.procs)
	w.setVar(s[1:len(s)-1], val{text: fd})
	return fd
}

func (w *shell) target(op, fd string, target word.Arg, rd *redirects) {
	path, ok := w.path(target)
	switch {
	case op == "<" || op == "<>":
		in := one(unknownVal(true))
		if c := w.get(file, path); ok && c != nil {
			in = c
		}
		w.feed(fd, in, rd)
	case fd != "" && fd != "1" && op[0] != '&':
		// Errors, or a descriptor that the text may bring back; the file's content is not told then.
		if ok && fd != "2" && rd.exec && (op == ">" || op == ">|" || op == ">>") {
			if op != ">>" {
				w.setFile(path, one(val{}))
			}
			w.set(special, "to "+fd, one(val{text: path}))
		} else if ok && fd != "2" {
			w.setFile(path, one(unknownVal(true)))
		}
	case path == "/dev/null" || path == "/dev/stderr" || path == "/dev/fd/2" || path == "/dev/tty":
		rd.hidden = true
	case path == "/dev/stdout" || path == "/dev/fd/1" || path == "/proc/self/fd/1":
	default:
		rd.to, rd.append = path, strings.HasSuffix(op, ">>")
		if !ok {
			rd.to, rd.hidden, rd.vague = "", true, target
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
		text := w.unhash(r.Hdoc.Lit())
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
