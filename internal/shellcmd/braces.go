package shellcmd

import (
	"strconv"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// maxBraces is how many words one word can become.
const maxBraces = 2000

func (w *shell) mayBrace(x *syntax.Word) bool { return !w.posix && openBraces(x) > 0 }

// braces does brace expansion.
func (w *shell) braces(x *syntax.Word) []*syntax.Word {
	if openBraces(x) > maxOpen {
		w.bud.over = true
		return []*syntax.Word{x}
	}
	c := &syntax.Word{Parts: x.Parts}
	if !syntax.SplitBraces(c) {
		return []*syntax.Word{x}
	}
	out := w.alternatives(c.Parts)
	if len(out) == 1 {
		return []*syntax.Word{x}
	}
	return out
}

// maxOpen is how many braces a word is looked at with: the library's work grows with their square.
const maxOpen = 200

func openBraces(x *syntax.Word) (n int) {
	for _, p := range x.Parts {
		if lit, ok := p.(*syntax.Lit); ok {
			n += strings.Count(lit.Value, "{")
		}
	}
	return n
}

// alternatives multiplies out the braces of a word.
func (w *shell) alternatives(parts []syntax.WordPart) []*syntax.Word {
	for i, p := range parts {
		br, ok := p.(*syntax.BraceExp)
		if !ok {
			continue
		}
		var middle []*syntax.Word
		if br.Sequence {
			middle = w.sequence(br)
		} else {
			for _, e := range br.Elems {
				middle = append(middle, w.alternatives(e.Parts)...)
			}
		}
		var out []*syntax.Word
		rest := w.alternatives(parts[i+1:])
		for _, m := range middle {
			for _, r := range rest {
				if len(out) >= maxBraces || !w.bud.step() {
					w.bud.over = true
					return out
				}
				all := make([]syntax.WordPart, 0, i+len(m.Parts)+len(r.Parts))
				all = append(append(append(all, parts[:i]...), m.Parts...), r.Parts...)
				out = append(out, &syntax.Word{Parts: all})
			}
		}
		return out
	}
	return []*syntax.Word{{Parts: parts}}
}

// sequence is {a..z..2}.
func (w *shell) sequence(br *syntax.BraceExp) (out []*syntax.Word) {
	a, b := br.Elems[0].Lit(), br.Elems[1].Lit()
	from, err := strconv.ParseInt(a, 10, 64)
	to, err2 := strconv.ParseInt(b, 10, 64)
	letters := err != nil || err2 != nil
	if letters {
		from, to = int64(a[0]), int64(b[0])
	}
	step := int64(1)
	if len(br.Elems) > 2 {
		step, _ = strconv.ParseInt(br.Elems[2].Lit(), 10, 64)
	}
	if step < 0 {
		step = -step
	}
	if step == 0 {
		step = 1
	}
	width := 0
	if !letters && (padded(a) || padded(b)) {
		width = max(len(a), len(b))
	}
	for n := from; from <= to && n <= to || from > to && n >= to; {
		text := string(rune(n))
		if !letters {
			text = pad(n, width)
		}
		out = append(out, &syntax.Word{Parts: []syntax.WordPart{&syntax.Lit{Value: text}}})
		if len(out) > maxBraces || !w.bud.step() {
			w.bud.over = true
			return out
		}
		if from <= to {
			n += step
		} else {
			n -= step
		}
	}
	return out
}

func padded(s string) bool {
	for s != "" && s[0] == '-' {
		s = s[1:]
	}
	return len(s) > 1 && s[0] == '0'
}

func pad(n int64, width int) string {
	sign := ""
	if n < 0 {
		sign, n, width = "-", -n, width-1
	}
	s := strconv.FormatInt(n, 10)
	for len(s) < width {
		s = "0" + s
	}
	return sign + s
}
