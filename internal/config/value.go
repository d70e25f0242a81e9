package config

import (
	"strings"

	"github.com/pelletier/go-toml/v2"
)

// form is how a value was read.
type form int

const (
	plain form = iota
	mended
	lost
)

// readValue reads a value that stood behind a name. The commonest slips are mended: no quotes or one (fail = closed),
// something behind the value, a bracket that is missing.
func readValue(text string) (any, form) {
	text = trim(text)
	if v, ok := parseValue(text); ok {
		return v, plain
	}
	if text == "" || text[0] == '#' {
		return nil, lost
	}
	switch text[0] {
	case '[':
		v, ok := parseValue(text + "]")
		return v, found(ok && text != "[")
	case '{':
		v, ok := parseValue(text + "}")
		return v, found(ok && text != "{")
	case '"', '\'':
		if v, ok := quoted(text); ok {
			return v, mended
		}
	}
	s := bare(text)
	return s, found(s != "")
}

func found(ok bool) form {
	if ok {
		return mended
	}
	return lost
}

func parseValue(text string) (any, bool) {
	var tree map[string]any
	if err := toml.Unmarshal([]byte("v = "+text), &tree); err != nil || len(tree) != 1 {
		return nil, false
	}
	return tree["v"], true
}

// quoted is the text within the quotes that text begins with, whatever follows. An escape that is none stays as it is.
func quoted(text string) (any, bool) {
	var lx lexer
	end := lx.feed(text)
	if end < 2 || text[end-1] != text[0] || strings.HasPrefix(text, `"""`) || strings.HasPrefix(text, "'''") {
		return nil, false
	}
	if v, ok := parseValue(text[:end]); ok {
		return v, true
	}
	return text[1 : end-1], end > 2
}

// bare is a value without quotes, or with one too few, up to a comment.
func bare(text string) string {
	text, _, _ = strings.Cut(text, "\n")
	for _, comment := range []string{" #", "\t#"} {
		text, _, _ = strings.Cut(text, comment)
	}
	return strings.Trim(text, " \t,;=\"'\u00a0\u200b\u2018\u2019\u201c\u201d")
}

// splitPieces splits what is within braces at its commas and line ends.
func splitPieces(s string) []string {
	var out []string
	quote := byte(0)
	begin, depth := 0, 0
	cut := func(end int) {
		if piece := trim(s[begin:end]); piece != "" {
			out = append(out, piece)
		}
		begin = end + 1
	}
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c == '\n', quote == 0 && depth == 0 && c == ',':
			quote = 0
			cut(i)
		case quote != 0:
			if c == '\\' && quote == '"' {
				i++
			} else if c == quote {
				quote = 0
			}
		case c == '"', c == '\'':
			quote = c
		case c == '[', c == '{':
			depth++
		case c == '}' && depth == 0:
			cut(i)
			return out
		case c == ']', c == '}':
			depth = max(0, depth-1)
		}
	}
	cut(len(s))
	return out
}
