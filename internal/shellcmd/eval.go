package shellcmd

import (
	"strings"

	"github.com/boathook/boathook/internal/shellcmd/word"
)

func (w *shell) eval(in *invocation) status {
	at := w.note(in)
	args := in.Argv[1:]
	if len(args) > 0 && args[0].Text == "--" && !w.posix {
		args = args[1:]
	}
	var b strings.Builder
	unknown, by := false, []int(nil)
	for i, a := range args {
		if i > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(a.Text)
		unknown = unknown || hasUnknown(a.Text)
		by = union(by, a.By)
	}
	text := b.String()
	if unknown {
		bare := strings.Trim(strings.ReplaceAll(text, word.Unknown, ""), " \t\n;")
		if known := w.wellKnown(by); !known && (in.wild || bare == "") {
			w.unsure("code", text, at)
			w.forgetAll()
		} else if known && plainExport(text) {
			return anyStatus
		}
		w.print(word.Data{Given: true, Text: word.Unknown, From: []int{at}}, true)
		if bare == "" {
			return anyStatus
		}
	}
	defer w.step("eval", "")()
	return w.nested(text)
}

// plainExport tells whether all that is known of a text is that it exports what is not.
func plainExport(text string) bool {
	return strings.TrimSpace(strings.ReplaceAll(strings.ReplaceAll(text, word.Unknown, ""), "export ", "")) == ""
}

// wellKnown tells whether all of these are programs that print settings for a shell, as their manuals say to use them, or print a file
// that lies here, which is no other than to run it.
func (w *shell) wellKnown(by []int) bool {
	for _, i := range by {
		if i >= len(w.r.Commands) || !settings(w.r.Commands[i]) && !w.printsFile(i, 0) {
			return false
		}
	}
	return len(by) > 0
}

// nested reads text in this shell.
func (w *shell) nested(text string) status {
	base := w.base
	w.base = -1
	st := w.read(text)
	w.base = base
	return st
}

func (w *shell) source(in *invocation) status {
	w.fromFiles(&in.Command)
	at := w.note(in)
	if len(in.Argv) < 2 { // fish reads its input
		if c := w.get(special, "in"); c != nil {
			defer w.step("source", "")()
			return w.nested(w.choose(c).text)
		}
		return anyStatus
	}
	v, ok := w.content(in.Argv[1])
	if !ok {
		if name := in.Argv[1].Text; (name == "/dev/stdin" || name == "/proc/self/fd/0" || name == "/dev/fd/0") && w.get(special, "in") != nil {
			v, ok = w.choose(w.get(special, "in")), true
		}
	}
	if !ok {
		w.sourceAny(w.scripts(in.Argv[1]), in.Argv[1].Text)
		w.forget()
		return anyStatus
	}
	if hasUnknown(v.text) && !w.wellKnown(v.by) {
		w.unsure("code", v.text, at)
	}
	if v.text == word.Unknown {
		return anyStatus
	}
	defer w.step("source", in.Argv[1].Text)()
	old := w.get(special, "@")
	if len(in.Argv) > 2 {
		w.set(special, "@", one(list(in.Argv[2:], in.wild)))
	}
	st := w.nested(v.text)
	if len(in.Argv) > 2 {
		w.set(special, "@", old)
	}
	return st
}

// sourceAny reads files that the text made, any of which a path may stand for.
func (w *shell) sourceAny(list []val, name string) {
	defer w.step("source", name)()
	ways := []overlay{{}}
	for _, v := range list {
		ways = append(ways, w.branch(func() { w.perhaps(func() { w.nested(v.text) }) }))
	}
	if len(list) > 0 {
		w.meet(ways...)
	}
}

// forget is called after a file that is not known has run in this shell. What it may have set is not guessed: an everyday
// "source venv/bin/activate" changes nothing that the text has set itself.
func (w *shell) forget() {}

// forgetAll is called after text that is not known at all has run in this shell.
func (w *shell) forgetAll() {
	for at, c := range w.cells {
		if at.kind == variable && at.name != "HOME" && at.name != "IFS" && at.name != "PWD" {
			v := unknownVal(true)
			v.attr = c.vals[0].attr
			w.put(at, one(v))
		}
	}
}

func (w *shell) exec(in *invocation) status {
	args := in.Argv[1:]
	for len(args) > 0 && strings.HasPrefix(args[0].Text, "-") {
		if args[0].Text == "-a" && len(args) > 1 {
			args = args[1:]
		}
		args = args[1:]
	}
	if len(args) == 0 {
		if len(in.Redirects) > 0 {
			w.emit(in.Command)
		}
		return success
	}
	next := *in
	next.Argv, next.noFunction, next.noAlias = args, true, true
	next.Via = append(w.via[:len(w.via):len(w.via)], word.Via{Kind: "wrapper", Detail: "exec"})
	w.dispatch(&next)
	w.end()
	return anyStatus
}

// precommand is command x, builtin x, and zsh's noglob x: x is no function then.
func (w *shell) precommand(in *invocation) status {
	name := in.Argv[0].Text
	args := in.Argv[1:]
	for len(args) > 0 && (args[0].Text == "-p" || args[0].Text == "--") && name == "command" {
		args = args[1:]
	}
	if name == "repeat" && len(args) > 0 {
		args = args[1:]
	}
	if len(args) == 0 || name == "command" && (args[0].Text == "-v" || args[0].Text == "-V") {
		at := w.note(in)
		return w.outputOf(in.Command, at)
	}
	next := *in
	next.Argv, next.noAlias = args, true
	next.noFunction = name == "command" || name == "builtin"
	next.Via = append(w.via[:len(w.via):len(w.via)], word.Via{Kind: "wrapper", Detail: name})
	return w.dispatch(&next)
}
