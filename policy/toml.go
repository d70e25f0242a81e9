package policy

import (
	"bytes"
	"errors"
	"strings"

	"github.com/pelletier/go-toml/v2/unstable"
)

// form is the form of a value.
type form uint8

const (
	text form = iota + 1
	number
	boolean
	date
	array
	table
)

func (f form) String() string {
	return [...]string{"nothing", "a text", "a number", "true or false", "a date", "a list", "a table"}[f]
}

// value is one value of a TOML file. The reader's own tree has no lines and its decoder costs a hook more than all of the judging.
type value struct {
	form  form
	line  int
	text  string // of text, number, boolean and date
	list  []*value
	names []string // of a table, with list
	// closed: written inline, so that nothing may be added to it. tables: an array of tables.
	closed, tables, defined bool
}

func (v *value) get(name string) *value {
	for i, n := range v.names {
		if n == name {
			return v.list[i]
		}
	}
	return nil
}

// tree reads a file.
type tree struct {
	parser unstable.Parser
	root   *value
	at     *value
	nodes  int
	// offset and line are the place up to which lines were counted.
	offset, line int
	wrong        *Problem
}

// maxNodes and maxNesting bound what a file may hold.
const (
	maxNodes   = 200_000
	maxNesting = 12
	maxTable   = 4096
)

const nestedTooDeeply = "tables and lists are nested too deeply"

// readTOML makes a tree of a file, as far as the first thing that is wrong.
func readTOML(data []byte) (*value, *Problem) {
	t := &tree{root: &value{form: table, line: 1}, line: 1}
	t.at = t.root
	t.parser.Reset(data)
	for t.wrong == nil && t.parser.NextExpression() {
		t.expression(t.parser.Expression())
	}
	if err := t.parser.Error(); err != nil && t.wrong == nil {
		p := &Problem{Text: "this is not TOML: " + err.Error()}
		var at *unstable.ParserError
		if errors.As(err, &at) {
			p.Line = 1
			if len(at.Highlight) > 0 {
				p.Line = 1 + bytes.Count(data[:t.parser.Range(at.Highlight).Offset], []byte("\n"))
			}
		}
		p.Cure = cureTOML(err.Error(), lineAt(data, p.Line))
		t.wrong = p
	}
	return t.root, t.wrong
}

// lineAt is a line of a file, by its number.
func lineAt(data []byte, n int) []byte {
	for ; n > 1; n-- {
		_, data, _ = bytes.Cut(data, []byte("\n"))
	}
	line, _, _ := bytes.Cut(data, []byte("\n"))
	return line
}

// cureTOML says what is to be done about the mistakes that people make.
func cureTOML(what string, line []byte) string {
	switch {
	case strings.Contains(what, "escape"):
		return `"…" takes a backslash as the begin of an escape: write '…', which takes it as it is`
	case bytes.ContainsAny(line, "\u201c\u201d\u2018\u2019\u201e"):
		return `write straight quotes: "…"`
	}
	return "correct the line; a text stands in quotes, a list in [ ], a table's name in [[ ]] or [ ]"
}

// lineOf counts on from the last place: nodes come in the order of the file, but for keys after their values.
func (t *tree) lineOf(n *unstable.Node) int {
	at := int(n.Raw.Offset)
	if at == 0 && n.Raw.Length == 0 {
		return t.line
	}
	if at < t.offset {
		return t.line - bytes.Count(t.parser.Data()[at:t.offset], []byte("\n"))
	}
	t.line += bytes.Count(t.parser.Data()[t.offset:at], []byte("\n"))
	t.offset = at
	return t.line
}

func (t *tree) fail(line int, key, what, cure string) {
	if t.wrong == nil {
		t.wrong = &Problem{Line: line, Key: key, Text: what, Cure: cure}
	}
}

func (t *tree) expression(n *unstable.Node) {
	switch n.Kind {
	case unstable.KeyValue:
		t.set(t.at, n, 0)
	case unstable.Table:
		t.header(n, false)
	case unstable.ArrayTable:
		t.header(n, true)
	}
}

// header goes to the table that [a.b] or [[a.b]] begins.
func (t *tree) header(n *unstable.Node, list bool) {
	at, line := t.root, 0
	var path []string
	for keys := n.Key(); keys.Next(); {
		if line == 0 {
			line = t.lineOf(keys.Node())
		}
		name := string(keys.Node().Data)
		if path = append(path, name); len(path) > maxNesting {
			t.fail(line, name, nestedTooDeeply, "nothing here needs more than a few levels")
			return
		}
		last := keys.IsLast()
		next := at.get(name)
		switch {
		case next == nil:
			next = &value{form: table, line: line, defined: last && !list}
			if last && list {
				next = &value{form: array, tables: true, line: line}
			}
			t.put(at, name, next, line)
		case next.form == table && !next.closed && !(last && (list || next.defined)):
			next.defined = next.defined || last
		case next.form == array && next.tables && (list || !last):
		default:
			t.fail(line, strings.Join(path, "."), strings.Join(path, ".")+" stands here for a second time", "one [table] stands once; several of a list are each [["+strings.Join(path, ".")+"]]")
			return
		}
		if next.form == array {
			if last {
				next.list = append(next.list, &value{form: table, line: line})
			}
			next = next.list[len(next.list)-1]
		}
		at = next
	}
	t.at = at
}

// put adds a name to a table.
func (t *tree) put(to *value, name string, v *value, line int) {
	if len(to.names) >= maxTable {
		t.fail(line, name, "the table has too many names", "use fewer")
		return
	}
	if t.nodes++; t.nodes > maxNodes {
		t.fail(line, name, "the file holds too much", "use fewer rules")
		return
	}
	to.names, to.list = append(to.names, name), append(to.list, v)
}

// set gives a (dotted) key its value.
func (t *tree) set(to *value, n *unstable.Node, depth int) {
	var path []string
	for keys := n.Key(); keys.Next(); {
		line := t.lineOf(keys.Node())
		name := string(keys.Node().Data)
		if path = append(path, name); len(path) > maxNesting {
			t.fail(line, name, nestedTooDeeply, "nothing here needs more than a few levels")
			return
		}
		have := to.get(name)
		if keys.IsLast() {
			if have != nil {
				t.fail(line, strings.Join(path, "."), strings.Join(path, ".")+" stands here for a second time", "keep one of the two")
				return
			}
			if v := t.value(n.Value(), line, depth+1); v != nil {
				t.put(to, name, v, line)
			}
			return
		}
		if have == nil {
			have = &value{form: table, line: line, defined: true}
			t.put(to, name, have, line)
		}
		if have.form != table || have.closed {
			t.fail(line, strings.Join(path, "."), strings.Join(path, ".")+" is no table that could be added to", "write all of it in one place")
			return
		}
		to = have
	}
}

func (t *tree) value(n *unstable.Node, line, depth int) *value {
	if depth > maxNesting {
		t.fail(line, "", nestedTooDeeply, "nothing here needs more than a few levels")
		return nil
	}
	if t.nodes++; t.nodes > maxNodes {
		t.fail(line, "", "the file holds too much", "use fewer rules")
		return nil
	}
	v := &value{line: line, closed: true}
	switch n.Kind {
	case unstable.String:
		v.form, v.text = text, string(n.Data)
	case unstable.Bool:
		v.form, v.text = boolean, string(n.Data)
	case unstable.Integer, unstable.Float:
		v.form, v.text = number, string(n.Data)
	case unstable.LocalDate, unstable.LocalDateTime, unstable.DateTime, unstable.LocalTime:
		v.form, v.text = date, string(n.Data)
	case unstable.Array:
		v.form = array
		for each := n.Children(); each.Next() && t.wrong == nil; {
			at := line
			if each.Node().Kind == unstable.String {
				at = t.lineOf(each.Node())
			}
			if one := t.value(each.Node(), at, depth+1); one != nil {
				v.list = append(v.list, one)
			}
		}
	case unstable.InlineTable:
		v.form = table
		for each := n.Children(); each.Next() && t.wrong == nil; {
			t.set(v, each.Node(), depth)
		}
	}
	return v
}
