package shellcmd

import (
	"strings"

	"github.com/boathook/boathook/internal/shellcmd/word"
)

// trap keeps what runs at a signal or at the end. It is run where it is set, and at the end with what the text has made of its variables by then.
func (w *shell) trap(in *invocation) status {
	at := w.note(in)
	args := in.Argv[1:]
	for len(args) > 0 && strings.HasPrefix(args[0].Text, "-") && args[0].Text != "-" {
		args = args[1:]
	}
	if len(args) < 2 {
		return anyStatus
	}
	text := args[0].Text
	if text == "-" || text == "" {
		w.atExit()
		w.set(special, "trap EXIT", nil)
		return success
	}
	if hasUnknown(text) && (in.wild || strings.ReplaceAll(text, word.Unknown, "") == "") {
		w.unsure("code", text, at)
	}
	defer w.step("trap", args[1].Text)()
	if eachCommand(args[1:]) {
		w.runTrap(text, false)
		return success
	}
	w.set(special, "trap EXIT", one(val{text: text}))
	w.traps = true
	if !w.setLater(text) {
		w.runTrap(text, true)
	}
	return success
}

// eachCommand tells whether a trap is for what happens between commands: it runs while the text does.
func eachCommand(signals []word.Arg) bool {
	for _, s := range signals {
		switch s.Text {
		case "DEBUG", "ERR", "RETURN", "ZERR":
		default:
			return false
		}
	}
	return true
}

// setLater tells whether a trap is about variables that the text sets only behind it, as those do that clean up: until then there is
// nothing for it to work on.
func (w *shell) setLater(text string) bool {
	later := false
	for rest := text; ; {
		i := strings.IndexByte(rest, '$')
		if i < 0 {
			return later
		}
		rest = strings.TrimPrefix(rest[i+1:], "{")
		n := 0
		for n < len(rest) && (rest[n] == '_' || '0' <= rest[n] && rest[n] <= '9' || 'a' <= rest[n]|0x20 && rest[n]|0x20 <= 'z') {
			n++
		}
		name := rest[:n]
		if name == "" || w.get(variable, name) != nil || !strings.Contains(w.src, name+"=") {
			return false
		}
		later, rest = true, rest[n:]
	}
}

// maxTraps is how deep traps that set traps are followed.
const maxTraps = 3

// runTrap runs a trap's text; what it changes may be, or may not.
func (w *shell) runTrap(text string, away bool) {
	if w.inTraps >= maxTraps {
		return
	}
	w.inTraps++
	ran := w.branch(func() { w.perhaps(func() { w.nested(text) }) })
	w.inTraps--
	ran.dead = false
	if away {
		for _, c := range ran.set {
			if c.slot.kind == file {
				w.put(c.slot, c.cell)
			}
		}
		return
	}
	w.meet(overlay{}, ran)
}

// atExit runs the trap of the shell's end.
func (w *shell) atExit() {
	if !w.traps {
		return
	}
	c := w.get(special, "trap EXIT")
	if c == nil {
		return
	}
	again := w.again
	w.again++
	for _, v := range c.vals {
		if !v.unset {
			undo := w.step("trap", "EXIT")
			dead := w.dead
			w.runTrap(v.text, false)
			w.dead = dead
			undo()
		}
	}
	w.again = again
}

// atEnd is the end of a shell's text.
func (w *shell) atEnd() {
	w.atExit()
	if len(w.printed) > 0 {
		w.set(special, "out", merge(slot{special, "out"}, append(w.printed, w.get(special, "out"))...))
		w.printed = nil
	}
}
