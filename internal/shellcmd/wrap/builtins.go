package wrap

import (
	"strings"

	"github.com/boathook/boathook/internal/shellcmd/word"
)

// builtins unwraps env, command and what else the forms of plain wrappers do not tell.
func builtins(name string, c word.Command) ([]word.Inner, bool, bool) {
	args := c.Argv[1:]
	switch name {
	case "command":
		if o := parse(args, form{}); !o.has("v", "V") {
			return run(o.rest), len(o.rest) == 0, true
		}
		return nil, true, true
	case "env", "genv":
		inner := env(args, 0)
		return inner, len(inner) == 0, true
	case "flock":
		return flock(args), false, true
	case "chroot":
		return chroot(args), true, true
	case "watch":
		o := parse(args, form{short: "n:q:s:", long: "interval equexit shotsdir"})
		if o.has("x", "exec") || len(o.rest) == 0 {
			return run(o.rest), false, true
		}
		return []word.Inner{text("sh", joined(o.rest))}, false, true
	case "hyperfine":
		return hyperfine(args), false, true
	case "gdb", "lldb":
		return debugger(args), true, true
	case "perf":
		return perf(args), true, true
	case "unshare", "nsenter":
		return namespaces(c), true, true
	case "ld.so", "ld-linux.so.2", "ld-linux-x86-64.so.2", "ld-linux-aarch64.so.1", "ld-musl-x86_64.so.1", "ld-musl-aarch64.so.1":
		return run(parse(args, form{long: "library-path preload audit inhibit-rpath argv0"}).rest), false, true
	case "entr":
		o := parse(args, form{})
		if o.has("s") && len(o.rest) > 0 {
			return []word.Inner{text("sh", o.rest[0])}, false, true
		}
		return run(o.rest), false, true
	case "at", "batch":
		return input("sh", c), true, true
	case "script":
		return script(args), true, true
	case "trap", "eval", ".", "source":
		return nil, true, true
	}
	return nil, false, false
}

// env reads env's options, -S among them, whose text stands for words.
func env(args []word.Arg, depth int) []word.Inner {
	o := parse(args, form{short: "u:C:S:P:", long: "unset chdir split-string argv0 block-signal? default-signal? ignore-signal?"})
	rest := o.rest
	if len(rest) > 0 && rest[0].Text == "-" {
		rest = rest[1:]
	}
	if s, ok := o.value("S", "split-string"); ok && depth < 4 {
		words := append(splitWords(s.Text), rest...)
		return env(words, depth+1)
	}
	assigns, rest := assignments(rest)
	if len(rest) == 0 {
		return nil
	}
	in := word.Inner{Argv: rest, Assigns: assigns}
	if d, ok := o.value("C", "chdir"); ok {
		in.Dir = &d
	}
	return []word.Inner{in}
}

// flock runs what follows the lock file, or the text of -c.
func flock(args []word.Arg) []word.Inner {
	o := parse(args, form{short: "w:E:", long: "wait timeout conflict-exit-code"})
	rest := o.rest
	if len(rest) < 2 {
		return nil
	}
	rest = rest[1:]
	if t := rest[0].Text; (t == "-c" || t == "--command") && len(rest) > 1 {
		return []word.Inner{text("sh", rest[1])}
	}
	if v, ok := o.value("c", "command"); ok {
		return []word.Inner{text("sh", v)}
	}
	return run(rest)
}

// chroot runs a command below another root; that root is where its paths begin.
func chroot(args []word.Arg) []word.Inner {
	o := parse(args, form{long: "userspec groups"})
	if len(o.rest) < 2 {
		return nil
	}
	in := word.Inner{Argv: o.rest[1:]}
	if o.rest[0].Text != "/" {
		in.Host = "container"
	}
	return []word.Inner{in}
}

// hyperfine's operands are command lines.
func hyperfine(args []word.Arg) []word.Inner {
	o := parse(args, form{
		short:   "w:m:M:r:s:p:c:P:D:L:S:u:n:i",
		long:    "warmup min-runs max-runs runs setup prepare cleanup conclude parameter-scan parameter-list shell style time-unit export-json export-csv export-markdown command-name output input reference",
		permute: true,
	})
	var out []word.Inner
	for _, a := range append(o.values("s", "setup", "p", "prepare", "c", "cleanup", "conclude", "reference"), o.rest...) {
		out = append(out, text("sh", a))
	}
	return out
}

// debugger runs what follows --args or --, and shell commands of its own language.
func debugger(args []word.Arg) []word.Inner {
	var out []word.Inner
	for i := 0; i < len(args); i++ {
		switch t := args[i].Text; {
		case t == "--args" || t == "--":
			return append(out, run(args[i+1:])...)
		case (t == "-ex" || t == "--ex" || t == "-o" || t == "-eval-command" || t == "--eval-command") && i+1 < len(args):
			i++
			for _, p := range []string{"shell ", "!", "platform shell "} {
				if rest, ok := strings.CutPrefix(args[i].Text, p); ok {
					out = append(out, text("sh", part(args[i], rest)))
				}
			}
		}
	}
	return out
}

// perf's stat, record and trace run a command.
func perf(args []word.Arg) []word.Inner {
	if len(args) < 2 {
		return nil
	}
	switch args[0].Text {
	case "stat", "record", "trace", "mem", "sched":
		return run(parse(args[1:], form{short: "e:o:F:c:p:t:C:r:m:I:x:D:", long: "event output freq count pid tid cpu repeat call-graph delay"}).rest)
	}
	return nil
}

// namespaces runs a command, or a shell with what comes on the standard input, in other namespaces of the same machine.
func namespaces(c word.Command) []word.Inner {
	o := parse(c.Argv[1:], form{
		short: "t:S:G:w?r?m?u?i?n?p?C?U?T?R:",
		long:  "target setuid setgid wd? root? mount? uts? ipc? net? pid? cgroup? user? time? propagation setgroups map-user map-group map-users map-groups monotonic boottime kill-child? mount-proc?",
	})
	if len(o.rest) == 0 {
		return input("sh", c)
	}
	return run(o.rest)
}

// script runs the text of -c, or (BSD) what follows the file.
func script(args []word.Arg) []word.Inner {
	o := parse(args, form{short: "c:E:I:O:B:T:m:o:t?", long: "command echo log-in log-out log-io log-timing logging-format output-limit timing?", permute: true})
	if v, ok := o.value("c", "command"); ok {
		return []word.Inner{text("sh", v)}
	}
	if len(o.rest) > 1 {
		return run(o.rest[1:])
	}
	return nil
}
