package shellcmd

import (
	"strings"

	"github.com/boathook/boathook/internal/shellcmd/word"
	"github.com/boathook/boathook/internal/shellcmd/wrap"
)

// setsCode runs text that some variables hold as code: prompts expand their substitutions, PROMPT_COMMAND is one.
func (w *shell) setsCode(name string, v val) {
	switch name {
	case "PROMPT_COMMAND", "precmd_functions":
		w.later(v.text)
	case "PS0", "PS1", "PS2", "PS4", "PROMPT", "RPROMPT":
		w.expandLater(v.text)
	default:
		w.setsProgram(name, v)
	}
}

// setsProgram runs the command that a variable names for programs: GIT_SSH_COMMAND, PAGER. It may run from now on.
func (w *shell) setsProgram(name string, v val) {
	if v.text == "" || v.array || !strings.ContainsAny(v.text, " \t;|&`$(/") || w.inTraps >= maxTraps {
		return
	}
	inner := wrap.Setting(word.Assign{Name: name, Value: v.arg()})
	for i := range inner {
		inner[i].Maybe = true
		w.inner(&inner[i], word.Command{Via: w.via, Dir: w.dir()}, &invocation{depth: w.bud.depth}, nil)
	}
}

// later runs text that may run at some time.
func (w *shell) later(text string) {
	if text == "" || w.inTraps >= maxTraps || !w.bud.step() {
		return
	}
	defer w.step("eval", "")()
	if strings.ReplaceAll(text, word.Unknown, "") == "" {
		w.unsure("code", text, -1)
		return
	}
	w.runTrap(text, true)
}

// expandLater runs the substitutions in text that a shell expands once more: a prompt, ${x@P}, the subscript of an array in a number.
func (w *shell) expandLater(text string) {
	if !strings.Contains(text, "$(") && !strings.Contains(text, "`") {
		return
	}
	w.later(": \"" + strings.ReplaceAll(text, `"`, `\"`) + "\"")
}

// subscripts runs what is in the subscripts of names that a builtin is given: test -v 'a[$(x)]' runs x.
func (w *shell) subscripts(args []word.Arg) {
	for _, a := range args {
		if strings.IndexByte(a.Text, '[') > 0 {
			w.expandLater(a.Text)
		}
	}
}

// hook tells whether a shell calls a function of this name by itself.
func hook(name string) bool {
	switch name {
	case "command_not_found_handle", "command_not_found_handler", "precmd", "preexec", "chpwd", "periodic", "zshexit", "TRAPEXIT", "TRAPINT",
		"TRAPDEBUG", "TRAPZERR", "TRAPTERM", "TRAPHUP", "fish_prompt":
		return true
	}
	return false
}
