package inline

import (
	"strings"

	"github.com/boathook/boathook/internal/shellcmd/word"
)

// named reads an operand that begins with a name.
func (r *reader) named(t token) value {
	r.i++
	_, set := r.vars[t.text]
	switch t.text {
	case "new", "await", "not", "return", "yield", "typeof", "void", "raise", "throw", "my", "our", "local", "let", "const", "var", "async", "else", "then", "do",
		"try", "begin", "defined", "assert", "del":
		if !set {
			return r.unary()
		}
	case "puts", "print", "echo", "say", "p", "pp", "die", "printf", "warn", "exit":
		if !set && r.lang != "python" && r.lang != "node" && (r.tok(0).kind != 'o' || r.tok(0).text != "(" && r.tok(0).text != "." && r.tok(0).text != "=") {
			return r.unary()
		}
	case "function", "def", "sub", "fn", "lambda", "class":
		r.definition(t.text)
		return value{}
	case "if", "while", "unless", "elif", "elsif", "until", "switch", "case", "when", "for", "foreach", "in":
		return value{}
	}
	v, ok := r.vars[t.text]
	if !ok {
		v = value{kind: 'p', text: t.text}
		if k, w := constant(r.lang, t.text); w {
			v = k
		}
	} else if v.kind == 't' || v.kind == 0 {
		v.recv = nil
	}
	return r.attachedTo(v, t.text)
}

// definition skips the name and the parameters of a function.
func (r *reader) definition(w string) {
	if w == "lambda" {
		for r.i < len(r.toks) && !r.is(":") && r.tok(0).kind != 'l' && !r.is("{", ")") {
			r.i++
		}
		r.take(":")
		return
	}
	for r.tok(0).kind == 'i' || r.is(".", "::", "*") {
		r.i++
	}
	if r.take("(") {
		depth := 1
		for r.i < len(r.toks) && depth > 0 {
			switch {
			case r.is("("):
				depth++
			case r.is(")"):
				depth--
			}
			r.i++
		}
	}
}

// attached reads parts, calls and elements behind an operand.
func (r *reader) attached(v value) value { return r.attachedTo(v, "") }

// attachedTo is the same for one that has a name, to which it may be assigned.
func (r *reader) attachedTo(v value, name string) value {
	for r.i < len(r.toks) {
		next, more := r.attach(v, name)
		if !more {
			if name != "" && next.kind != 'p' && !callable(next) {
				return r.remember(next, name)
			}
			return next
		}
		v, name = next, ""
	}
	if r.calls(v) {
		return r.bareCall(v)
	}
	return v
}

// calls tells whether a name alone is a call.
func (r *reader) calls(v value) bool {
	return (r.lang == "ruby" || r.lang == "perl") && callable(v) && (v.kind == 'm' || bareWord(v.text))
}

// attach reads one part, call or element behind an operand; false where there is none.
func (r *reader) attach(v value, name string) (value, bool) {
	t := r.tok(0)
	sign := t.kind == 'o'
	switch {
	case sign && r.isAttr(t):
		next := r.tok(1)
		if next.kind == 'o' && (next.text == "(" || next.text == "[" || next.text == "{") {
			r.i++
			return v, true
		}
		if next.kind != 'i' {
			return v, false
		}
		r.i += 2
		return part(v, next.text), true
	case sign && t.text == "(" && (!t.space || r.lang != "ruby"):
		r.i++
		from := r.i
		args := r.list(")")
		kept := len(r.out)
		out := r.call(v, args)
		r.leaks(from, kept)
		return out, true
	case sign && t.text == "[" && (!t.space || !r.syn.bare):
		r.i++
		return r.index(v, r.list("]")), true
	case sign && t.text == "{" && r.lang == "perl" && !t.space && (v.kind != 'p' || strings.HasPrefix(v.text, "$")):
		r.i++
		if k := r.tok(0); k.kind == 'i' && r.tok(1).text == "}" && bareWord(k.text) {
			r.i += 2
			return r.index(v, []value{textValue(k.text)}), true
		}
		return r.index(v, r.list("}")), true
	case r.lang == "lua" && callable(v) && (t.kind == 's' || sign && t.text == "{"):
		return r.call(v, []value{r.unary()}), true
	case r.syn.bare && r.lang != "lua" && callable(v) && r.begins(t) && (name == "" || v.kind == 'p' && bareWord(v.text)):
		return r.call(v, r.bareArgs()), true
	case r.calls(v):
		// A call without arguments.
		return r.bareCall(v), false
	}
	return v, false
}

// remember keeps a variable's name with its value where an assignment follows.
func (r *reader) remember(v value, name string) value {
	if r.is("=", "+=", ".=", ":=", "<-", "=~", "in", "of") {
		if r.is("+=", ".=") {
			op := r.tok(0).text
			_ = op
			r.i++
			right := concat(v, r.expr())
			r.vars[name] = right
			return right
		}
		return value{kind: 'p', text: name}
	}
	return v
}

// bareCall calls what stands there without arguments, where it is a call at all: not before an assignment.
func (r *reader) bareCall(v value) value {
	if r.is("=", "=>", "::", "+=", ".=", "||", ",") && v.kind == 'p' {
		return v
	}
	return r.call(v, nil)
}

// isAttr tells whether a sign stands between a thing and its part.
func (r *reader) isAttr(t token) bool {
	for _, a := range r.syn.attr {
		if t.text == a {
			if a == ":" && (t.space || r.tok(2).text != "(" && r.tok(2).kind != 's') {
				return false
			}
			return true
		}
	}
	return false
}

// part is a thing's part by name.
func part(v value, name string) value {
	switch v.kind {
	case 'p':
		if len(v.text) > 200 {
			return value{}
		}
		return value{kind: 'p', text: v.text + "." + name}
	case 'k':
		if p, ok := v.keys[name]; ok {
			return p
		}
	}
	recv := v
	return value{kind: 'm', text: name, recv: &recv}
}

// callable tells whether a value can be called by its name.
func callable(v value) bool { return v.kind == 'p' || v.kind == 'm' }

// bareWord tells whether a name is no variable.
func bareWord(s string) bool { return s != "" && strings.IndexByte("$@%", s[0]) < 0 }

// begins tells whether a token can be the first argument of a call without parentheses.
func (r *reader) begins(t token) bool {
	switch t.kind {
	case 's', 'c', 'n', 'u':
		return true
	case 'i':
		switch t.text {
		case "if", "unless", "while", "until", "for", "foreach", "and", "or", "do", "then", "eq", "ne", "x", "cmp", "lt", "gt", "in", "rescue", "end", "xor", "le", "ge", "else":
			return false
		}
		return true
	case 'o':
		switch t.text {
		case "[":
			return t.space
		case "*", "&", "-", ":", "::", "\\", "<<":
			return t.space && !r.tok(1).space
		case "(":
			return true
		case "{":
			return false
		}
	}
	return false
}

// bareArgs reads a call's arguments without parentheses, up to the statement's end.
func (r *reader) bareArgs() []value {
	var out []value
	for r.i < len(r.toks) {
		at := r.i
		if t := r.tok(0); t.kind == 'l' || t.kind == 'o' && (t.text == ")" || t.text == "]" || t.text == "}") || t.kind == 'i' && !r.begins(t) {
			return out
		}
		out = append(out, r.element())
		if !r.take(",", "=>") {
			return out
		}
		for r.tok(0).kind == 'l' && r.i < len(r.toks) {
			r.i++
		}
		if r.i == at || len(out) > 1<<10 {
			return out
		}
	}
	return out
}

// index is a list's element, a variable of the environment, an argument.
func (r *reader) index(v value, at []value) value {
	if len(at) == 0 {
		return value{}
	}
	key := at[0]
	switch {
	case v.kind == 'p' && isEnv(v.text):
		return r.variable(key.str())
	case v.kind == 'p' && v.text == "Dir" && r.lang == "ruby":
		key.glob = key.kind == 't'
		return key
	case v.kind == 'p' && isArgs(v.text):
		return r.argument(v.text, key)
	case v.kind == 'p' && key.kind == 't':
		return part(v, key.text)
	case v.kind == 'k' && key.kind == 't':
		return v.keys[key.text]
	case v.kind == 'l' && key.kind == 't':
		n, ok := integer(key.text)
		if ok && n < 0 {
			n += len(v.list)
		}
		if ok && n >= 0 && n < len(v.list) && len(at) == 1 {
			return v.list[n]
		}
	case v.kind == 't' && r.tok(-2).text == "1" && r.tok(-3).text == "-" && r.tok(-4).text == "::":
		return textValue(reverse(v.text))
	}
	return value{}
}

// isEnv tells whether a name is that of the environment.
func isEnv(s string) bool {
	switch s {
	case "os.environ", "process.env", "ENV", "$ENV", "$_ENV", "$_SERVER", "%ENV", "environ", "Bun.env":
		return true
	}
	return false
}

// isArgs tells whether a name is that of the code's arguments.
func isArgs(s string) bool {
	switch s {
	case "sys.argv", "ARGV", "$ARGV", "process.argv", "$argv", "arg":
		return true
	}
	return false
}

// variable is a variable of the environment.
func (r *reader) variable(name string) value {
	if r.env.Var != nil {
		if v, ok := r.env.Var(name); ok {
			return textValue(v)
		}
	}
	if name == "HOME" || name == "USERPROFILE" {
		return textValue(r.home())
	}
	return value{}
}

// home is the user's home, or what stands for it.
func (r *reader) home() string {
	if r.env.Var != nil {
		if v, ok := r.env.Var("HOME"); ok {
			return v
		}
	}
	return "~"
}

// argument is one of the code's own arguments.
func (r *reader) argument(of string, key value) value {
	n, ok := integer(key.str())
	if !ok {
		return value{}
	}
	switch of {
	case "ARGV", "$ARGV":
		n++
	case "process.argv":
		// node itself and, where it runs a file, that file stand before.
	}
	if n > 0 && n < len(r.args) {
		a := r.args[n]
		if !a.Many && !strings.Contains(a.Text, word.Unknown) {
			return textValue(a.Text)
		}
	}
	return value{}
}

// assign keeps what a name stands for from here on.
func (r *reader) assign(to, v value) {
	switch to.kind {
	case 'p':
		if !strings.Contains(to.text, ".") || len(to.text) < 200 {
			r.vars[to.text] = v
		}
	case 'l':
		for i, t := range to.list {
			switch {
			case v.kind == 'l' && i < len(v.list):
				r.assign(t, v.list[i])
			case t.kind == 'p':
				r.assign(t, value{})
			}
		}
	case 'k':
		// const {execSync: x} = require('child_process')
		for k, t := range to.keys {
			if t.kind == 'p' {
				r.vars[t.text] = part(v, k)
			}
		}
	}
}
