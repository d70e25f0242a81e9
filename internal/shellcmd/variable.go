package shellcmd

import (
	"slices"
	"strconv"
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"github.com/boathook/boathook/internal/shellcmd/word"
)

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
		return many{val: val{many: v.many, wild: v.wild, by: v.by, glob: v.glob}, list: true, all: v.list, star: name == "*"}, true
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
	return many{val: val{text: v.list[n-1], wild: v.wild, by: v.by, many: hasUnknown(v.list[n-1]), glob: v.glob && patterned(v.list[n-1])}}, true
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

func (v val) ref() string {
	if strings.Contains(v.attr, "n") && syntax.ValidName(v.text) {
		return v.text
	}
	return ""
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
