package network

import (
	"strings"

	"github.com/boathook/boathook/internal/effect/stage"
	"github.com/boathook/boathook/internal/effect/unit"
	"github.com/boathook/boathook/internal/shellcmd/word"
	"github.com/boathook/boathook/policy"
)

// serves are the programs that open what is on this machine to others.
func (s *scan) serves(name string, args []word.Arg) {
	first := targetOf(args)
	switch name {
	case "ngrok", "bore", "zrok", "chisel", "inlets":
		switch first {
		case "version", "help", "config", "diagnose", "completion", "update", "status", "list", "overview", "":
			return
		}
		s.add(policy.Listen, "tunnel", name)
	case "lt", "serveo", "frpc", "localhost.run", "pagekite", "telebit", "pinggy":
		s.add(policy.Listen, "tunnel", name)
	case "cloudflared":
		if first == "tunnel" || first == "access" {
			s.add(policy.Listen, "tunnel", name)
		}
	case "tailscale":
		if first == "funnel" || first == "serve" {
			s.add(policy.Listen, "tunnel", name)
		}
	case "code":
		if first == "tunnel" {
			s.add(policy.Listen, "tunnel", name)
		}
	case "sshd", "dropbear", "vsftpd", "smbd", "telnetd", "ttyd", "gotty", "wetty", "tmate", "teleconsole":
		s.add(policy.Listen, "remote-shell", name)
	case "python", "python3", "python2", "py":
		s.webServer(args)
	case "php":
		o := unit.Options(args, "S t d c")
		if v, ok := o.Value("S"); ok {
			s.served(hostOf(v.Text))
		}
	}
}

// webServer is python -m http.server: for who is at this machine, unless it is told another address.
func (s *scan) webServer(args []word.Arg) {
	o := unit.Options(args, "m b bind d directory W X")
	v, ok := o.Value("m")
	if !ok || v.Text != "http.server" && v.Text != "SimpleHTTPServer" && v.Text != "pyftpdlib" {
		return
	}
	host := "localhost"
	if b, ok := o.Value("b", "bind"); ok {
		host = b.Text
	}
	s.served(host)
}

func (s *scan) served(host string) {
	// On all addresses is what servers for development do of themselves.
	if stage.Loopback(host) {
		s.add(policy.Listen, "serve", host, "local")
		return
	}
	s.add(policy.Listen, "serve", host)
}

// names are queries of names into which data is put.
func (s *scan) names(name string, args []word.Arg) {
	switch name {
	case "dig", "nslookup", "host", "drill", "kdig", "resolvectl", "getent", "ping", "traceroute", "whois":
	default:
		return
	}
	for _, a := range args {
		if a.Known() || !strings.Contains(a.Text, ".") {
			continue
		}
		if from := s.word(a); len(from.flags()) > 0 {
			s.add(policy.Send, "dns", a.Text, from.flags()...)
		} else if len(a.By) > 0 && name != "ping" && name != "whois" && name != "getent" {
			s.add(policy.Send, "dns", a.Text, "computed")
		}
	}
}

// mails are the programs that send letters.
func (s *scan) mails(name string, args []word.Arg) {
	switch name {
	case "mail", "mailx", "mutt", "neomutt", "s-nail", "sendmail", "msmtp", "swaks", "ssmtp", "sendemail":
	default:
		return
	}
	o := unit.Options(args, "a s c b r e i H F f S A attach to t from server subject header body q o u m xu xp")
	if len(o.Operands) == 0 && !o.Has("to", "t", "s") {
		return
	}
	to := targetOf(o.Operands)
	if v, ok := o.Value("to", "t"); ok && v.Text != "" {
		to = v.Text
	}
	from, _ := s.stdin()
	flags := from.flags()
	for _, n := range [...]string{"a", "A", "attach"} {
		for _, v := range o.Flags[n] {
			if v.Text != "" {
				flags = append(flags, "file")
				if s.hides(word.Arg{Text: strings.TrimPrefix(v.Text, "@")}, true) {
					flags = append(flags, "secret")
				}
			}
		}
	}
	s.add(policy.Send, "mail", to, flags...)
}
