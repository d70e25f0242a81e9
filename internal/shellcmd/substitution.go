package shellcmd

import (
	"slices"
	"strconv"
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"github.com/boathook/boathook/internal/shellcmd/word"
)

type argument = word.Arg

func argOf(v val) word.Arg {
	return word.Arg{Text: v.text, Many: v.many, By: v.by, Glob: v.glob}
}

// proc is >(…): it reads what is written to its path.
type proc struct {
	path string
	p    *syntax.ProcSubst
}

// substitution is the value of $(…); quoted says that it stands within double quotes.
func (w *shell) substitution(p *syntax.CmdSubst, quoted bool) val {
	defer w.step("substitution", "")()
	piped, naming := w.piped, w.naming
	w.piped, w.naming = false, false
	out := w.output(func() {
		w.subshell(func() {
			if text, ok := w.backquoted(p, quoted); ok {
				w.nested(text)
				return
			}
			if text, ok := w.joined(p); ok {
				w.nested(text)
				return
			}
			w.stmts(p.Stmts)
		})
	})
	w.piped, w.naming = piped, naming
	if out = w.trimmed(out); thereOnly(p) {
		out = something(out)
	}
	v := w.choose(w.sameAs(p, out))
	v.unset, v.array, v.attr = false, false, ""
	v.many = hasUnknown(v.text)
	if p.ReplyVar || p.TempFile {
		return unknownVal(true)
	}
	return v
}

// thereOnly tells the way in which scripts ask for a directory's path, cd x && pwd. Where there is no such directory it gives nothing,
// but then neither does the script that stands in it.
func thereOnly(p *syntax.CmdSubst) bool {
	if len(p.Stmts) != 1 {
		return false
	}
	both, ok := p.Stmts[0].Cmd.(*syntax.BinaryCmd)
	if !ok || both.Op != syntax.AndStmt {
		return false
	}
	return calls(both.X, "cd") && calls(both.Y, "pwd")
}

func calls(s *syntax.Stmt, name string) bool {
	c, ok := s.Cmd.(*syntax.CallExpr)
	return ok && len(c.Args) > 0 && c.Args[0].Lit() == name
}

// something is a cell without the values that are empty, where it has others.
func something(c *cell) *cell {
	out := &cell{vals: make([]val, 0, len(c.vals))}
	for _, v := range c.vals {
		if v.text != "" {
			out.vals = append(out.vals, v)
		}
	}
	if len(out.vals) == 0 {
		return c
	}
	return out
}

// sameAs gives the cell that a place had before where its values are the same: the way that is being run knows its choice by it.
func (w *shell) sameAs(p syntax.Node, c *cell) *cell {
	if len(c.vals) < 2 {
		return c
	}
	if w.places == nil {
		w.places = map[syntax.Node]*cell{}
	}
	if old := w.places[p]; old != nil && slices.EqualFunc(old.vals, c.vals, val.same) {
		return old
	}
	w.places[p] = c
	return c
}

// backquoted is the text between backquotes where backslashes in it hide something: the parser does not take them away level by
// level, as a shell does.
func (w *shell) backquoted(p *syntax.CmdSubst, quoted bool) (string, bool) {
	from, to := int(p.Left.Offset())+1, int(p.Right.Offset())
	if !p.Backquotes || to > len(w.src) || from > to || w.src[from-1] != '`' {
		return "", false
	}
	s := w.unhash(w.src[from:to])
	if !strings.Contains(s, "\\") {
		return "", false
	}
	var out []byte
	for i := 0; i < len(s); i++ {
		if s[i] == '\\' && i+1 < len(s) {
			if c := s[i+1]; c == '$' || c == '`' || c == '\\' || c == '"' && quoted {
				i++
			}
		}
		out = append(out, s[i])
	}
	return string(out), true
}

// joined is the text of $(…) in a here-document, where it differs: a backslash before a line's end goes with it, also within single
// quotes. So it does in bash and zsh, in dash it stays.
func (w *shell) joined(p *syntax.CmdSubst) (string, bool) {
	from, to := int(p.Left.Offset())+2, int(p.Right.Offset())
	if !w.inDocument || w.opt.Dialect == "dash" || p.Backquotes || to > len(w.src) || from > to || w.src[from-2:from] != "$(" {
		return "", false
	}
	s := w.unhash(w.src[from:to])
	if !strings.Contains(s, "\\\n") {
		return "", false
	}
	out := make([]byte, 0, len(s))
	for i := 0; i < len(s); i++ {
		if s[i] == '\\' && i+1 < len(s) {
			if i++; s[i] == '\n' {
				continue
			}
			out = append(out, '\\')
		}
		out = append(out, s[i])
	}
	return string(out), true
}

// trimmed is a cell without the newlines at its values' ends.
func (w *shell) trimmed(c *cell) *cell {
	out := &cell{vals: make([]val, 0, len(c.vals))}
	for _, v := range c.vals {
		v.text = strings.TrimRight(v.text, "\n")
		out.vals = append(out.vals, v)
	}
	return out
}

// process is the path that <(…) or >(…) stands for. What is read from it is what the commands print.
func (w *shell) process(p *syntax.ProcSubst) val {
	w.bud.procs++
	path := "/dev/fd/" + strconv.Itoa(1000+w.bud.procs)
	if p.Op == syntax.CmdOut {
		w.procs = append(w.procs, proc{path, p})
		w.set(file, path, nil)
		return val{text: path}
	}
	defer w.step("process", "")()
	out := w.output(func() { w.subshell(func() { w.stmts(p.Stmts) }) })
	w.setFile(path, out)
	v := val{text: path}
	for _, x := range out.vals {
		v.by = union(v.by, x.by)
	}
	return v
}

// finish runs the >(…) of a command that has run.
func (w *shell) finish(procs []proc) {
	for _, p := range procs {
		in := w.get(file, p.path)
		if in == nil {
			in = one(unknownVal(true))
		}
		old := w.get(special, "in")
		w.set(special, "in", in)
		undo := w.step("process", "")
		w.subshell(func() { w.stmts(p.p.Stmts) })
		undo()
		w.set(special, "in", old)
	}
}

// prefix reads a tilde at a word's start, and zsh's =name.
func (w *shell) prefix(s string, b *builder, whole bool) string {
	if s[0] == '=' && (w.zsh || w.naming) && !b.scalar && len(s) > 1 {
		// In zsh =name is where the program name is; in others such a command hardly exists.
		b.plain = false
		if !w.naming {
			b.text(word.Unknown + "/")
		}
		return s[1:]
	}
	if s[0] != '~' {
		return s
	}
	name, rest, _ := strings.Cut(s[1:], "/")
	if len(name)+1 < len(s) {
		rest = s[1+len(name):]
	} else if !whole {
		// ~"x" is no home.
		return s
	}
	return w.home(name, rest, b)
}

func (w *shell) home(name, rest string, b *builder) string {
	switch name {
	case "":
		b.text(w.variable("HOME").text)
	case "+":
		b.text(w.dir().Text)
	case "-":
		b.text(w.variable("OLDPWD").text)
	case "root":
		b.text("/root")
	default:
		if strings.ContainsAny(name, "\\:\"'") {
			return "~" + name + rest
		}
		b.text("/home/" + name)
	}
	b.plain = false
	return rest
}

// tildes reads those behind colons, in an assignment.
func (w *shell) tildes(s string) string {
	home := w.variable("HOME").text
	s = strings.ReplaceAll(s, ":~/", ":"+home+"/")
	if strings.HasSuffix(s, ":~") {
		s = s[:len(s)-1] + home
	}
	return s
}
