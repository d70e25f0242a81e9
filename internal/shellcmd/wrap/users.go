package wrap

import "github.com/boathook/boathook/internal/shellcmd/word"

// users unwraps what runs a command as another user.
func users(name string, c word.Command) ([]word.Inner, bool, bool) {
	args := c.Argv[1:]
	switch name {
	case "sudo", "sudo-rs", "run0", "dzdo":
		return sudo(c), true, true
	case "doas":
		return as(parse(args, form{short: "u:C:a:"}), "u"), true, true
	case "pkexec":
		return as(parse(args, form{long: "user"}), "user"), true, true
	case "gksudo", "kdesudo", "gksu", "beesu":
		return as(parse(args, form{short: "u:", long: "user"}), "u", "user"), true, true
	case "gosu", "su-exec", "setuser":
		if len(args) < 2 {
			return nil, true, true
		}
		return []word.Inner{{Argv: args[1:], User: args[0].Text}}, true, true
	case "su":
		return su(c, form{short: "c:g:G:s:w:T:P", long: "command session-command group supp-group shell whitelist-environment", permute: true}), true, true
	case "runuser":
		f := form{short: "u:c:g:G:s:w:", long: "user command session-command group supp-group shell whitelist-environment"}
		if o := parse(args, f); o.has("u", "user") {
			return as(o, "u", "user"), true, true
		}
		f.permute = true
		return su(c, f), true, true
	case "setpriv":
		return as(parse(args, form{long: "reuid regid groups inh-caps ambient-caps bounding-set securebits pdeathsig selinux-label apparmor-profile"}), "reuid"), true, true
	case "sg", "newgrp":
		return sg(args), true, true
	}
	return nil, false, false
}

// as is the command that stands after the options, as the user that one of them names, or root.
func as(o options, names ...string) []word.Inner {
	assigns, rest := assignments(o.rest)
	if len(rest) == 0 {
		return nil
	}
	return []word.Inner{{Argv: rest, Assigns: assigns, User: userOf(o, names...)}}
}

// userOf is the user that an option names, or root.
func userOf(o options, names ...string) string {
	if v, ok := o.value(names...); ok {
		return v.Text
	}
	return "root"
}

// sudo knows sudo's own ways: a shell (-s, -i), an editor (-e), questions that run nothing (-l, -v).
func sudo(c word.Command) []word.Inner {
	o := parse(c.Argv[1:], form{
		short: "u:g:p:C:c:r:t:T:U:D:R:h:a:",
		long:  "user group prompt chdir chroot host close-from role type other-user command-timeout auth-type login-class preserve-env?",
	})
	user := userOf(o, "u", "user")
	switch {
	case o.has("l", "list", "U", "other-user") || (o.has("v", "validate", "K", "k", "V", "version") && len(o.rest) == 0):
		return nil
	case o.has("e", "edit"):
		if len(o.rest) == 0 {
			return nil
		}
		return []word.Inner{{Op: "overwrite", Argv: o.rest, User: user}}
	}
	inner := as(o, "u", "user")
	if len(inner) == 0 && o.has("s", "i", "shell", "login") {
		inner = input("sh", c)
	}
	for i := range inner {
		inner[i].User = user
		if d, ok := o.value("D", "chdir"); ok {
			inner[i].Dir = &d
		}
	}
	return inner
}

// su runs text (-c) in the user's shell, or the shell with what follows the user, or what comes on the standard input.
func su(c word.Command, f form) []word.Inner {
	o := parse(c.Argv[1:], f)
	user, rest := "root", o.rest
	if len(rest) > 0 && rest[0].Text == "-" {
		rest = rest[1:]
	}
	if len(rest) > 0 {
		user, rest = rest[0].Text, rest[1:]
	}
	var inner []word.Inner
	if t, ok := o.value("c", "command", "session-command"); ok {
		in := text("sh", t)
		in.Args = rest
		inner = []word.Inner{in}
	} else if len(rest) > 0 {
		inner = run(append(word.Lits("sh"), rest...))
	} else {
		inner = input("sh", c)
	}
	for i := range inner {
		inner[i].User = user
	}
	return inner
}

// sg runs a command's text with another group.
func sg(args []word.Arg) []word.Inner {
	if len(args) > 1 && args[0].Text == "-" {
		args = args[1:]
	}
	if len(args) > 2 && args[1].Text == "-c" {
		return []word.Inner{text("sh", args[2])}
	}
	if len(args) == 2 {
		return []word.Inner{text("sh", args[1])}
	}
	return nil
}
