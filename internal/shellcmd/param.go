package shellcmd

import (
	"strconv"
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"github.com/boathook/boathook/internal/shellcmd/word"
)

// many is the values of one parameter: several for $@ and arrays.
type many struct {
	val
	list bool // the values are texts, not val.text
	all  []string
	star bool // joined in quotes: $* ${a[*]}
}

// isList tells whether a parameter can be several fields inside of quotes.
func isList(pe *syntax.ParamExp) bool {
	if pe.Length || pe.Param == nil {
		return false
	}
	if pe.Param.Value == "@" {
		return true
	}
	return subscript(pe.Index) == "@" || pe.Names == syntax.NamesPrefixWords
}

func subscript(x syntax.ArithmExpr) string {
	if wd, ok := x.(*syntax.Word); ok {
		return wd.Lit()
	}
	return ""
}

// param adds a parameter's expansion.
func (b *builder) param(pe *syntax.ParamExp, quoted bool) {
	m := b.w.parameter(pe)
	if !m.list {
		if b.w.zsh && !quoted && m.text == "" && !b.scalar {
			return
		}
		if b.w.zsh && !quoted && !b.scalar && pe.Exp != nil && len(m.text) > 1 && m.text[0] == '=' {
			// =name is where a program is, also where a default gives it.
			m.text = word.Unknown + "/" + m.text[1:]
		}
		b.put(m.val, quoted)
		return
	}
	if m.star && quoted || b.scalar {
		sep := " "
		if m.star {
			sep = first(b.w.ifs())
		}
		m.text = strings.Join(m.all, sep)
		b.put(m.val, true)
		return
	}
	for i, s := range m.all {
		if i > 0 {
			b.force2(quoted)
		}
		v := m.val
		v.text, v.glob = s, m.glob && patterned(s)
		b.put(v, quoted)
	}
	if quoted && len(m.all) > 0 {
		b.has = true
	}
}

// force2 ends a field between the elements of a list.
func (b *builder) force2(quoted bool) {
	if quoted {
		b.force()
		return
	}
	b.end()
}

func first(s string) string {
	if s == "" {
		return ""
	}
	return s[:1]
}

// parameter is a parameter's value with all operations done.
func (w *shell) parameter(pe *syntax.ParamExp) many {
	if pe.Flags != nil && pe.NestedParam == nil && pe.Param != nil || pe.Split == syntax.OptOn {
		return w.flagged(pe)
	}
	if pe.Flags != nil || pe.NestedParam != nil || pe.Param == nil || len(pe.Modifiers) > 0 || pe.IsSet || pe.Width {
		w.inside(pe)
		return many{val: unknownVal(true)}
	}
	if pe.Names != 0 {
		return many{val: unknownVal(false)}
	}
	m := w.lookup(pe.Param.Value, pe.Index)
	if pe.Excl {
		m = w.indirect(m)
	}
	if pe.Length {
		return m.length()
	}
	switch {
	case pe.Slice != nil:
		return w.slice(m, pe)
	case pe.Repl != nil:
		return w.replace(m, pe.Repl)
	case pe.Exp != nil:
		return w.operate(m, pe)
	}
	return m
}

// inside runs the substitutions in what is not read further.
func (w *shell) inside(n syntax.Node) {
	syntax.Walk(n, func(n syntax.Node) bool {
		if cs, ok := n.(*syntax.CmdSubst); ok {
			w.substitution(cs, false)
			return false
		}
		return true
	})
}

func (w *shell) indirect(m many) many {
	if m.list || !m.known() || m.unset {
		return many{val: unknownVal(true)}
	}
	name, index := m.text, ""
	if i := strings.IndexByte(name, '['); i > 0 && strings.HasSuffix(name, "]") {
		name, index = name[:i], name[i+1:len(name)-1]
		w.expandLater(index)
	}
	return w.element(name, index, index != "")
}

// lookup is a parameter's value, or the one of an element.
func (w *shell) lookup(name string, index syntax.ArithmExpr) many {
	if index == nil {
		return w.element(name, "", false)
	}
	return w.element(name, w.indexText(name, index), true)
}

// indexText is an index as text: a number, the key of an associative array, @ or *; empty where it is not known.
func (w *shell) indexText(name string, x syntax.ArithmExpr) string {
	if wd, ok := x.(*syntax.Word); ok {
		if l := wd.Lit(); l == "@" || l == "*" {
			return l
		}
		if c := w.get(variable, name); c != nil && strings.Contains(w.choose(c).attr, "A") {
			if v := w.value(wd); v.known() {
				return v.text
			}
			return ""
		}
	}
	if n, ok := w.arith(x); ok {
		return itoa(n)
	}
	return ""
}

func (w *shell) element(name, index string, indexed bool) many {
	if v, ok := w.positional(name); ok {
		return v
	}
	v := w.variable(name)
	if v.ref() != "" && w.bud.step() {
		return w.element(v.ref(), index, indexed)
	}
	if !v.array {
		if !indexed || index == "0" || index == "@" || index == "*" {
			return many{val: v}
		}
		if hasUnknown(v.text) || index == "" {
			return many{val: unknownVal(true)}
		}
		return many{val: val{unset: true}}
	}
	if !indexed {
		// bash takes the first element, zsh all.
		index = "0"
		if w.zsh || w.anyShell() {
			index = "@"
		}
	}
	if w.naming && indexed && w.anyShell() && v.keys == nil {
		// zsh counts from one.
		if n, err := strconv.Atoi(index); err == nil && n > 0 {
			return many{val: w.either(v, n)}
		}
	}
	return v.at(index, w.zsh)
}

// at is an array's element, or all of them.
func (v val) at(index string, zsh bool) many {
	e := v
	e.array, e.list, e.keys = false, nil, nil
	switch index {
	case "@", "*":
		e.text = ""
		return many{val: e, list: true, all: v.list, star: index == "*"}
	case "":
		return many{val: unknownVal(true)}
	}
	if v.keys != nil {
		if strings.HasPrefix(index, "-") && !strings.Contains(v.attr, "A") {
			index = v.fromEnd(index)
		}
		for i, k := range v.keys {
			if k == index {
				e.text = v.list[i]
				return many{val: e}
			}
		}
		return many{val: val{unset: true}}
	}
	n, err := strconv.Atoi(index)
	if zsh && n > 0 {
		n--
	}
	if n < 0 {
		n += len(v.list)
	}
	if err != nil || n < 0 || n >= len(v.list) {
		return many{val: val{unset: true}}
	}
	e.text = v.list[n]
	return many{val: e}
}

// fromEnd is the key that a negative index means.
func (v val) fromEnd(index string) string {
	last := -1
	for _, k := range v.keys {
		if n, err := strconv.Atoi(k); err == nil {
			last = max(last, n)
		}
	}
	n, _ := strconv.Atoi(index)
	return strconv.Itoa(last + 1 + n)
}

// patterned tells whether a text has characters of a pattern.
func patterned(s string) bool { return strings.ContainsAny(s, "*?[") }
