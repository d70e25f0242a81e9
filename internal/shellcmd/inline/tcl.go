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

// tclCommands splits code into commands of words, those in brackets too.
func tclCommands(code string) [][]word.Arg {
	var out [][]word.Arg
	var cmd []word.Arg
	var b strings.Builder
	in := false
	end := func() {
		if in {
			cmd = append(cmd, word.Lit(b.String()))
		}
		in = false
		b.Reset()
	}
	for i := 0; i < len(code) && len(out) < 1<<12; i++ {
		switch ch := code[i]; {
		case ch == '{' && !in:
			n := skipBraces(code, i)
			cmd = append(cmd, word.Lit(code[i+1:max(i+1, n-1)]))
			i = n - 1
		case ch == '"' && !in:
			n := i + 1
			for n < len(code) && code[n] != '"' {
				if code[n] == '\\' {
					n++
				}
				n++
			}
			cmd = append(cmd, word.Lit(unescape(code[i+1:min(n, len(code))], false)))
			i = n
		case ch == '\\' && i+1 < len(code):
			i++
			b.WriteByte(code[i])
			in = true
		case ch == '$':
			b.WriteString(word.Unknown)
			for i+1 < len(code) && (isName(code[i+1]) || code[i+1] == ':') {
				i++
			}
			in = true
		case ch == '[' && !in:
			end()
			if len(cmd) > 0 {
				out, cmd = append(out, cmd), nil
			}
		case ch == ' ' || ch == '\t':
			end()
		case ch == '\n' || ch == ';' || ch == ']' || ch == '}':
			end()
			if len(cmd) > 0 {
				out, cmd = append(out, cmd), nil
			}
		case ch == '#' && !in && len(cmd) == 0:
			for i+1 < len(code) && code[i+1] != '\n' {
				i++
			}
		default:
			b.WriteByte(ch)
			in = true
		}
	}
	end()
	if len(cmd) > 0 {
		out = append(out, cmd)
	}
	return out
}
