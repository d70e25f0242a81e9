package shellcmd

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"github.com/boathook/boathook/internal/shellcmd/word"
)

func hasUnknown(s string) bool { return strings.Contains(s, word.Unknown) }

// builder makes the fields of one word, as a shell expands it.
type builder struct {
	w    *shell
	done []word.Arg
	cur  []byte
	// has says that the present field is one even when it is empty.
	has, glob, many, wild bool
	// split is set while what is expanded stands outside of quotes; scalar makes one field of all, as an assignment does.
	scalar        bool
	heredoc, tabs bool
	// plain says that the word is made of literal text alone.
	plain   bool
	anyWild bool
	by      []int
	ifs     string
	ifsRead bool
}

func (b *builder) text(s string) {
	if s == "" || !b.w.bud.spend(len(s)) || len(b.cur) > maxWord {
		return
	}
	b.cur = append(b.cur, s...)
}

// end closes the present field; an empty one without quotes is none.
func (b *builder) end() {
	if len(b.cur) == 0 && !b.has {
		return
	}
	b.force()
}

func (b *builder) force() {
	if !b.w.bud.step() {
		return
	}
	b.done = append(b.done, word.Arg{Text: b.w.unhash(string(b.cur)), Glob: b.glob, Many: b.many, By: b.by})
	b.anyWild = b.anyWild || b.wild
	b.cur, b.has, b.glob, b.many, b.wild, b.by = b.cur[:0], false, false, false, false, nil
}

// note keeps what else is known of a value.
func (b *builder) note(v val, quoted bool) {
	if hasUnknown(v.text) {
		b.many = b.many || v.many && !quoted
		b.wild = b.wild || v.wild
	}
	b.by = union(b.by, v.by)
}

// put adds an expanded value.
func (b *builder) put(v val, quoted bool) {
	if quoted || b.scalar {
		b.text(v.text)
		b.has = b.has || quoted
		// A path that a pattern stands for may be any number, quoted or not.
		b.glob = b.glob || v.glob
		b.note(v, true)
		return
	}
	b.note(v, false)
	b.glob = b.glob || v.glob
	if b.w.noSplit() {
		b.pattern(v.text)
		b.text(v.text)
		return
	}
	b.fields(v)
}

// pattern marks the field where a text has active pattern characters.
func (b *builder) pattern(s string) {
	if i := strings.IndexAny(s, "*?["); i >= 0 && (s[i] != '[' || strings.Contains(s[i:], "]") || strings.ContainsAny(s[i:], "*?")) {
		b.glob = true
	}
}

// fields splits a value at IFS.
func (b *builder) fields(v val) {
	if !b.ifsRead {
		b.ifs, b.ifsRead = b.w.ifs(), true
	}
	s := v.text
	blank := func(c byte) bool { return strings.IndexByte(b.ifs, c) >= 0 && (c == ' ' || c == '\t' || c == '\n') }
	i := 0
	for i < len(s) && blank(s[i]) {
		i++
	}
	if i > 0 {
		b.end()
	}
	for i < len(s) {
		j := i
		for j < len(s) && strings.IndexByte(b.ifs, s[j]) < 0 {
			j++
		}
		b.pattern(s[i:j])
		b.text(s[i:j])
		if j == len(s) {
			return
		}
		other := false
		for ; j < len(s); j++ {
			if blank(s[j]) {
				continue
			}
			if other || strings.IndexByte(b.ifs, s[j]) < 0 {
				break
			}
			other = true
		}
		if other {
			b.force()
		} else {
			b.end()
		}
		b.note(v, false)
		i = j
	}
}

// words expands words to fields.
func (w *shell) words(list []*syntax.Word) (out []word.Arg, wild bool) {
	naming := w.naming
	defer func() { w.naming = naming }()
	out = make([]word.Arg, 0, len(list))
	for i, x := range list {
		w.naming = naming && i == 0
		if a, ok := w.literal(x); ok {
			out = append(out, a)
			continue
		}
		if w.mayBrace(x) {
			for _, y := range w.braces(x) {
				var more bool
				out, more = w.word(y, y == x, out)
				wild = wild || more
			}
		} else {
			var more bool
			out, more = w.word(x, true, out)
			wild = wild || more
		}
		if w.bud.over {
			return out, wild
		}
	}
	return out, wild
}

// literal is a word that is nothing but literal text: most are.
func (w *shell) literal(x *syntax.Word) (word.Arg, bool) {
	if len(x.Parts) != 1 {
		return word.Arg{}, false
	}
	var a word.Arg
	switch p := x.Parts[0].(type) {
	case *syntax.Lit:
		if strings.ContainsAny(p.Value, "\\*?[~{=") && !optionLike(p.Value) {
			return a, false
		}
		a.Text = w.unhash(p.Value)
	case *syntax.SglQuoted:
		if p.Dollar {
			return a, false
		}
		a.Text = w.unhash(p.Value)
	default:
		return a, false
	}
	if w.base >= 0 {
		a.From, a.To = w.span(x)
	}
	return a, w.bud.step()
}

// optionLike is --name=value without anything that the shell would change.
func optionLike(s string) bool { return s[0] == '-' && !strings.ContainsAny(s, "\\*?[~{") }

// word adds a word's fields.
func (w *shell) word(y *syntax.Word, whole bool, out []word.Arg) ([]word.Arg, bool) {
	b := builder{w: w, plain: true, done: out}
	b.parts(y.Parts, true)
	b.end()
	if w.base >= 0 {
		for i := len(out); i < len(b.done); i++ {
			from, to := w.span(y)
			b.done[i].Source = [2]int{from, to}
		}
	}
	if len(b.done) == len(out)+1 && b.plain && whole && w.base >= 0 {
		a := &b.done[len(out)]
		a.From, a.To = w.span(y)
	}
	return b.done, b.anyWild
}

// value expands a word where it stays one: in an assignment, a here-string, as a case's subject.
func (w *shell) value(x *syntax.Word) val {
	if x == nil {
		return val{}
	}
	b := builder{w: w, scalar: true}
	b.parts(x.Parts, true)
	return b.value()
}

func (b *builder) value() val {
	return val{text: b.w.unhash(string(b.cur)), wild: b.wild, by: b.by, many: hasUnknown(string(b.cur)), glob: b.glob && b.scalar}
}

// single expands a word that should be one, as a redirection's target.
func (w *shell) single(x *syntax.Word) word.Arg {
	out, _ := w.words([]*syntax.Word{x})
	if len(out) == 1 {
		return out[0]
	}
	return word.Arg{Text: w.value(x).text}
}

func (b *builder) parts(parts []syntax.WordPart, start bool) {
	for i, p := range parts {
		switch p := p.(type) {
		case *syntax.Lit:
			b.lit(p.Value, start && i == 0, len(parts) == 1)
		case *syntax.SglQuoted:
			b.has = true
			if p.Dollar {
				b.text(ansiC(p.Value))
			} else {
				b.text(p.Value)
			}
		case *syntax.DblQuoted:
			b.has = b.has || !onlyArgs(p.Parts)
			b.dquoted(p.Parts)
		default:
			b.expansion(p, false)
		}
	}
}

// onlyArgs tells whether quoted parts are "$@" and its like, which may be no field at all.
func onlyArgs(parts []syntax.WordPart) bool {
	if len(parts) != 1 {
		return false
	}
	pe, ok := parts[0].(*syntax.ParamExp)
	return ok && isList(pe)
}

func (b *builder) dquoted(parts []syntax.WordPart) {
	for i, p := range parts {
		if lit, ok := p.(*syntax.Lit); ok {
			text := lit.Value
			if b.tabs {
				text = stripTabs(text, i == 0)
			}
			b.text(unescape(text, b.heredoc))
			continue
		}
		b.expansion(p, true)
	}
}

// unescape takes away the backslashes that double quotes, or a here-document, give a meaning.
func unescape(s string, heredoc bool) string {
	if !strings.Contains(s, "\\") {
		return s
	}
	var out []byte
	for i := 0; i < len(s); i++ {
		if s[i] == '\\' && i+1 < len(s) {
			switch c := s[i+1]; {
			case c == '\n':
				i++
				continue
			case c == '$' || c == '`' || c == '\\' || c == '"' && !heredoc:
				i++
			}
		}
		out = append(out, s[i])
	}
	return string(out)
}

// lit adds literal text outside of quotes.
func (b *builder) lit(s string, start, whole bool) {
	s = b.w.unhash(s)
	if i := strings.IndexByte(s, '('); i >= 0 && i+2 < len(s) && (s[i+1] == 'e' || s[i+1] == '+' || s[i+1] == '#') {
		b.w.qualifiers(s, i)
	}
	if start && s != "" && (s[0] == '~' || s[0] == '=') {
		s = b.w.prefix(s, b, whole)
	}
	if !strings.Contains(s, "\\") {
		if !b.scalar {
			b.pattern(s)
		} else if strings.Contains(s, ":~") {
			s = b.w.tildes(s)
		}
		b.text(s)
		return
	}
	for i := 0; i < len(s); i++ {
		if s[i] == '\\' {
			i++
			b.has = true
			if i == len(s) && !b.w.zsh {
				// The text ends with it.
				b.cur = append(b.cur, '\\')
			}
			if i < len(s) && s[i] == '\n' {
				continue
			}
		} else if !b.scalar {
			b.pattern(s[i : i+1])
			if s[i] == '[' {
				b.pattern(s[i:])
			}
		}
		if i < len(s) {
			b.cur = append(b.cur, s[i])
		}
	}
}

func (b *builder) expansion(p syntax.WordPart, quoted bool) {
	b.plain = false
	if !b.w.bud.step() {
		return
	}
	switch p := p.(type) {
	case *syntax.ParamExp:
		b.param(p, quoted)
	case *syntax.CmdSubst:
		b.w.inDocument = b.heredoc
		v := b.w.substitution(p, quoted && !b.heredoc)
		if b.w.zsh && !quoted && !b.scalar {
			b.note(v, false)
			b.fields(v)
			return
		}
		b.put(v, quoted)
	case *syntax.ArithmExp:
		n, ok := b.w.arith(p.X)
		if !ok {
			b.put(val{text: word.Unknown}, quoted)
			return
		}
		b.put(val{text: itoa(n)}, quoted)
	case *syntax.ProcSubst:
		v := b.w.process(p)
		b.has = true
		b.text(v.text)
		b.by = union(b.by, v.by)
	case *syntax.ExtGlob:
		b.glob = true
		b.w.qualifier(p.Pattern.Value)
		b.text(p.Op.String() + p.Pattern.Value + ")")
	case *syntax.SglQuoted, *syntax.DblQuoted, *syntax.Lit, *syntax.BraceExp:
		b.parts([]syntax.WordPart{p}, false)
	}
}

// span is the place of a part of the text in the text that was judged. The parser puts an end behind the text where one is missing.
func (w *shell) span(n syntax.Node) (from, to int) {
	from, to = int(n.Pos().Offset()), min(int(n.End().Offset()), len(w.src))
	if from > to {
		return 0, 0
	}
	return w.base + from, w.base + to
}
