package policy

import (
	"regexp"
	"strings"
	"sync"
)

// tri is the answer to whether something matches.
type tri uint8

const (
	no tri = iota
	maybe
	yes
)

// unknown stands in a text for what only a run would tell.
const unknown = "\uFFFC"

// maxSteps bounds the work of one judgement; what lies beyond is maybe.
const maxSteps = 1 << 22

// matcher is the surroundings of one judgement's matching.
type matcher struct {
	home, project string
	fold          bool // paths and programs are the same in any case
	steps         int
	regexps       *sync.Map
}

// kind of matching of one pattern with one text, neither negated nor a regular expression.
type matchFunc func(m *matcher, pattern, text string) tri

// any tells whether one of the patterns matches and none of the negated ones does. Where all are negated, anything else matches.
func (m *matcher) any(patterns []string, text string, match matchFunc) tri {
	found, named, result := no, false, yes
	for _, p := range patterns {
		if p != "" && p[0] == '!' {
			switch m.one(p[1:], text, match) {
			case yes:
				return no
			case maybe:
				result = maybe
			}
			continue
		}
		named = true
		if found != yes {
			found = max(found, m.one(p, text, match))
		}
	}
	if !named {
		return result
	}
	return min(found, result)
}

func (m *matcher) one(pattern, text string, match matchFunc) tri {
	if source, ok := strings.CutPrefix(pattern, "re:"); ok {
		return m.regexp(source, text)
	}
	return match(m, pattern, text)
}

// regexp matches a regular expression, compiled when a text first needs it.
func (m *matcher) regexp(source, text string) tri {
	if m.steps -= 16 * len(text); m.steps < 0 {
		return maybe
	}
	re, ok := m.regexps.Load(source)
	if !ok {
		compiled, err := regexp.Compile(source)
		if err != nil { // the loader refuses it
			return no
		}
		re, _ = m.regexps.LoadOrStore(source, compiled)
	}
	switch matched := re.(*regexp.Regexp).MatchString(text); {
	case strings.Contains(text, unknown):
		return maybe
	case matched:
		return yes
	}
	return no
}

// wildcards are the characters of a glob that do not stand for themselves.
const wildcards = "*?"

func wild(pattern string) bool {
	return strings.IndexByte(pattern, '*') >= 0 || strings.IndexByte(pattern, '?') >= 0
}

// glob matches a text of any kind: * is any run of characters, ? any one.
func glob(m *matcher, pattern, text string) tri {
	if pattern == "*" || pattern == "**" {
		return yes
	}
	if strings.Contains(text, unknown) {
		return possible(pattern, text)
	}
	if !wild(pattern) {
		return known(pattern == text)
	}
	p, t, star, from := 0, 0, -1, 0
	for t < len(text) {
		if m.steps--; m.steps < 0 {
			return maybe
		}
		switch {
		case p < len(pattern) && pattern[p] == '*':
			star, from = p, t
			p++
		case p < len(pattern) && (pattern[p] == '?' || pattern[p] == text[t]):
			p, t = p+1, t+1
			if pattern[p-1] == '?' { // a character is all of its bytes
				for t < len(text) && text[t]&0xC0 == 0x80 {
					t++
				}
			}
		case star >= 0:
			from++
			p, t = star+1, from
		default:
			return no
		}
	}
	return known(strings.Trim(pattern[p:], "*") == "")
}

func known(b bool) tri {
	if b {
		return yes
	}
	return no
}

// possible tells whether a text that is not known in all of its parts could match: its known ends are compared.
func possible(pattern, text string) tri {
	head, tail := pattern, pattern
	if i := strings.IndexAny(pattern, wildcards); i >= 0 {
		head, tail = pattern[:i], pattern[strings.LastIndexAny(pattern, wildcards)+1:]
	}
	first, last := text[:strings.Index(text, unknown)], text[strings.LastIndex(text, unknown)+len(unknown):]
	if !strings.HasPrefix(first, head) && !strings.HasPrefix(head, first) || !strings.HasSuffix(last, tail) && !strings.HasSuffix(tail, last) {
		return no
	}
	return maybe
}

// fold is glob without regard to the case of ASCII letters.
func fold(m *matcher, pattern, text string) tri {
	return glob(m, strings.ToLower(pattern), strings.ToLower(text))
}
