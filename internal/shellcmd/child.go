package shellcmd

import (
	"strings"

	"github.com/boathook/boathook/internal/shellcmd/inline"
	"github.com/boathook/boathook/internal/shellcmd/word"
)

// child runs text in a shell of its own, that has of this one what is exported.
func (w *shell) child(text, lang string, args []word.Arg) {
	s := newState()
	for at, c := range w.cells {
		if at.kind == file || at.kind == special && (at.name == "in" || at.name == "out" || at.name == "dir") ||
			at.kind == variable && w.inherited(c) || at.kind == function && strings.Contains(c.vals[0].attr, "x") {
			s.cells[at] = c
		}
	}
	sub := &shell{
		r: w.r, bud: w.bud, opt: w.opt, state: s, base: -1, via: w.via, maybe: w.maybe, user: w.user, host: w.host, mounts: w.mounts,
		piped: w.piped, capture: w.capture, again: w.again, seen: w.seen, picks: w.picks, last: w.last,
		inTraps: w.inTraps, files: w.files, fileNames: w.fileNames,
	}
	sub.lang = langOf(lang)
	list := make([]string, 0, len(args))
	for i, a := range args {
		if i == 0 {
			s.set(special, "0", one(val{text: a.Text, many: a.Many}))
			continue
		}
		list = append(list, a.Text)
	}
	s.set(special, "@", one(val{array: true, list: list}))
	for _, name := range [...]string{"BASH_ENV", "ENV"} {
		if v, ok := sub.content(word.Arg{Text: sub.variable(name).text}); ok {
			sub.nested(v.text)
		}
	}
	if lang == "fish" {
		text = fishText(text)
	}
	sub.read(text)
	sub.atEnd()
	w.seen, w.files, w.fileNames = sub.seen, sub.files, sub.fileNames
	for at, c := range s.cells {
		if at.kind == file || at.kind == special && (at.name == "out" || at.name == "in") {
			w.put(at, c)
		}
	}
}

func (w *shell) inherited(c *cell) bool {
	for _, v := range c.vals {
		if strings.Contains(v.attr, "x") {
			return true
		}
	}
	return false
}

// code runs text that a program takes as code.
func (w *shell) code(n *word.Inner, outer word.Command, in *invocation) {
	lang := n.Lang
	text := n.Text.Text
	if !shellLang(lang) {
		inner, unsure := inline.ReadIn(inline.Env{Var: w.environment}, lang, text, n.Args)
		if (unsure || text == word.Unknown) && !w.fromFile(n, outer) {
			w.unsure("code", text, w.nearest(outer))
		}
		for i := range inner {
			next := *in
			next.depth++
			w.inner(&inner[i], word.Command{Via: w.via, Dir: w.dir(), Assigns: outer.Assigns}, &next, nil)
		}
		return
	}
	if !n.Text.Given || strings.ReplaceAll(text, word.Unknown, "") == "" && text != "" {
		if !w.fromFile(n, outer) {
			w.unsure("code", text, w.nearest(outer))
		}
		w.print(word.Data{Given: true, Text: word.Unknown}, true)
		return
	}
	if hasUnknown(text) && (in.wild || w.wildInput(n, outer)) {
		w.unsure("code", text, w.nearest(outer))
	}
	if lang == "powershell" || lang == "pwsh" || lang == "cmd" {
		w.windows(lang, text)
		return
	}
	w.child(text, lang, n.Args)
}

// fromFile tells whether code that is not known at all is what a file of this machine holds. A script of sed hardly does what its
// file does not, so that one from a variable counts as such, too.
func (w *shell) fromFile(n *word.Inner, outer word.Command) bool {
	if n.Text.Text != word.Unknown {
		return false
	}
	from := n.Text.From
	for _, a := range outer.Argv {
		if len(from) == 0 && a.Text == word.Unknown {
			from = a.By
		}
	}
	if len(from) > 0 {
		return w.wellKnown(from)
	}
	return n.Lang == "sed" || n.Text.Given && outer.Stdin.Given && outer.Stdin.Text == word.Unknown && w.inputLies(outer, 0)
}

// wildInput tells whether code comes from input that is not known.
func (w *shell) wildInput(n *word.Inner, outer word.Command) bool {
	return n.Stdin != nil || outer.Stdin.Given && outer.Stdin.Text == n.Text.Text
}

func (w *shell) nearest(c word.Command) int {
	if n := len(w.r.Commands); n > 0 {
		last := w.r.Commands[n-1]
		if len(last.Argv) > 0 && len(c.Argv) > 0 && last.Argv[0].Text == c.Argv[0].Text {
			return n - 1
		}
	}
	return -1
}

func shellLang(s string) bool {
	switch s {
	case "", "sh", "bash", "zsh", "dash", "ksh", "mksh", "ash", "fish", "powershell", "pwsh", "cmd":
		return true
	}
	return false
}
