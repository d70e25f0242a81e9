package effect

import (
	"strings"

	"github.com/boathook/boathook/policy"
)

// bomb notes a function that starts itself beside itself, and code that forks in a loop without end.
func (s *sheet) bomb() {
	name := textOf(s.Argv, 0)
	if s.Op != "" || name == "" {
		return
	}
	in, beside := false, false
	for _, v := range s.Via {
		if v.Kind == "function" && v.Detail == name {
			in = true
		}
		beside = beside || in && (v.Kind == "background" || v.Kind == "pipe")
	}
	if in && beside && (len(s.Argv) == 1 || !s.Maybe) {
		s.add(policy.ForkBomb, "function", name)
		return
	}
	for _, a := range s.Argv[1:] {
		if strings.Contains(a.Text, "fork") && forks(a.Text) {
			s.add(policy.ForkBomb, "code", name)
			return
		}
	}
	if len(s.Stdin.Text) < maxCode && strings.Contains(s.Stdin.Text, "fork") && interpreter(s.Program()) && forks(s.Stdin.Text) {
		s.add(policy.ForkBomb, "code", name)
	}
}

// maxCode is how much of a program's text is looked through.
const maxCode = 64 << 10

// forks tells whether code forks without end.
func forks(code string) bool {
	flat := strings.Join(strings.FieldsFunc(code, func(r rune) bool { return strings.ContainsRune(" \t\n;(){}", r) }), " ")
	for _, p := range [...]string{
		"fork while fork", "fork while 1", "fork while true", "while 1 fork", "while 1: os.fork", "while true: os.fork", "while True: os.fork",
		"while true fork", "loop fork", "fork until", "for ;; fork", "while 1 os.fork", "while True : os.fork",
	} {
		if strings.Contains(flat, p) {
			return true
		}
	}
	return false
}

// interpreter tells whether a program is one of a language whose code it is given.
func interpreter(name string) bool {
	name = strings.TrimRight(name, "0123456789.")
	switch name {
	case "python", "pypy", "perl", "ruby", "node", "nodejs", "deno", "bun", "php", "lua", "luajit", "awk", "gawk", "mawk", "tclsh", "Rscript",
		"osascript", "pwsh", "powershell", "ipython", "tsx", "ts-node", "julia", "swift", "groovy", "jshell", "irb", "raku", "guile", "sbcl", "expect":
		return true
	}
	return false
}
