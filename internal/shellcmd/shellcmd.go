// Package shellcmd reads shell text as a shell does and lists every command that may run, with its arguments resolved as far as
// they can be without running anything. It imports no network, starts no process and reads no file.
package shellcmd

import (
	"path"

	"github.com/boathook/boathook/internal/shellcmd/word"
)

// Options are what is known of the shell that would run a text.
type Options struct {
	// Dialect is bash (the default), sh, zsh, dash, ksh, fish, powershell or cmd.
	Dialect string
	// Dir is where it starts, Home the user's home; both absolute, or empty where not known.
	Dir, Home string
	// Env are variables that are known beside HOME and PWD.
	Env map[string]string
}

// Unsure is one place that only a run would tell.
type Unsure struct {
	// Kind is parse (the text is none of the dialect), limit (too large or deep), command (the name of a program), code (what a
	// shell or an interpreter is given).
	Kind string `json:"kind"`
	// Text is what stands there, cut; Command the place of the command it is about, or -1.
	Text    string `json:"text,omitempty"`
	Command int    `json:"command"`
}

// Result is all that a text may run.
type Result struct {
	Commands []word.Command `json:"commands"`
	Unsure   []Unsure       `json:"unsure,omitempty"`
	// Text is what was read, in which words have their bytes.
	Text string `json:"-"`
}

// Parse reads a text. It returns within bounds of time and memory whatever the text is; what lies beyond them is Unsure.
func Parse(text string, o Options) Result {
	// Commands are large, and growing a list of them copies each several times.
	r := Result{Text: text, Commands: make([]word.Command, 0, min(4+len(text)/20, 512))}
	w := &shell{r: &r, bud: newBudget(), opt: o, lang: langOf(o.Dialect), state: newState()}
	if len(text) > maxText {
		text = text[:maxText]
		w.unsure("limit", "the text is longer than 256 KiB", -1)
	}
	w.begin(o)
	if o.Dialect == "powershell" || o.Dialect == "pwsh" || o.Dialect == "cmd" {
		w.windows(o.Dialect, text)
	} else {
		w.read(text)
		w.atEnd()
	}
	if w.bud.over {
		w.unsure("limit", "the text is too deep, or does too much", -1)
	}
	return r
}

// begin sets what a shell knows at its start.
func (w *shell) begin(o Options) {
	set := func(name, value string) {
		w.set(variable, name, one(val{text: value, attr: "x"}))
	}
	set("TMPDIR", "/tmp")
	set("SHELL", "/bin/bash")
	w.set(variable, "BASH", one(val{text: "/bin/bash"}))
	if o.Home != "" {
		set("HOME", o.Home)
		set("USER", path.Base(o.Home))
		set("LOGNAME", path.Base(o.Home))
	}
	if o.Dir != "" {
		set("PWD", o.Dir)
	}
	w.set(special, "dir", one(val{text: o.Dir}))
	for k, v := range o.Env {
		set(k, v)
	}
	w.exports = 0
}
