package shellcmd

import (
	"strconv"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// maxArith is how deep an expression is read.
const maxArith = 200

// arith is the value of an arithmetic expression; it does the assignments in it, and runs its substitutions.
func (w *shell) arith(x syntax.ArithmExpr) (int64, bool) {
	if x == nil {
		return 0, false
	}
	return w.calc(x, 0)
}

func (w *shell) calc(x syntax.ArithmExpr, depth int) (int64, bool) {
	if depth > maxArith || !w.bud.step() {
		w.bud.over = true
		return 0, false
	}
	switch x := x.(type) {
	case *syntax.Word:
		v := w.value(x)
		return w.number(v.text, 0)
	case *syntax.ParenArithm:
		return w.calc(x.X, depth+1)
	case *syntax.UnaryArithm:
		return w.unary(x, depth)
	case *syntax.BinaryArithm:
		return w.binaryArith(x, depth)
	}
	return 0, false
}

// number reads a number, or the variable that a name stands for.
func (w *shell) number(s string, depth int) (int64, bool) {
	s = strings.TrimSpace(s)
	if s == "" {
		return 0, true
	}
	if syntax.ValidName(s) {
		if depth > 8 {
			return 0, false
		}
		v := w.element(s, "", false)
		if v.list || v.unset && hasUnknown(v.text) {
			return 0, false
		}
		return w.number(v.text, depth+1)
	}
	if i := strings.IndexByte(s, '#'); i > 0 {
		base, err := strconv.Atoi(s[:i])
		if err != nil || base < 2 || base > 36 {
			return 0, false
		}
		n, err := strconv.ParseInt(s[i+1:], base, 64)
		return n, err == nil
	}
	if n, err := strconv.ParseInt(s, 0, 64); err == nil && !strings.ContainsAny(s, "_oO") && !strings.HasPrefix(s, "0b") {
		return n, true
	}
	return w.arithText(s, depth)
}

// arithText reads a value that is an expression itself.
func (w *shell) arithText(s string, depth int) (int64, bool) {
	w.expandLater(s)
	if !w.bud.spend(maxBytes/1000) || depth > 8 || hasUnknown(s) || len(s) > 200 {
		return 0, false
	}
	x, err := syntax.NewParser().Arithmetic(strings.NewReader(s))
	if err != nil {
		return 0, false
	}
	if wd, ok := x.(*syntax.Word); ok && wd.Lit() != "" {
		return 0, false
	}
	return w.calc(x, maxArith-20+depth)
}

func (w *shell) unary(x *syntax.UnaryArithm, depth int) (int64, bool) {
	n, ok := w.calc(x.X, depth+1)
	switch x.Op {
	case syntax.Inc, syntax.Dec:
		next := n + 1
		if x.Op == syntax.Dec {
			next = n - 1
		}
		w.assignNumber(x.X, next, ok)
		if x.Post {
			return n, ok
		}
		return next, ok
	case syntax.Minus:
		return -n, ok
	case syntax.Not:
		return truth(n == 0), ok
	case syntax.BitNegation:
		return ^n, ok
	}
	return n, ok
}

func truth(b bool) int64 {
	if b {
		return 1
	}
	return 0
}

func (w *shell) assignNumber(x syntax.ArithmExpr, n int64, ok bool) {
	name := subscript(x)
	if !syntax.ValidName(name) {
		if wd, isWord := x.(*syntax.Word); isWord && len(wd.Parts) == 1 {
			if pe, isParam := wd.Parts[0].(*syntax.ParamExp); isParam && pe.Param != nil {
				w.setVar(pe.Param.Value, unknownVal(true))
			}
		}
		return
	}
	v := val{text: itoa(n)}
	if !ok {
		v = val{text: "\uFFFC"}
	}
	w.setVar(name, v)
}

func (w *shell) binaryArith(x *syntax.BinaryArithm, depth int) (int64, bool) {
	switch x.Op {
	case syntax.TernQuest:
		return w.ternary(x, depth)
	case syntax.Assgn:
		n, ok := w.calc(x.Y, depth+1)
		w.assignNumber(x.X, n, ok)
		return n, ok
	}
	a, ok1 := w.calc(x.X, depth+1)
	b, ok2 := w.calc(x.Y, depth+1)
	if op, assigns := assignOp(x.Op); assigns {
		n, ok := compute(op, a, b)
		w.assignNumber(x.X, n, ok && ok1 && ok2)
		return n, ok && ok1 && ok2
	}
	if x.Op == syntax.Comma {
		return b, ok2
	}
	n, ok := compute(x.Op, a, b)
	return n, ok && ok1 && ok2
}

func (w *shell) ternary(x *syntax.BinaryArithm, depth int) (int64, bool) {
	n, ok := w.calc(x.X, depth+1)
	ways, isWays := x.Y.(*syntax.BinaryArithm)
	if !isWays {
		return 0, false
	}
	if !ok {
		w.calc(ways.X, depth+1)
		w.calc(ways.Y, depth+1)
		return 0, false
	}
	if n != 0 {
		return w.calc(ways.X, depth+1)
	}
	return w.calc(ways.Y, depth+1)
}

func assignOp(op syntax.BinAritOperator) (syntax.BinAritOperator, bool) {
	switch op {
	case syntax.AddAssgn:
		return syntax.Add, true
	case syntax.SubAssgn:
		return syntax.Sub, true
	case syntax.MulAssgn:
		return syntax.Mul, true
	case syntax.QuoAssgn:
		return syntax.Quo, true
	case syntax.RemAssgn:
		return syntax.Rem, true
	case syntax.AndAssgn:
		return syntax.And, true
	case syntax.OrAssgn:
		return syntax.Or, true
	case syntax.XorAssgn:
		return syntax.Xor, true
	case syntax.ShlAssgn:
		return syntax.Shl, true
	case syntax.ShrAssgn:
		return syntax.Shr, true
	}
	return op, false
}

func compute(op syntax.BinAritOperator, a, b int64) (int64, bool) {
	switch op {
	case syntax.Add:
		return a + b, true
	case syntax.Sub:
		return a - b, true
	case syntax.Mul:
		return a * b, true
	case syntax.Quo, syntax.Rem:
		if b == 0 || b == -1 {
			return truth(op == syntax.Quo) * -a, b == -1
		}
		if op == syntax.Quo {
			return a / b, true
		}
		return a % b, true
	case syntax.Pow:
		return power(a, b)
	case syntax.And:
		return a & b, true
	case syntax.Or:
		return a | b, true
	case syntax.Xor:
		return a ^ b, true
	case syntax.Shl:
		return a << uint64(b&63), true
	case syntax.Shr:
		return a >> uint64(b&63), true
	}
	return compare(op, a, b)
}

func compare(op syntax.BinAritOperator, a, b int64) (int64, bool) {
	switch op {
	case syntax.Eql:
		return truth(a == b), true
	case syntax.Neq:
		return truth(a != b), true
	case syntax.Lss:
		return truth(a < b), true
	case syntax.Leq:
		return truth(a <= b), true
	case syntax.Gtr:
		return truth(a > b), true
	case syntax.Geq:
		return truth(a >= b), true
	case syntax.AndArit:
		return truth(a != 0 && b != 0), true
	case syntax.OrArit:
		return truth(a != 0 || b != 0), true
	}
	return 0, false
}

func power(a, b int64) (int64, bool) {
	if b < 0 || b > 64 {
		return 0, false
	}
	n := int64(1)
	for range b {
		n *= a
	}
	return n, true
}
