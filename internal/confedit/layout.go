package confedit

import (
	"bytes"
	"encoding/json"

	"github.com/tailscale/hujson"
)

// layout is how a file writes its members.
type layout struct {
	newline string
	// gap stands before a member's name, colon behind it.
	gap, colon string
	indent     string
	// unit is what each level inside a value is indented by; empty where that is the indent itself.
	unit string
	// lines says that members have lines of their own.
	lines bool
}

// layout is the style for a new last member behind the comments in before.
func (l list) layout(src, before []byte, lineComment bool) layout {
	lay := layout{newline: newlineOf(src), colon: ": ", lines: true, indent: "  "}
	if l.nested {
		lay.indent, lay.lines = l.base(src)+l.unit, bytes.IndexByte(src[:l.close], '\n') >= 0
		if !lay.lines {
			lay.colon = ":"
		}
	}
	if n := len(l.items); n > 0 {
		lay = layoutOf(src, l, n-1)
	} else if indent, ok := indentIn(before); ok && indent != "" {
		lay.indent = indent
	}
	lay.unit = l.unit
	if lineComment || bytes.IndexByte(before, '\n') >= 0 {
		lay.lines = true
	}
	if lay.lines {
		lay.gap, lay.colon = lay.newline+lay.indent, ": "
	}
	return lay
}

// base is the white space that the line begins with in which the list opens. Where that line begins with a closing bracket
// it is that of the line in which the bracket was opened: the break before it may be one that insert made, and what insert
// writes into one list must not change what remove takes for base in the next.
func (l list) base(src []byte) string {
	for at := l.open; ; {
		begin := bytes.LastIndexByte(src[:at], '\n') + 1
		indent := len(src[begin:]) - len(bytes.TrimLeft(src[begin:], " \t"))
		if at = opening(src, begin+indent); at < 0 {
			return string(src[begin : begin+indent])
		}
	}
}

// opening is where the object or array begins that ends with the bracket at i; -1 where none ends there.
func opening(src []byte, i int) int {
	if src[i] != ']' && src[i] != '}' {
		return -1
	}
	root, err := parse(src)
	if err != nil {
		return -1
	}
	for v := range root.All() {
		if _, literal := v.Value.(hujson.Literal); !literal && v.EndOffset == i+1 {
			return v.StartOffset
		}
	}
	return -1
}

// layoutOf is the style of item i. One that shares its line with others takes that of the items before it, if any has a
// line of its own.
func layoutOf(src []byte, l list, i int) layout {
	it := l.items[i]
	lay := layout{newline: newlineOf(src), indent: "  ", unit: l.unit}
	if extra := src[it.extra:it.start]; blank(extra) {
		lay.gap = string(extra)
	}
	lay.colon = ":"
	if it.value > it.start && src[it.value-1] == ' ' {
		lay.colon = ": "
	}
	for ; i >= 0; i-- {
		if indent, ok := indentIn(src[l.items[i].extra:l.items[i].start]); ok {
			lay.lines, lay.indent = true, indent
			break
		}
	}
	return lay
}

// indentIn is the white space that the last line in extra begins with, if extra has a line break.
func indentIn(extra []byte) (string, bool) {
	at := bytes.LastIndexByte(extra, '\n')
	if at < 0 {
		return "", false
	}
	line := extra[at+1:]
	return string(line[:len(line)-len(bytes.TrimLeft(line, " \t"))]), true
}

// format lays a value out. It was checked to be JSON.
func (lay layout) format(value []byte) []byte {
	var out bytes.Buffer
	_ = json.Compact(&out, value)
	if !lay.lines {
		return out.Bytes()
	}
	out.Reset()
	unit := lay.unit
	if unit == "" {
		unit = lay.indent
	}
	if unit == "" {
		unit = "  "
	}
	_ = json.Indent(&out, value, lay.indent, unit)
	return bytes.ReplaceAll(out.Bytes(), []byte("\n"), []byte(lay.newline))
}

// newlineOf is the line end that a file uses first.
func newlineOf(src []byte) string {
	if at := bytes.IndexByte(src, '\n'); at > 0 && src[at-1] == '\r' {
		return "\r\n"
	}
	return "\n"
}
