package record

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"strconv"
	"unicode/utf8"
)

// writer writes JSON: names that need no escape, and values behind them.
type writer struct {
	b   []byte
	err error
}

func (w *writer) fail(err error) {
	if w.err == nil && err != nil {
		w.err = err
	}
}

// next is the comma before whatever is not the first of its object or list.
func (w *writer) next() {
	if n := len(w.b); n > 0 && w.b[n-1] != '{' && w.b[n-1] != '[' {
		w.b = append(w.b, ',')
	}
}

func (w *writer) name(name string) {
	w.next()
	w.b = append(w.b, '"')
	w.b = append(w.b, name...)
	w.b = append(w.b, '"', ':')
}

// key is a name that may need escapes.
func (w *writer) key(name string) {
	w.next()
	w.b = append(appendText(w.b, name), ':')
}

func (w *writer) open(name string) {
	if name != "" {
		w.name(name)
	} else if len(w.b) > 0 && w.b[len(w.b)-1] == '}' {
		w.b = append(w.b, ',')
	}
	w.b = append(w.b, '{')
}

func (w *writer) close() { w.b = append(w.b, '}') }

func (w *writer) openList(name string) {
	w.name(name)
	w.b = append(w.b, '[')
}

func (w *writer) closeList() { w.b = append(w.b, ']') }

func (w *writer) text(name, s string) {
	w.name(name)
	w.b = appendText(w.b, s)
}

// some is a text that is left out where there is none; so are the numbers of count, and what is not.
func (w *writer) some(name, s string) {
	if s != "" {
		w.text(name, s)
	}
}

func (w *writer) is(name string, is bool) {
	if is {
		w.name(name)
		w.b = append(w.b, "true"...)
	}
}

func (w *writer) count(name string, n int64) {
	if n != 0 {
		w.integer(name, n)
	}
}

func (w *writer) integer(name string, n int64) {
	w.name(name)
	w.b = strconv.AppendInt(w.b, n, 10)
}

func (w *writer) list(name string, texts []string) {
	if len(texts) == 0 {
		return
	}
	w.openList(name)
	for i, s := range texts {
		if i > 0 {
			w.b = append(w.b, ',')
		}
		w.b = appendText(w.b, s)
	}
	w.closeList()
}

// raw is a JSON text, without the blanks between its parts.
func (w *writer) raw(name string, text json.RawMessage) {
	if len(text) == 0 {
		return
	}
	w.name(name)
	b := bytes.NewBuffer(w.b)
	w.fail(json.Compact(b, text))
	w.b = b.Bytes()
}

// float has the exponents of encoding/json.
func (w *writer) float(name string, f float64) {
	if math.IsNaN(f) || math.IsInf(f, 0) {
		w.fail(fmt.Errorf("%s: no number", name))
		return
	}
	w.name(name)
	format := byte('f')
	if abs := math.Abs(f); abs != 0 && (abs < 1e-6 || abs >= 1e21) {
		format = 'e'
	}
	w.b = strconv.AppendFloat(w.b, f, format, -1, 64)
	if n := len(w.b); format == 'e' && w.b[n-4] == 'e' && w.b[n-3] == '-' && w.b[n-2] == '0' {
		w.b = append(w.b[:n-2], w.b[n-1]) // e-09 is e-9
	}
}

// appendText appends a string as encoding/json does: what is no UTF-8 becomes U+FFFD, and JavaScript's line ends are escaped.
func appendText(dst []byte, s string) []byte {
	const hex = "0123456789abcdef"
	dst = append(dst, '"')
	start := 0
	for i := 0; i < len(s); {
		c, size := rune(s[i]), 1
		if c >= utf8.RuneSelf {
			c, size = utf8.DecodeRuneInString(s[i:])
		}
		broken := c == utf8.RuneError && size == 1
		if !broken && c >= ' ' && c != '"' && c != '\\' && c != '\u2028' && c != '\u2029' {
			i += size
			continue
		}
		dst = append(dst, s[start:i]...)
		switch {
		case broken:
			dst = append(dst, `\ufffd`...)
		case c == '"' || c == '\\':
			dst = append(dst, '\\', byte(c))
		case c == '\b':
			dst = append(dst, '\\', 'b')
		case c == '\f':
			dst = append(dst, '\\', 'f')
		case c == '\n':
			dst = append(dst, '\\', 'n')
		case c == '\r':
			dst = append(dst, '\\', 'r')
		case c == '\t':
			dst = append(dst, '\\', 't')
		case c < ' ':
			dst = append(dst, '\\', 'u', '0', '0', hex[c>>4], hex[c&15])
		default:
			dst = append(dst, '\\', 'u', '2', '0', '2', hex[c&15])
		}
		i += size
		start = i
	}
	dst = append(dst, s[start:]...)
	return append(dst, '"')
}
