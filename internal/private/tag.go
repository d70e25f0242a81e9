package private

import "strings"

// tag is a mark in a text.
type tag struct {
	from, to int
	closes   bool
}

// What a tag may have: so many bytes of blanks, and of attributes.
const (
	maxBlank      = 32
	maxAttributes = 512
)

// finder finds tags in a text.
type finder struct {
	s string
	// open is where what was looked at ends that has no closing bracket: nothing is looked at twice.
	open int
	// lower and upper are where the word's letter stands next.
	lower, upper int
}

func find(s string) *finder { return &finder{s: s, lower: -1, upper: -1} }

// next is the first tag at or behind a place.
func (f *finder) next(from int) (tag, bool) {
	for at := from; ; {
		i := f.word(at)
		if i < 0 {
			return tag{}, false
		}
		at = i + len(name)
		begin, closes, ok := opening(f.s[from:i])
		if !ok {
			continue
		}
		if end, ok := f.closing(at); ok {
			return tag{from + begin, end, closes}, true
		}
	}
}

// opening finds the bracket, and a slash behind it, at the end of what stands before the word.
func opening(s string) (begin int, closes, ok bool) {
	s = trimBlank(s)
	for _, slash := range [...]string{"/", `u002f`, "&#47;", "&#x2f;", "%2f"} {
		if rest, has := cutSuffix(s, slash); has {
			if slash == `u002f` && !strings.HasSuffix(rest, `\`) {
				continue
			}
			s, closes = trimBlank(strings.TrimRight(rest, `\`)), true
			break
		}
	}
	for _, bracket := range [...]string{"<", "&lt;", "&amp;lt;", "&#60;", "&#x3c;", "%3c"} {
		if rest, has := cutSuffix(s, bracket); has {
			return len(rest), closes, true
		}
	}
	for _, bracket := range [...]string{"u003c", "x3c", "u0026lt;", "u0026#60;", "u0026#x3c;"} {
		if rest, has := cutSuffix(s, bracket); has && strings.HasSuffix(rest, `\`) {
			for i := 0; i < maxBlank && strings.HasSuffix(rest, `\`); i++ {
				rest = rest[:len(rest)-1]
			}
			return len(rest), closes, true
		}
	}
	return 0, false, false
}

// closing is the end of the tag whose name ends at a place: behind its bracket, or where the text was cut.
func (f *finder) closing(at int) (end int, ok bool) {
	s := f.s
	if at == len(s) || s[at] == between[0] {
		return at, true
	}
	if bracket(s[at:]) == 0 && !blank(s[at]) && s[at] != '/' && !escapedBlank(s[at:]) {
		return 0, false
	}
	stop := min(len(s), at+maxAttributes)
	for i := max(at, f.open); i < stop; i++ {
		switch s[i] {
		case '>', '&', '%', '\\':
			if n := bracket(s[i:]); n > 0 {
				return i + n, true
			}
		case between[0]:
			return i, true
		case '<':
			f.open = max(f.open, i)
			return 0, false
		}
	}
	f.open = max(f.open, stop)
	return stop, stop == len(s)
}

// bracket is the length of the closing bracket that a text begins with, however it is written.
func bracket(s string) int {
	if s[0] == '>' {
		return 1
	}
	n := 0
	for n < len(s) && n < maxBlank && s[n] == '\\' {
		n++
	}
	s = s[n:]
	for _, form := range [...]struct {
		text    string
		escaped bool
	}{{"&gt;", false}, {"&amp;gt;", false}, {"&#62;", false}, {"&#x3e;", false}, {"%3e", false}, {"u003e", true}, {"x3e", true},
		{"u0026gt;", true}, {"u0026#62;", true}, {"u0026#x3e;", true}} {
		if (n > 0) == form.escaped && len(s) >= len(form.text) && strings.EqualFold(s[:len(form.text)], form.text) {
			return n + len(form.text)
		}
	}
	return 0
}

func blank(c byte) bool { return c == ' ' || c == '\t' || c == '\n' || c == '\r' }

// escapedBlank is a line's end or a tab as JSON has it.
func escapedBlank(s string) bool {
	s = strings.TrimLeft(s[:min(len(s), maxBlank)], `\`)
	return s != "" && strings.IndexByte("nrt", s[0]) >= 0
}

func trimBlank(s string) string {
	for i := 0; i < maxBlank && s != "" && blank(s[len(s)-1]); i++ {
		s = s[:len(s)-1]
	}
	return s
}

func cutSuffix(s, suffix string) (rest string, ok bool) {
	if at := len(s) - len(suffix); at >= 0 && strings.EqualFold(s[at:], suffix) {
		return s[:at], true
	}
	return s, false
}
