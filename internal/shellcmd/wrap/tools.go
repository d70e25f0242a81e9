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
		return texts(parse(args, form{short: "b:i:n:P:s:t:x:Z:", long: "unzip-command", permute: true}).values("TT", "unzip-command")), true, true
	case "man":
		return texts(parse(args, form{short: "P:S:M:L:C:m:R:E:r:H?X?T?", long: "pager sections manpath locale config-file", permute: true}).values("P", "pager")), true, true
	case "tmux":
		return tmux(args), true, true
	case "screen":
		return screen(args), true, true
	case "crontab":
		return crontab(c), true, true
	case "make", "gmake":
		return makeEval(args), true, true
	case "start-stop-daemon":
		o := parse(args, form{short: "x:p:u:g:n:c:a:d:r:", long: "exec pidfile user group name chuid startas chdir chroot", permute: true})
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
	o := parse(c.Argv[1:], form{short: "c:S:s:u:U:i:T:t:w:W:", long: "cmd servername remote remote-send remote-expr startuptime", permute: true})
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
	}
	return out
}

// cut bounds a text that is read line by line.
func cut(s string) string { return s[:min(len(s), 1<<16)] }

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

// makeEval is the text of make --eval with $(shell …), and a SHELL that make is given.
func makeEval(args []word.Arg) []word.Inner {
	o := parse(args, form{short: "C:f:I:j?l?o:W:E:", long: "eval directory file makefile include-dir jobs? old-file what-if", permute: true})
	var out []word.Inner
	for _, v := range o.values("eval", "E") {
		t := v.Text
		for len(out) < most {
			_, after, ok := strings.Cut(t, "$(shell ")
			if !ok {
				break
			}
			body, rest, _ := strings.Cut(after, ")")
			out, t = append(out, text("sh", word.Lit(body))), rest
		}
		if _, recipe, ok := strings.Cut(v.Text, ":"); ok {
			if _, body, ok := strings.Cut(recipe, "\t"); ok {
				out = append(out, text("sh", word.Lit(strings.TrimLeft(body, "@-+"))))
			} else if _, body, ok := strings.Cut(recipe, ";"); ok {
				out = append(out, text("sh", word.Lit(strings.TrimLeft(body, " @-+"))))
			}
		}
	}
	return out
}

// sqlShell are the shell commands that databases' clients take.
func sqlShell(name string, c word.Command) []word.Inner {
	o := parse(c.Argv[1:], form{short: "c:e:cmd:f:d:h:U:p:P:u:D:v:", long: "command execute cmd", permute: true, single: name == "sqlite3"})
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
	}
	return out
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
