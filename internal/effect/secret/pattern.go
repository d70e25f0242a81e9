package secret

import (
	"path"
	"strings"
)

// known are paths that a pattern may mean, below a home and on the machine: one of each kind is enough.
var known = [...]string{
	"~/.ssh/id_rsa", "~/.ssh/id_ed25519", "~/.ssh/id_ecdsa", "~/.aws/credentials", "~/.netrc", "~/.npmrc", "~/.pypirc", "~/.git-credentials",
	"~/.kube/config", "~/.docker/config.json", "~/.config/gh/hosts.yml", "~/.config/gcloud/application_default_credentials.json",
	"~/.azure/accessTokens.json", "~/.gnupg/secring.gpg", "~/.gnupg/private-keys-v1.d/x.key", "~/.claude/.credentials.json", "~/.codex/auth.json",
	"~/.gemini/oauth_creds.json", "~/.pgpass", "~/.cargo/credentials.toml", "~/.mozilla/firefox/x.default/logins.json",
	"~/.config/google-chrome/Default/Cookies", "~/.local/share/keyrings/login.keyring", "~/.bitcoin/wallet.dat", "~/.config/solana/id.json",
	"/etc/shadow", "/etc/sudoers", "/etc/ssh/ssh_host_rsa_key", "/proc/self/environ",
}

// Pattern tells whether an active pattern may stand for a path that holds a secret, and of which kind. As in a shell a pattern means no
// name that begins with a dot unless it begins with one.
func Pattern(pattern, home string) (verb string, ok bool) {
	if len(pattern) > 4096 || !strings.ContainsAny(pattern, "*?[") {
		return "", false
	}
	parts := strings.Split(path.Clean(pattern), "/")
	home = strings.TrimRight(home, "/")
	for _, k := range known {
		full := k
		if rest, below := strings.CutPrefix(k, "~"); below {
			if home == "" {
				continue
			}
			full = home + rest
		}
		if matches(parts, strings.Split(full, "/")) {
			return Path(full, home)
		}
	}
	// A name that is one wherever it stands.
	for _, name := range [...]string{".env", ".env.local", ".env.production", "id_rsa", "id_ed25519"} {
		if last := parts[len(parts)-1]; strings.ContainsAny(last, "*?[") && strings.Trim(last, "*?") != "" && matches([]string{last}, []string{name}) {
			return Path(strings.Join(parts[:len(parts)-1], "/")+"/"+name, home)
		}
	}
	return "", false
}

// matches tells whether each part of a pattern matches that of a path.
func matches(pattern, name []string) bool {
	if len(pattern) != len(name) {
		return false
	}
	for i, p := range pattern {
		if strings.HasPrefix(name[i], ".") && !strings.HasPrefix(p, ".") && !strings.HasPrefix(p, "[.") {
			return false
		}
		if p == name[i] {
			continue
		}
		if strings.HasPrefix(p, "[!") {
			p = "[^" + p[2:]
		}
		if ok, err := path.Match(p, name[i]); err != nil || !ok {
			return false
		}
	}
	return true
}
