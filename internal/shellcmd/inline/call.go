package inline

import (
	"strings"

	"github.com/boathook/boathook/internal/shellcmd/word"
)

// call is a call of a function by its full name, or of a part of a value (recv).
type call struct {
	name string
	recv value
	args []value
	keys map[string]value
}

// arg is an argument by place or by name.
func (c call) arg(n int, names ...string) value {
	if n >= 0 && n < len(c.args) {
		return c.args[n]
	}
	return c.key(names...)
}

// key is an argument by name; one that is absent has that as its text.
func (c call) key(names ...string) value {
	for _, n := range names {
		if v, ok := c.keys[n]; ok {
			return v
		}
	}
	return value{text: "absent"}
}

// absent tells whether an argument was not given.
func (v value) absent() bool { return v.kind == 0 && v.text == "absent" }

// truthy tells whether an option is given and not surely false.
func (c call) truthy(names ...string) bool {
	v := c.key(names...)
	return !v.absent() && !v.falsy()
}

// rest are the arguments from one place on.
func (c call) rest(n int) []value {
	if n >= len(c.args) {
		return nil
	}
	return c.args[n:]
}

// apply puts a call's options into what it runs.
func (c call) apply(in *word.Inner) {
	if d := c.key("cwd", "chdir", "dir"); !d.absent() && d.kind != 'p' {
		a := d.arg()
		in.Dir = &a
	}
	if s := c.key("input", "stdin_data"); !s.absent() {
		in.Stdin = &word.Data{Given: true, Text: s.str()}
	}
}

// call reads a call that has been parsed and gives its value.
func (r *reader) call(v value, args []value) value {
	c := call{keys: map[string]value{}}
	switch v.kind {
	case 'p':
		c.name = v.text
	case 'm':
		c.name, c.recv = v.text, *v.recv
	case 't':
		if r.lang != "php" {
			return value{}
		}
		c.name = v.text
	default:
		return value{}
	}
	for _, a := range args {
		if a.kind == 'k' {
			for k, x := range a.keys {
				c.keys[k] = x
			}
			continue
		}
		c.args = append(c.args, a)
	}
	if v.kind == 'm' {
		if out, ok := textMethod(c); ok {
			return out
		}
	}
	if r.changesDir(c) {
		return value{}
	}
	if r.lang == "node" && len(c.args) > 0 && c.args[0].kind == 'p' && (c.args[0].text == "eval" || c.args[0].text == "Function") {
		r.unsure = true // what comes is code: then(eval)
	}
	emitted := len(r.out)
	out := r.called(c, v.kind == 'm')
	r.unasked(c, emitted)
	return out
}

// called does what a function does by the language's own table.
func (r *reader) called(c call, method bool) value {
	switch r.lang {
	case "python":
		return r.python(c, method)
	case "node":
		return r.node(c, method)
	case "ruby":
		return r.ruby(c, method)
	case "perl":
		return r.perl(c, method)
	case "php":
		return r.php(c, method)
	case "lua":
		return r.lua(c, method)
	}
	return r.other(c, method)
}

// pipeTo reads "x |> f(y)" of Elixir and Julia.
func (r *reader) pipeTo(v value) value {
	f := r.tok(0)
	if f.kind != 'i' {
		return value{}
	}
	name := r.dotted()
	var args []value
	if r.take("(") {
		args = r.list(")")
	}
	return r.call(value{kind: 'p', text: name}, append([]value{v}, args...))
}

// constant is a name that stands for a known value in a language.
func constant(lang, name string) (value, bool) {
	switch name {
	case "True", "true", "False", "false", "None", "nil", "null", "undefined", "self", "this":
		return value{kind: 'p', text: name}, false
	case "__dirname":
		return textValue("."), lang == "node"
	case "PHP_EOL":
		return textValue("\n"), lang == "php"
	case "DIRECTORY_SEPARATOR":
		return textValue("/"), lang == "php"
	}
	return value{}, false
}

// execute runs the words of an argument list: one word is a shell's text where the language says so.
func (r *reader) execute(c call, args []value, shellIfOne bool) {
	var flat []value
	for _, a := range args {
		if a.kind == 'l' {
			flat = append(flat, a.list...)
		} else {
			flat = append(flat, a)
		}
	}
	if len(flat) == 0 {
		return
	}
	if shellIfOne && len(flat) == 1 && (len(args) != 1 || args[0].kind != 'l') {
		r.shellIn(flat[0], c)
		return
	}
	r.run(words(flat...), c)
}

// mode tells what an open mode does: read, overwrite, append, or write for what is not known.
func mode(v value) string {
	if v.absent() {
		return "read"
	}
	if v.kind != 't' {
		return ""
	}
	m := v.text
	switch {
	case strings.ContainsAny(m, "wx") || m == ">" || strings.HasPrefix(m, "+>"):
		return "overwrite"
	case strings.Contains(m, "a") && m != "read" || strings.HasPrefix(m, ">>"):
		return "append"
	case strings.Contains(m, "+"):
		return "overwrite"
	}
	return "read"
}

// open keeps the opening of a file and gives the file.
func (r *reader) open(path, how value) value {
	m := mode(how)
	if strings.HasPrefix(how.text, ">>") {
		m = "append"
	}
	if m != "" && (path.kind != 0 || m != "read") {
		r.op(m, false, path)
	}
	return value{kind: 'f', text: path.str()}
}
