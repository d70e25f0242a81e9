package inline

import "strings"

// tok is the token n places on; past the end it is one of no kind.
func (r *reader) tok(n int) token {
	if r.i+n < len(r.toks) {
		return r.toks[r.i+n]
	}
	return token{}
}

// is tells whether the next token is one of some signs or words.
func (r *reader) is(texts ...string) bool {
	t := r.tok(0)
	if t.kind != 'o' && t.kind != 'i' {
		return false
	}
	for _, s := range texts {
		if t.text == s {
			return true
		}
	}
	return false
}

// take goes past the next token if it is one of some.
func (r *reader) take(texts ...string) bool {
	if r.is(texts...) {
		r.i++
		return true
	}
	return false
}

// enter counts depth; false where it is too much.
func (r *reader) enter() bool {
	r.depth++
	if r.depth > maxDepth {
		r.unsure = true
		r.i = len(r.toks)
		r.depth--
		return false
	}
	return true
}

// expr reads an expression up to what ends it.
func (r *reader) expr() value {
	if !r.enter() {
		return value{}
	}
	defer func() { r.depth-- }()
	v := r.unary()
	for r.i < len(r.toks) {
		next, more := r.binary(v)
		if !more {
			return v
		}
		v = next
	}
	return v
}

// binary reads an operator and what stands behind it.
func (r *reader) binary(v value) (value, bool) {
	t := r.tok(0)
	switch t.kind {
	case 's':
		// Texts that stand side by side are one.
		if v.kind == 't' && (r.lang == "python" || r.lang == "ruby") {
			return concat(v, r.unary()), true
		}
		return v, false
	case 'i':
		return r.wordOperator(v, t.text)
	case 'o':
	default:
		return v, false
	}
	for _, c := range r.syn.concat {
		if t.text == c {
			r.i++
			return concat(v, r.unary()), true
		}
	}
	switch t.text {
	case ",", ")", "]", "}", ":", "=>", "{", "(", "[":
		return v, false
	}
	r.i++
	switch t.text {
	case "=", ":=", "<-":
		right := r.expr()
		r.assign(v, right)
		return right, true
	case "+=", ".=":
		right := concat(v, r.expr())
		r.assign(v, right)
		return right, true
	case "?":
		a := r.expr()
		if r.take(":") {
			return either(a, r.expr()), true
		}
		return a, true
	case "||", "??", "&&":
		return either(v, r.expr()), true
	case "|>":
		return r.pipeTo(v), true
	}
	return r.arithmetic(v, t.text), true
}

// arithmetic reads what stands behind other operators, of which some make paths and texts.
func (r *reader) arithmetic(v value, op string) value {
	if r.tok(0).kind == 'x' {
		r.nested(r.lang, r.tok(0).text)
	}
	right := r.unary()
	switch op {
	case "/":
		if v.kind == 'P' || right.kind == 'P' {
			p := joinPath(v, right)
			p.kind = 'P'
			return p
		}
	case "%":
		if v.kind == 't' {
			return formatPercent(v.text, right)
		}
	case "*":
		return repeat(v, right)
	case "=~":
		if v.kind == 'p' {
			r.assign(v, value{})
		}
	}
	return value{}
}

// either is one of two values.
func either(a, b value) value {
	switch {
	case a.kind == 0 || a.kind == 'p':
		return b.withUnknown(a.kind == 0)
	case b.kind == 0 || b.kind == 'p':
		return a
	case a.kind == 't' && b.kind == 't':
		return value{kind: 'a', list: []value{a, b}}
	}
	return value{}
}

// withUnknown is a value beside which there is another, that is not known.
func (v value) withUnknown(yes bool) value {
	if yes && v.kind == 't' {
		return value{kind: 'a', list: []value{v, {}}}
	}
	return v
}

// wordOperator reads operators that are words.
func (r *reader) wordOperator(v value, w string) (value, bool) {
	switch w {
	case "and", "or", "xor", "is", "not", "in", "eq", "ne", "lt", "gt", "le", "ge", "cmp", "instanceof", "of", "x":
		if w == "x" && r.lang != "perl" {
			return v, false
		}
		if w == "in" && v.kind == 'p' && r.tok(-1).kind == 'i' {
			r.i++
			list := r.expr()
			r.assign(v, element(list))
			return list, true
		}
		r.i++
		right := r.expr()
		if w == "x" {
			return repeat(v, right), true
		}
		return value{}, true
	case "as":
		r.i++
		if r.tok(0).kind == 'i' {
			r.vars[r.tok(0).text] = v
			r.i++
		}
		return v, true
	case "if", "unless", "while", "until", "for", "foreach":
		if r.lang == "python" && w == "if" {
			r.i++
			r.expr()
			if r.take("else") {
				return either(v, r.expr()), true
			}
			return v, true
		}
	}
	return v, false
}

// comprehension reads "for x in list if …" behind an expression that has been read already; its value is not known, but the
// expression is read again with the variable set, so that calls in it see what they are given.
func (r *reader) comprehension() value {
	r.i++
	name := r.tok(0)
	for r.i < len(r.toks) && !r.is("in") && !r.is(")", "]", "}") {
		r.i++
	}
	if !r.take("in") {
		return value{}
	}
	list := r.expr()
	if name.kind == 'i' {
		r.vars[name.text] = element(list)
	}
	return value{kind: 'l', list: []value{{}}}
}

// element is one of a list's values.
func element(list value) value {
	if (list.kind == 'l' || list.kind == 'a') && len(list.list) > 0 && len(list.list) <= 64 {
		return value{kind: 'a', list: list.list}
	}
	if list.kind == 'P' || list.kind == 't' && list.glob {
		return list
	}
	return value{}
}

// unary reads an operand and what is attached to it.
func (r *reader) unary() value {
	if !r.enter() {
		return value{}
	}
	defer func() { r.depth-- }()
	t := r.tok(0)
	switch t.kind {
	case 's':
		r.i++
		v := r.stringValue(t)
		return r.attached(v)
	case 'c':
		r.i++
		r.shell(r.stringValue(t))
		return r.attached(value{})
	case 'x':
		r.i++
		if r.i < 2 || r.tok(-2).text != "=~" {
			r.nested(r.lang, t.text)
		}
		return value{}
	case 'n':
		r.i++
		return r.attached(textValue(t.text))
	case 'u':
		r.i++
		return r.attached(value{})
	case 'i':
		return r.named(t)
	case 'o':
		return r.signed(t)
	}
	return value{}
}

// signed reads an operand that begins with a sign.
func (r *reader) signed(t token) value {
	switch t.text {
	case "(":
		r.i++
		list := r.list(")")
		if len(list) == 1 {
			return r.attached(list[0])
		}
		return r.attached(value{kind: 'l', list: list})
	case "[":
		r.i++
		return r.attached(value{kind: 'l', list: r.list("]")})
	case "{":
		r.i++
		return r.attached(r.braces())
	case ")", "]", "}", ",", ":", "=>", "=":
		return value{}
	case "::":
		r.i++
		return r.unary()
	case "<":
		if r.lang == "perl" && r.tok(2).text == ">" {
			r.i += 3
			return value{}
		}
	case "<<":
		r.i++
		return value{}
	}
	r.i++
	v := r.unary()
	if t.text == "-" && v.kind == 't' && v.text != "" && strings.Trim(v.text, "0123456789") == "" {
		v.text = "-" + v.text
	}
	return v
}
