package shellcmd

import (
	"path"
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
	case "command", "builtin", "-", "noglob", "nocorrect", "repeat":
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
	case "coproc":
		return nil
	}
	return nil
}

func (w *shell) note(in *invocation) int {
	w.last = in.Argv[len(in.Argv)-1]
	return w.emit(in.Command)
}

func (w *shell) cd(in *invocation) status {
	w.note(in)
	args := operandsOf(in.Argv)
	for _, a := range in.Argv[1:] {
		if a.Text == "-" {
			args = []word.Arg{a}
		}
	}
	switch name := in.Argv[0].Text; {
	case name == "popd":
		c := w.get(special, "stack")
		if c == nil || len(c.vals) > 1 || len(c.vals[0].list) == 0 {
			w.setDir(word.Arg{Text: word.Unknown})
			return anyStatus
		}
		l := c.vals[0].list
		w.set(special, "stack", one(val{array: true, list: l[:len(l)-1]}))
		w.setDir(word.Lit(l[len(l)-1]))
	case name == "pushd" && len(args) > 0:
		l := []string{w.dir().Text}
		if c := w.get(special, "stack"); c != nil && len(c.vals) == 1 {
			l = append(c.vals[0].list[:len(c.vals[0].list):len(c.vals[0].list)], l...)
		}
		w.set(special, "stack", one(val{array: true, list: l}))
		w.setDir(dirArg(args[0]))
	case name == "pushd":
		w.setDir(word.Arg{Text: word.Unknown})
	case len(args) == 0:
		w.setDir(word.Arg{Text: w.variable("HOME").text})
	case args[0].Text == "-":
		w.setDir(word.Arg{Text: w.variable("OLDPWD").text})
	case args[0].Text == "":
	default:
		w.setDir(dirArg(args[0]))
	}
	return anyStatus
}

// dirArg is a directory as far as it is known: a pattern stands for one that is not.
func dirArg(a word.Arg) word.Arg {
	if a.Glob {
		if i := strings.IndexAny(a.Text, "*?["); i >= 0 {
			a.Text = a.Text[:i] + word.Unknown
		}
	}
	return a
}

func (w *shell) eval(in *invocation) status {
	at := w.note(in)
	args := in.Argv[1:]
	if len(args) > 0 && args[0].Text == "--" {
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
		if w.wellKnown(by) {
			return anyStatus
		}
		bare := strings.ReplaceAll(text, word.Unknown, "")
		if in.wild || strings.TrimSpace(bare) == "" {
			w.unsure("code", text, at)
		}
		w.print(word.Data{Given: true, Text: word.Unknown, From: []int{at}}, true)
		w.forgetAll()
		if strings.TrimSpace(bare) == "" {
			return anyStatus
		}
	}
	defer w.step("eval", "")()
	return w.nested(text)
}

// wellKnown tells whether all of these are programs that print settings for a shell, as their manuals say to use them.
func (w *shell) wellKnown(by []int) bool {
	for _, i := range by {
		if i >= len(w.r.Commands) || !settings(w.r.Commands[i]) {
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
	if len(in.Argv) < 2 {
		return anyStatus
	}
	v, ok := w.content(in.Argv[1])
	if !ok {
		if name := in.Argv[1].Text; (name == "/dev/stdin" || name == "/proc/self/fd/0" || name == "/dev/fd/0") && w.get(special, "in") != nil {
			v, ok = w.choose(w.get(special, "in")), true
		}
	}
	if !ok {
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

func (w *shell) alias(in *invocation) status {
	w.note(in)
	for _, a := range in.Argv[1:] {
		if name, text, ok := strings.Cut(a.Text, "="); ok {
			w.set(alias, name, one(val{text: text}))
		}
	}
	return success
}

func (w *shell) unalias(in *invocation) status {
	w.note(in)
	return anyStatus
}

func (w *shell) setBuiltin(in *invocation) status {
	w.note(in)
	args := in.Argv[1:]
	for i, a := range args {
		switch {
		case a.Text == "--":
			w.set(special, "@", one(list(args[i+1:], in.wild)))
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
		w.set(special, "@", one(list(args[i:], in.wild)))
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
				w.set(variable, name, one(unknownVal(true)))
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
	c := in.Command
	c.Argv = append([]word.Arg{c.Argv[0]}, c.Argv[3:]...)
	d, ok := produce.Output(c)
	v := val{text: d.Text, wild: in.wild}
	if !ok {
		v = unknownVal(true)
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

func (w *shell) getopts(in *invocation) status {
	w.note(in)
	if len(in.Argv) > 2 {
		w.setVar(in.Argv[2].Text, val{text: word.Unknown})
		w.setVar("OPTARG", unknownVal(true))
		w.setVar("OPTIND", val{text: word.Unknown})
	}
	return anyStatus
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

// settings tells whether a program prints settings for a shell that are meant to be evaluated.
func settings(c word.Command) bool {
	args := word.Texts(c.Argv)
	has := func(list ...string) bool {
		for _, want := range list {
			for _, a := range args[1:] {
				if a == want {
					return true
				}
			}
		}
		return false
	}
	if len(args) == 0 {
		return false
	}
	switch path.Base(args[0]) {
	case "ssh-agent", "dircolors", "gdircolors", "lesspipe", "lesspipe.sh", "keychain", "fzf", "thefuck", "register-python-argcomplete":
		return true
	case "direnv", "mise", "rtx", "asdf", "zoxide", "starship", "atuin", "mcfly", "navi", "oh-my-posh":
		return has("hook", "init", "activate", "export", "env", "hook-env")
	case "pyenv", "rbenv", "nodenv", "goenv", "jenv", "plenv", "phpenv", "luaenv":
		return has("init", "virtualenv-init", "sh-shell", "sh-rehash")
	case "brew":
		return has("shellenv")
	case "conda", "mamba", "micromamba":
		return has("shell.bash", "shell.zsh", "shell.posix", "shell", "activate")
	case "minikube", "podman", "docker-machine":
		return has("docker-env", "env", "podman-env")
	case "fnm", "nvm", "volta", "opam", "luarocks", "vcpkg", "poetry", "gpg-agent", "aws", "vault":
		return has("env", "path", "--shell", "--path", "activate", "export-credentials", "--daemon")
	case "resize", "tset", "locale", "getopt", "pip", "pip3", "kubectl", "helm", "gh", "npm", "op", "ng", "rustup", "poe", "uv", "just", "task", "stack", "deno", "bw", "flux", "argocd", "kind", "k3d", "k9s", "istioctl", "cilium", "linkerd":
		return has("completion", "--completion", "completions", "generate-shell-completion", "--") || args[0] == "resize" || args[0] == "tset" || args[0] == "locale" || args[0] == "getopt"
	}
	return false
}
