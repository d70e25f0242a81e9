package shellcmd

import (
	"mvdan.cc/sh/v3/syntax"

	"github.com/boathook/boathook/internal/shellcmd/word"
)

// test is [ … ], as far as its result is known.
func (w *shell) test(in *invocation) status {
	w.note(in)
	args := in.Argv[1:]
	w.subscripts(args)
	if in.Argv[0].Text == "[" {
		if len(args) == 0 {
			return anyStatus
		}
		args = args[:len(args)-1]
	}
	for _, a := range args {
		if !a.Known() || a.Glob {
			return anyStatus
		}
	}
	return w.testArgs(args)
}

func (w *shell) testArgs(args []word.Arg) status {
	switch len(args) {
	case 0:
		return failure
	case 1:
		return statusOf(args[0].Text != "")
	case 2:
		switch args[0].Text {
		case "!":
			return statusOf(args[1].Text == "")
		case "-z":
			return statusOf(args[1].Text == "")
		case "-n":
			return statusOf(args[1].Text != "")
		}
	case 3:
		if args[0].Text == "!" {
			return w.testArgs(args[1:]).not()
		}
		return w.compare(args[0].Text, args[1].Text, args[2].Text)
	case 4:
		if args[0].Text == "!" {
			return w.testArgs(args[1:]).not()
		}
	}
	return anyStatus
}

func (w *shell) compare(a, op, b string) status {
	switch op {
	case "=", "==":
		return statusOf(a == b)
	case "!=":
		return statusOf(a != b)
	}
	x, ok1 := w.number(a, 0)
	y, ok2 := w.number(b, 0)
	if !ok1 || !ok2 {
		return anyStatus
	}
	switch op {
	case "-eq":
		return statusOf(x == y)
	case "-ne":
		return statusOf(x != y)
	case "-lt":
		return statusOf(x < y)
	case "-le":
		return statusOf(x <= y)
	case "-gt":
		return statusOf(x > y)
	case "-ge":
		return statusOf(x >= y)
	}
	return anyStatus
}

// testClause is [[ … ]].
func (w *shell) testClause(c *syntax.TestClause) status {
	return w.eachStatus(func() status { return w.testExpr(c.X, 0) })
}

func (w *shell) testExpr(x syntax.TestExpr, depth int) status {
	if depth > maxArith || !w.bud.step() {
		w.bud.over = true
		return anyStatus
	}
	switch x := x.(type) {
	case *syntax.Word:
		v := w.value(x)
		if !v.known() {
			return anyStatus
		}
		return statusOf(v.text != "")
	case *syntax.ParenTest:
		return w.testExpr(x.X, depth+1)
	case *syntax.UnaryTest:
		return w.unaryTest(x, depth)
	case *syntax.BinaryTest:
		return w.binaryTest(x, depth)
	}
	return anyStatus
}

func (w *shell) unaryTest(x *syntax.UnaryTest, depth int) status {
	if x.Op == syntax.TsNot {
		return w.testExpr(x.X, depth+1).not()
	}
	wd, ok := x.X.(*syntax.Word)
	if !ok {
		return w.testExpr(x.X, depth+1)
	}
	v := w.value(wd)
	if !v.known() {
		return anyStatus
	}
	switch x.Op {
	case syntax.TsVarSet:
		w.expandLater(v.text)
	case syntax.TsEmpStr:
		return statusOf(v.text == "")
	case syntax.TsNempStr:
		return statusOf(v.text != "")
	}
	return anyStatus
}

func (w *shell) binaryTest(x *syntax.BinaryTest, depth int) status {
	switch x.Op {
	case syntax.AndTest, syntax.OrTest:
		a, b := w.testExpr(x.X, depth+1), w.testExpr(x.Y, depth+1)
		decides := failure
		if x.Op == syntax.OrTest {
			decides = success
		}
		switch {
		case a == decides || b == decides:
			return decides
		case a == b:
			return a
		}
		return anyStatus
	}
	left, ok1 := x.X.(*syntax.Word)
	right, ok2 := x.Y.(*syntax.Word)
	if !ok1 || !ok2 {
		w.testExpr(x.X, depth+1)
		w.testExpr(x.Y, depth+1)
		return anyStatus
	}
	a := w.value(left)
	switch x.Op {
	case syntax.TsMatch, syntax.TsMatchShort, syntax.TsNoMatch:
		p := w.patternOf(right)
		if !a.known() || hasUnknown(p) || hasExtGlob(right) {
			return anyStatus
		}
		st := statusOf(compile(p).match(a.text, w.bud))
		if x.Op == syntax.TsNoMatch {
			return st.not()
		}
		return st
	}
	b := w.value(right)
	if x.Op == syntax.TsReMatch {
		w.setVar("BASH_REMATCH", val{array: true, list: []string{word.Unknown}, many: true, wild: true})
		return anyStatus
	}
	if !a.known() || !b.known() {
		return anyStatus
	}
	return w.compare(a.text, x.Op.String(), b.text)
}
