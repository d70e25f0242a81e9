package network

import (
	"strings"

	"github.com/boathook/boathook/internal/effect/secret"
	"github.com/boathook/boathook/internal/effect/unit"
	"github.com/boathook/boathook/internal/shellcmd/word"
	"github.com/boathook/boathook/policy"
)

// copies are the programs that copy files to or from other machines.
func (s *scan) copies(name string, args []word.Arg) {
	switch name {
	case "scp", "pscp", "rcp":
		o := unit.Options(args, "c F i J l o P S D X")
		s.fromTo(o.Operands, "scp", remoteHost)
	case "rsync":
		o := unit.Options(args, "e rsh f filter exclude include exclude-from include-from files-from B T temp-dir compare-dest copy-dest link-dest log-file "+
			"password-file partial-dir bwlimit timeout port rsync-path chmod chown max-size min-size out-format backup-dir suffix info debug")
		if !o.Has("n", "dry-run") {
			s.fromTo(o.Operands, "rsync", remoteHost)
		}
	case "sftp", "psftp":
		o := unit.Options(args, "b B c D F i J l o P R S s X")
		if len(o.Operands) > 0 {
			s.batch(o)
		}
	case "rclone":
		o := unit.Options(args, "config filter include exclude transfers bwlimit")
		if len(o.Operands) > 2 && !o.Has("n", "dry-run") {
			switch o.Operands[0].Text {
			case "copy", "sync", "move", "copyto", "moveto", "bisync":
				s.fromTo(o.Operands[1:3], "rclone", rcloneHost)
			}
		} else if len(o.Operands) > 1 && o.Operands[0].Text == "rcat" {
			s.piped("rclone", o.Operands[1].Text)
		}
	case "aws", "gsutil", "gcloud", "az", "azcopy", "mc", "s3cmd", "s5cmd", "b2", "oci", "gh":
		s.buckets(name, args)
	case "croc", "wormhole", "ffsend", "transfer", "pastebinit", "ix", "gist", "termbin", "0x0", "wgetpaste", "onionshare-cli", "magic-wormhole":
		s.shares(name, args)
	case "ssh", "slogin", "rsh":
		s.ssh(args)
	case "smbclient", "tftp", "rz", "sz", "mount_smbfs":
		s.add(policy.Fetch, "connect", targetOf(args))
	}
}

// remoteHost tells whether an operand is on another machine, and on which: host:path, user@host:path, rsync://host.
func remoteHost(operand string) (host string, ok bool) {
	if i := strings.Index(operand, "://"); i > 0 {
		return hostOf(operand), operand[:i] != "file"
	}
	colon := strings.IndexByte(operand, ':')
	if colon <= 0 || strings.ContainsAny(operand[:colon], "/") || colon == 1 { // C:\x
		return "", false
	}
	host = operand[:colon]
	if at := strings.LastIndexByte(host, '@'); at >= 0 {
		host = host[at+1:]
	}
	return host, true
}

// rcloneHost is remoteHost where a name of one letter is a remote's.
func rcloneHost(operand string) (host string, ok bool) {
	if len(operand) > 1 && operand[1] == ':' && !strings.HasPrefix(operand[2:], "/") && !strings.HasPrefix(operand[2:], `\`) {
		return operand[:1], true
	}
	return remoteHost(operand)
}

// bucketHost tells the addresses of storages.
func bucketHost(operand string) (host string, ok bool) {
	for _, scheme := range [...]string{"s3://", "gs://", "r2://", "az://", "oss://", "cos://", "b2://", "https://", "http://"} {
		if strings.HasPrefix(operand, scheme) {
			return operand, true
		}
	}
	return "", false
}

// fromTo is a copy of all operands but the last to the last.
func (s *scan) fromTo(operands []word.Arg, verb string, remote func(string) (string, bool)) {
	if len(operands) < 2 {
		return
	}
	last := len(operands) - 1
	if host, ok := remote(operands[last].Text); ok {
		flags := append([]string{"file"}, nearFlags(host)...)
		for _, a := range operands[:last] {
			if _, away := remote(a.Text); away {
				continue
			}
			if s.hides(a, true) {
				flags = append(flags, "secret")
				break
			}
			if !a.Known() {
				flags = append(flags, "dynamic")
			}
		}
		s.add(policy.Send, verb, host, flags...)
		return
	}
	for _, a := range operands[:last] {
		if host, ok := remote(a.Text); ok {
			s.add(policy.Fetch, verb, host, append(nearFlags(host), "saved")...)
		}
	}
}

// hides tells whether a word leads to a secret, or with deep to a directory of secrets.
func (s *scan) hides(a word.Arg, deep bool) bool {
	path, _ := s.locate(a)
	if _, ok := secret.Path(path, s.home()); ok {
		return true
	}
	if deep {
		_, ok := secret.Dir(path, s.home())
		return ok
	}
	return false
}

// batch is sftp with commands in its input.
func (s *scan) batch(o unit.Opts) {
	host := o.Operands[0].Text
	if h, ok := remoteHost(host); ok {
		host = h
	} else if at := strings.LastIndexByte(host, '@'); at >= 0 {
		host = host[at+1:]
	}
	var flags []string
	sends := o.Has("b")
	if sends {
		flags = append(flags, "dynamic")
	}
	for line := range strings.Lines(s.Stdin.Text) {
		f := strings.Fields(line)
		if len(f) > 1 && (f[0] == "put" || f[0] == "mput" || f[0] == "reput") {
			sends = true
			flags = append(flags, "file")
			if s.hides(word.Lit(f[len(f)-1]), true) || s.hides(word.Lit(f[1]), true) {
				flags = append(flags, "secret")
			}
		}
		if len(flags) > 16 {
			break
		}
	}
	if !sends {
		s.add(policy.Fetch, "sftp", host, nearFlags(host)...)
		return
	}
	s.add(policy.Send, "sftp", host, append(flags, nearFlags(host)...)...)
}

// buckets are the clients of clouds' storages.
func (s *scan) buckets(name string, args []word.Arg) {
	o := unit.Options(args, "profile region project account-name container-name c n name f file s source d destination destination-path account-key "+
		"sas-token endpoint-url acl R repo body key bucket")
	words := word.Texts(o.Operands)
	line := strings.Join(words[:min(len(words), 4)], " ")
	if o.Has("dryrun", "dry-run", "n") && name != "az" {
		return
	}
	switch {
	case name == "aws" && (strings.HasPrefix(line, "s3 cp ") || strings.HasPrefix(line, "s3 sync ") || strings.HasPrefix(line, "s3 mv ")),
		name == "gcloud" && (strings.HasPrefix(line, "storage cp ") || strings.HasPrefix(line, "storage rsync ") || strings.HasPrefix(line, "storage mv ")):
		s.toBucket(o.Operands[2:])
	case name == "gcloud" && strings.HasPrefix(line, "compute scp "):
		s.fromTo(o.Operands[2:], "scp", remoteHost)
	case name == "gsutil" && (strings.HasPrefix(line, "cp ") || strings.HasPrefix(line, "rsync ") || strings.HasPrefix(line, "mv ")),
		name == "azcopy", name == "s5cmd" && strings.HasPrefix(line, "cp "), name == "s3cmd" && strings.HasPrefix(line, "put "):
		s.toBucket(o.Operands[1:])
	case name == "aws" && strings.HasPrefix(line, "s3api put-object"), name == "az" && strings.HasPrefix(line, "storage blob upload"),
		name == "b2" && strings.HasPrefix(line, "upload-file"), name == "b2" && strings.HasPrefix(line, "file upload"):
		flags := []string{"file"}
		for _, n := range [...]string{"body", "f", "file", "s", "source"} {
			for _, v := range o.Flags[n] {
				if s.hides(v, true) {
					flags = append(flags, "secret")
				}
			}
		}
		s.add(policy.Send, "bucket", name, flags...)
	case name == "mc" && len(words) > 2 && (words[0] == "cp" || words[0] == "mirror"):
		s.add(policy.Send, "bucket", words[len(words)-1], "file")
	case name == "gh" && strings.HasPrefix(line, "gist create") && len(o.Operands) > 2:
		s.shares("gist.github.com", o.Operands[2:])
	case name == "gh" && strings.HasPrefix(line, "release upload"):
		s.add(policy.Send, "release", "github.com", "file")
	}
}

func (s *scan) toBucket(operands []word.Arg) {
	if len(operands) > 1 && operands[0].Text == "-" {
		if _, ok := bucketHost(operands[1].Text); ok {
			s.piped("bucket", operands[1].Text)
		}
		return
	}
	s.fromTo(operands, "bucket", bucketHost)
}

// piped sends the command's input.
func (s *scan) piped(verb, target string, flags ...string) {
	from, given := s.stdin()
	if !given {
		return
	}
	if s.Stdin.Known() && len(s.Redirects) == 0 && flags == nil {
		flags = append(flags, "literal")
	}
	if len(from.flags()) == 0 && !s.Stdin.Known() {
		flags = append(flags, "stdin")
	}
	s.add(policy.Send, verb, target, append(flags, from.flags()...)...)
}

// shares are the programs that give files to whoever has the code or link.
func (s *scan) shares(name string, args []word.Arg) {
	o := unit.Options(args, "")
	flags := []string{}
	for _, a := range o.Operands {
		switch a.Text {
		case "receive", "recv", "get", "download":
			return
		case "send", "upload":
			continue
		}
		flags = append(flags, "file")
		if s.hides(a, true) {
			flags = append(flags, "secret")
			break
		}
	}
	from, _ := s.stdin()
	verb := "share"
	if name == "gist.github.com" {
		verb = "gist"
	}
	s.add(policy.Send, verb, name, append(flags, from.flags()...)...)
}

// ssh sends its input to the other machine; with -R it opens a door to this one.
func (s *scan) ssh(args []word.Arg) {
	o := unit.Options(args, "B b c D E e F I i J L l m O o P p Q R S W w")
	if len(o.Operands) == 0 {
		return
	}
	host := o.Operands[0].Text
	if at := strings.LastIndexByte(host, '@'); at >= 0 {
		host = host[at+1:]
	}
	near := nearFlags(host)
	for _, v := range o.Flags["R"] {
		s.add(policy.Listen, "tunnel", host, append([]string{"remote-forward", v.Text}[:1], near...)...)
	}
	if o.Has("L", "D", "W") {
		s.add(policy.Listen, "tunnel", host, append([]string{"local"}, near...)...)
	}
	if from, given := s.stdin(); given && len(o.Operands) > 1 && (from.file || from.secret || from.env) {
		s.add(policy.Send, "ssh", host, append(from.flags(), near...)...)
	}
}

func targetOf(args []word.Arg) string {
	for _, a := range args {
		if a.Text != "" && a.Text[0] != '-' {
			return a.Text
		}
	}
	return ""
}
