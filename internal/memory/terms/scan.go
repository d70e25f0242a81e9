package terms

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// What a token may have: longer ones are cut, so that no text costs more than its length.
const (
	maxToken = 4096 // runes
	maxParts = 24   // of a path, for it to be kept whole
)

// char is a rune after folding. Upper says that it was a capital.
type char struct {
	r     rune
	class class
	upper bool
}

// scanner collects the terms of texts: all of them in one buffer, which becomes one string.
type scanner struct {
	limit int
	query bool
	// asks says that a question has a word that is more than a filler.
	asks  bool
	buf   []byte
	ends  []int
	token []char
}

func (s *scanner) full() bool { return len(s.ends) >= s.limit }

// add ends a term that was written to the buffer from a place on. Empty and too long ones are taken back.
func (s *scanner) add(from int) {
	if n := len(s.buf) - from; n == 0 || n > MaxLength || s.full() {
		s.buf = s.buf[:from]
		return
	}
	s.ends = append(s.ends, len(s.buf))
}

func (s *scanner) terms() []string {
	all := string(s.buf)
	out := make([]string, len(s.ends))
	from := 0
	for n, end := range s.ends {
		out[n] = all[from:end]
		from = end
	}
	return out
}

// text reads a text token by token. A token is letters and digits, joined by what joins the parts of identifiers, paths and versions.
func (s *scanner) text(t string) {
	dashes := 0
	for at := 0; at < len(t) && !s.full(); {
		r, size := decode(t[at:])
		f, c := fold(r)
		if c == separator {
			if f == '-' {
				dashes++
			} else {
				dashes = 0
			}
			at += size
			continue
		}
		flag := dashes > 0 && dashes <= 2 && standsAlone(t, at-dashes)
		dashes = 0
		at = s.read(t, at)
		s.compound(s.token, flag)
	}
}

func decode(t string) (rune, int) {
	if t[0] < utf8.RuneSelf {
		return rune(t[0]), 1
	}
	return utf8.DecodeRuneInString(t)
}

// standsAlone reports whether nothing of a word ends right before a place.
func standsAlone(t string, at int) bool {
	return at <= 0 || strings.IndexByte(" \t\n\r'\"`([{,|=", t[at-1]) >= 0
}

// read fills the token from a place of the text on, and returns where it ends.
func (s *scanner) read(t string, at int) int {
	s.token = s.token[:0]
	for at < len(t) {
		r, size := decode(t[at:])
		f, c := fold(r)
		if c == separator {
			skip, joint := joins(t, at)
			if joint == 0 && skip == 0 {
				return s.plus(t, at)
			}
			if joint != 0 && len(s.token) < maxToken {
				s.token = append(s.token, char{r: joint})
			}
			at += skip
			continue
		}
		at += size
		if f < 0 {
			continue
		}
		if n := len(s.token); n > 0 {
			if both, ok := compose(s.token[n-1].r, f); ok {
				s.token[n-1].r = both
				continue
			}
			if n >= maxToken {
				continue
			}
		}
		s.token = append(s.token, char{f, c, c == latin && f != r && unicode.IsUpper(r)})
	}
	return at
}

// joins tells how many bytes of a text join what stands before them to what follows, and as what; 0, 0 where they don't. An
// apostrophe joins as nothing, and takes the s with it that ends a word.
func joins(t string, at int) (skip int, joint rune) {
	size := 1
	switch c := t[at]; c {
	case '_', '-', '/', '.':
		joint = rune(c)
	case '\\':
		joint = '/'
	case ':':
		if !strings.HasPrefix(t[at:], "::") {
			return 0, 0
		}
		size, joint = 2, '.'
	case '\'':
	default:
		if !strings.HasPrefix(t[at:], "’") {
			return 0, 0
		}
		size = len("’")
	}
	if !wordAt(t, at+size) {
		return 0, 0
	}
	if joint == 0 && t[at+size] == 's' && !wordAt(t, at+size+1) {
		return size + 1, 0
	}
	return size, joint
}

func wordAt(t string, at int) bool {
	if at >= len(t) {
		return false
	}
	r, _ := decode(t[at:])
	_, c := fold(r)
	return c != separator
}

// plus makes names of C++ and C#, which would be a letter alone.
func (s *scanner) plus(t string, at int) int {
	if len(s.token) != 1 || s.token[0].r != 'c' {
		return at
	}
	mark, name := "++", "pp"
	if strings.HasPrefix(t[at:], "#") {
		mark, name = "#", "sharp"
	}
	if !strings.HasPrefix(t[at:], mark) {
		return at
	}
	for _, r := range name {
		s.token = append(s.token, char{r: r, class: latin})
	}
	return at + len(mark)
}
