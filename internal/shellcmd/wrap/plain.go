package wrap

import "github.com/boathook/boathook/internal/shellcmd/word"

// plainForm is the form of a program that runs the command which its last arguments are, and does nothing else of note.
func plainForm(name string) (form, bool) {
	switch name {
	case "nohup", "setarch", "linux32", "linux64", "i386", "x86_64", "builtin", "noglob", "nocorrect", "eatmydata", "unbuffer", "catchsegv",
		"winpty", "dbus-run-session", "cygstart", "nocache", "coproc", "reptyr", "turbostat", "softlimit", "pkgx", "with-contenv", "s6-setsid":
		return form{}, true
	case "time":
		return form{short: "f:o:", long: "format output"}, true
	case "nice":
		return form{short: "n:", long: "adjustment"}, true
	case "ionice":
		return form{short: "c:n:p:P:u:", long: "class classdata pid pgid uid"}, true
	case "chrt":
		return form{short: "T:P:D:p:", long: "sched-runtime sched-period sched-deadline pid", skip: 1}, true
	case "taskset":
		return form{skip: 1}, true
	case "numactl":
		return form{short: "i:N:m:C:p:", long: "interleave cpunodebind membind physcpubind preferred"}, true
	case "timeout", "gtimeout":
		return form{short: "k:s:", long: "kill-after signal", skip: 1}, true
	case "stdbuf", "gstdbuf":
		return form{short: "i:o:e:", long: "input output error"}, true
	case "setsid":
		return form{}, true
	case "exec":
		return form{short: "a:"}, true
	case "caffeinate":
		return form{short: "t:w:"}, true
	case "arch":
		return form{short: "e:", single: false}, true
	case "cpulimit":
		return form{short: "l:c:p:e:P:", long: "limit cpu pid exe path"}, true
	case "prlimit":
		return form{short: "p:o:", long: "pid output"}, true
	case "choom":
		return form{short: "n:p:", long: "adjust pid"}, true
	case "chpst":
		return form{short: "u:U:b:e:m:d:o:p:f:c:r:t:/:n:l:L:"}, true
	case "rlwrap":
		return form{short: "a?b:C:D:f:F:g:H:l:m?O:p?P:q:s:S:t:w:z:"}, true
	case "torsocks", "torify", "tsocks":
		return form{short: "u:p:a:P:", long: "user pass address port"}, true
	case "proxychains", "proxychains4":
		return form{short: "f:"}, true
	case "fakeroot", "fakeroot-ng":
		return form{short: "l:s:i:b:", long: "lib faked"}, true
	case "fakechroot":
		return form{short: "e:c:b:d:l:s:"}, true
	case "firejail":
		return form{long: ""}, true
	case "dumb-init", "tini", "catatonit":
		return form{short: "r:p:e:", long: "rewrite"}, true
	case "errno", "retry":
		return form{short: "t:s:m:d:", long: "times delay max tries until"}, true
	case "systemd-inhibit":
		return form{long: "what who why mode"}, true
	case "systemd-cat":
		return form{short: "t:p:", long: "identifier priority stderr-priority level-prefix"}, true
	case "ts-node-dev", "nodemon":
		return form{}, false
	}
	return debuggerForm(name)
}

// debuggerForm is the same for programs that watch another at work.
func debuggerForm(name string) (form, bool) {
	switch name {
	case "strace":
		return form{short: "a:b:e:E:I:o:O:p:P:s:S:u:U:X:", long: "trace output string-limit attach user trace-path env columns interruptible"}, true
	case "ltrace":
		return form{short: "a:A:D:e:F:l:n:o:p:s:u:w:x:"}, true
	case "valgrind", "rr", "heaptrack", "memusage", "xvfb-run", "xvfb", "dtruss", "truss", "uftrace", "bpftrace", "coverage-run":
		return form{short: "n:e:f:s:p:", long: "server-args server-num auth-file error-file screen-args"}, true
	case "inotifywait":
		return form{}, false
	case "daemonize":
		return form{short: "c:e:E:o:p:u:l:"}, true
	case "dotenv", "dotenvx":
		return form{short: "e:f:v:c:p:", long: "file env env-file", self: true}, true
	case "chronic", "ifne", "ts-run", "sem", "unshare-run":
		return form{}, true
	case "chronyd":
		return form{}, false
	case "trickle":
		return form{short: "d:u:w:t:l:n:p:L:"}, true
	case "envdir":
		return form{skip: 1}, true
	case "setlock":
		return form{skip: 1}, true
	case "setuidgid", "envuidgid":
		return form{skip: 1}, true
	case "usertime", "gtime":
		return form{short: "f:o:", long: "format output"}, true
	}
	return form{}, false
}

// plain unwraps by a form alone.
func plain(f form, c word.Command) ([]word.Inner, bool) {
	rest := parse(c.Argv[1:], f).rest
	if len(rest) < f.skip {
		return nil, true
	}
	rest = rest[f.skip:]
	var assigns []word.Assign
	if f.assigns {
		assigns, rest = assignments(rest)
	}
	if len(rest) > 0 && rest[0].Text == "--" {
		rest = rest[1:]
	}
	if len(rest) == 0 {
		return nil, true
	}
	return []word.Inner{{Argv: rest, Assigns: assigns}}, f.self
}
