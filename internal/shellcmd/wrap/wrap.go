// Package wrap knows the programs that run another: sudo, env, xargs, find -exec, sh -c, ssh, docker exec and their like.
package wrap

import (
	"strings"

	"github.com/boathook/boathook/internal/shellcmd/word"
)

// Unwrap gives what a command runs in turn; also what an interpreter is given by its arguments or its input. self says that the
// command does something of its own beside (find deletes, docker removes); plain wrappers do not.
func Unwrap(c word.Command) (inner []word.Inner, self bool) {
	if c.Op != "" || len(c.Argv) == 0 {
		return nil, true
	}
	name := programName(c)
	inner, self = unwrapNamed(name, c)
	inner = append(inner, settings(c)...)
	if name != "xargs" && name != "gxargs" && name != "parallel" && (len(inner) >= most || lengthy(name, c)) {
		// What is over the bound is not read, and may be anything.
		inner = append(inner, word.Inner{Text: &word.Data{Given: true, Text: word.Unknown}, Lang: "sh", Maybe: true})
	}
	for i := range inner {
		if inner[i].Via.Kind == "" {
			inner[i].Via = word.Via{Kind: kindOf(inner[i]), Detail: name}
		}
	}
	return inner, self
}

// lengthy tells whether a program whose commands are looked for line by line is given more than is looked at.
func lengthy(name string, c word.Command) bool {
	switch name {
	case "ed", "red", "ex", "vim", "vi", "nvim", "crontab", "sqlite3", "psql", "mysql", "mariadb", "dc", "make", "gmake", "emacs", "emacsclient":
	default:
		return false
	}
	for _, a := range c.Argv {
		if len(a.Text) > maxLines {
			return true
		}
	}
	return len(c.Stdin.Text) > maxLines && name != "psql" && name != "mysql" && name != "mariadb"
}

// unwrapNamed asks the families of wrappers in turn.
func unwrapNamed(name string, c word.Command) ([]word.Inner, bool) {
	if f, ok := plainForm(name); ok {
		return plain(f, c)
	}
	for _, family := range []func(string, word.Command) ([]word.Inner, bool, bool){
		shells, users, builtins, searchers, interpreters, remotes, containers, runners, gits, tools, windows,
		terminals, watchers, pagers,
	} {
		if inner, self, ok := family(name, c); ok {
			return inner, self
		}
	}
	return nil, true
}

// kindOf is how an inner one is reached where the wrapper does not say.
func kindOf(in word.Inner) string {
	switch {
	case in.Text == nil:
		return "wrapper"
	case IsShell(in.Lang):
		return "shell"
	}
	return "code"
}

// IsShell tells whether a language is one of a shell.
func IsShell(lang string) bool {
	switch lang {
	case "sh", "bash", "zsh", "dash", "ksh", "fish", "powershell", "cmd":
		return true
	}
	return false
}

// programName is the name by which tables know a program: without directories, .exe and, for what is no one-letter name, in lower case.
func programName(c word.Command) string {
	name := c.Argv[0].Text
	name = name[strings.LastIndexAny(name, `/\`)+1:]
	if len(name) == 1 {
		return name
	}
	return strings.TrimSuffix(strings.ToLower(name), ".exe")
}

// known makes data of an argument.
func known(a word.Arg) *word.Data {
	text := a.Text
	if a.Many && !strings.Contains(text, word.Unknown) {
		text += word.Unknown
	}
	return &word.Data{Given: true, Text: text}
}

// text is code that an argument holds.
func text(lang string, a word.Arg) word.Inner { return word.Inner{Text: known(a), Lang: lang} }

// input is code that the command's input holds.
func input(lang string, c word.Command) []word.Inner {
	if !c.Stdin.Given {
		return nil
	}
	d := c.Stdin
	return []word.Inner{{Text: &d, Lang: lang, Stdin: &word.Data{}}}
}

// run is a command, or nothing where no words are left.
func run(argv []word.Arg) []word.Inner {
	if len(argv) == 0 {
		return nil
	}
	return []word.Inner{{Argv: argv}}
}

// joined is the text that programs make of several words before a shell reads it: ssh, watch, tmux.
func joined(args []word.Arg) word.Arg {
	var b strings.Builder
	out := word.Arg{}
	for i, a := range args {
		if i > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(a.Text)
		out.Many = out.Many || a.Many && !strings.Contains(a.Text, word.Unknown)
	}
	out.Text = b.String()
	return out
}
