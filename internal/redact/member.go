package redact

import "strings"

// key reads a member's name and the colon after it.
func (p *rewriter) key() bool {
	start := p.pos
	text, total, odd, ok := p.rawString(MaxString + overlap)
	if !ok {
		return false
	}
	f := p.top()
	f.next = p.memberContext(text)
	if p.work.spent() && !isUnscanned(text) {
		p.skip(start, p.pos, total)
	} else {
		p.write(start, p.pos, text, total, odd, p.r.find(text, field{hint: f.ctx.hint}, p.work))
	}
	for p.pos < len(p.src) && isSpace(p.src[p.pos]) {
		p.pos++
	}
	if p.pos == len(p.src) || p.src[p.pos] != ':' {
		return false
	}
	p.pos++
	p.state = wantValue
	return true
}

// stringValue reads a string in the place of a value.
func (p *rewriter) stringValue() bool {
	start := p.pos
	ctx := p.valueContext()
	text, total, odd, ok := p.rawString(MaxString + overlap)
	if !ok {
		return false
	}
	p.state = wantEnd
	if len(p.stack) > 0 {
		f := p.top()
		switch {
		case f.open == '[':
			sp, ok := f.argv.argument(text)
			f.announce(text, ctx.shell)
			if ok && !p.work.spent() {
				p.write(start, p.pos, text, total, odd, p.r.settle(text, []span{sp}))
				return true
			}
		case ctx.shell && commandField(ctx.key):
			f.argv.see(text)
		case namesField(ctx.key):
			f.name = max(f.name, nameClass(text))
		case ctx.valued && f.name == keyPlain:
			p.values = append(p.values, heldValue{start, p.pos, text, total, odd, false, ctx})
			return true
		}
	}
	p.mask(start, p.pos, text, total, odd, ctx)
	return true
}

// releaseValues masks the held values of the object that ends.
func (p *rewriter) releaseValues() {
	f := p.top()
	for _, v := range p.values[f.held:] {
		if f.name != keyPlain {
			v.ctx.class = f.name
		}
		if v.number {
			p.number(v.start, v.end, v.text, v.ctx)
			continue
		}
		p.mask(v.start, v.end, v.text, v.total, v.odd, v.ctx)
	}
	p.values = p.values[:f.held]
}

// mask masks one string value.
func (p *rewriter) mask(start, end int, text string, total int, odd bool, ctx context) {
	if p.work.spent() {
		if !isUnscanned(text) {
			p.skip(start, end, total)
		}
		return
	}
	if ctx.class == keyPlain && p.nested < maxNested && total == len(text) && total <= MaxString && container(text) {
		inner := context{field: ctx.field}
		c := Counts{}
		if out, ok := p.r.rewrite(text, inner, p.nested+1, c, p.work); ok {
			p.count(c)
			if out != text || odd {
				p.edits = append(p.edits, edit{start, end, quoted(Truncate(out, MaxString))})
			}
			return
		}
	}
	spans := p.r.memberSpans(text, ctx, p.work)
	if sp, ok := p.work.key.follow(text); ok && !ctx.ident {
		spans = p.r.settle(text, append([]span{sp}, spans...))
	}
	p.write(start, end, text, total, odd, spans)
}

// skip leaves only the size of a string that the budget has nothing left for.
func (p *rewriter) skip(start, end, total int) {
	if total > 0 && !p.work.again {
		p.edits = append(p.edits, edit{start, end, quoted(unscanned(total))})
	}
}

// write records an edit where the text changes.
func (p *rewriter) write(start, end int, text string, total int, odd bool, spans []span) {
	if len(spans) == 0 && total <= MaxString && !odd {
		return
	}
	c := Counts{}
	out, changed := keep(text, total, spans, c)
	p.count(c)
	if changed || odd {
		p.edits = append(p.edits, edit{start, end, quoted(out)})
	}
}

// container says that text may be JSON itself.
func container(text string) bool {
	text = strings.TrimSpace(text)
	if len(text) < 2 {
		return false
	}
	first, last := text[0], text[len(text)-1]
	return first == '{' && last == '}' || first == '[' && last == ']'
}
