package confedit

import (
	"errors"
	"fmt"
	"slices"

	"github.com/tailscale/hujson"
)

// maxDepth bounds the nesting: the parser recurses, and a stack overflow can't be recovered from.
const maxDepth = 1000

// SyntaxError says where a file is not what it should be. Line and Column count from 1, columns in bytes.
type SyntaxError struct {
	Line, Column int
	Reason       string
}

func (e *SyntaxError) Error() string {
	return fmt.Sprintf("%d:%d: %s", e.Line, e.Column, e.Reason)
}

// list is an object or an array as offsets into its source.
type list struct {
	// open is behind the opening bracket, close at the closing one.
	open, close int
	items       []item
	// nested says that it is not the file's own object; unit is by how much the file indents then.
	nested bool
	unit   string
}

// item is a member or an element.
type item struct {
	name string
	// extra is where the white space and comments before it begin; it spans start to end, its value value to end.
	extra, start, value, end int
	// comma is the offset of the comma behind it, or -1.
	comma int
}

func (l list) index(name string) int {
	return slices.IndexFunc(l.items, func(it item) bool { return it.name == name })
}

// parseObject finds the top-level object's members.
func parseObject(src []byte) (list, error) {
	v, err := parse(src)
	if err != nil {
		return list{}, err
	}
	obj, ok := v.Value.(*hujson.Object)
	if !ok {
		return list{}, syntaxAt(src, v.StartOffset, "not a JSON object")
	}
	out := objectList(src, v, obj)
	if err := out.distinct(src); err != nil {
		return list{}, err
	}
	return out, nil
}

// distinct refuses an object that has one key twice: which of them counts is for each parser to say.
func (l list) distinct(src []byte) error {
	seen := map[string]bool{}
	for _, it := range l.items {
		if seen[it.name] {
			return syntaxAt(src, it.start, fmt.Sprintf("the key %q is there twice", it.name))
		}
		seen[it.name] = true
	}
	return nil
}

func parse(src []byte) (hujson.Value, error) {
	if at := tooDeep(src); at >= 0 {
		return hujson.Value{}, syntaxAt(src, at, fmt.Sprintf("nested more than %d deep", maxDepth))
	}
	v, err := hujson.Parse(src)
	if err == nil {
		return v, nil
	}
	// hujson wants a line break behind a line comment, even at the end of the file; editors don't.
	if v, again := hujson.Parse(append(slices.Clone(src), '\n')); again == nil {
		return v, nil
	}
	var e SyntaxError
	if n, _ := fmt.Sscanf(err.Error(), "hujson: line %d, column %d:", &e.Line, &e.Column); n != 2 {
		return v, err
	}
	e.Reason = errors.Unwrap(err).Error()
	return v, &e
}

func objectList(src []byte, v hujson.Value, obj *hujson.Object) list {
	out := list{open: v.StartOffset + 1, close: v.EndOffset - 1}
	for _, m := range obj.Members {
		it := span(src, m.Name, m.Value)
		it.name = m.Name.Value.(hujson.Literal).String()
		out.items = append(out.items, it)
	}
	return out
}

func span(src []byte, first, last hujson.Value) item {
	it := item{
		extra: first.StartOffset - len(first.BeforeExtra), start: first.StartOffset,
		value: last.StartOffset, end: last.EndOffset, comma: -1,
	}
	if at := last.EndOffset + len(last.AfterExtra); at < len(src) && src[at] == ',' {
		it.comma = at
	}
	return it
}

// tooDeep gives the offset of the bracket that is nested too deeply, or -1.
func tooDeep(src []byte) int {
	depth := 0
	for i := 0; i < len(src); i++ {
		switch src[i] {
		case '[', '{':
			if depth++; depth > maxDepth {
				return i
			}
		case ']', '}':
			depth--
		case '"':
			i = stringEnd(src, i)
		case '/':
			i = max(i, commentAt(src, i)-1)
		}
	}
	return -1
}

// stringEnd is the offset of the quote that ends the string which begins at i.
func stringEnd(src []byte, i int) int {
	for i++; i < len(src) && src[i] != '"'; i++ {
		if src[i] == '\\' {
			i++
		}
	}
	return i
}

func syntaxAt(src []byte, at int, reason string) error {
	e := &SyntaxError{Line: 1, Column: 1, Reason: reason}
	for _, c := range src[:min(at, len(src))] {
		if e.Column++; c == '\n' {
			e.Line, e.Column = e.Line+1, 1
		}
	}
	return e
}
