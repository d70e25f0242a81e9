package confedit

import (
	"bytes"
	"encoding/json"
	"errors"
)

// Strict tells why a strict JSON parser would not take src: a comment, a trailing comma, a byte order mark. Some agents
// drop such a file without a word. An empty file passes: it holds nothing to drop.
func Strict(src []byte) error {
	if bytes.HasPrefix(src, byteOrderMark) {
		return syntaxAt(src, 0, "a byte order mark, which strict JSON does not allow")
	}
	if blank(src) {
		return nil
	}
	var v any
	err := json.Unmarshal(src, &v)
	if err == nil {
		return nil
	}
	var bad *json.SyntaxError
	if !errors.As(err, &bad) {
		return err
	}
	at := max(0, int(bad.Offset)-1)
	if _, jsonc := parse(src); jsonc == nil {
		return syntaxAt(src, at, "a comment or a trailing comma, which strict JSON does not allow")
	}
	return syntaxAt(src, at, bad.Error())
}
