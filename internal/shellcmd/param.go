package shellcmd

import (
	"slices"
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
	m := b.w.parameter(pe, quoted)
	if !m.list {
		if b.w.zsh && !quoted && m.text == "" && !b.scalar {
			return
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
		v.text = s
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
func (w *shell) parameter(pe *syntax.ParamExp, quoted bool) many {
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
		return w.length(m, pe)
	}
	switch {
	case pe.Slice != nil:
		return w.slice(m, pe)
	case pe.Repl != nil:
		return w.replace(m, pe.Repl)
	case pe.Exp != nil:
		return w.operate(m, pe, quoted)
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
		if v.unset && hasUnknown(v.text) || index == "" {
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

// anyShell tells whether it is not known which shell it is.
func (w *shell) anyShell() bool { return w.opt.Dialect == "" && w.unnamed }

// either is the element of an array that bash means, or the one that zsh means.
func (w *shell) either(v val, n int) val {
	at := slot{special, "element"}
	c := merge(at, one(v.at(itoa(int64(n)), false).val), one(v.at(itoa(int64(n)), true).val))
	for _, old := range w.elements {
		if slices.EqualFunc(old.vals, c.vals, val.same) {
			return w.choose(old)
		}
	}
	w.elements = append(w.elements, c)
	return w.choose(c)
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

func (v val) ref() string {
	if strings.Contains(v.attr, "n") && syntax.ValidName(v.text) {
		return v.text
	}
	return ""
}

// positional are the parameters that no assignment sets.
func (w *shell) positional(name string) (many, bool) {
	if name == "" {
		return many{}, false
	}
	args := func() val {
		if c := w.get(special, "@"); c != nil {
			return w.choose(c)
		}
		return val{array: true}
	}
	switch name {
	case "@", "*":
		v := args()
		return many{val: val{many: v.many, wild: v.wild, by: v.by}, list: true, all: v.list, star: name == "*"}, true
	case "#":
		v := args()
		if v.many {
			return many{val: val{text: word.Unknown}}, true
		}
		return many{val: val{text: strconv.Itoa(len(v.list))}}, true
	case "0":
		if c := w.get(special, "0"); c != nil {
			return many{val: w.choose(c)}, true
		}
		return many{val: val{text: "bash"}}, true
	case "_":
		return many{val: val{text: w.last.Text, many: w.last.Many}}, true
	case "$", "!", "?", "-":
		return many{val: val{text: word.Unknown}}, true
	}
	if name[0] < '0' || name[0] > '9' {
		return many{}, false
	}
	n, err := strconv.Atoi(name)
	if err != nil {
		return many{}, false
	}
	v := args()
	if v.many {
		return many{val: unknownVal(v.wild)}, true
	}
	if n < 1 || n > len(v.list) {
		return many{val: val{unset: true}}, true
	}
	return many{val: val{text: v.list[n-1], wild: v.wild, by: v.by, many: hasUnknown(v.list[n-1])}}, true
}

// variable is a variable's value as a whole.
func (w *shell) variable(name string) val {
	if c := w.get(variable, name); c != nil {
		return w.choose(c)
	}
	switch name {
	case "IFS":
		return val{text: " \t\n"}
	case "RANDOM", "SECONDS", "LINENO", "BASHPID", "PPID", "UID", "EUID", "SRANDOM", "EPOCHSECONDS", "EPOCHREALTIME":
		return val{text: word.Unknown}
	}
	return val{unset: true, text: word.Unknown, many: true}
}

func itoa(n int64) string { return strconv.FormatInt(n, 10) }

func (w *shell) ifs() string {
	c := w.get(variable, "IFS")
	if c == nil {
		return " \t\n"
	}
	v := w.choose(c)
	if v.unset {
		return " \t\n"
	}
	return v.text
}
