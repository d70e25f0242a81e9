package redact

import "strings"

// scalar reads a number or a literal.
func (p *rewriter) scalar() bool {
	start := p.pos
	for p.pos < len(p.src) && strings.IndexByte("+-.", p.src[p.pos]) >= 0 || p.pos < len(p.src) && isAlnum(p.src[p.pos]) {
		p.pos++
	}
	word := p.src[start:p.pos]
	p.state = wantEnd
	switch word {
	case "true", "false", "null":
		return true
	}
	if !validNumber(word) {
		return false
	}
	if typ := p.numberType(word); typ != "" {
		p.edits = append(p.edits, edit{start, p.pos, quoted(markPrefix + typ + "]")})
		p.count(Counts{typ: 1})
	}
	return true
}

func (p *rewriter) numberType(word string) string {
	ctx := p.valueContext()
	if ctx.ident || len(word) < 10 || len(word) > 19 || sets().alnum.run(word, 0) != len(word) || !kindsOf(word).onlyDigits() || p.r.allowed(word) {
		return ""
	}
	return bareNumber(word, false, func(want hint) bool { return ctx.hint&want != 0 })
}

func (k kinds) onlyDigits() bool { return k.digit && !k.letter() && !k.other && !k.space }

// validNumber checks the number grammar of JSON.
func validNumber(s string) bool {
	s = strings.TrimPrefix(s, "-")
	whole := digitRun(s)
	if whole == 0 || whole > 1 && s[0] == '0' {
		return false
	}
	s = s[whole:]
	if rest, ok := strings.CutPrefix(s, "."); ok {
		n := digitRun(rest)
		if n == 0 {
			return false
		}
		s = rest[n:]
	}
	if s != "" && s[0]|0x20 == 'e' {
		s = s[1:]
		if s != "" && (s[0] == '+' || s[0] == '-') {
			s = s[1:]
		}
		n := digitRun(s)
		return n > 0 && n == len(s)
	}
	return s == ""
}

func digitRun(s string) (n int) {
	for n < len(s) && isDigit(s[n]) {
		n++
	}
	return n
}
