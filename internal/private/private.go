// Package private takes out of texts what their author marked as <private>…</private>: what is marked so is nowhere kept, in no record, no
// log and no memory. The mark may be written in any case, with attributes, nested, unclosed, with its brackets escaped as JSON, HTML
// and URLs do it, and reach over the parts of a text that an agent has cut into several. All of it is linear in the text, whatever the
// text repeats, and may be used concurrently.
package private

import (
	"bytes"
	"strings"
)

// Mark stands in the place of a private passage.
const Mark = "[private]"

// Text is a text without its private passages, each replaced by Mark. A passage that doesn't end goes to the end of the text, and one
// that only ends begins with it: the text may have been cut.
func Text(s string) string { return Without(s, Mark) }

// Without is Text with something else in the passages' place.
func Without(s, mark string) string {
	spans := passages(s)
	if len(spans) == 0 {
		return s
	}
	var b strings.Builder
	b.Grow(len(s))
	at := 0
	for _, span := range spans {
		b.WriteString(s[at:span[0]])
		b.WriteString(mark)
		at = span[1]
	}
	b.WriteString(s[at:])
	return b.String()
}

// In tells whether a text, or one in JSON, has a mark. Nearly every text is done with after one look for a letter.
func In(text []byte) bool {
	if at := bytes.Index(text, []byte(`\u00`)); at >= 0 {
		if plain, changed := unescaped(text, at); changed {
			return tagged(string(plain))
		}
	}
	return tagged(string(text))
}

func tagged(s string) bool {
	_, ok := find(s).next(0)
	return ok
}

// unescaped is JSON whose escapes of letters, which nobody needs, are letters.
func unescaped(text []byte, from int) (out []byte, changed bool) {
	at := 0
	for i := from; ; {
		n := bytes.Index(text[i:], []byte(`\u00`))
		if n < 0 || i+n+6 > len(text) {
			break
		}
		i += n
		if hi, lo := hex(text[i+4]), hex(text[i+5]); hi >= 4 && hi <= 7 && lo >= 0 {
			out = append(append(out, text[at:i]...), byte(hi<<4|lo))
			at, changed = i+6, true
		}
		i += 6
	}
	return append(out, text[at:]...), changed
}

func hex(c byte) int {
	return strings.IndexByte("0123456789abcdef", c|0x20) // a digit has that bit
}

const (
	name = "private"
	// letter is the rarest of the word, at which it is looked for, and behind how many others it stands.
	letter, before = 'v', 3
)

// word is where the word stands at or behind a place, in any case; -1 where it doesn't.
func (f *finder) word(from int) int {
	for at := min(from+before, len(f.s)); ; {
		if f.lower < at {
			f.lower = index(f.s, at, letter)
		}
		if f.upper < at {
			f.upper = index(f.s, at, letter-0x20)
		}
		i := min(f.lower, f.upper)
		if i == len(f.s) {
			return -1
		}
		if begin := i - before; f.s[begin]|0x20 == name[0] && len(f.s)-begin >= len(name) && strings.EqualFold(f.s[begin:begin+len(name)], name) {
			return begin
		}
		at = i + 1
	}
}

// index is where a letter stands at or behind a place, or the text's end.
func index(s string, from int, c byte) int {
	if i := strings.IndexByte(s[from:], c); i >= 0 {
		return from + i
	}
	return len(s)
}

// passages are the places of private passages, in their order, none within another.
func passages(s string) (spans [][2]int) {
	depth, from := 0, 0
	f := find(s)
	for at := 0; ; {
		t, ok := f.next(at)
		if !ok {
			break
		}
		at = t.to
		switch {
		case !t.closes && depth == 0:
			depth, from = 1, t.from
		case !t.closes:
			depth++
		case depth > 1:
			depth--
		case depth == 1:
			depth = 0
			spans = append(spans, [2]int{from, t.to})
		default: // what it closes began before the text does
			spans = append(spans[:0], [2]int{0, t.to})
		}
	}
	if depth > 0 {
		spans = append(spans, [2]int{from, len(s)})
	}
	return spans
}
