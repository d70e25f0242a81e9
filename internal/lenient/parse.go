package lenient

import (
	"bytes"
	"encoding/json"
	"sync"
	"unicode/utf8"
)

// Payload is a text that should hold one JSON object.
type Payload struct {
	// Value is that object. Where the text holds several, it is an object with the members of all of them; Missing when
	// there is no object and no value at all.
	Value Value
	// Text is all of the text, as UTF-8 and without a byte order mark.
	Text []byte
	// Problems say what is wrong, for people. Of duplicate keys only the reader can tell which matter.
	Problems []string
	// alone says that nothing but the object's own bytes stands in the text.
	alone bool
	// sound is what Sound has found, for all copies.
	sound *soundness
}

type soundness struct {
	once sync.Once
	is   bool
}

// Sound tells whether the text is valid JSON and nothing but one object, so that Value shows all there is. The first
// question reads the whole text. A nesting beyond 10,000 counts as unsound, and so does a text with more
// colons than an object may have members, since Members may then have left some out.
func (p Payload) Sound() bool {
	if !p.alone {
		return false
	}
	p.sound.once.Do(func() {
		p.sound.is = json.Valid(p.Text) && utf8.Valid(p.Text) && bytes.Count(p.Text, []byte(":")) <= maxMembers
	})
	return p.sound.is
}

// Parse reads a payload. It never fails.
func Parse(b []byte) Payload {
	var p Payload
	note := func(text string) { p.Problems = append(p.Problems, "payload: "+text) }
	if n, wide := narrow(b); wide {
		note("UTF-16 or UTF-32")
		b = n
	}
	if mark := []byte("\ufeff"); bytes.HasPrefix(b, mark) {
		note("byte order mark")
		b = b[len(mark):]
	}
	p.Text = b
	start := skipSpace(b, 0)
	if start == len(b) {
		note("empty")
		return p
	}
	first := bytes.IndexByte(b[start:], '{')
	if first < 0 {
		note("not a JSON object")
		p.Value = Value{b[start:valueEnd(b, start)]}
		return p
	}
	if first > 0 {
		note("text before the JSON object")
	}
	start += first
	end := containerEnd(b, start)
	p.Value = Value{b[start:end]}
	if len(bytes.TrimSpace(b[end:])) > 0 {
		note("text after the JSON object")
		p.Value = join(b, start, end)
	}
	if !closed(b[start:end]) {
		note("truncated")
	}
	if !utf8.Valid(b) {
		note("invalid UTF-8")
	}
	p.alone, p.sound = len(p.Problems) == 0, &soundness{}
	return p
}

// join makes one object of all that stand in a text, the first from start to end.
func join(b []byte, start, end int) Value {
	all := append([]byte(nil), b[start:end]...)
	for joined := 0; joined < maxObjects; joined++ {
		next := bytes.IndexByte(b[end:], '{')
		if next < 0 {
			break
		}
		start = end + next
		end = containerEnd(b, start)
		all[len(all)-1] = ','
		all = append(all, b[start+1:end]...)
	}
	return Value{all}
}

// maxObjects bounds the work on a text of nothing but brackets.
const maxObjects = 1000

// closed tells whether every bracket of the text is closed.
func closed(raw []byte) bool {
	var s Scanner
	return s.Feed(raw)
}
