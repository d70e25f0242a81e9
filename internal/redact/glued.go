package redact

import (
	"strings"
	"sync"
)

// Classes of bytes in a word. A token may start wherever the class changes:
// "keyAKIA…", "0ghp_…".
const (
	noWord = iota
	lowerCase
	upperCase
	digitClass
	mayStart = 4 // a token starts with this byte
)

var wordClasses = sync.OnceValue(func() *[256]uint8 {
	var t [256]uint8
	for b := range 256 {
		switch {
		case isDigit(byte(b)):
			t[b] = digitClass
		case isUpper(byte(b)):
			t[b] = upperCase
		case isLetter(byte(b)):
			t[b] = lowerCase
		}
		if len(rulesByByte()[b]) > 0 || b == 'e' {
			t[b] |= mayStart
		}
	}
	return &t
})

// named matches what names itself at i.
func (sc *scanner) named(i int) (span, bool) {
	if sc.s[i] == 'e' {
		return sc.jwt(i)
	}
	return sc.token(i)
}

// inWord steps over the word at i and looks for a token glued to its start.
func (sc *scanner) inWord(i int) (span, int) {
	s, class := sc.s, wordClasses()
	prev := class[s[i]] &^ mayStart
	j := i + 1
	for ; j < len(s); j++ {
		c := class[s[j]]
		if c == noWord {
			break
		}
		if c&^mayStart != prev {
			if c&mayStart != 0 {
				if hit, ok := sc.named(j); ok && sc.gluedLength(hit) {
					return hit, 0
				}
			}
			prev = c &^ mayStart
		}
	}
	if j-i > awsID && s[j-awsID] == 'A' { // glued to capitals there is no change to see
		if hit, ok := sc.token(j - awsID); ok {
			return hit, 0
		}
	}
	return span{}, j
}

const awsID = 20

// gluedLength keeps the middle of encoded data from passing for a token of fixed
// length.
func (sc *scanner) gluedLength(hit span) bool {
	return hit.typ != "gcp_api_key" || hit.end-hit.start <= 44
}

type gluedRule struct {
	rule *tokenRule
	back int // from the separator in the prefix to its start
}

// gluedRules are the prefixes with a separator, by the byte before it. They are
// so telling that they count behind any letter: "tokenghp_…". "sk-" is not: "risk-".
var gluedRules = sync.OnceValue(func() *[256][]gluedRule {
	var t [256][]gluedRule
	rules := tokenRules()
	for k := range rules {
		rule := &rules[k]
		if n := strings.IndexAny(rule.prefix, "_-"); n >= 2 && !rule.whole {
			b := rule.prefix[n-1]
			t[b] = append(t[b], gluedRule{rule, n})
		}
	}
	return &t
})

// gluedAt looks at the separator at i for a token that a letter stands before.
func (sc *scanner) gluedAt(i int) (span, bool) {
	if i == 0 {
		return span{}, false
	}
	for _, g := range gluedRules()[sc.s[i-1]] {
		start := i - g.back
		if start <= sc.done || !isLetter(sc.s[start-1]) || !strings.HasPrefix(sc.s[start:], g.rule.prefix) {
			continue
		}
		if hit, ok := sc.ruleAt(g.rule, start); ok {
			return hit, true
		}
	}
	return span{}, false
}

// numberAt looks at a digit: a token, a number, or a word that starts with one.
func (sc *scanner) numberAt(i int) (span, int) {
	if hit, ok := sc.token(i); ok {
		return hit, 0
	}
	return sc.digitsAt(i)
}

// wordAfterDigits goes on behind the digits of a word. The 'm' of a colour code
// whose escape byte is gone or spelled out belongs to the code.
func (sc *scanner) wordAfterDigits(i, end int) (span, int) {
	if s := sc.s; strings.IndexByte("mKJHhl", s[end]) >= 0 && i > 0 && (s[i-1] == '[' || s[i-1] == ';') {
		return span{}, end + 1
	}
	return sc.inWord(end - 1)
}

// escapeAt steps over an escape, whose letters would otherwise glue themselves to
// the next word: "\nAKIA…", "\x00AKIA…".
func (sc *scanner) escapeAt(i int) (span, int) {
	n := escaped(sc.s, i+1)
	if n > 0 && isLetter(sc.s[i+1]) {
		if hit, ok := sc.token(i + 1); ok { // a path: C:\npm_…
			return hit, 0
		}
	}
	return span{}, i + 1 + n
}

// escaped is the length of what a backslash before i escapes, where that is no
// sign.
func escaped(s string, i int) int {
	if i >= len(s) {
		return 0
	}
	n, most := 1, 0
	switch b := s[i]; {
	case strings.IndexByte("nrtfbvea", b) >= 0:
		return 1
	case b == 'x':
		most = 2
	case b == 'u':
		most = 4
	case b >= '0' && b <= '7':
		for n < 3 && i+n < len(s) && s[i+n] >= '0' && s[i+n] <= '7' {
			n++
		}
		return n
	}
	for n <= most && i+n < len(s) && isHex(s[i+n]) {
		n++
	}
	if most == 0 || n <= most {
		return 0
	}
	return n
}

// quotedPrintable looks behind "=3D" and the like for a token.
func (sc *scanner) quotedPrintable(i int) (span, int) {
	s := sc.s
	if s[i] != '=' || i+3 >= len(s) || !sc.sets.hex[s[i+1]] || !sc.sets.hex[s[i+2]] {
		return span{}, i + 1
	}
	if hit, ok := sc.named(i + 3); ok {
		return hit, 0
	}
	return span{}, i + 1
}
