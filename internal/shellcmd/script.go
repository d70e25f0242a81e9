package shellcmd

import (
	"path"
	"slices"
	"strings"

	"github.com/boathook/boathook/internal/shellcmd/word"
	"github.com/boathook/boathook/internal/shellcmd/wrap"
)

// runsFile runs what is in a file which the text made, where a program is given it as code, or it is the program.
func (w *shell) runsFile(c word.Command, at int) {
	if !w.hasFiles() {
		return
	}
	if v, ok := w.content(c.Argv[0]); ok && strings.Contains(c.Argv[0].Text, "/") {
		w.runText(v, langOfScript(v.text, "sh"), c.Argv, at)
		return
	}
	if v, ok := w.found(c.Argv[0].Text); ok {
		w.runText(v, langOfScript(v.text, "sh"), c.Argv, at)
		return
	}
	if name := c.Name(); name == "make" || name == "gmake" {
		w.runsMakefile(c, at)
		return
	}
	lang := interpreter(c.Name())
	if lang == "" {
		w.runsOption(c, at)
		return
	}
	for i, a := range c.Argv {
		if a.Text == "-m" && lang == "python" && i+1 < len(c.Argv) {
			if v, ok := w.content(word.Lit(strings.ReplaceAll(c.Argv[i+1].Text, ".", "/") + ".py")); ok {
				w.runText(v, lang, c.Argv[i+1:], at)
			}
			return
		}
	}
	if i := scriptOperand(c.Argv); i > 0 {
		if v, ok := w.content(c.Argv[i]); ok {
			w.runText(v, lang, c.Argv[i:], at)
			return
		}
		w.runsOneOf(w.scripts(c.Argv[i]), lang, c.Argv[i:], at)
	}
}

// scriptOperand is the place of the first operand of a shell, 0 for none.
func scriptOperand(argv []word.Arg) int {
	for i := 1; i < len(argv); i++ {
		t := argv[i].Text
		switch {
		case t == "-o" || t == "+o" || t == "-O" || t == "--rcfile" || t == "--init-file" || t == "-W" || t == "-X":
			i++
		case strings.HasPrefix(t, "-") && t != "-" || strings.HasPrefix(t, "+"):
			if !strings.HasPrefix(t, "--") && strings.ContainsAny(t, "ce") && !strings.HasPrefix(t, "-e") {
				return 0
			}
		default:
			return i
		}
	}
	return 0
}

// maxFiles is how many files that the text made may be run within each other.
const maxFiles = 12

func (w *shell) runText(v val, lang string, args []word.Arg, at int) {
	if v.unset || len(w.bud.running) >= maxFiles || slices.Contains(w.bud.running, v.text) {
		// A file that runs itself does nothing that it has not done.
		return
	}
	w.bud.running = append(w.bud.running, v.text)
	defer func() { w.bud.running = w.bud.running[:len(w.bud.running)-1] }()
	n := word.Inner{Text: &word.Data{Given: true, Text: v.text, From: v.by}, Lang: lang, Args: args, Via: word.Via{Kind: "file", Detail: args[0].Text}}
	outer := w.r.Commands[at]
	in := invocation{Command: outer, wild: v.wild, depth: w.bud.depth}
	w.inner(&n, word.Command{Argv: outer.Argv, Via: w.via, Stdin: outer.Stdin, Assigns: outer.Assigns}, &in, nil)
}

func interpreter(name string) string {
	switch name {
	case "sh", "bash", "zsh", "dash", "ksh", "mksh", "ash", "rbash", "fish":
		return name
	case "python", "python3", "python2":
		return "python"
	case "perl", "ruby", "node", "php", "lua":
		return name
	}
	return wrap.Language(name)
}

// runsMakefile runs the recipes of a makefile that the text made.
func (w *shell) runsMakefile(c word.Command, at int) {
	files := word.Lits("GNUmakefile", "makefile", "Makefile")
	for i, a := range c.Argv {
		t, glued := strings.CutPrefix(a.Text, "-f")
		switch {
		case glued && t == "" && i+1 < len(c.Argv), a.Text == "--file" && i+1 < len(c.Argv), a.Text == "--makefile" && i+1 < len(c.Argv):
			files = append(files, c.Argv[i+1])
		case glued:
			files = append(files, word.Lit(t))
		case a.Text == "-C" && i+1 < len(c.Argv):
			for _, name := range []string{"GNUmakefile", "makefile", "Makefile"} {
				files = append(files, word.Lit(path.Join(c.Argv[i+1].Text, name)))
			}
		}
	}
	for _, f := range files {
		v, ok := w.content(f)
		if !ok {
			continue
		}
		inner := wrap.Makefile(v.text)
		for i := range inner {
			inner[i].Via = word.Via{Kind: "file", Detail: f.Text}
			in := invocation{Command: w.r.Commands[at], wild: v.wild, depth: w.bud.depth}
			w.inner(&inner[i], word.Command{Argv: c.Argv, Via: w.via}, &in, nil)
		}
	}
}

// runsOption runs a file which the text made and an option names as code.
func (w *shell) runsOption(c word.Command, at int) {
	option, lang := "", ""
	switch c.Name() {
	case "go", "rustc", "gcc", "cc", "g++", "c++", "clang", "clang++", "tcc", "javac", "java", "kotlinc", "swift", "swiftc", "nim", "zig", "crystal", "dotnet", "ghc", "runghc":
		for _, a := range c.Argv[1:] {
			if v, ok := w.content(a); ok {
				w.runText(v, "compiled", []word.Arg{a}, at)
			}
		}
		return
	case "awk", "gawk", "mawk", "nawk":
		option, lang = "-f", "awk"
	case "sed", "gsed":
		option, lang = "-f", "sed"
	case "at", "batch":
		option, lang = "-f", "sh"
	default:
		return
	}
	for i, a := range c.Argv {
		if a.Text == option && i+1 < len(c.Argv) {
			if v, ok := w.content(c.Argv[i+1]); ok {
				w.runText(v, lang, c.Argv[i+1:], at)
			}
		}
	}
}

// langOfScript reads the first line of a script.
func langOfScript(text, otherwise string) string {
	if !strings.HasPrefix(text, "#!") {
		return otherwise
	}
	line, _, _ := strings.Cut(text[2:], "\n")
	for _, f := range strings.Fields(line) {
		f = path.Base(f)
		if lang := interpreter(f); lang != "" {
			return lang
		}
		if f != "env" && !strings.HasPrefix(f, "-") {
			return f
		}
	}
	return otherwise
}
