package shellcmd

import (
	"mvdan.cc/sh/v3/syntax"

	"github.com/boathook/boathook/internal/shellcmd/word"
)

// alternative does ${x-y} ${x=y} ${x+y} ${x?y} and their forms with a colon.
func (w *shell) alternative(m many, pe *syntax.ParamExp) many {
	e := pe.Exp
	colon := e.Op == syntax.DefaultUnsetOrNull || e.Op == syntax.AssignUnsetOrNull ||
		e.Op == syntax.AlternateUnsetOrNull || e.Op == syntax.ErrorUnsetOrNull
	set, sure := m.isSet(colon)
	switch e.Op {
	case syntax.AlternateUnset, syntax.AlternateUnsetOrNull:
		if sure && !set {
			return many{}
		}
		y := w.operand(e.Word)
		if !sure {
			return either(y, val{})
		}
		return many{val: y}
	case syntax.ErrorUnset, syntax.ErrorUnsetOrNull:
		if !sure || !set {
			w.perhaps(func() { w.operand(e.Word) })
		}
		return m
	}
	if sure && set {
		return m
	}
	y := w.operand(e.Word)
	if sure {
		if e.Op == syntax.AssignUnset || e.Op == syntax.AssignUnsetOrNull {
			w.assign(pe.Param.Value, y)
		}
		return many{val: y}
	}
	return w.perhapsDefault(pe, m, y)
}

// perhapsDefault is ${x:-y} of a variable that only the environment may have.
func (w *shell) perhapsDefault(pe *syntax.ParamExp, m many, y val) many {
	v := val{text: word.Unknown, many: true, wild: m.wild || y.wild, by: union(m.by, y.by)}
	if e := pe.Exp.Op; e == syntax.AssignUnset || e == syntax.AssignUnsetOrNull {
		w.set(variable, pe.Param.Value, &cell{vals: []val{v, y}})
	}
	if w.naming && !y.many {
		// What a command's name may be is worth a run of its own.
		c := w.sameAs(pe, &cell{vals: []val{y, v}})
		return many{val: w.choose(c)}
	}
	return many{val: v}
}

// operand is the text of an expansion's right side.
func (w *shell) operand(x *syntax.Word) val {
	v := w.value(x)
	v.many = hasUnknown(v.text)
	return v
}

func either(a, b val) many {
	if a.same(b) {
		return many{val: a}
	}
	return many{val: val{text: word.Unknown, many: true, wild: a.wild || b.wild, by: union(a.by, b.by)}}
}

// isSet tells whether a parameter has a value, and not the empty one where null counts too; sure whether that is known.
func (m many) isSet(null bool) (set, sure bool) {
	switch {
	case m.list:
		return len(m.all) > 0 && (!null || len(m.all) > 1 || m.all[0] != ""), !m.many && !m.anyUnknown()
	case m.unset && hasUnknown(m.text):
		return false, false
	case m.unset:
		return false, true
	case !null:
		return true, true
	case m.text == "":
		return false, true
	case m.text == word.Unknown:
		return false, false
	}
	return true, true
}
