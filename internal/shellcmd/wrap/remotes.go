package wrap

import (
	"strings"

	"github.com/boathook/boathook/internal/shellcmd/word"
)

// remotes unwraps what runs a command on another machine.
func remotes(name string, c word.Command) ([]word.Inner, bool, bool) {
	switch name {
	case "ssh", "autossh", "dbclient", "rsh", "slogin":
		return ssh(c), true, true
	case "sshpass":
		return run(parse(c.Argv[1:], form{short: "p:f:d:P:e?"}).rest), false, true
	case "mosh", "et":
		o := parse(c.Argv[1:], form{short: "p:", long: "ssh port server client predict"})
		rest := o.rest
		if len(rest) > 1 && rest[1].Text == "--" {
			rest = append(clip(rest[:1]), rest[2:]...)
		}
		if len(rest) < 2 {
			return sshOptions(o.values("ssh")), true, true
		}
		return []word.Inner{{Argv: rest[1:], Host: hostOf(rest[0])}}, true, true
	case "pdsh", "pssh", "parallel-ssh", "dsh", "clush":
		o := parse(c.Argv[1:], form{short: "w:h:H:l:p:t:o:e:x:f:m:g:O:"})
		if len(o.rest) == 0 {
			return nil, true, true
		}
		in := text("sh", joined(o.rest))
		in.Host = "remote"
		return []word.Inner{in}, true, true
	case "vagrant", "limactl", "lima", "colima", "multipass", "orb", "orbctl":
		return machines(name, c), true, true
	case "wsl":
		return wsl(c), true, true
	case "gcloud", "az", "fly", "flyctl", "heroku", "railway", "aws":
		return clouds(name, c), true, true
	}
	return nil, false, false
}

// sshForm are the options of OpenSSH's client.
func sshForm() form { return form{short: "B:b:c:D:E:e:F:I:i:J:L:l:m:O:o:P:p:Q:R:S:W:w:"} }

// ssh runs text on a host; some options run a command here.
func ssh(c word.Command) []word.Inner {
	o := parse(c.Argv[1:], sshForm())
	out := sshOptions(o.values("o"))
	if len(o.rest) == 0 {
		return out
	}
	host := hostOf(o.rest[0])
	// Options may follow the host.
	after := parse(o.rest[1:], sshForm())
	out = append(out, sshOptions(after.values("o"))...)
	if len(after.rest) > 0 {
		in := text("sh", joined(after.rest))
		in.Host = host
		return append(out, in)
	}
	if o.has("N", "W", "f", "V", "G", "Q", "O") || after.has("N", "W", "G") {
		return out
	}
	for _, in := range input("sh", c) {
		in.Host = host
		out = append(out, in)
	}
	return out
}

// sshOptions are the commands that ssh -o names.
func sshOptions(values []word.Arg) []word.Inner {
	var out []word.Inner
	for _, v := range values {
		i := strings.IndexAny(v.Text, "= ")
		if i < 0 {
			continue
		}
		switch strings.ToLower(v.Text[:i]) {
		case "proxycommand", "localcommand", "knownhostscommand":
			if t := strings.TrimLeft(v.Text[i:], "= "); t != "none" {
				out = append(out, text("sh", part(v, t)))
			}
		}
	}
	return out
}

// hostOf is a host without the user; one that is this machine is none.
func hostOf(a word.Arg) string {
	h := strings.TrimPrefix(a.Text, "ssh://")
	h = h[strings.LastIndexByte(h, '@')+1:]
	if i := strings.IndexByte(h, ':'); i >= 0 && strings.Count(h, ":") == 1 {
		h = h[:i]
	}
	switch h {
	case "localhost", "127.0.0.1", "::1", "[::1]", "0.0.0.0", "0":
		return ""
	case "":
		return "remote"
	}
	return h
}

// machines are virtual machines with a command of their own for ssh.
func machines(name string, c word.Command) []word.Inner {
	args := c.Argv[1:]
	var in word.Inner
	switch {
	case name == "lima":
		in.Argv = args
	case len(args) < 2:
		return nil
	case name == "vagrant" && args[0].Text == "ssh":
		v, ok := parse(args[1:], form{short: "c:", long: "command", permute: true}).value("c", "command")
		if !ok {
			return nil
		}
		in = text("sh", v)
	case name == "multipass" && args[0].Text == "exec", name == "limactl" && args[0].Text == "shell":
		rest := parse(args[1:], form{short: "d:", long: "working-directory workdir shell"}).rest
		if len(rest) < 2 {
			return nil
		}
		rest = rest[1:]
		if rest[0].Text == "--" {
			rest = rest[1:]
		}
		in.Argv = rest
	case name == "colima" && args[0].Text == "ssh":
		in.Argv = parse(args[1:], form{short: "p:", long: "profile"}).rest
	case name == "orb" || name == "orbctl" && args[0].Text == "run":
		in.Argv = parse(args, form{short: "m:u:w:p:s", long: "machine user workdir"}).rest
	}
	if len(in.Argv) == 0 && in.Text == nil {
		return nil
	}
	in.Host = "vm"
	return []word.Inner{in}
}

// wsl runs a command in Linux, on the files of this machine.
func wsl(c word.Command) []word.Inner {
	o := parse(c.Argv[1:], form{short: "d:u:e", long: "distribution user cd shell-type"})
	rest := o.rest
	if o.has("e", "exec") || len(rest) > 0 {
		return run(rest)
	}
	return nil
}

// clouds are commands of clouds that run a command on one of their machines.
func clouds(name string, c word.Command) []word.Inner {
	args := c.Argv[1:]
	texts := word.Texts(args)
	line := strings.Join(texts[:min(len(texts), 4)], " ")
	switch {
	case name == "gcloud" && strings.Contains(line, "ssh"), name == "fly" && strings.HasPrefix(line, "ssh console"),
		name == "flyctl" && strings.HasPrefix(line, "ssh console"):
		o := parse(args, form{short: "C:a:", long: "command zone project app", permute: true})
		if v, ok := o.value("command", "C"); ok {
			in := text("sh", v)
			in.Host = "remote"
			return []word.Inner{in}
		}
	case name == "heroku" && (strings.HasPrefix(line, "run") || strings.HasPrefix(line, "ps:exec")), name == "railway" && strings.HasPrefix(line, "ssh"):
		if rest := parse(args[1:], form{short: "a:s:r:e:", long: "app size remote env type"}).rest; len(rest) > 0 {
			in := text("sh", joined(rest))
			in.Host = "remote"
			return []word.Inner{in}
		}
	case name == "railway" && strings.HasPrefix(line, "run"):
		return run(parse(args[1:], form{short: "s:e:p:", long: "service environment project"}).rest)
	}
	return nil
}
