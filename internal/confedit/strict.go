package confedit

import (
	"bytes"
	"encoding/json"
	"errors"
)

// Strict tells why a strict JSON parser would not take src: a comment, a trailing comma, a byte order mark. Some agents
// drop such a file without a word. An empty file passes: it holds nothing to drop.
func Strict(src []byte) error {
	return strict(src, src, "a comment or a trailing comma, which strict JSON does not allow")
}

// StrictWithComments does the same for a parser that takes comments and nothing else.
func StrictWithComments(src []byte) error {
	return strict(src, withoutComments(src), "a trailing comma, which JSON does not allow")
}

func strict(src, text []byte, lenient string) error {
	if bytes.HasPrefix(src, byteOrderMark) {
		return syntaxAt(src, 0, "a byte order mark, which strict JSON does not allow")
	}
	if blank(src) {
		return nil
	}
	var v any
	err := json.Unmarshal(text, &v)
	if err == nil {
		return nil
	}
	var bad *json.SyntaxError
	var number *json.UnmarshalTypeError
	switch {
	case errors.As(err, &number):
		return syntaxAt(src, max(0, int(number.Offset)-len(number.Value)+len("number ")-1), "a number that is too large")
	case !errors.As(err, &bad):
		return err
	}
	at := max(0, int(bad.Offset)-1)
	if _, jsonc := parse(src); jsonc == nil {
		return syntaxAt(src, at, lenient)
	}
	return syntaxAt(src, at, bad.Error())
}

// withoutComments has blanks for comments, so that every other byte stays where it is.
func withoutComments(src []byte) []byte {
	out := bytes.Clone(src)
	for i := 0; i < len(out); i++ {
		switch {
		case out[i] == '"':
			i = stringEnd(out, i)
		case out[i] == '/':
			if end := commentAt(src, i); end > i {
				for ; i < end; i++ {
					if out[i] != '\n' && out[i] != '\r' {
						out[i] = ' '
					}
				}
				i--
			}
		}
	}
	return out
}
