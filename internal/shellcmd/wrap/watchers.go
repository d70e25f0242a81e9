package wrap

import (
	"strings"

	"github.com/boathook/boathook/internal/shellcmd/word"
)

// watchers unwraps what runs a command again and again, as files change, and the tools of builds that run one on the side.
func watchers(name string, c word.Command) ([]word.Inner, bool, bool) {
	args := c.Argv[1:]
	switch name {
	case "watchexec":
		o := parse(args, form{short: "w:W:e:f:i:o:s:d:E:p?j:", long: "watch watch-non-recursive exts filter ignore on-busy-update signal debounce env workdir shell " +
			"stop-signal stop-timeout delay-run poll? filter-file ignore-file project-origin wrap-process fs-events notify? color log-file"})
		return textOrWords(o.rest), true, true
	case "onchange", "reflex", "wach", "gaze", "modd", "supervisor", "forever":
		if rest := afterDashes(args); len(rest) < len(args) {
			return textOrWords(rest), true, true
		}
		return texts(parse(args, form{short: "c:x:", long: "command exec", permute: true}).values("c", "command", "x", "exec")), true, true
	case "nodemon", "chokidar", "tsc-watch", "cargo-watch", "bacon", "air", "fswatch-run":
		return texts(watchTexts(args)), true, true
	case "tsx-watch", "lerna":
		if len(args) > 1 && oneOf(args[0].Text, "exec") {
			return textOrWords(parse(args[1:], form{long: "scope ignore concurrency since"}).rest), true, true
		}
		return nil, true, true
	case "cmake", "cmake3":
		return cmake(args), true, true
	case "meson":
		if len(args) > 1 && args[0].Text == "devenv" {
			return run(parse(args[1:], form{short: "C:w:", long: "workdir"}).rest), true, true
		}
		return nil, true, true
	case "ansible":
		return ansible(args), true, true
	case "salt-call", "salt":
		return salt(name, args), true, true
	case "shx":
		return run(args), false, true
	case "cross-env-shell":
		_, rest := assignments(args)
		return textOrWords(rest), false, true
	}
	return nil, false, false
}

// watchTexts are the command lines of watchers' options.
func watchTexts(args []word.Arg) []word.Arg {
	return parse(args, form{
		short: "x:c:s:e:w:i:d:C:", long: "exec command shell onSuccess onFailure onFirstSuccess onCompilationStarted build.cmd build.bin ext watch ignore " +
			"delay signal config", permute: true,
	}).values("x", "exec", "c", "command", "s", "shell", "onSuccess", "onFailure", "onFirstSuccess", "onCompilationStarted", "build.cmd", "build.bin")
}

// cmake's -E has tools of its own, and runs others.
func cmake(args []word.Arg) []word.Inner {
	if len(args) < 3 || args[0].Text != "-E" {
		return nil
	}
	rest := args[2:]
	switch args[1].Text {
	case "env":
		_, rest = assignments(parse(rest, form{long: "unset modify"}).rest)
		return run(rest)
	case "time":
		return run(rest)
	case "chdir":
		return after(rest)
	case "rm", "remove", "remove_directory":
		if args[1].Text == "remove_directory" {
			rest = append(word.Lits("-rf"), rest...)
		}
		return run(append(word.Lits("rm"), rest...))
	case "rename":
		return run(append(word.Lits("mv"), rest...))
	case "copy", "copy_if_different", "copy_directory", "copy_directory_if_different":
		return run(append(word.Lits("cp", "-r"), rest...))
	case "create_symlink", "create_hardlink":
		return run(append(word.Lits("ln", "-sf"), rest...))
	case "touch", "tar", "cat":
		return run(args[1:])
	}
	return nil
}

// ansible runs a module on hosts; on this one where the pattern or the connection says so.
func ansible(args []word.Arg) []word.Inner {
	o := parse(args, form{short: "m:a:i:u:c:f:e:l:t:k:", long: "module-name args inventory user connection forks extra-vars limit become-user", permute: true})
	given, ok := o.value("a", "args")
	if !ok || len(o.rest) == 0 {
		return nil
	}
	module := "command"
	if m, ok := o.value("m", "module-name"); ok {
		module = m.Text[strings.LastIndexByte(m.Text, '.')+1:]
	}
	var in word.Inner
	switch module {
	case "command", "shell", "raw", "script", "expect":
		in = text("sh", given)
	case "file":
		in = removed(given)
	default:
		return nil
	}
	if in.Text == nil && len(in.Argv) == 0 {
		return nil
	}
	if conn, _ := o.value("c", "connection"); !oneOf(o.rest[0].Text, "localhost", "127.0.0.1") && conn.Text != "local" {
		in.Host = "remote"
	}
	return []word.Inner{in}
}

// removed is what Ansible's module for files deletes: path=… state=absent.
func removed(given word.Arg) word.Inner {
	path, gone := "", false
	for _, f := range splitWords(given.Text) {
		key, value, _ := strings.Cut(f.Text, "=")
		switch {
		case oneOf(key, "path", "dest", "name"):
			path = value
		case key == "state":
			gone = value == "absent"
		}
	}
	if !gone || path == "" {
		return word.Inner{}
	}
	return word.Inner{Argv: []word.Arg{word.Lit("rm"), word.Lit("-rf"), part(given, path)}}
}

// salt's cmd.run is a shell's text, on this machine for salt-call.
func salt(name string, args []word.Arg) []word.Inner {
	for i, a := range args {
		if oneOf(a.Text, "cmd.run", "cmd.shell", "cmd.run_all", "cmd.run_stdout") && i+1 < len(args) {
			in := text("sh", args[i+1])
			if name == "salt" {
				in.Host = "remote"
			}
			return []word.Inner{in}
		}
	}
	return nil
}
