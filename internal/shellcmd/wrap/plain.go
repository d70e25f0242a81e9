package wrap

import "github.com/boathook/boathook/internal/shellcmd/word"

// plainRow is the form of programs that run the command which their last arguments are, and do nothing else of note.
type plainRow struct {
	names string
	form
}

// plainRows are those programs: constants alone, so that they cost nothing at start.
var plainRows = []plainRow{
	{"nohup setsid setarch linux32 linux64 i386 x86_64 builtin noglob nocorrect eatmydata unbuffer catchsegv winpty dbus-run-session nocache " +
		"with-contenv s6-setsid chronic ifne firejail sem", form{}},
	{"time gtime", form{short: "f:o:", long: "format output"}},
	{"nice", form{short: "n:", long: "adjustment"}},
	{"ionice", form{short: "c:n:p:P:u:", long: "class classdata pid pgid uid"}},
	{"chrt", form{short: "T:P:D:p:", long: "sched-runtime sched-period sched-deadline pid", skip: 1}},
	{"taskset envdir setlock setuidgid envuidgid", form{skip: 1}},
	{"numactl", form{short: "i:N:m:C:p:", long: "interleave cpunodebind membind physcpubind preferred"}},
	{"timeout gtimeout", form{short: "k:s:", long: "kill-after signal", skip: 1}},
	{"stdbuf gstdbuf", form{short: "i:o:e:", long: "input output error"}},
	{"exec", form{short: "a:"}},
	{"caffeinate", form{short: "t:w:"}},
	{"arch", form{short: "e:"}},
	{"cpulimit", form{short: "l:c:p:e:P:", long: "limit cpu pid exe path"}},
	{"prlimit", form{short: "p:o:", long: "pid output"}},
	{"choom", form{short: "n:p:", long: "adjust pid"}},
	{"chpst", form{short: "u:U:b:e:m:d:o:p:f:c:r:t:/:n:l:L:"}},
	{"softlimit", form{short: "m:d:s:l:a:o:p:f:c:r:t:"}},
	{"rlwrap", form{short: "a?b:C:D:f:F:g:H:l:m?O:p?P:q:s:S:t:w:z:"}},
	{"torsocks torify tsocks", form{short: "u:p:a:P:", long: "user pass address port"}},
	{"proxychains proxychains4", form{short: "f:"}},
	{"fakeroot fakeroot-ng", form{short: "l:s:i:b:", long: "lib faked"}},
	{"fakechroot", form{short: "e:c:b:d:l:s:"}},
	{"dumb-init tini catatonit", form{short: "r:p:e:", long: "rewrite"}},
	{"retry", form{short: "t:s:m:d:", long: "times delay max tries until"}},
	{"systemd-inhibit", form{long: "what who why mode"}},
	{"systemd-cat", form{short: "t:p:", long: "identifier priority stderr-priority level-prefix"}},
	{"strace", form{short: "a:b:e:E:I:o:O:p:P:s:S:u:U:X:", long: "trace output string-limit attach user trace-path env columns interruptible"}},
	{"ltrace", form{short: "a:A:D:e:F:l:n:o:p:s:u:w:x:"}},
	{"valgrind rr heaptrack memusage xvfb-run dtruss truss uftrace", form{short: "n:e:f:s:p:", long: "server-args server-num auth-file error-file screen-args"}},
	{"daemonize", form{short: "c:e:E:o:p:u:l:"}},
	{"trickle", form{short: "d:u:w:t:l:n:p:L:"}},
}

// plainForm is the form of a plain wrapper.
func plainForm(name string) (form, bool) {
	switch name {
	case "", "ls", "cd", "cat", "git", "grep", "rm", "echo", "go", "npm", "sed", "find", "python3", "node", "make":
		return form{}, false
	}
	for _, r := range plainRows {
		if inList(r.names, name) {
			return r.form, true
		}
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
	if len(rest) > 0 && rest[0].Text == "--" {
		rest = rest[1:]
	}
	return run(rest), f.self || len(rest) == 0
}
