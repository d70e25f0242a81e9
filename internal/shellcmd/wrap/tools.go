package wrap

import (
	"strings"

	"github.com/boathook/boathook/internal/shellcmd/word"
)

// tools unwraps the commands that programs for other things can be told to run: tar, rsync, vim, zip.
func tools(name string, c word.Command) ([]word.Inner, bool, bool) {
	args := c.Argv[1:]
	switch name {
	case "tar", "gtar", "bsdtar":
		return tar(args), true, true
	case "rsync":
		o := parse(args, form{short: "e:f:B:T:M:", long: "rsh rsync-path exclude include filter files-from exclude-from include-from log-file port password-file temp-dir partial-dir", permute: true})
		return texts(append(o.values("e", "rsh"), o.values("rsync-path")...)), true, true
	case "vim", "vi", "nvim", "view", "ex", "gvim", "vimdiff", "rvim":
		return vim(name, c), true, true
	case "ed", "red":
		return edLines(c), true, true
	case "zip":
		return texts(zipTest(args)), true, true
	case "man":
		return texts(parse(args, form{short: "P:S:M:L:C:m:R:E:r:H?X?T?", long: "pager sections manpath locale config-file", permute: true}).values("P", "pager")), true, true
	case "tmux":
		return tmux(args), true, true
	case "screen":
		return screen(args), true, true
	case "crontab":
		return crontab(c), true, true
	case "make", "gmake":
		return makes(c), true, true
	case "start-stop-daemon":
		o := parse(args, form{short: "x:p:u:g:n:c:a:d:r:", long: "exec pidfile user group name chuid startas start? stop? chdir chroot", permute: true})
		if v, ok := o.value("a", "startas", "x", "exec"); ok {
			return []word.Inner{{Argv: append([]word.Arg{v}, o.rest...)}}, true, true
		}
	case "sqlite3", "psql", "mysql", "mariadb":
		return sqlShell(name, c), true, true
	case "pwsh", "powershell", "cmd":
		return nil, false, false
	case "socat":
		return socat(args), true, true
	case "nc", "ncat", "netcat":
		o := parse(args, form{short: "e:c:p:s:w:i:q:X:x:I:O:T:m:G:", long: "exec sh-exec lua-exec source-port source", permute: true})
		out := texts(o.values("c", "sh-exec"))
		for _, v := range o.values("e", "exec") {
			out = append(out, run(splitWords(v.Text))...)
		}
		return out, true, true
	}
	return nil, false, false
}

// zipTest is the command that -TT gives zip to test its archive with.
func zipTest(args []word.Arg) []word.Arg {
	var out []word.Arg
	for i, a := range args {
		if t, ok := strings.CutPrefix(a.Text, "-TT"); ok && t != "" {
			out = append(out, part(a, t))
		} else if (ok || a.Text == "--unzip-command") && i+1 < len(args) {
			out = append(out, args[i+1])
		}
	}
	return out
}

// tar runs what its options and checkpoints name.
func tar(args []word.Arg) []word.Inner {
	f := form{
		short: "f:C:T:X:b:K:N:V:I:F:g:H:L:", long: "file directory to-command use-compress-program checkpoint-action rmt-command rsh-command " +
			"info-script new-volume-script exclude exclude-from files-from transform xform checkpoint? owner group mode", permute: true,
	}
	// Letters without a dash take their values from the words behind.
	if len(args) > 0 && !strings.HasPrefix(args[0].Text, "-") {
		if i := strings.IndexByte(args[0].Text, 'I'); i < 0 {
			args = args[1:]
		}
	}
	o := parse(args, f)
	out := texts(o.values("to-command", "I", "use-compress-program", "F", "info-script", "new-volume-script", "rmt-command", "rsh-command"))
	for _, v := range o.values("checkpoint-action") {
		if t, ok := strings.CutPrefix(v.Text, "exec="); ok {
			out = append(out, text("sh", part(v, t)))
		}
	}
	return out
}

// vim runs shell commands of -c and +, and of what ex reads.
func vim(name string, c word.Command) []word.Inner {
	o := parse(exMode(c.Argv[1:]), form{short: "c:S:s:u:U:i:T:t:w:W:", long: "cmd servername remote remote-send remote-expr startuptime", permute: true})
	lines := word.Texts(o.values("c", "cmd"))
	for _, a := range o.rest {
		if t, ok := strings.CutPrefix(a.Text, "+"); ok {
			lines = append(lines, t)
		}
	}
	if (name == "ex" || o.has("e", "E")) && c.Stdin.Given {
		lines = append(lines, strings.Split(cut(c.Stdin.Text), "\n")...)
	}
	var out []word.Inner
	for _, l := range lines {
		if t, ok := bang(l); ok && len(out) < most {
			out = append(out, text("sh", word.Lit(t)))
		}
		if path, ok := vimDelete(l); ok && len(out) < most {
			out = append(out, text("sh", word.Lit("rm -rf -- "+lispPath(path))))
		}
	}
	return out
}

// vimDelete is the path that Vim's delete() is called with.
func vimDelete(l string) (string, bool) {
	for _, call := range []string{"delete(", "vim.fn.delete(", "fs.rm("} {
		i := strings.Index(l, call)
		if i < 0 {
			continue
		}
		rest := strings.TrimLeft(l[i+len(call):], " ")
		rest = strings.TrimPrefix(rest, "expand(")
		if rest == "" || rest[0] != '\'' && rest[0] != '"' {
			continue
		}
		path, _, ok := strings.Cut(rest[1:], rest[:1])
		return path, ok
	}
	return "", false
}

// exMode gives the options of vim that -es begins with one for each: after -e the letter s has no value.
func exMode(args []word.Arg) []word.Arg {
	out := make([]word.Arg, 0, len(args)+1)
	for _, a := range args {
		t := a.Text
		if len(t) > 2 && t[0] == '-' && strings.Trim(t[1:2], "eE") == "" || len(t) > 2 && t[:2] == "-s" && strings.Trim(t[1:], "sceEnNvy") == "" {
			for t = t[1:]; len(t) > 0 && strings.ContainsAny(t[:1], "eEsnNvyR"); t = t[1:] {
				if t[:1] != "s" {
					out = append(out, word.Lit("-"+t[:1]))
				}
			}
			if t == "" {
				continue
			}
			a = part(a, "-"+t)
		}
		out = append(out, a)
	}
	return out
}

// cut bounds a text that is read line by line.
func cut(s string) string { return s[:min(len(s), maxLines)] }

const maxLines = 1 << 16

// bang finds the shell command of an ex line: !cmd, %!cmd, r !cmd, w !cmd, call system('cmd').
func bang(l string) (string, bool) {
	l = strings.TrimLeft(l, " \t:")
	for _, p := range []string{"silent! ", "silent !", "silent ", "sil! ", "sil "} {
		if t, ok := strings.CutPrefix(l, p); ok {
			l = t
			if strings.HasSuffix(p, "!") && p != "silent! " {
				return t, true
			}
		}
	}
	for _, p := range []string{"system(", "systemlist(", "termopen(", "jobstart(", "os.execute("} {
		if i := strings.Index(l, p); i >= 0 {
			t := strings.Trim(l[i+len(p):], `'"[]) `)
			return t, true
		}
	}
	i := strings.IndexByte(l, '!')
	if i < 0 {
		return "", false
	}
	head := strings.Trim(l[:i], " \t0123456789,.$%'<>")
	switch head {
	case "", "r", "re", "read", "w", "wr", "write", "ter", "term", "terminal":
		// q! and w! end with it; a command follows.
		t := strings.TrimSpace(l[i+1:])
		return t, t != "" && (head != "w" || strings.HasPrefix(l[i-1:], " "))
	}
	return "", false
}

// edLines are the shell commands of ed's input.
func edLines(c word.Command) []word.Inner {
	if !c.Stdin.Given {
		return nil
	}
	var out []word.Inner
	for l := range strings.Lines(cut(c.Stdin.Text)) {
		if t, ok := bang(strings.TrimRight(l, "\n")); ok && len(out) < most {
			out = append(out, text("sh", word.Lit(t)))
		}
	}
	return out
}

// tmux runs the command of a new window, and what is typed into one.
func tmux(args []word.Arg) []word.Inner {
	rest := parse(args, form{short: "c:f:L:S:T:"}).rest
	if len(rest) == 0 {
		return nil
	}
	for i, a := range rest { // several commands
		if a.Text == ";" && i+1 < len(rest) {
			return append(tmux(rest[:i]), tmux(rest[i+1:])...)
		}
	}
	verb, rest := rest[0].Text, rest[1:]
	switch verb {
	case "new", "new-session", "neww", "new-window", "splitw", "split-window", "respawn-pane", "respawnp", "respawn-window", "popup", "display-popup":
		return textOrWords(parse(rest, form{short: "c:e:F:f:n:s:t:x:y:l:w:h:S:T:b:"}).rest)
	case "run", "run-shell", "if", "if-shell", "pipe-pane", "pipep":
		return texts(parse(rest, form{short: "c:t:d:"}).rest)
	case "send", "send-keys":
		o := parse(rest, form{short: "t:N:c:"})
		var b strings.Builder
		for _, a := range o.rest {
			switch a.Text {
			case "Enter", "C-m", "KPEnter", "C-j":
				b.WriteByte('\n')
			case "Space":
				b.WriteByte(' ')
			case "C-c", "C-u", "Escape", "C-l":
			default:
				b.WriteString(a.Text)
			}
		}
		if b.Len() > 0 {
			return texts(word.Lits(b.String()))
		}
	}
	return nil
}

// screen runs a command, or has text typed.
func screen(args []word.Arg) []word.Inner {
	o := parse(args, form{short: "c:e:h:p:S:s:t:T:"})
	if o.has("X") {
		if len(o.rest) > 1 && oneOf(o.rest[0].Text, "stuff", "exec", "screen") {
			t := strings.NewReplacer(`\n`, "\n", `\r`, "\n", "^M", "\n").Replace(joined(o.rest[1:]).Text)
			return texts(word.Lits(t))
		}
		return nil
	}
	return run(o.rest)
}

// crontab's standard input has a command in each line.
func crontab(c word.Command) []word.Inner {
	o := parse(c.Argv[1:], form{short: "u:"})
	if !c.Stdin.Given || len(o.rest) > 0 && o.rest[0].Text != "-" || o.has("l", "r", "e") {
		return nil
	}
	var out []word.Inner
	for l := range strings.Lines(cut(c.Stdin.Text)) {
		l = strings.TrimSpace(l)
		if l == "" || l[0] == '#' || len(out) >= most {
			continue
		}
		n := 5
		if l[0] == '@' {
			n = 1
		}
		for range n {
			i := strings.IndexAny(l, " \t")
			if i < 0 {
				l = ""
				break
			}
			l = strings.TrimLeft(l[i:], " \t")
		}
		if l != "" {
			out = append(out, text("sh", word.Lit(l)))
		}
	}
	return out
}

// sqlShell are the shell commands that databases' clients take.
func sqlShell(name string, c word.Command) []word.Inner {
	o := parse(c.Argv[1:], form{short: "c:e:cmd:f:d:h:U:p:P:u:D:v:", long: "command execute cmd pager", permute: true, single: name == "sqlite3"})
	lines := word.Texts(append(o.values("c", "command", "e", "execute", "cmd"), o.rest...))
	if c.Stdin.Given {
		lines = append(lines, strings.Split(cut(c.Stdin.Text), "\n")...)
	}
	var out []word.Inner
	for _, l := range lines {
		l = strings.TrimSpace(l)
		for _, p := range []string{".shell ", ".system ", `\! `, `\!`, "system "} {
			t, ok := strings.CutPrefix(l, p)
			if ok && len(out) < most && strings.HasPrefix(p, ".") == (name == "sqlite3") {
				out = append(out, text("sh", word.Lit(strings.TrimRight(t, ";"))))
				break
			}
		}
		if t, ok := pipedTo(name, l); ok && len(out) < most {
			out = append(out, text("sh", word.Lit(t)))
		}
	}
	return append(out, texts(o.values("pager"))...)
}

// pipedTo is the command to which a line of a database's client sends what it prints: .output '|cmd', \o |cmd.
func pipedTo(name, l string) (string, bool) {
	verb, rest, _ := strings.Cut(l, " ")
	if name == "sqlite3" && !oneOf(verb, ".output", ".once", ".o", ".read", ".import", ".log") || name != "sqlite3" && !oneOf(verb, `\o`, `\g`, `\w`, `\out`, "pager", `\P`) {
		return "", false
	}
	rest = strings.TrimSpace(rest)
	bare := strings.TrimLeft(rest, `'"`)
	t, piped := strings.CutPrefix(bare, "|")
	if t = strings.TrimRight(t, `'";`); verb == "pager" || verb == `\P` {
		return strings.TrimRight(bare, `'";`), bare != ""
	}
	return t, piped
}

// socat runs the commands of its addresses.
func socat(args []word.Arg) []word.Inner {
	var out []word.Inner
	for _, a := range args {
		i := strings.IndexByte(a.Text, ':')
		if i < 0 || strings.HasPrefix(a.Text, "-") {
			continue
		}
		switch strings.ToLower(a.Text[:i]) {
		case "exec", "system", "shell":
			t, _, _ := strings.Cut(a.Text[i+1:], ",")
			out = append(out, text("sh", part(a, t)))
		}
	}
	return out
}
