package shellcmd

import (
	"strings"

	"github.com/boathook/boathook/internal/shellcmd/word"
	"github.com/boathook/boathook/internal/shellcmd/wrap"
)

// emit lists a command and gives its place, or that of the one that was listed before just so.
func (w *shell) emit(c word.Command) int {
	if c.Dir.Text == "" {
		c.Dir = w.dir()
	}
	if c.Via == nil {
		c.Via = w.via
	}
	c.Maybe = c.Maybe || w.maybe
	c.Piped = c.Piped || w.piped
	if c.User == "" {
		c.User = w.user
	}
	if c.Host == "" {
		c.Host = w.host
	}
	c = wrap.OnHost(c, w.mounts)
	if !c.Stdin.Given {
		if in := w.get(special, "in"); in != nil {
			c.Stdin = data(one(w.choose(in)))
		}
	}
	if len(c.Assigns) == 0 {
		c.Assigns = w.exported()
	}
	if i, ok := w.known(c, len(w.r.Commands)); ok {
		return i
	}
	if !w.bud.take(&w.bud.commands, 1) {
		return len(w.r.Commands) - 1
	}
	w.r.Commands = append(w.r.Commands, c)
	return len(w.r.Commands) - 1
}

// known looks for a command that was listed just so, inside of loops, and notes that this one is at a place.
func (w *shell) known(c word.Command, at int) (int, bool) {
	if w.again == 0 {
		return 0, false
	}
	var b strings.Builder
	b.Grow(128)
	for _, a := range c.Argv {
		b.WriteString(a.Text)
		b.WriteByte(0)
	}
	b.WriteString(c.Op + "\x00" + c.Dir.Text + "\x00" + c.User + "\x00" + c.Host + "\x00" + c.Stdin.Text)
	for _, r := range c.Redirects {
		b.WriteString("\x00" + r.Op + r.Target.Text)
	}
	if !w.bud.spend(b.Len()) {
		return 0, false
	}
	if w.seen == nil {
		w.seen = map[string]int{}
	}
	if i, ok := w.seen[b.String()]; ok {
		return i, true
	}
	w.seen[b.String()] = at
	return 0, false
}

func (w *shell) printUnknown(i int) {
	w.print(word.Data{Given: true, Text: word.Unknown, From: []int{i}}, true)
}

func (w *shell) unsure(kind, text string, command int) {
	for _, u := range w.r.Unsure {
		if u.Kind == kind && u.Command == command && u.Text == shown(text) {
			return
		}
	}
	if len(w.r.Unsure) < 200 {
		w.r.Unsure = append(w.r.Unsure, Unsure{Kind: kind, Text: shown(text), Command: command})
	}
}

func shown(s string) string {
	if len(s) > maxShown {
		s = strings.ToValidUTF8(s[:maxShown], "")
	}
	return s
}

const maxShown = 200

func textOf(args []word.Arg) string {
	var b strings.Builder
	for i, a := range args {
		if i > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(a.Text)
		if b.Len() > maxShown {
			break
		}
	}
	return shown(b.String())
}
