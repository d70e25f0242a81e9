package wrap

import (
	"strings"

	"github.com/boathook/boathook/internal/shellcmd/word"
)

// shellLang is the language of a shell by its program's name.
func shellLang(name string) string {
	switch strings.TrimRight(name, "0123456789.-") {
	case "sh", "ash", "posh", "yash", "osh", "csh", "tcsh", "nu", "elvish", "git-shell":
		return "sh"
	case "bash", "rbash":
		return "bash"
	case "zsh", "rzsh":
		return "zsh"
	case "dash":
		return "dash"
	case "ksh", "mksh", "lksh", "pdksh", "oksh", "rksh", "ksh93u+m":
		return "ksh"
	case "fish":
		return "fish"
	}
	return ""
}

// shells unwraps sh -c, a script on standard input, busybox.
func shells(name string, c word.Command) ([]word.Inner, bool, bool) {
	if name == "busybox" || name == "toybox" || name == "busybox.static" {
		return run(parse(c.Argv[1:], form{}).rest), false, true
	}
	lang := shellLang(name)
	if lang == "" {
		return nil, false, false
	}
	s := readShell(lang, c.Argv[1:])
	switch {
	case s.query:
	case s.isText && len(s.rest) > 0:
		in := text(lang, s.rest[0])
		in.Args = s.rest[1:]
		return append(s.init(lang), in), true, true
	case s.isText:
	case len(s.rest) == 0 || s.stdin || isInput(s.rest[0]):
		inner := input(lang, c)
		for i := range inner {
			inner[i].Args = s.args(name)
		}
		return append(s.init(lang), inner...), true, true
	}
	return s.init(lang), true, true
}

// shellArgs are the arguments of a shell, read.
type shellArgs struct {
	isText, stdin, query bool
	first                []word.Arg
	rest                 []word.Arg
}

// args are $0 and the rest for a script from standard input.
func (s shellArgs) args(name string) []word.Arg {
	rest := s.rest
	if !s.stdin && len(rest) > 0 {
		rest = rest[1:]
	}
	return append([]word.Arg{word.Lit(name)}, rest...)
}

// init are texts that run before all: fish -C, bash --rcfile.
func (s shellArgs) init(lang string) []word.Inner {
	var out []word.Inner
	for _, a := range s.first {
		out = append(out, text(lang, a))
	}
	return out
}

// readShell reads a shell's options: -c in any cluster, -o and -O with their values, +x.
func readShell(lang string, args []word.Arg) shellArgs {
	var s shellArgs
	for len(args) > 0 {
		t := args[0].Text
		if args[0].Many && t == word.Unknown && len(args) > 1 {
			args = args[1:]
			continue
		}
		if t == "-" || t == "--" {
			args = args[1:]
			break
		}
		if len(t) < 2 || t[0] != '-' && t[0] != '+' {
			break
		}
		args = s.option(lang, t, args)
	}
	s.rest = args
	return s
}

// option takes one option and what belongs to it from the front of args.
func (s *shellArgs) option(lang, t string, args []word.Arg) []word.Arg {
	rest := args[1:]
	if strings.HasPrefix(t, "--") {
		name, value, eq := strings.Cut(t[2:], "=")
		switch name {
		case "command", "commands":
			s.isText = true
			if eq {
				return append([]word.Arg{part(args[0], value)}, rest...)
			}
		case "init-command":
			if !eq && len(rest) > 0 {
				value, rest = rest[0].Text, rest[1:]
			}
			s.first = append(s.first, word.Lit(value))
		case "rcfile", "init-file":
			if !eq && len(rest) > 0 {
				value, rest = rest[0].Text, rest[1:]
			}
			s.first = append(s.first, word.Lit(". "+shellWord(value)))
		case "emulate":
			if !eq && len(rest) > 0 {
				rest = rest[1:]
			}
		case "version", "help":
			s.query = true
		}
		return rest
	}
	for j := 1; j < len(t); j++ {
		switch {
		case t[j] == 'c' && t[0] == '-':
			s.isText = true
			if lang == "fish" && j+1 < len(t) {
				return append([]word.Arg{part(args[0], t[j+1:])}, rest...)
			}
		case t[j] == 's' && t[0] == '-':
			s.stdin = true
		case t[j] == 'C' && lang == "fish" && len(rest) > 0:
			s.first = append(s.first, rest[0])
			rest = rest[1:]
		case (t[j] == 'o' || t[j] == 'O') && len(rest) > 0:
			rest = rest[1:]
		}
	}
	return rest
}

// isInput tells whether a file is the standard input.
func isInput(a word.Arg) bool {
	switch a.Text {
	case "/dev/stdin", "/dev/fd/0", "/proc/self/fd/0":
		return true
	}
	return false
}
