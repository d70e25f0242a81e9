package inline

import (
	"strings"

	"github.com/boathook/boathook/internal/shellcmd/word"
)

// program reads all statements.
func (r *reader) program() {
	for r.i < len(r.toks) {
		at := r.i
		r.statement()
		if r.i == at {
			r.i++
		}
	}
}

// statement reads one statement, or what of it is left.
func (r *reader) statement() {
	if !r.enter() {
		return
	}
	defer func() { r.depth-- }()
	t := r.tok(0)
	switch {
	case t.kind == 'l', t.kind == 'o' && (t.text == "}" || t.text == ")" || t.text == "]" || t.text == "," || t.text == ":"):
		r.i++
	case t.kind == 'i' && (r.declares(t.text) || r.controls(t.text)):
	case t.kind == 'o' && t.text == "{":
		r.i++
		r.braces()
	default:
		v := r.expr()
		if r.is(",") && v.kind == 'p' && r.assignsMany() {
			r.many(v)
		}
	}
}

// declares reads a statement that brings in or defines names; false where the word begins none.
func (r *reader) declares(w string) bool {
	switch w {
	case "import":
		if r.tok(1).text == "(" {
			return false
		}
		r.imports()
	case "from":
		if r.lang != "python" {
			return false
		}
		r.fromImport()
	case "use", "no", "package", "namespace", "library", "using", "end", "pass", "break", "continue", "global", "nonlocal":
		if w == "use" && r.lang == "elixir" {
			return false
		}
		r.line()
	case "def", "sub", "function", "class", "fn", "module", "struct", "interface":
		r.i++
		r.definition(w)
	case "const", "let", "var":
		r.i++
		if r.is("{") {
			r.destructure()
		}
	default:
		return false
	}
	return true
}

// controls goes past a word of control, and reads a loop's head; false where the word is none.
func (r *reader) controls(w string) bool {
	switch w {
	case "for", "foreach", "with", "if", "while", "elif", "elsif", "unless", "until", "switch", "case", "when", "match", "try", "except", "finally",
		"do", "then", "begin", "rescue", "ensure", "catch", "repeat", "export", "default", "BEGIN", "END", "async", "select":
		r.i++
		if w == "foreach" || w == "for" {
			r.loop()
		}
		return true
	}
	return false
}

// line goes to the statement's end.
func (r *reader) line() {
	for r.i < len(r.toks) && r.tok(0).kind != 'l' {
		r.i++
	}
}

// loop reads the head of a loop as other languages than Python's "for x in" have it: foreach my $x (list), foreach ($list as $x),
// for (const x of list).
func (r *reader) loop() {
	for r.take("my", "our", "const", "let", "var") {
		continue
	}
	t := r.tok(0)
	if r.lang == "perl" && t.kind == 'i' && r.tok(1).text == "(" {
		r.i += 2
		list := r.list(")")
		if len(list) == 1 && list[0].kind == 'l' {
			list = list[0].list
		}
		r.vars[t.text] = element(value{kind: 'l', list: list})
		return
	}
	if r.lang == "node" && t.text == "(" {
		r.i++
		for r.take("const", "let", "var") {
			continue
		}
		if n := r.tok(0); n.kind == 'i' && r.tok(1).text == "of" {
			r.i += 2
			r.vars[n.text] = element(r.expr())
		}
	}
}

// assignsMany tells whether a = stands in this statement after names.
func (r *reader) assignsMany() bool {
	for n := range 32 {
		t := r.tok(n)
		if t.kind == 'o' && t.text == "=" {
			return true
		}
		if t.kind != 'i' && t.text != "," {
			return false
		}
	}
	return false
}

// many reads a, b = x, y.
func (r *reader) many(first value) {
	names := []value{first}
	for r.take(",") {
		if t := r.tok(0); t.kind == 'i' {
			names = append(names, value{kind: 'p', text: t.text})
			r.i++
		}
	}
	if !r.take("=") {
		return
	}
	var vs []value
	vs = append(vs, r.expr())
	for r.take(",") {
		vs = append(vs, r.expr())
	}
	if len(vs) == 1 {
		r.assign(value{kind: 'l', list: names}, vs[0])
		return
	}
	r.assign(value{kind: 'l', list: names}, value{kind: 'l', list: vs})
}

// dotted reads a name with its parts.
func (r *reader) dotted() string {
	var b strings.Builder
	for r.i < len(r.toks) {
		t := r.tok(0)
		if t.kind != 'i' && t.text != "." {
			break
		}
		if t.kind == 'i' && b.Len() > 0 && !strings.HasSuffix(b.String(), ".") {
			break
		}
		b.WriteString(t.text)
		r.i++
	}
	return b.String()
}

// imports reads Python's import a.b as c, d and JavaScript's import x, {a as b} from 'm'.
func (r *reader) imports() {
	r.i++
	if r.lang == "node" {
		r.nodeImport()
		return
	}
	for r.i < len(r.toks) {
		name := r.dotted()
		if r.take("as") && r.tok(0).kind == 'i' {
			r.vars[r.tok(0).text] = value{kind: 'p', text: name}
			r.i++
		} else {
			top, _, _ := strings.Cut(name, ".")
			delete(r.vars, top)
		}
		if !r.take(",") {
			return
		}
	}
}

// fromImport reads from a.b import c as d, (e, f), *.
func (r *reader) fromImport() {
	r.i++
	module := r.dotted()
	if !r.take("import") {
		return
	}
	r.take("(")
	for r.i < len(r.toks) && r.tok(0).kind != 'l' && !r.is(")") {
		t := r.tok(0)
		r.i++
		if t.text == "*" {
			r.star(module)
			continue
		}
		if t.kind != 'i' {
			continue
		}
		as := t.text
		if r.take("as") {
			as = r.tok(0).text
			r.i++
		}
		r.vars[as] = value{kind: 'p', text: module + "." + t.text}
	}
}

// star brings in the names of a module that matter here.
func (r *reader) star(module string) {
	var names string
	switch module {
	case "os":
		names = "system popen remove unlink rmdir removedirs execv execvp execl execlp spawnl chmod chown rename replace mkdir makedirs listdir path environ kill"
	case "shutil":
		names = "rmtree move copy copyfile copytree"
	case "subprocess":
		names = "run call Popen check_output check_call getoutput getstatusoutput"
	case "pathlib":
		names = "Path PosixPath"
	case "glob":
		names = "glob iglob"
	}
	for n := range strings.FieldsSeq(names) {
		r.vars[n] = value{kind: 'p', text: module + "." + n}
	}
}

// nodeImport reads JavaScript's imports.
func (r *reader) nodeImport() {
	var names [][2]string
	for r.i < len(r.toks) && r.tok(0).kind != 'l' {
		t := r.tok(0)
		r.i++
		switch {
		case t.kind == 's':
			module := nodeModule(r.stringValue(t).text)
			for _, n := range names {
				if n[0] == "*" || n[0] == "default" {
					r.vars[n[1]] = value{kind: 'p', text: module}
				} else {
					r.vars[n[1]] = value{kind: 'p', text: module + "." + n[0]}
				}
			}
			return
		case t.kind == 'i' && t.text == "from":
		case t.kind == 'i' || t.text == "*":
			name, as := t.text, t.text
			if t.kind == 'i' && r.tok(-2).text != "{" && r.tok(-2).text != "," {
				name = "default"
			}
			if r.take("as") {
				as = r.tok(0).text
				name = t.text
				r.i++
			}
			names = append(names, [2]string{name, as})
		}
	}
}

// destructure reads {a, b: c} = x.
func (r *reader) destructure() {
	r.i++
	var names [][2]string
	for r.i < len(r.toks) && !r.take("}") {
		t := r.tok(0)
		r.i++
		if t.kind != 'i' {
			continue
		}
		as := t.text
		if r.take(":") && r.tok(0).kind == 'i' {
			as = r.tok(0).text
			r.i++
		}
		names = append(names, [2]string{t.text, as})
	}
	if !r.take("=") {
		return
	}
	v := r.expr()
	for _, n := range names {
		r.vars[n[1]] = part(v, n[0])
	}
}

// op keeps an operation.
func (r *reader) op(name string, recursive bool, operands ...value) {
	argv := words(operands...)
	if len(argv) == 0 {
		return
	}
	for i := range argv {
		// One path that is not known is one path.
		argv[i].Many = false
	}
	r.emit(word.Inner{Op: name, Recursive: recursive, Argv: argv})
}

// shell keeps text that a shell runs.
func (r *reader) shell(v value) { r.shellIn(v, call{}) }

// shellIn is the same with the options of a call: a directory, an input.
func (r *reader) shellIn(v value, c call) {
	texts := []value{v}
	if v.kind == 'a' {
		texts = v.list
	}
	for _, t := range texts {
		in := word.Inner{Text: &word.Data{Given: true, Text: t.str()}, Lang: "sh", Args: word.Lits("sh")}
		c.apply(&in)
		r.emit(in)
	}
}

// run keeps a command of words.
func (r *reader) run(argv []word.Arg, c call) {
	if len(argv) == 0 {
		return
	}
	in := word.Inner{Argv: argv}
	c.apply(&in)
	r.emit(in)
}
