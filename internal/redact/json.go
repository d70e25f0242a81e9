package redact

import (
	"slices"
	"strings"
)

const (
	// maxDepth is where encoding/json gives up too.
	maxDepth = 10000
	// maxNested is how many times JSON inside a JSON string is rewritten as JSON.
	maxNested = 3
)

// JSON masks the secrets in every string and key of src, at any depth. Bytes that
// hold none are copied as they are. What isn't valid JSON comes back as one JSON
// string with the masked text.
//
// A call that costs too much stops looking: what it hasn't looked at by then
// becomes [UNSCANNED:bytes].
func (r *Redactor) JSON(src []byte, c Counts) []byte {
	return r.json(src, c, maxSteps)
}

func (r *Redactor) json(src []byte, c Counts, budget int) []byte {
	text := strings.TrimPrefix(string(src), "\uFEFF")
	w := &work{budget: budget}
	out, ok := r.rewrite(text, context{}, 0, c, w)
	if !ok {
		text, out = "", r.fallback(text, c)
	}
	for pass := 1; pass < maxPasses && out != text; pass++ {
		text = out
		w.again, w.key = true, openKey{}
		if out, ok = r.rewrite(text, context{}, 0, c, w); !ok {
			out = text // can't be: rewrite writes valid JSON
		}
	}
	if len(out) == len(src) && out == string(src) {
		return src
	}
	return []byte(out)
}

// fallback keeps the start of something that is no JSON. Escapes are decoded
// first: in a cut-off payload they hide secrets like in a whole one.
func (r *Redactor) fallback(text string, c Counts) string {
	head := text[:min(len(text), MaxString+overlap)]
	view, _ := unfold(head)
	view = strings.ToValidUTF8(view, "\uFFFD")
	total := len(view) + len(text) - len(head)
	out, _ := keep(view, total, r.find(view, field{shell: true}, nil), c)
	return string(quoted(out))
}

// rewrite masks one JSON text. It reports false where text is not valid JSON.
func (r *Redactor) rewrite(text string, base context, nested int, c Counts, w *work) (string, bool) {
	p := rewriter{r: r, src: text, base: base, nested: nested, work: w}
	if !p.run() {
		return "", false
	}
	if c != nil {
		for typ, n := range p.counts {
			c[typ] += n
		}
	}
	return p.assemble(), true
}

// edit replaces src[start:end].
type edit struct {
	start, end int
	text       []byte
}

// What the rewriter expects next.
const (
	wantValue = iota
	wantValueOrEnd
	wantKey
	wantKeyOrEnd
	wantEnd // or a comma
)

// rewriter walks a JSON text with a stack of its own and collects edits.
type rewriter struct {
	r      *Redactor
	src    string
	pos    int
	state  int
	nested int
	base   context
	stack  []frame
	values []heldValue
	edits  []edit
	counts Counts
	work   *work
}

func (p *rewriter) run() bool {
	for {
		for p.pos < len(p.src) && isSpace(p.src[p.pos]) {
			p.pos++
		}
		if p.pos == len(p.src) {
			return len(p.stack) == 0 && p.state == wantEnd
		}
		if !p.step(p.src[p.pos]) {
			return false
		}
	}
}

// step consumes one token.
func (p *rewriter) step(b byte) bool {
	switch {
	case p.state == wantEnd:
		return p.afterValue(b)
	case p.state == wantKey || p.state == wantKeyOrEnd:
		if b == '}' && p.state == wantKeyOrEnd {
			return p.pop(b)
		}
		return b == '"' && p.key()
	case b == ']' && p.state == wantValueOrEnd:
		return p.pop(b)
	case b == '{' || b == '[':
		return p.push(b)
	case b == '"':
		return p.stringValue()
	}
	return p.scalar()
}

func (p *rewriter) afterValue(b byte) bool {
	if len(p.stack) == 0 {
		return false
	}
	if b != ',' {
		return p.pop(b)
	}
	p.pos++
	p.state = wantValue
	if p.top().open == '{' {
		p.state = wantKey
	}
	return true
}

func (p *rewriter) top() *frame { return &p.stack[len(p.stack)-1] }

func (p *rewriter) push(b byte) bool {
	if len(p.stack) >= maxDepth {
		return false
	}
	f := frame{open: b, ctx: p.valueContext(), held: len(p.values)}
	if len(p.stack) > 0 {
		if f.argv.names = p.top().argv.names; f.ctx.valued { // {"command":"mysql","args":["-pX"]}
			f.name = p.top().name
		}
	}
	if b == '{' && f.name == keyPlain { // {"password":{"value":"x"}}
		f.name = f.ctx.class
	}
	f.ctx = f.ctx.inside(b)
	p.stack = append(p.stack, f)
	p.pos++
	p.state = wantValueOrEnd
	if b == '{' {
		p.state = wantKeyOrEnd
	}
	return true
}

func (p *rewriter) pop(b byte) bool {
	if len(p.stack) == 0 || b != p.top().open+2 { // in ASCII the pairs are two apart
		return false
	}
	p.releaseValues()
	p.stack = p.stack[:len(p.stack)-1]
	p.pos++
	p.state = wantEnd
	return true
}

func (p *rewriter) count(c Counts) {
	if p.counts == nil && len(c) > 0 {
		p.counts = Counts{}
	}
	for typ, n := range c {
		p.counts[typ] += n
	}
}

// assemble applies the edits. Held values make them out of order.
func (p *rewriter) assemble() string {
	if len(p.edits) == 0 {
		return p.src
	}
	slices.SortFunc(p.edits, func(a, b edit) int { return a.start - b.start })
	out := make([]byte, 0, len(p.src))
	from := 0
	for _, e := range p.edits {
		out = append(out, p.src[from:e.start]...)
		out = append(out, e.text...)
		from = e.end
	}
	return string(append(out, p.src[from:]...))
}
