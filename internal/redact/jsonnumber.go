package redact

import (
	"strconv"
	"strings"
)

// scalar reads a number or a literal.
func (p *rewriter) scalar() bool {
	start := p.pos
	for p.pos < len(p.src) && strings.IndexByte("+-.", p.src[p.pos]) >= 0 || p.pos < len(p.src) && isAlnum(p.src[p.pos]) {
		p.pos++
	}
	word := p.src[start:p.pos]
	ctx := p.valueContext()
	p.state = wantEnd
	switch word {
	case "true", "false", "null":
		return true
	}
	if !validNumber(word) {
		return false
	}
	if len(p.stack) > 0 && p.top().open == '{' && ctx.valued && p.top().name == keyPlain {
		p.values = append(p.values, heldValue{start: start, end: p.pos, text: word, number: true, ctx: ctx})
		return true
	}
	p.number(start, p.pos, word, ctx)
	return true
}

// number masks a number. The mark makes it a string.
func (p *rewriter) number(start, end int, word string, ctx context) {
	if typ := p.numberType(word, ctx); typ != "" {
		p.edits = append(p.edits, edit{start, end, quoted(markPrefix + typ + "]")})
		p.count(Counts{typ: 1})
	}
}

func (p *rewriter) numberType(word string, ctx context) string {
	if ctx.ident || len(word) < 4 || p.r.allowed(word) {
		return ""
	}
	if typ := secretNumber(word, ctx); typ != "" {
		return typ
	}
	digits, plain := integer(word)
	if len(digits) < 10 || len(digits) > 19 {
		return ""
	}
	typ := bareNumber(digits, false, func(want hint) bool { return ctx.hint&want != 0 })
	if !plain && (typ != "card" && typ != "kr_rrn" || strings.HasSuffix(digits, "0000")) {
		return ""
	}
	return typ
}

// secretNumber judges a number by the name it stands under. A plural may be a count.
func secretNumber(word string, ctx context) string {
	n := 0
	for i := 0; i < len(word); i++ {
		if isDigit(word[i]) {
			n++
		}
	}
	need := 4
	if ctx.listed || strings.HasSuffix(ctx.key, "s") {
		need = 6
	}
	switch {
	case n < need:
	case ctx.class == keySecret, ctx.key == "pwd" && ctx.class == keyWeak:
		return "field_secret"
	case ctx.class == keyCookie && n >= 6:
		return "cookie"
	}
	return ""
}

// integer returns the digits of a number without a fraction, whatever its
// notation: 4.5e3 is 4500. plain says that it was written so.
func integer(word string) (digits string, plain bool) {
	if digitRun(word) == len(word) {
		return word, true
	}
	word = strings.TrimPrefix(word, "-")
	mantissa, exponent := word, ""
	if n := strings.IndexAny(word, "eE"); n >= 0 {
		mantissa, exponent = word[:n], word[n+1:]
	}
	whole, fraction, _ := strings.Cut(mantissa, ".")
	shift := 0
	if exponent != "" {
		n, err := strconv.Atoi(exponent)
		if err != nil || n > 40 || n < -40 {
			return "", false
		}
		shift = n
	}
	digits = whole + fraction
	point := len(whole) + shift
	if point <= 0 || point > 40 {
		return "", false
	}
	if point >= len(digits) {
		digits += strings.Repeat("0", point-len(digits))
	} else if strings.Trim(digits[point:], "0") != "" {
		return "", false
	}
	return strings.TrimLeft(digits[:point], "0"), false
}

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
