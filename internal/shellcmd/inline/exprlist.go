package inline

import "strings"

// list reads expressions up to the closing sign; options of calls (name=value) are set apart by call.
func (r *reader) list(end string) []value {
	var out []value
	for r.i < len(r.toks) {
		if r.take(end) {
			return out
		}
		at := r.i
		if r.take(",", ":", "=>", ")", "]", "}") || r.tok(0).kind == 'l' && r.skip() {
			continue
		}
		kept := len(r.out)
		v := r.element()
		if r.is("for") && r.lang == "python" {
			v = r.again(at, kept)
		}
		if len(out) < 1<<10 {
			out = append(out, v)
		}
		if r.i == at {
			r.i++
		}
	}
	return out
}

// again reads a comprehension: first what stands behind for, then the expression before it with the variable set.
func (r *reader) again(at, kept int) value {
	r.comprehension()
	end := r.i
	if r.budget = spend(r.budget, end-at); *r.budget < 0 {
		r.unsure = true
		return value{}
	}
	r.out = r.out[:kept]
	r.i = at
	v := r.expr()
	r.i = end
	if v.kind == 'a' {
		return value{kind: 'a', list: v.list}
	}
	return v
}

// spend takes from a budget.
func spend(b *int, n int) *int {
	*b -= n
	return b
}

// skip goes past one token.
func (r *reader) skip() bool {
	r.i++
	return true
}

// element is one expression of a list; statements may stand there too, in functions that are arguments.
func (r *reader) element() value {
	t := r.tok(0)
	if t.kind == 'i' && (r.tok(1).text == "=" && r.tok(1).kind == 'o' || r.tok(1).text == ":" && r.tok(1).kind == 'o' && !r.tok(1).space && r.lang != "node" && r.tok(2).text != ":") && r.lang != "lua" {
		// An option: name=value, name: value.
		r.i += 2
		v := r.expr()
		return value{kind: 'k', keys: map[string]value{t.text: v}}
	}
	if r.tok(1).text == "=>" && r.lang != "node" && r.tok(1).kind == 'o' {
		key := t.text
		if t.kind == 's' {
			key = r.stringValue(t).text
		}
		r.i += 2
		return value{kind: 'k', keys: map[string]value{strings.TrimPrefix(key, ":"): r.expr()}}
	}
	return r.expr()
}

// braces reads an object's keys, or a block.
func (r *reader) braces() value {
	v := value{kind: 'k', keys: map[string]value{}}
	for r.i < len(r.toks) {
		at := r.i
		t := r.tok(0)
		switch {
		case r.take("}"):
			return v
		case r.take(",", ";", ")", "]") || t.kind == 'l' && r.skip():
		case (t.kind == 'i' || t.kind == 's') && r.tok(1).kind == 'o' && (r.tok(1).text == ":" || r.tok(1).text == "=>" && r.lang != "node"):
			key := t.text
			if t.kind == 's' {
				key = r.stringValue(t).text
			}
			r.i += 2
			v.keys[key] = r.expr()
		case r.take("|"):
			// A block's parameters.
			if p := r.tok(0); p.kind == 'i' && r.block.kind != 0 {
				r.vars[p.text], r.block = r.block, value{}
			}
			for r.i < len(r.toks) && !r.take("|") && r.tok(0).kind != 'l' {
				r.i++
			}
		default:
			r.statement()
		}
		if r.i == at {
			r.i++
		}
	}
	return v
}

// stringValue is a string's text with what stands in it.
func (r *reader) stringValue(t token) value {
	if len(t.parts) == 1 && !t.parts[0].code {
		return textValue(t.parts[0].text)
	}
	var b strings.Builder
	for _, p := range t.parts {
		if p.code {
			b.WriteString(r.embedded(p.text))
		} else {
			b.WriteString(p.text)
		}
		if b.Len() > maxText {
			return value{}
		}
	}
	return textValue(b.String())
}

// embedded is the value of code in a string.
func (r *reader) embedded(code string) string {
	if r.depth > maxDepth/2 {
		r.unsure = true
		return value{}.str()
	}
	toks, ok := lex(r.syn, code)
	if *r.budget -= len(toks) + 1; !ok || *r.budget < 0 {
		r.unsure = r.unsure || suspicious(code)
		return value{}.str()
	}
	oldToks, oldI := r.toks, r.i
	r.toks, r.i = toks, 0
	r.depth += 2
	v := r.expr()
	r.depth -= 2
	r.toks, r.i = oldToks, oldI
	return v.str()
}
