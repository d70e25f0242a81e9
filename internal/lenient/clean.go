package lenient

import (
	"encoding/json"
	"strconv"
	"unicode/utf8"
)

// MaxDepth is how deep a cleaned value nests: SQLite and PostgreSQL refuse JSON that is much deeper. What lies deeper is
// replaced by the text [NESTED:<bytes>].
const MaxDepth = 200

// Clean gives the value as compact, valid JSON, whatever it was: truncated containers are closed, invalid bytes and lone
// surrogates become U+FFFD, tokens that are no JSON become strings. Duplicate keys stay. Missing gives nil.
func (v Value) Clean() json.RawMessage {
	if v.Kind() == Missing {
		return nil
	}
	c := cleaner{in: v.raw, out: make([]byte, 0, len(v.raw)+16)}
	c.run()
	return c.out
}

// cleaner copies a value token by token. stack holds the open brackets; wantKey, wantValue and comma say what may come.
type cleaner struct {
	in    []byte
	out   []byte
	stack []byte
	// key is set when an object's next token must be a key; colon when a key was written and its value is due.
	key, colon bool
	// first is set right after an opening bracket: no comma is due.
	first bool
}

func (c *cleaner) run() {
	for i := 0; i < len(c.in); {
		i = c.token(i)
		if len(c.stack) == 0 && len(c.out) > 0 {
			break
		}
	}
	if c.colon {
		c.out = append(c.out, "null"...)
	}
	for n := len(c.stack) - 1; n >= 0; n-- {
		c.out = append(c.out, closer(c.stack[n]))
	}
	if len(c.out) == 0 {
		c.out = append(c.out, "null"...)
	}
}

func (c *cleaner) token(i int) int {
	switch b := c.in[i]; {
	case isSpace(b) || b == ',' || b == ':':
		return i + 1
	case b == '}' || b == ']':
		c.close()
		return i + 1
	case c.key:
		end := valueEnd(c.in, i)
		c.sep()
		c.text(c.in[i:end])
		c.out = append(c.out, ':')
		c.key, c.colon, c.first = false, true, false
		return max(end, i+1)
	case b == '{' || b == '[':
		return c.open(i, b)
	}
	end := max(valueEnd(c.in, i), i+1)
	c.sep()
	c.scalar(c.in[i:end])
	c.valueDone()
	return end
}

func (c *cleaner) open(i int, b byte) int {
	c.sep()
	if len(c.stack) == MaxDepth {
		end := containerEnd(c.in, i)
		c.out = strconv.AppendQuote(c.out, "[NESTED:"+strconv.Itoa(end-i)+"]")
		c.valueDone()
		return end
	}
	c.out = append(c.out, b)
	c.stack = append(c.stack, b)
	c.first, c.key, c.colon = true, b == '{', false
	return i + 1
}

func (c *cleaner) close() {
	n := len(c.stack)
	if n == 0 {
		return
	}
	if c.colon {
		c.out = append(c.out, "null"...)
	}
	c.out = append(c.out, closer(c.stack[n-1]))
	c.stack = c.stack[:n-1]
	c.valueDone()
}

// sep writes the comma that is due before a key, or before an array's element.
func (c *cleaner) sep() {
	if len(c.stack) > 0 && !c.first && !c.colon {
		c.out = append(c.out, ',')
	}
}

func (c *cleaner) valueDone() {
	c.first, c.colon = false, false
	c.key = len(c.stack) > 0 && c.stack[len(c.stack)-1] == '{'
}

func closer(open byte) byte {
	if open == '{' {
		return '}'
	}
	return ']'
}

// scalar writes a string, number, true, false or null; anything else as a string.
func (c *cleaner) scalar(raw []byte) {
	if raw[0] == '"' {
		c.text(raw)
		return
	}
	if json.Valid(raw) {
		c.out = append(c.out, raw...)
		return
	}
	c.quote(valid(string(raw)))
}

// text writes a string token, as it is where it is sound.
func (c *cleaner) text(raw []byte) {
	if len(raw) >= 2 && raw[0] == '"' && raw[len(raw)-1] == '"' && sound(raw[1:len(raw)-1]) {
		c.out = append(c.out, raw...)
		return
	}
	if len(raw) > 0 && raw[0] == '"' {
		c.quote(unquote(raw))
		return
	}
	c.quote(string(raw))
}

func (c *cleaner) quote(s string) {
	quoted, err := json.Marshal(s)
	if err != nil { // a string always marshals
		quoted = []byte(`""`)
	}
	c.out = append(c.out, quoted...)
}

// sound tells whether a string's inside is valid JSON without lone surrogates: no control bytes, no \u escapes that need a
// look (they are rewritten through unquote), no unknown escapes, valid UTF-8.
func sound(s []byte) bool {
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c < 0x20:
			return false
		case c == '\\':
			i++
			if i >= len(s) || simple[s[i]] == 0 {
				return false
			}
		}
	}
	return utf8.Valid(s)
}
