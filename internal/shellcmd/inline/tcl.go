package inline

import (
	"strings"

	"github.com/boathook/boathook/internal/shellcmd/word"
)

// tcl finds exec, file delete, spawn, send, system and open of pipes.
func (r *reader) tcl(code string) {
	for _, cmd := range tclCommands(code) {
		if *r.budget -= len(cmd) + 1; *r.budget < 0 {
			r.unsure = true
			return
		}
		r.tclCommand(cmd)
	}
}

// tclCommand keeps what one command does.
func (r *reader) tclCommand(cmd []word.Arg) {
	rest := cmd[1:]
	switch cmd[0].Text {
	case "exec", "spawn":
		for len(rest) > 0 && strings.HasPrefix(rest[0].Text, "-") {
			rest = rest[1:]
		}
		r.run(rest, call{})
	case "system":
		r.shell(textValue(strings.Join(word.Texts(rest), " ")))
	case "file":
		r.tclFile(rest)
	case "open":
		if len(rest) == 0 {
			return
		}
		if t, ok := strings.CutPrefix(rest[0].Text, "|"); ok {
			r.shell(textValue(t))
			return
		}
		how := value{text: "absent"}
		if len(rest) > 1 {
			how = textValue(rest[1].Text)
		}
		r.open(textValue(rest[0].Text), how)
	case "eval":
		r.nested("tcl", strings.Join(word.Texts(rest), " "))
	case "send":
		t := strings.Join(word.Texts(rest), " ")
		r.shell(textValue(strings.NewReplacer("\\r", "\n", "\r", "\n").Replace(strings.TrimPrefix(t, "-- "))))
	case "if", "while", "foreach", "catch", "proc", "for":
		for _, a := range rest {
			if strings.ContainsAny(a.Text, " \n") && r.depth < 8 {
				r.nested("tcl", a.Text)
			}
		}
	}
}

// tclFile is file delete, rename or copy.
func (r *reader) tclFile(rest []word.Arg) {
	if len(rest) < 2 {
		return
	}
	verb := rest[0].Text
	force := false
	for rest = rest[1:]; len(rest) > 0 && strings.HasPrefix(rest[0].Text, "-"); rest = rest[1:] {
		force = force || rest[0].Text == "-force"
	}
	var vs []value
	for _, a := range rest {
		vs = append(vs, textValue(a.Text))
	}
	switch verb {
	case "delete":
		r.op("delete", force, vs...)
	case "rename":
		r.op("move", false, vs...)
	case "copy":
		r.op("copy", false, vs...)
	}
}

// tclReader splits code of Tcl.
type tclReader struct {
	out [][]word.Arg
	cmd []word.Arg
	b   strings.Builder
	in  bool
}

// tclCommands splits code into commands of words, those in brackets too.
func tclCommands(code string) [][]word.Arg {
	var t tclReader
	for i := 0; i < len(code) && len(t.out) < 1<<12; i++ {
		i = t.at(code, i)
	}
	t.command()
	return t.out
}

// word ends a word, command a command.
func (t *tclReader) word() {
	if t.in {
		t.cmd = append(t.cmd, word.Lit(t.b.String()))
	}
	t.in = false
	t.b.Reset()
}

func (t *tclReader) command() {
	t.word()
	if len(t.cmd) > 0 {
		t.out, t.cmd = append(t.out, t.cmd), nil
	}
}

// at reads what stands at one place and gives the last place that it has read.
func (t *tclReader) at(code string, i int) int {
	switch ch := code[i]; {
	case ch == '{' && !t.in:
		n := skipBraces(code, i)
		t.cmd = append(t.cmd, word.Lit(code[i+1:max(i+1, n-1)]))
		return n - 1
	case ch == '"' && !t.in:
		n := i + 1
		for n < len(code) && code[n] != '"' {
			if code[n] == '\\' {
				n++
			}
			n++
		}
		t.cmd = append(t.cmd, word.Lit(unescape(code[i+1:min(n, len(code))], false)))
		return n
	case ch == '\\' && i+1 < len(code):
		t.b.WriteByte(code[i+1])
		t.in = true
		return i + 1
	case ch == '$':
		t.b.WriteString(word.Unknown)
		t.in = true
		for i+1 < len(code) && (isName(code[i+1]) || code[i+1] == ':') {
			i++
		}
	case ch == ' ' || ch == '\t':
		t.word()
	case ch == '\n' || ch == ';' || ch == ']' || ch == '}' || ch == '[' && !t.in:
		t.command()
	case ch == '#' && !t.in && len(t.cmd) == 0:
		for i+1 < len(code) && code[i+1] != '\n' {
			i++
		}
	default:
		t.b.WriteByte(ch)
		t.in = true
	}
	return i
}
