package shellcmd

import (
	"strconv"
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"github.com/boathook/boathook/internal/shellcmd/word"
)

// assignments does x=1 y+=2 without a command.
func (w *shell) assignments(list []*syntax.Assign) {
	for _, a := range list {
		if a.Name != nil {
			w.setAssigned(a, "")
		}
	}
}

func (w *shell) setAssigned(a *syntax.Assign, attr string) {
	name := a.Name.Value
	if a.Index != nil {
		w.assignElement(name, a)
		return
	}
	v := w.assigned(a)
	v.attr += attr
	w.setVar(name, v)
}

// assigned is the value that an assignment gives.
func (w *shell) assigned(a *syntax.Assign) val {
	old := w.variable(a.Name.Value)
	var v val
	switch {
	case a.Array != nil:
		v = w.array(a.Array, strings.Contains(old.attr, "A"))
		if a.Append && old.array && old.keys == nil && v.keys == nil && w.bud.spend(16*len(old.list)) {
			v.list = append(old.list[:len(old.list):len(old.list)], v.list...)
			v.many = v.many || old.many
		}
	case a.Value != nil:
		v = w.value(a.Value)
		if a.Append {
			v = w.appended(old, v)
		}
	case a.Append:
		return old
	}
	return v
}

func (w *shell) appended(old, v val) val {
	if old.array && len(old.list) > 0 {
		n := old
		n.list = append([]string(nil), old.list...)
		n.list[0] += v.text
		return n
	}
	if strings.Contains(old.attr, "i") {
		a, ok1 := w.number(old.text, 0)
		b, ok2 := w.number(v.text, 0)
		if !ok1 || !ok2 {
			return val{text: word.Unknown}
		}
		return val{text: itoa(a + b)}
	}
	if !w.bud.spend(len(old.text) + len(v.text)) {
		return unknownVal(true)
	}
	v.text = old.text + v.text
	v.many = hasUnknown(v.text)
	v.wild = v.wild || old.wild
	v.by = union(old.by, v.by)
	return v
}

// array is the value of (…).
func (w *shell) array(x *syntax.ArrayExpr, assoc bool) val {
	v := val{array: true}
	for _, e := range x.Elems {
		if e.Index != nil {
			key, ok := w.key(e.Index, assoc)
			v.many = v.many || !ok
			v = v.spread()
			v = v.with(key, w.value(e.Value).text, assoc)
			continue
		}
		args, wild := w.words([]*syntax.Word{e.Value})
		v.wild = v.wild || wild
		for _, a := range args {
			v.list = append(v.list, a.Text)
			v.by = union(v.by, a.By)
			v.many = v.many || a.Many
			if v.keys != nil {
				v.keys = append(v.keys, strconv.Itoa(len(v.keys)))
			}
		}
	}
	if assoc {
		v.attr = "A"
	}
	return v
}

// spread gives every element its key.
func (v val) spread() val {
	if v.keys != nil {
		return v
	}
	v.keys = []string{}
	for i := range v.list {
		v.keys = append(v.keys, strconv.Itoa(i))
	}
	return v
}

// with is an array with one element set.
func (v val) with(key, text string, assoc bool) val {
	if !assoc && v.keys == nil {
		if n, err := strconv.Atoi(key); err == nil && n >= 0 && n <= len(v.list) && n < 10000 {
			v.list = append([]string(nil), v.list...)
			if n == len(v.list) {
				v.list = append(v.list, text)
			} else {
				v.list[n] = text
			}
			return v
		}
	}
	v = v.spread()
	v.list, v.keys = append([]string(nil), v.list...), append([]string(nil), v.keys...)
	for i, k := range v.keys {
		if k == key {
			v.list[i] = text
			return v
		}
	}
	v.list, v.keys = append(v.list, text), append(v.keys, key)
	return v
}

func (w *shell) key(x syntax.ArithmExpr, assoc bool) (string, bool) {
	if wd, ok := x.(*syntax.Word); ok && assoc {
		v := w.value(wd)
		return v.text, v.known()
	}
	n, ok := w.arith(x)
	return itoa(n), ok
}

func (w *shell) assignElement(name string, a *syntax.Assign) {
	old := w.variable(name)
	assoc := strings.Contains(old.attr, "A")
	key, ok := w.key(a.Index, assoc)
	v := w.value(a.Value)
	if !old.array {
		if old.unset {
			old = val{array: true}
		} else {
			old = val{array: true, list: []string{old.text}, wild: old.wild, by: old.by}
		}
	}
	if !ok || !w.bud.spend(len(old.list)*8+len(v.text)) {
		old.many, old.wild = true, true
		old.list = []string{word.Unknown}
		w.setVar(name, old)
		return
	}
	if w.zsh && !assoc {
		if n, err := strconv.Atoi(key); err == nil && n > 0 {
			key = strconv.Itoa(n - 1)
		}
	}
	text := v.text
	if a.Append {
		text = old.at(key, false).text + text
	}
	next := old.with(key, text, assoc)
	next.wild = next.wild || v.wild
	next.by = union(next.by, v.by)
	next.many = next.many || hasUnknown(v.text)
	w.setVar(name, next)
}

// setVar gives a variable a value, as its attributes want it.
func (w *shell) setVar(name string, v val) {
	if name == "" {
		return
	}
	w.setsCode(name, v)
	if c := w.get(variable, name); c != nil {
		old := w.choose(c)
		if r := old.ref(); r != "" && r != name {
			w.setVar(r, v)
			return
		}
		for _, attr := range "xiluA" {
			if strings.ContainsRune(old.attr, attr) && !strings.ContainsRune(v.attr, attr) {
				v.attr += string(attr)
			}
		}
	}
	if w.allExport && !strings.Contains(v.attr, "x") {
		v.attr += "x"
	}
	if !v.array && !hasUnknown(v.text) {
		switch {
		case strings.Contains(v.attr, "i"):
			if n, ok := w.number(v.text, 0); ok {
				v.text = itoa(n)
			} else {
				v.text = word.Unknown
			}
		case strings.Contains(v.attr, "l"):
			v.text = strings.ToLower(v.text)
		case strings.Contains(v.attr, "u"):
			v.text = strings.ToUpper(v.text)
		}
	}
	if strings.Contains(v.attr, "x") {
		w.exports++
	}
	w.set(variable, name, one(v))
}

// assign is setVar for a value without attributes.
func (w *shell) assign(name string, v val) { w.setVar(name, v) }
