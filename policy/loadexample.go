package policy

import (
	"encoding/json"
	"strings"
)

// change reads [rules.rewrite].
func (l *loader) change(v *value) *Change {
	if v.form != table {
		l.bad(v.line, "rules.rewrite", "rewrite is "+v.form.String()+", and should be a table", "[rules.rewrite]")
		return nil
	}
	c := &Change{}
	for i, name := range v.names {
		one, key := v.list[i], "rules.rewrite."+name
		switch name {
		case "program":
			if c.Program = l.text(one, key, maxPattern); c.Program == "" && one.form == text {
				l.bad(one.line, key, key+" is empty", `program = "trash"`)
			}
		case "drop":
			c.Drop = l.drops(one, key)
		case "add":
			for _, add := range l.list(one, key) {
				c.Add = append(c.Add, add.text)
			}
		case "replace":
			c.Replace = l.swaps(one, key)
		case "cut_pipe":
			if one.form != boolean {
				l.bad(one.line, key, key+" is "+one.form.String()+", and should be true or false", "cut_pipe = true")
			}
			c.CutPipe = one.text == "true"
		default:
			l.unknown(one.line, "rules.rewrite", name, "program", "drop", "replace", "add", "cut_pipe")
		}
	}
	if len(v.names) == 0 {
		l.bad(v.line, "rules.rewrite", "rewrite changes nothing", "name program, drop, replace, add or cut_pipe")
	}
	return c
}

// drops are patterns of arguments, neither negated nor regular expressions.
func (l *loader) drops(v *value, key string) []string {
	patterns := l.patterns(v, key)
	for _, p := range patterns {
		if strings.HasPrefix(p, "!") || strings.HasPrefix(p, "re:") {
			l.bad(v.line, key, key+" has "+quoted(p)+", and takes names and globs alone", `drop = ["-r", "-f", "-rf"]`)
		}
	}
	return patterns
}

func (l *loader) swaps(v *value, key string) []Swap {
	if v.form != table {
		l.bad(v.line, key, key+" is a table of arguments and what takes their places", `replace = { "--force" = "--force-with-lease" }`)
		return nil
	}
	var out []Swap
	for i, from := range v.names {
		out = append(out, Swap{From: from, To: l.text(v.list[i], key+"."+from, maxPattern)})
	}
	return out
}

// examples reads [[rules.examples]].
func (l *loader) examples(v *value) []Example {
	if v.form != array {
		l.bad(v.line, "rules.examples", "examples is a list of tables", "begin each with [[rules.examples]]")
		return nil
	}
	out := make([]Example, 0, len(v.list))
	for _, one := range v.list {
		if one.form != table {
			l.bad(one.line, "rules.examples", "an example is "+one.form.String()+", and should be a table", `[[rules.examples]] with command and expect`)
			continue
		}
		out = append(out, l.example(one))
	}
	return out
}

func (l *loader) example(v *value) Example {
	x := Example{Line: v.line}
	for i, name := range v.names {
		one, key := v.list[i], "rules.examples."+name
		switch name {
		case "command":
			x.Command = l.example1(one, key)
		case "tool":
			x.Tool = l.text(one, key, maxText)
		case "input":
			x.Input = l.input(one, key)
		case "cwd":
			x.CWD = l.text(one, key, maxText)
		case "agent":
			x.Agent = l.text(one, key, maxText)
		case "expect":
			x.Expect = Action(l.choice(one, key, "deny", "ask", "rewrite", "warn", "allow"))
		default:
			l.unknown(one.line, "rules.examples", name, "command", "tool", "input", "cwd", "agent", "expect")
		}
	}
	switch {
	case v.get("command") == nil && v.get("tool") == nil:
		l.bad(v.line, "rules.examples", "the example has neither a command nor a tool", `command = "git push --force"`)
	case v.get("expect") == nil:
		l.bad(v.line, "rules.examples.expect", "the example does not say what to expect", `expect = "deny"; for a call that passes "allow"`)
	case v.get("input") != nil && v.get("tool") == nil:
		l.bad(v.line, "rules.examples.input", "the example has an input, and no tool", `tool = "write_file"`)
	}
	return x
}

// example1 reads a command line, which may hold anything.
func (l *loader) example1(v *value, key string) string {
	if v.form != text {
		return l.text(v, key, maxFile)
	}
	return v.text
}

// input makes JSON of a table, or takes it as it is written.
func (l *loader) input(v *value, key string) string {
	if v.form == text && json.Valid([]byte(v.text)) {
		return v.text
	}
	if v.form != table {
		l.bad(v.line, key, key+" is neither a table nor JSON", `input = { file_path = "a.txt" }`)
		return ""
	}
	var b strings.Builder
	v.json(&b)
	return b.String()
}

func (v *value) json(b *strings.Builder) {
	switch v.form {
	case table:
		sep := "{"
		for i, name := range v.names {
			b.WriteString(sep)
			quote(b, name)
			b.WriteByte(':')
			v.list[i].json(b)
			sep = ","
		}
		if sep == "{" {
			b.WriteByte('{')
		}
		b.WriteByte('}')
	case array:
		sep := "["
		for _, one := range v.list {
			b.WriteString(sep)
			one.json(b)
			sep = ","
		}
		if sep == "[" {
			b.WriteByte('[')
		}
		b.WriteByte(']')
	case boolean:
		b.WriteString(v.text)
	case number:
		if json.Valid([]byte(v.text)) {
			b.WriteString(v.text)
			return
		}
		quote(b, v.text)
	default:
		quote(b, v.text)
	}
}

func quote(b *strings.Builder, s string) {
	q, _ := json.Marshal(s) // a text is always JSON
	b.Write(q)
}
