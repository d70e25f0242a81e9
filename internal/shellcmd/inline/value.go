package inline

import (
	"strconv"
	"strings"

	"github.com/boathook/boathook/internal/shellcmd/word"
)

// value is what an expression gives, as far as known.
type value struct {
	// kind is 0 (not known), t (text), l (list), a (one of a list: a loop's variable), p (the name of a module, function or variable
	// that the code does not set), m (a part of a value), f (an open file), s (the text of a script), P (a path object), k (an object with keys).
	kind byte
	text string
	glob bool
	list []value
	keys map[string]value
	// recv is whose part an m is.
	recv *value
}

func textValue(s string) value {
	if len(s) > maxText {
		return value{}
	}
	return value{kind: 't', text: s}
}

// str is a value as text, with Unknown for what is not known.
func (v value) str() string {
	switch v.kind {
	case 't', 'P', 'f':
		return v.text
	case 'a':
		if len(v.list) == 1 {
			return v.list[0].str()
		}
	}
	return word.Unknown
}

// known tells whether all of a text is known.
func (v value) known() bool {
	return (v.kind == 't' || v.kind == 'P') && !strings.Contains(v.text, word.Unknown)
}

// falsy tells whether a value is surely false.
func (v value) falsy() bool {
	if v.kind == 'p' || v.kind == 't' {
		switch v.text {
		case "False", "false", "None", "nil", "null", "undefined", "0", "":
			return true
		}
	}
	return v.kind == 0 && v.text == "absent"
}

// arg is a value as one word.
func (v value) arg() word.Arg { return word.Arg{Text: v.str(), Glob: v.glob} }

// args are a value as words: lists give all of theirs.
func (v value) args(depth int) []word.Arg {
	switch {
	case (v.kind == 'l' || v.kind == 'a') && depth < 4:
		var out []word.Arg
		for i, e := range v.list {
			if i == maxInner {
				return append(out, word.Arg{Text: word.Unknown, Many: true})
			}
			out = append(out, e.args(depth+1)...)
		}
		return out
	case v.kind == 't' || v.kind == 'P' || v.kind == 'f':
		return []word.Arg{v.arg()}
	}
	return []word.Arg{{Text: word.Unknown, Many: v.kind == 0}}
}

// words are a command's words; what is not known may be several only where a list is meant.
func words(vs ...value) []word.Arg {
	var out []word.Arg
	for _, v := range vs {
		out = append(out, v.args(0)...)
	}
	return out
}

// concat puts two texts together.
func concat(a, b value) value {
	if a.kind == 'l' && b.kind == 'l' {
		if len(a.list)+len(b.list) > 1<<10 {
			return value{}
		}
		return value{kind: 'l', list: append(append([]value{}, a.list...), b.list...)}
	}
	if a.kind == 'l' || b.kind == 'l' {
		return value{}
	}
	if a.kind == 'a' && b.kind == 't' || b.kind == 'a' && a.kind == 't' {
		return alternatives(a, b)
	}
	if a.kind == 't' && b.kind == 't' || a.kind == 't' && a.text != "" || b.kind == 't' && b.text != "" {
		v := textValue(a.str() + b.str())
		v.glob = a.glob || b.glob
		return v
	}
	return value{}
}

// alternatives puts a text to each of several.
func alternatives(a, b value) value {
	out := value{kind: 'a'}
	list := a.list
	if a.kind == 't' {
		list = b.list
	}
	for i, e := range list {
		if i == 32 {
			return value{}
		}
		if a.kind == 't' {
			out.list = append(out.list, concat(a, e))
		} else {
			out.list = append(out.list, concat(e, b))
		}
	}
	return out
}

// joinPath is a path below another, as all languages have it: an absolute second part stands alone.
func joinPath(parts ...value) value {
	out := value{}
	for i, p := range parts {
		s := p.str()
		switch {
		case i == 0:
			out = textValue(s)
		case strings.HasPrefix(s, "/"):
			out = textValue(s)
		case out.text == "" || strings.HasSuffix(out.text, "/"):
			out = textValue(out.text + s)
		default:
			out = textValue(out.text + "/" + s)
		}
		out.glob = out.glob || p.glob
	}
	return out
}

// integer reads a number.
func integer(s string) (int, bool) {
	n, err := strconv.ParseInt(strings.ReplaceAll(s, "_", ""), 0, 32)
	return int(n), err == nil
}
