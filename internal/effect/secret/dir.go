package secret

import (
	"path"
	"strings"
)

// Dir tells whether a path is a directory that holds secrets, so that a copy of all of it holds them too.
func Dir(name, home string) (verb string, ok bool) {
	if name == "" || len(name) > 4096 {
		return "", false
	}
	p := path.Clean(strings.ToLower(strings.ReplaceAll(name, `\`, "/")))
	p = strings.TrimSuffix(p, "/*")
	rest := below(p, strings.ToLower(strings.ReplaceAll(home, `\`, "/")))
	if rest == "" && !strings.HasPrefix(p, "/") {
		rest = p
	}
	switch rest {
	case ".ssh":
		return "ssh-key", true
	case ".aws", ".azure", ".kube", ".config/gcloud", ".config/doctl", ".oci", ".config/rclone":
		return "cloud-credentials", true
	case ".gnupg", ".password-store", "library/keychains", ".local/share/keyrings", ".gnupg/private-keys-v1.d":
		return "keychain", true
	case ".config/gh", ".docker", ".config/github-copilot":
		return "token-file", true
	case ".mozilla", ".mozilla/firefox", ".config/google-chrome", ".config/chromium", "library/application support/google/chrome",
		"library/application support/firefox", ".config/google-chrome/default", "appdata/local/google/chrome/user data", "library/cookies":
		return "browser", true
	case ".bitcoin", ".ethereum", ".electrum", ".config/solana":
		return "wallet", true
	}
	switch p {
	case "/etc/ssl/private", "/etc/sudoers.d", "/run/secrets", "/var/run/secrets":
		return "system", true
	}
	return "", false
}
