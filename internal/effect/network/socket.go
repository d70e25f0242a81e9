package network

import (
	"strings"

	"github.com/boathook/boathook/internal/effect/stage"
	"github.com/boathook/boathook/internal/effect/unit"
	"github.com/boathook/boathook/internal/shellcmd/word"
	"github.com/boathook/boathook/policy"
)

// redirects finds the paths that bash takes for connections.
func (s *scan) redirects() {
	for _, r := range s.Redirects {
		text := r.Target.Text
		i := strings.Index(text, "/dev/tcp/")
		if i < 0 {
			i = strings.Index(text, "/dev/udp/")
		}
		if i != 0 {
			if r.Op == "<" || r.Op == "<>" {
				s.read(r.Target, false)
			}
			continue
		}
		if s.probe { // it asks what the command prints, which asks here
			continue
		}
		host, _, _ := strings.Cut(text[len("/dev/tcp/"):], "/")
		near := nearFlags(strings.ToLower(host))
		switch {
		case isShell(s.Program()):
			s.add(policy.Listen, "reverse-shell", host, near...)
		case r.Op == "<":
			s.add(policy.Fetch, "tcp", host, near...)
		case r.Op == "<>":
			s.add(policy.Send, "tcp", host, append([]string{"dynamic"}, near...)...)
		case len(s.Argv) == 0:
			s.add(policy.Fetch, "tcp", host, near...) // a probe of the port
		default:
			from := source{}
			if len(s.Argv) > 0 {
				from = s.printed(s.I)
			}
			more, _ := s.stdin()
			from.join(more)
			for _, a := range s.Argv {
				from.join(s.word(a))
			}
			s.add(policy.Send, "tcp", host, append(near, from.flags()...)...)
		}
	}
}

// operation is what inline code does itself.
func (s *scan) operation() {
	target := ""
	if len(s.Argv) > 0 {
		target = s.Argv[0].Text
	}
	switch s.Op {
	case "read":
		for _, a := range s.Argv {
			s.read(a, s.Recursive)
		}
	case "copy":
		if len(s.Argv) > 0 {
			s.read(s.Argv[0], s.Recursive)
		}
	case "fetch":
		near := nearFlags(hostOf(target))
		if metadata(hostOf(target)) {
			s.add(policy.ReadSecret, "cloud-metadata", target)
		}
		s.add(policy.Fetch, "get", target, near...)
	case "send":
		flags := nearFlags(hostOf(target))
		if s.codeReadsSecret() {
			flags = append(flags, "secret")
		}
		s.add(policy.Send, "post", target, flags...)
	case "connect":
		near := nearFlags(hostOf(target))
		if s.codeStartsShell() {
			s.add(policy.Listen, "reverse-shell", target, near...)
			return
		}
		if s.codeReadsSecret() {
			s.add(policy.Send, "tcp", target, append(near, "secret")...)
			return
		}
		s.add(policy.Fetch, "tcp", target, near...)
	}
}

// sameCode tells whether another command was reached through the same code.
func (s *scan) sameCode(c word.Command) bool {
	if len(c.Via) < len(s.Via) || len(s.Via) == 0 {
		return false
	}
	for i, v := range s.Via {
		if c.Via[i] != v {
			return false
		}
	}
	return true
}

func (s *scan) codeStartsShell() bool {
	for i := max(0, s.I-maxOrigins); i < min(len(s.All), s.I+maxOrigins); i++ {
		if c := s.All[i]; s.sameCode(c) && isShell(c.Name()) {
			return true
		}
	}
	return false
}

func (s *scan) codeReadsSecret() bool {
	for i := max(0, s.I-maxOrigins); i < min(len(s.All), s.I+maxOrigins); i++ {
		if i == s.I || !s.sameCode(s.All[i]) || s.All[i].Op != "read" {
			continue
		}
		for _, a := range s.All[i].Argv {
			if s.hides(a, false) {
				return true
			}
		}
	}
	return false
}

func isShell(name string) bool {
	switch name {
	case "sh", "bash", "zsh", "dash", "ksh", "ash", "fish", "csh", "tcsh", "mksh", "rbash", "busybox", "cmd", "cmd.exe", "powershell", "pwsh", "powershell.exe":
		return true
	}
	return false
}

// sockets are the programs that connect a stream to a port.
func (s *scan) sockets(name string, args []word.Arg) {
	switch name {
	case "nc", "ncat", "netcat", "nc.traditional", "nc.openbsd":
		s.netcat(args)
	case "socat":
		s.socat(args)
	case "telnet":
		s.toPort(targetOf(args))
	case "openssl":
		if len(args) > 0 && args[0].Text == "s_client" {
			o := unit.Options(single(args[1:]), "connect servername host port CAfile cert key proxy starttls alpn verify_hostname")
			host := targetOf(o.Operands)
			if v, ok := o.Value("connect", "host"); ok {
				host = v.Text
			}
			s.toPort(host)
		}
	}
}

// single gives openssl's options, which have one dash, two.
func single(args []word.Arg) []word.Arg {
	out := make([]word.Arg, len(args))
	for i, a := range args {
		if len(a.Text) > 1 && a.Text[0] == '-' {
			a.Text = "-" + a.Text
		}
		out[i] = a
	}
	return out
}

// fedByShell tells whether the input is what a shell prints that has its commands from elsewhere.
func (s *scan) fedByShell() bool {
	for _, i := range s.Stdin.From {
		if i >= 0 && i < len(s.All) && isShell(s.All[i].Name()) {
			return true
		}
	}
	if !s.Stdin.Given || len(s.Stdin.From) > 0 || s.I == 0 || s.I > len(s.All) {
		return false
	}
	c := s.All[s.I-1] // what a shell runs is not known, so neither is who writes
	return c.Piped && isShell(c.Name()) && c.Stdin.Given && !c.Stdin.Known()
}

// toPort is a connection to which the input is sent, if there is any.
func (s *scan) toPort(host string) {
	host = hostOf(host)
	near := nearFlags(host)
	if s.fedByShell() {
		s.add(policy.Listen, "reverse-shell", host, near...)
		return
	}
	from, given := s.stdin()
	switch {
	case !given || s.noInput() || s.Stdin.Known() && strings.TrimSpace(s.Stdin.Text) == "" && !from.file:
		s.add(policy.Fetch, "tcp", host, near...)
	case s.Stdin.Known() && len(from.flags()) == 0:
		s.add(policy.Send, "tcp", host, append(near, "literal")...)
	default:
		s.add(policy.Send, "tcp", host, append(near, from.flags()...)...)
	}
}

// noInput tells whether the input is the empty device.
func (s *scan) noInput() bool {
	for _, r := range s.Redirects {
		if r.Op == "<" && (r.Target.Text == "/dev/null" || r.Target.Text == "NUL") {
			return true
		}
	}
	return false
}

func (s *scan) netcat(args []word.Arg) {
	o := unit.Options(args, "e c exec sh-exec lua-exec I i m O P p q s T V W w X x proxy source-port")
	host := ""
	if len(o.Operands) > 0 {
		host = o.Operands[0].Text
	}
	exec := o.Has("e", "exec", "sh-exec", "lua-exec", "c")
	switch {
	case o.Has("z"):
	case o.Has("l", "listen", "L"):
		verb, flags := "port", []string(nil)
		if exec {
			verb = "bind-shell"
		}
		if v, ok := o.Value("s"); ok && stage.Loopback(v.Text) || stage.Loopback(host) {
			flags = []string{"local"}
		}
		s.add(policy.Listen, verb, host, flags...)
	case exec:
		s.add(policy.Listen, "reverse-shell", host, nearFlags(host)...)
	case o.Has("U", "unixsock"):
	case host != "":
		s.toPort(host)
	}
}

func (s *scan) socat(args []word.Arg) {
	o := unit.Options(args, "b T t lf lp")
	var exec, listen, local bool
	var host string
	for _, a := range o.Operands {
		kind, rest, _ := strings.Cut(a.Text, ":")
		kind = strings.ToUpper(kind)
		switch {
		case kind == "EXEC" || kind == "SYSTEM" || kind == "SHELL":
			exec = true
		case strings.Contains(kind, "LISTEN") || strings.HasSuffix(kind, "-L"):
			listen = listen || !strings.HasPrefix(kind, "UNIX")
			local = local || strings.Contains(rest, "bind=127.") || strings.Contains(rest, "bind=localhost")
		case kind == "TCP" || kind == "TCP4" || kind == "TCP6" || kind == "TCP-CONNECT" || kind == "UDP" || kind == "OPENSSL" || kind == "SSL" || kind == "OPENSSL-CONNECT":
			host, _, _ = strings.Cut(rest, ":")
		}
	}
	near := nearFlags(host)
	switch {
	case exec && listen:
		s.add(policy.Listen, "bind-shell", "", near...)
	case exec && host != "":
		s.add(policy.Listen, "reverse-shell", host, near...)
	case listen:
		if local {
			near = []string{"local"}
		} else if host != "" {
			near = nil
		}
		s.add(policy.Listen, "port", host, near...)
	case host != "":
		s.toPort(host)
	}
}
