package shellcmd

import (
	"strings"
	"unicode/utf8"

	"mvdan.cc/sh/v3/syntax"
)

// pattern is a shell pattern; escape makes characters of it literal.
type pattern string

const escape = '\\'

func compile(s string) pattern { return pattern(s) }

// patternOf is a word as a pattern: what was quoted in it is escaped.
func (w *shell) patternOf(x *syntax.Word) string {
	if x == nil {
		return ""
	}
	var out strings.Builder
	for i, p := range x.Parts {
		switch p := p.(type) {
		case *syntax.Lit:
			out.WriteString(p.Value)
		case *syntax.SglQuoted, *syntax.DblQuoted:
			b := builder{w: w, scalar: true}
			b.parts([]syntax.WordPart{p}, false)
			out.WriteString(escaped(string(b.cur)))
		case *syntax.ExtGlob:
			out.WriteString(p.Op.String() + p.Pattern.Value + ")")
		default:
			b := builder{w: w, scalar: true}
			b.parts([]syntax.WordPart{p}, i == 0)
			out.Write(b.cur)
		}
	}
	return w.unhash(out.String())
}

func escaped(s string) string {
	if !strings.ContainsAny(s, `*?[]\!^-()|@+`) {
		return s
	}
	var out strings.Builder
	for i := 0; i < len(s); i++ {
		if strings.IndexByte(`*?[]\!^-()|@+`, s[i]) >= 0 {
			out.WriteByte(escape)
		}
		out.WriteByte(s[i])
	}
	return out.String()
}

// match tells whether the pattern stands for all of s. Extended patterns are not read: they match nothing.
func (p pattern) match(s string, bud *budget) bool {
	n := p.ends(s, bud, func(rest int) bool { return rest == 0 })
	return n >= 0
}

// longest and shortest give how much of s's start the pattern stands for, -1 for none.
func (p pattern) longest(s string, bud *budget) int {
	best := -1
	if !strings.ContainsAny(string(p), "*") {
		return p.ends(s, bud, func(int) bool { return true })
	}
	for n := len(s); n >= 0; n-- {
		if p.match(s[:n], bud) {
			return n
		}
		if bud.over {
			break
		}
	}
	return best
}

func (p pattern) shortest(s string, bud *budget) int {
	for n := 0; n <= len(s); n++ {
		if p.match(s[:n], bud) {
			return n
		}
		if bud.over {
			break
		}
	}
	return -1
}

// ends matches with the last star alone remembered, which takes no more than the product of both lengths.
func (p pattern) ends(s string, bud *budget, good func(rest int) bool) int {
	pi, si := 0, 0
	starP, starS := -1, 0
	for work := 0; ; work++ {
		if work&63 == 63 && !bud.step() {
			return -1
		}
		if pi == len(p) && good(len(s)-si) {
			return si
		}
		if pi < len(p) && p[pi] == '*' {
			pi++
			starP, starS = pi, si
			continue
		}
		if pi < len(p) && si < len(s) {
			if np, ns, ok := p.step(pi, s, si); ok {
				pi, si = np, ns
				continue
			}
		}
		if starP < 0 || starS >= len(s) {
			return -1
		}
		starS++
		pi, si = starP, starS
	}
}

// step matches one character.
func (p pattern) step(pi int, s string, si int) (int, int, bool) {
	_, n := utf8.DecodeRuneInString(s[si:])
	switch p[pi] {
	case '?':
		return pi + 1, si + n, true
	case '[':
		if end, ok := p.class(pi, s[si:si+n]); end > 0 {
			return end, si + n, ok
		}
	case escape:
		if pi+1 < len(p) {
			return pi + 2, si + 1, p[pi+1] == s[si]
		}
	}
	return pi + 1, si + 1, p[pi] == s[si]
}

// class matches a bracket expression that begins at pi; end is 0 where it is none.
func (p pattern) class(pi int, c string) (end int, ok bool) {
	i := pi + 1
	not := i < len(p) && (p[i] == '!' || p[i] == '^')
	if not {
		i++
	}
	for first := true; i < len(p) && (p[i] != ']' || first); first = false {
		if p[i] == '[' && i+1 < len(p) && p[i+1] == ':' {
			if j := strings.Index(string(p[i:]), ":]"); j > 0 {
				ok = ok || inClass(string(p[i+2:i+j]), c)
				i += j + 2
				continue
			}
		}
		lo, next := p.char(i)
		hi := lo
		if next+1 < len(p) && p[next] == '-' && p[next+1] != ']' {
			hi, next = p.char(next + 1)
		}
		ok = ok || lo <= c && c <= hi
		i = next
	}
	if i >= len(p) {
		return 0, false
	}
	return i + 1, ok != not
}

func (p pattern) char(i int) (string, int) {
	if p[i] == escape && i+1 < len(p) {
		i++
	}
	_, n := utf8.DecodeRuneInString(string(p[i:]))
	return string(p[i : i+n]), i + n
}

func inClass(name, c string) bool {
	b := c[0]
	lower, upper, digit := b >= 'a' && b <= 'z', b >= 'A' && b <= 'Z', b >= '0' && b <= '9'
	switch name {
	case "alpha":
		return lower || upper
	case "lower":
		return lower
	case "upper":
		return upper
	case "digit":
		return digit
	case "alnum":
		return lower || upper || digit
	case "space":
		return strings.ContainsAny(c, " \t\n\r\v\f")
	case "blank":
		return b == ' ' || b == '\t'
	case "punct":
		return b > ' ' && b < 0x7f && !lower && !upper && !digit
	case "xdigit":
		return digit || b >= 'a' && b <= 'f' || b >= 'A' && b <= 'F'
	case "print":
		return b >= ' ' && b != 0x7f
	case "graph":
		return b > ' ' && b != 0x7f
	case "cntrl":
		return b < ' ' || b == 0x7f
	}
	return false
}
