package shellcmd

import (
	"strconv"
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"github.com/boathook/boathook/internal/shellcmd/produce"
	"github.com/boathook/boathook/internal/shellcmd/word"
)

type builtin func(w *shell, in *invocation) status

// builtinOf is what a shell does itself where that matters to the rest of the text.
func builtinOf(name string) builtin {
	switch name {
	case "cd", "chdir", "pushd", "popd":
		return (*shell).cd
	case "eval":
		return (*shell).eval
	case "source", ".":
		return (*shell).source
	case "exec":
		return (*shell).exec
	case "command", "builtin", "-", "noglob", "nocorrect", "repeat", "coproc", "and", "or", "not":
		return (*shell).precommand
	case "trap":
		return (*shell).trap
	case "alias":
		return (*shell).alias
	case "unalias":
		return (*shell).unalias
	case "set":
		return (*shell).setBuiltin
	case "shift":
		return (*shell).shift
	case "unset":
		return (*shell).unsetBuiltin
	case "exit", "return", "break", "continue", "logout":
		return (*shell).leaveBuiltin
	case "export", "readonly", "declare", "local", "typeset":
		return (*shell).declareBuiltin
	case "hash", "enable":
		return (*shell).hash
	}
	return inputBuiltin(name)
}

func inputBuiltin(name string) builtin {
	switch name {
	case "read":
		return (*shell).readBuiltin
	case "mapfile", "readarray":
		return (*shell).mapfile
	case "printf", "print":
		return (*shell).printf
	case "getopts":
		return (*shell).getopts
	case "let":
		return (*shell).let
	case "test", "[":
		return (*shell).test
	case "setopt", "unsetopt":
		return (*shell).setopt
	case "sched":
		return (*shell).sched
	}
	return nil
}

func (w *shell) note(in *invocation) int {
	w.last = in.Argv[len(in.Argv)-1]
	return w.emit(in.Command)
}

func (w *shell) alias(in *invocation) status {
	w.note(in)
	words := false
	for _, a := range in.Argv[1:] {
		words = words || a.Text == "-g" || a.Text == "-s"
		if name, text, ok := strings.Cut(a.Text, "="); ok {
			w.set(alias, name, one(val{text: text}))
			if words {
				// zsh puts these where no command's name is.
				w.later(text)
			}
		}
	}
	return success
}

func (w *shell) unalias(in *invocation) status {
	w.note(in)
	return anyStatus
}

func (w *shell) setBuiltin(in *invocation) status {
	at := w.note(in)
	args := in.Argv[1:]
	if len(args) == 0 { // it lists all variables
		w.printUnknown(at)
	}
	for i, a := range args {
		switch {
		case a.Text == "--":
			w.setArguments(list(args[i+1:], in.wild))
			return success
		case a.Text == "-o" || a.Text == "+o":
			if i+1 < len(args) {
				w.option(args[i+1].Text, a.Text == "-o")
			}
			if i+2 < len(args) {
				continue
			}
			return success
		case strings.HasPrefix(a.Text, "-") && len(a.Text) > 1 || strings.HasPrefix(a.Text, "+"):
			if strings.Contains(a.Text, "a") && a.Text[0] == '-' {
				w.allExport = true
			}
			continue
		case i > 0 && (args[i-1].Text == "-o" || args[i-1].Text == "+o" || strings.HasSuffix(args[i-1].Text, "o") && strings.HasPrefix(args[i-1].Text, "-")):
			w.option(a.Text, args[i-1].Text[0] == '-')
			continue
		case a.Text == "-":
			continue
		}
		w.setArguments(list(args[i:], in.wild))
		return success
	}
	return success
}

func (w *shell) option(name string, on bool) {
	switch name {
	case "allexport":
		w.allExport = on
	case "shwordsplit":
		if w.zsh {
			w.split = on
		}
	}
}

func (w *shell) shift(in *invocation) status {
	w.note(in)
	n := 1
	if len(in.Argv) > 1 {
		var err error
		if n, err = strconv.Atoi(in.Argv[1].Text); err != nil {
			w.set(special, "@", one(val{array: true, list: []string{word.Unknown}, many: true, wild: true}))
			return anyStatus
		}
	}
	c := w.get(special, "@")
	if c == nil {
		return failure
	}
	v := w.choose(c)
	if v.many {
		v.list = []string{word.Unknown}
		w.set(special, "@", one(v))
		return anyStatus
	}
	if n < 0 || n > len(v.list) {
		return failure
	}
	v.list = v.list[n:]
	w.set(special, "@", one(v))
	return success
}

func (w *shell) unsetBuiltin(in *invocation) status {
	w.note(in)
	w.subscripts(in.Argv[1:])
	functions := false
	for _, a := range in.Argv[1:] {
		switch {
		case a.Text == "-f":
			functions = true
		case a.Text == "-v" || a.Text == "-n":
		case functions:
			w.set(function, a.Text, nil)
		default:
			name, _, elem := strings.Cut(a.Text, "[")
			switch {
			case elem:
				w.unsetElement(name, a.Text)
			case w.get(variable, name) == nil && w.get(function, name) != nil:
				w.set(function, name, nil)
			default:
				w.set(variable, name, one(val{unset: true}))
			}
		}
	}
	return success
}

func (w *shell) leaveBuiltin(in *invocation) status {
	w.note(in)
	switch name := in.Argv[0].Text; name {
	case "break", "continue":
		if name == "break" || len(in.Argv) > 1 {
			name = "loop"
		}
		w.leaveTo(name)
	case "return":
		w.leaveTo("return")
	default:
		w.end()
	}
	return anyStatus
}

// end is the end of this shell.
func (w *shell) end() {
	w.atExit()
	if c := w.get(special, "out"); c != nil && w.capture && len(w.printed) < 16 {
		w.printed = append(w.printed, c)
	}
	w.dead = true
}

func (w *shell) declareBuiltin(in *invocation) status {
	d := declaration{local: w.inFunction() && (in.Argv[0].Text == "local" || in.Argv[0].Text == "declare" || in.Argv[0].Text == "typeset")}
	if in.Argv[0].Text == "export" {
		d.attr = "x"
	}
	for _, a := range in.Argv[1:] {
		w.declareText(a.Text, &d, &in.Command, in.wild)
	}
	w.note(in)
	return anyStatus
}

// hash is hash -p /bin/rm x, after which x is rm; enable -f loads code.
func (w *shell) hash(in *invocation) status {
	at := w.note(in)
	args := in.Argv[1:]
	for i, a := range args {
		if a.Text == "-p" && in.Argv[0].Text == "hash" && i+2 < len(args) {
			w.set(alias, args[i+2].Text, one(val{text: quoted(args[i+1])}))
		}
		if a.Text == "-f" && in.Argv[0].Text == "enable" {
			w.unsure("code", textOf(in.Argv), at)
		}
	}
	return anyStatus
}

func (w *shell) printf(in *invocation) status {
	if len(in.Argv) < 4 || in.Argv[1].Text != "-v" {
		return w.program(in)
	}
	w.note(in)
	w.subscripts(in.Argv[2:3])
	c := in.Command
	c.Argv = append([]word.Arg{c.Argv[0]}, c.Argv[3:]...)
	d, ok := produce.Output(c)
	v := val{text: d.Text, wild: in.wild}
	if !ok {
		v = unknownVal(true)
	}
	if in.Argv[0].Text == "print" {
		v.text = strings.TrimSuffix(v.text, "\n")
	}
	v.many = hasUnknown(v.text)
	name := in.Argv[2].Text
	if i := strings.IndexByte(name, '['); i > 0 {
		w.setVar(name[:i], unknownVal(true))
		return success
	}
	w.setVar(name, v)
	return success
}

func (w *shell) let(in *invocation) status {
	w.note(in)
	for _, a := range in.Argv[1:] {
		if !a.Known() || len(a.Text) > 500 {
			continue
		}
		if x, err := syntax.NewParser().Arithmetic(strings.NewReader(a.Text)); err == nil {
			w.arith(x)
		}
	}
	return anyStatus
}
