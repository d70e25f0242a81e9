package shellcmd

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"mvdan.cc/sh/v3/syntax"

	"github.com/boathook/boathook/internal/shellcmd/word"
)

// mapped does something to each of the values.
func (m many) mapped(f func(string) string) many {
	if m.list {
		all := make([]string, len(m.all))
		for i, s := range m.all {
			all[i] = f(s)
		}
		m.all = all
		return m
	}
	m.text = f(m.text)
	return m
}

func (m many) anyUnknown() bool {
	for _, s := range m.all {
		if hasUnknown(s) {
			return true
		}
	}
	return hasUnknown(m.text)
}

// vague is what an operation makes of a value that is not known.
func (m many) vague() many {
	return many{val: val{text: word.Unknown, many: true, wild: m.wild, by: m.by}}
}

func (m many) length() many {
	if m.list {
		return many{val: val{text: itoa(int64(len(m.all)))}}
	}
	if m.anyUnknown() {
		return many{val: val{text: word.Unknown}}
	}
	return many{val: val{text: itoa(int64(utf8.RuneCountInString(m.text)))}}
}

func (w *shell) slice(m many, pe *syntax.ParamExp) many {
	from, ok := int64(0), true
	if pe.Slice.Offset != nil {
		from, ok = w.arith(pe.Slice.Offset)
	}
	n, hasLen := int64(0), pe.Slice.Length != nil
	if hasLen {
		var ok2 bool
		n, ok2 = w.arith(pe.Slice.Length)
		ok = ok && ok2
	}
	if !ok || m.anyUnknown() && !m.list {
		return m.vague()
	}
	if m.list {
		all := m.all
		if v := pe.Param.Value; v == "@" || v == "*" {
			zero := w.element("0", "", false)
			all = append([]string{zero.text}, all...)
		}
		m.all = cut(all, from, n, hasLen)
		return m
	}
	m.text = string(cut([]rune(m.text), from, n, hasLen))
	return m
}

// cut is ${x:from:n} of a list; a negative n counts from the end.
func cut[T any](s []T, from, n int64, hasLen bool) []T {
	size := int64(len(s))
	if from < 0 {
		from += size
	}
	if from < 0 || from > size {
		return nil
	}
	to := size
	if hasLen && n < 0 {
		to = size + n
	} else if hasLen && n < size-from {
		to = from + n
	}
	if to < from {
		return nil
	}
	return s[from:to]
}

func (w *shell) replace(m many, r *syntax.Replace) many {
	orig, with := w.patternOf(r.Orig), w.value(r.With)
	if m.anyUnknown() || hasUnknown(orig) || hasUnknown(with.text) {
		out := m.vague()
		out.wild = out.wild || with.wild
		return out
	}
	return m.mapped(func(s string) string { return w.substitute(s, orig, with.text, r.All) })
}

func (w *shell) substitute(s, pattern, with string, all bool) string {
	anchor := byte(0)
	if !all && pattern != "" && (pattern[0] == '#' || pattern[0] == '%') {
		anchor, pattern = pattern[0], pattern[1:]
	}
	p := compile(pattern)
	var out strings.Builder
	for i := 0; i <= len(s); {
		n := -1
		switch {
		case anchor == '%':
			if p.match(s[i:], w.bud) {
				n = len(s) - i
			}
		case anchor == 0 || i == 0:
			n = p.longest(s[i:], w.bud)
		}
		if n > 0 || n == 0 && anchor != 0 && pattern == "" {
			out.WriteString(with)
			i += n
			if !all || n == 0 || !w.bud.spend(len(with)) {
				out.WriteString(s[i:])
				return out.String()
			}
			continue
		}
		if i < len(s) {
			out.WriteByte(s[i])
		}
		i++
	}
	return out.String()
}

// operate does ${x:-y} ${x#y} ${x^^} and their like.
func (w *shell) operate(m many, pe *syntax.ParamExp) many {
	e := pe.Exp
	switch e.Op {
	case syntax.DefaultUnset, syntax.DefaultUnsetOrNull, syntax.AssignUnset, syntax.AssignUnsetOrNull,
		syntax.AlternateUnset, syntax.AlternateUnsetOrNull, syntax.ErrorUnset, syntax.ErrorUnsetOrNull:
		return w.alternative(m, pe)
	case syntax.RemSmallPrefix, syntax.RemLargePrefix, syntax.RemSmallSuffix, syntax.RemLargeSuffix:
		return w.trim(m, e)
	case syntax.UpperFirst, syntax.UpperAll, syntax.LowerFirst, syntax.LowerAll:
		return w.letters(m, e)
	case syntax.OtherParamOps:
		return w.transform(m, e)
	}
	w.value(e.Word)
	return m.vague()
}

func (w *shell) trim(m many, e *syntax.Expansion) many {
	pattern := w.patternOf(e.Word)
	if m.anyUnknown() || hasUnknown(pattern) {
		return m.vague()
	}
	p := compile(pattern)
	return m.mapped(func(s string) string {
		switch e.Op {
		case syntax.RemSmallPrefix:
			if n := p.shortest(s, w.bud); n > 0 {
				return s[n:]
			}
		case syntax.RemLargePrefix:
			if n := p.longest(s, w.bud); n > 0 {
				return s[n:]
			}
		case syntax.RemSmallSuffix:
			for i := len(s); i >= 0; i-- {
				if p.match(s[i:], w.bud) {
					return s[:i]
				}
			}
		case syntax.RemLargeSuffix:
			for i := 0; i <= len(s); i++ {
				if p.match(s[i:], w.bud) {
					return s[:i]
				}
			}
		}
		return s
	})
}

func (w *shell) letters(m many, e *syntax.Expansion) many {
	pattern := w.patternOf(e.Word)
	if m.anyUnknown() || hasUnknown(pattern) {
		return m.vague()
	}
	if pattern == "" {
		pattern = "?"
	}
	p := compile(pattern)
	turn := unicode.ToUpper
	if e.Op == syntax.LowerAll || e.Op == syntax.LowerFirst {
		turn = unicode.ToLower
	}
	all := e.Op == syntax.UpperAll || e.Op == syntax.LowerAll
	return m.mapped(func(s string) string {
		out := []rune(s)
		for i, r := range out {
			if p.match(string(r), w.bud) {
				out[i] = turn(r)
			}
			if !all {
				break
			}
		}
		return string(out)
	})
}

// transform does ${x@Q} and its like.
func (w *shell) transform(m many, e *syntax.Expansion) many {
	op := ""
	if e.Word != nil {
		op = e.Word.Lit()
	}
	if m.anyUnknown() {
		return m.vague()
	}
	switch op {
	case "U":
		return m.mapped(strings.ToUpper)
	case "L":
		return m.mapped(strings.ToLower)
	case "u":
		return m.mapped(func(s string) string {
			r, n := utf8.DecodeRuneInString(s)
			if n == 0 {
				return s
			}
			return string(unicode.ToUpper(r)) + s[n:]
		})
	case "E":
		return m.mapped(ansiC)
	case "P":
		for _, s := range append([]string{m.text}, m.all...) {
			w.expandLater(s)
		}
	case "Q":
		return m.mapped(func(s string) string { return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'" })
	}
	return many{val: unknownVal(true)}
}
