package redact

import "sync"

// charset is a set of bytes.
type charset [256]bool

func setOf(ranges string) *charset {
	var c charset
	for i := 0; i+1 < len(ranges); i += 2 {
		for b := int(ranges[i]); b <= int(ranges[i+1]); b++ {
			c[b] = true
		}
	}
	return &c
}

type charsets struct{ alnum, word, url, dotted, upper, hex, base64, bearer *charset }

var sets = sync.OnceValue(func() charsets {
	return charsets{
		alnum:  setOf("azAZ09"),
		word:   setOf("azAZ09__"),
		url:    setOf("azAZ09__--"),
		dotted: setOf("azAZ09__--.."),
		upper:  setOf("AZ09"),
		hex:    setOf("afAF09"),
		base64: setOf("azAZ09++//=="),
		bearer: setOf("azAZ09__--..~~++//=="),
	}
})

// run returns the end of the bytes of set that start at i.
func (c *charset) run(s string, i int) int {
	for i < len(s) && c[s[i]] {
		i++
	}
	return i
}

func isDigit(b byte) bool { return b >= '0' && b <= '9' }

func isLetter(b byte) bool { b |= 0x20; return b >= 'a' && b <= 'z' }

func isAlnum(b byte) bool { return isDigit(b) || isLetter(b) }

func isUpper(b byte) bool { return b >= 'A' && b <= 'Z' }

func isSpace(b byte) bool { return b == ' ' || b == '\t' || b == '\n' || b == '\r' }

func isBlank(b byte) bool { return b == ' ' || b == '\t' }

func isQuote(b byte) bool { return b == '"' || b == '\'' || b == '`' }

func isHex(b byte) bool { return isDigit(b) || b|0x20 >= 'a' && b|0x20 <= 'f' }

// foldPrefix says whether s starts with the lower-case text low, in any case.
func foldPrefix(s, low string) bool {
	if len(s) < len(low) {
		return false
	}
	for i := 0; i < len(low); i++ {
		b := s[i]
		if isUpper(b) {
			b += 'a' - 'A'
		}
		if b != low[i] {
			return false
		}
	}
	return true
}

// kinds says which sorts of bytes a text holds.
type kinds struct{ lower, upper, digit, other, space bool }

func kindsOf(s string) (k kinds) {
	for i := 0; i < len(s); i++ {
		switch b := s[i]; {
		case b >= 'a' && b <= 'z':
			k.lower = true
		case isUpper(b):
			k.upper = true
		case isDigit(b):
			k.digit = true
		case isSpace(b):
			k.space = true
		default:
			k.other = true
		}
	}
	return k
}

func (k kinds) letter() bool { return k.lower || k.upper }
