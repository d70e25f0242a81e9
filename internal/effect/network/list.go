package network

import (
	"strings"

	"github.com/boathook/boathook/internal/effect/secret"
	"github.com/boathook/boathook/internal/effect/unit"
	"github.com/boathook/boathook/internal/shellcmd/word"
	"github.com/boathook/boathook/policy"
)

// listedSecret notes that a program reads what another has listed, where that looked for secrets or among them: find ~ -name id_rsa |
// xargs cat, cat $(ls ~/.aws/*).
func (s *scan) listedSecret(a word.Arg, flags []string) bool {
	from := a.By
	if len(from) == 0 {
		from = s.feeders()
	}
	for i := 0; i < len(from) && i < maxOrigins; i++ {
		if from[i] < 0 || from[i] >= len(s.All) {
			continue
		}
		c := s.All[from[i]]
		from = append(from[:len(from):len(from)], c.Stdin.From...)
		for _, p := range listedPaths(c) {
			t := &scan{Unit: unit.Unit{Command: c, I: s.I, All: s.All, Machine: s.Machine, Text: s.Text}}
			path, where := t.locate(p)
			verb, ok := secret.Path(path, s.home())
			if !ok && p.Glob {
				verb, ok = secret.Pattern(path, s.home())
			}
			if !ok && p.Many {
				verb, ok = secret.Dir(path, s.home())
			}
			if ok {
				s.add(policy.ReadSecret, verb, path, flags...)
				s.out[len(s.out)-1].Where = where
				return true
			}
		}
	}
	return false
}

// listedPaths are the paths that a command lists, as it is asked for them; one that is all that a directory holds is Many.
func listedPaths(c word.Command) []word.Arg {
	if c.Op != "" || len(c.Argv) == 0 {
		return nil
	}
	var out []word.Arg
	args := c.Argv[1:]
	switch c.Name() {
	case "ls", "eza", "exa", "realpath", "readlink", "echo", "printf":
		for _, a := range args {
			if a.Text != "" && a.Text[0] != '-' {
				a.Many = true
				out = append(out, a)
			}
		}
	case "find", "gfind", "bfs":
		out = found(args)
	case "fd", "fdfind", "rg", "locate", "mdfind", "plocate":
		for _, a := range args {
			if a.Text != "" && a.Text[0] != '-' {
				out = append(out, word.Arg{Text: a.Text, Many: true})
			}
		}
	case "grep", "egrep":
		for i, a := range args {
			if i > 0 && a.Text != "" && a.Text[0] != '-' {
				out = append(out, word.Arg{Text: a.Text, Many: true})
			}
		}
	}
	return out
}

// found are the starts of find, each with the names that it asks for.
func found(args []word.Arg) []word.Arg {
	var starts, out []word.Arg
	for i, a := range args {
		switch {
		case a.Text == "-name" || a.Text == "-iname" || a.Text == "-path" || a.Text == "-wholename":
			if i+1 >= len(args) || i > 0 && (args[i-1].Text == "!" || args[i-1].Text == "-not") {
				continue
			}
			name := strings.TrimLeft(args[i+1].Text, "*/")
			if !strings.HasSuffix(a.Text, "name") || a.Text == "-wholename" {
				out = append(out, word.Arg{Text: "/" + name, Glob: true})
				continue
			}
			for _, s := range starts {
				out = append(out, word.Arg{Text: strings.TrimRight(s.Text, "/") + "/" + args[i+1].Text, Glob: true})
			}
		case len(out) == 0 && a.Text != "" && a.Text[0] != '-' && a.Text != "(" && a.Text != "!" && (i == 0 || args[i-1].Text[:min(1, len(args[i-1].Text))] != "-" || len(args[i-1].Text) == 2):
			a.Many = true
			starts = append(starts, a)
		}
	}
	if len(out) == 0 {
		return starts
	}
	return append(out, starts...)
}

// readsUnasked notes the secrets among the operands of a program of which nobody knows what it does with them. What is said to be a key by
// an option is used as one: ssh -i, --private-key.
func (s *scan) readsUnasked(name string, args []word.Arg) {
	if keeps(strings.ToLower(name)) {
		return
	}
	for i, a := range args {
		if a.Text == "" || a.Text[0] == '-' || i > 0 && keyOption(args[i-1].Text) || !strings.ContainsAny(a.Text, "/.") && !strings.Contains(s.Dir.Text, "/.") {
			continue
		}
		path, _ := s.locate(a)
		verb, ok := secret.Path(path, s.home())
		if !ok {
			continue
		}
		switch verb {
		case "ssh-key", "cloud-credentials", "keychain", "browser", "wallet", "system", "process-environment":
			s.readAs(a, false)
		}
	}
}

// keyOption tells options whose value is a key, or settings, that a program uses itself.
func keyOption(t string) bool {
	if len(t) < 2 || t[0] != '-' {
		return false
	}
	switch t {
	case "-i", "-I", "-F", "-k", "-c", "-K", "-f":
		return true
	}
	t = strings.ToLower(t)
	for _, w := range [...]string{"key", "ident", "cert", "cred", "conf", "auth", "secret", "token", "pem", "ssh", "profile"} {
		if strings.Contains(t, w) {
			return true
		}
	}
	return false
}

// keeps tells programs that do not give away what is in their operands, and those of which others look at the operands.
func keeps(name string) bool {
	switch name {
	case "ls", "ll", "la", "eza", "exa", "lsd", "tree", "stat", "touch", "chmod", "chown", "chgrp", "chattr", "lsattr", "setfacl", "getfacl", "mkdir", "rmdir",
		"rm", "unlink", "shred", "srm", "trash", "mv", "ln", "link", "readlink", "realpath", "basename", "dirname", "test", "[", "[[", "cd", "pushd", "popd", "wc", "du",
		"df", "md5sum", "sha1sum", "sha256sum", "sha512sum", "shasum", "cksum", "b2sum", "file", "find", "fd", "fdfind", "locate", "which", "type", "tee",
		"truncate", "ssh", "ssh-add", "ssh-keygen", "ssh-copy-id", "scp", "sftp", "rsync", "mosh", "sshpass", "rclone", "export", "declare", "local", "readonly",
		"typeset", "set", "unset", "alias", "read", "eval", "exec", "true", "false", ":", "code", "subl", "idea", "cursor", "zed", "open", "xdg-open", "vim", "vi",
		"nvim", "nano", "emacs", "micro", "ed", "ex", "kubectl", "helm", "k9s", "terraform", "tofu", "ansible", "ansible-playbook", "aws", "gcloud", "gsutil",
		"az", "op", "age-keygen", "gpg-agent", "chezmoi", "stow", "mount", "umount", "systemctl", "launchctl", "install", "restic", "borg", "sudo", "env",
		"nohup", "xargs", "parallel", "time", "timeout", "for", "boathook", "curl", "wget", "aria2c", "http", "nc", "ncat", "socat", "docker", "podman", "namei",
		"lsof", "fuser", "inotifywait", "entr", "watch", "setfattr", "getfattr", "icacls", "attrib", "patch", "sponge", "gh", "glab", "git-crypt", "security", "cryptsetup":
		return true
	}
	return false
}
