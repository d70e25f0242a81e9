package secret

import (
	"path"
	"strings"
)

// ofSystem are the machine's own secrets.
func ofSystem(p string) string {
	if len(p) > 2 && p[1] == ':' {
		p = p[2:] // a drive
	}
	switch p {
	case "/etc/shadow", "/etc/shadow-", "/etc/gshadow", "/etc/gshadow-", "/etc/master.passwd", "/etc/sudoers", "/etc/krb5.keytab",
		"/windows/system32/config/sam", "/windows/system32/config/security", "/windows/system32/config/system":
		return "system"
	}
	switch {
	case strings.HasPrefix(p, "/etc/sudoers.d/"), strings.HasPrefix(p, "/etc/ssl/private/"), strings.HasPrefix(p, "/etc/pki/tls/private/"),
		strings.HasPrefix(p, "/var/db/dslocal/nodes/"), strings.HasPrefix(p, "/etc/letsencrypt/live/") && strings.Contains(p, "privkey"),
		strings.HasPrefix(p, "/etc/wireguard/"):
		return "system"
	case strings.HasPrefix(p, "/etc/ssh/") && strings.Contains(p, "_key"):
		return "ssh-key"
	case strings.HasPrefix(p, "/etc/kubernetes/") && strings.HasSuffix(p, ".conf"), strings.HasPrefix(p, "/var/run/secrets/"),
		strings.HasPrefix(p, "/run/secrets/"), p == "/etc/rancher/k3s/k3s.yaml":
		return "cloud-credentials"
	case strings.HasPrefix(p, "/library/keychains/"):
		return "keychain"
	case strings.HasPrefix(p, "/proc/") && (strings.HasSuffix(p, "/environ") || strings.HasSuffix(p, "/mem")):
		return "process-environment"
	}
	return ""
}

// ofHome are what programs keep below a home; rest is the path from there, p the whole of it.
func ofHome(p, rest string) string {
	dir, base := path.Split(rest)
	dir = strings.TrimSuffix(dir, "/")
	if rest == "" {
		return ofAnywhere(p)
	}
	switch rest {
	case ".aws/credentials", ".azure/accesstokens.json", ".azure/msal_token_cache.json", ".azure/msal_token_cache.bin",
		".azure/service_principal_entries.json", ".kube/config", ".boto", ".s3cfg", ".oci/oci_api_key.pem", ".config/doctl/config.yaml",
		".config/hcloud/cli.toml", ".config/rclone/rclone.conf", ".fly/config.yml", ".config/linode-cli", ".wrangler/config/default.toml",
		".config/configstore/firebase-tools.json", ".config/scw/config.yaml", ".config/gcloud/credentials.db",
		".config/gcloud/access_tokens.db":
		return "cloud-credentials"
	case ".npmrc", ".yarnrc.yml", ".docker/config.json", ".config/gh/hosts.yml", ".config/hub", ".config/glab-cli/config.yml",
		".cargo/credentials", ".cargo/credentials.toml", ".gem/credentials", ".config/pip/pip.conf.secret", ".m2/settings.xml",
		".m2/settings-security.xml", ".gradle/gradle.properties", ".nuget/nuget.config", ".composer/auth.json", ".config/composer/auth.json",
		".config/github-copilot/hosts.json", ".config/github-copilot/apps.json", ".codex/auth.json", ".claude/.credentials.json",
		".gemini/oauth_creds.json", ".qwen/oauth_creds.json", ".local/share/opencode/auth.json", ".config/op/config",
		".huggingface/token", ".cache/huggingface/token", ".kaggle/kaggle.json", ".config/containers/auth.json", ".terraformrc", ".pgpass",
		".local/share/amp/secrets.json", ".cline/data/secrets.json", ".config/netlify/config.json", ".config/vercel/auth.json",
		".local/share/com.vercel.cli/auth.json", ".config/anthropic/api_key", ".openai/api_key":
		return "token-file"
	}
	switch {
	case strings.HasPrefix(rest, ".ssh/"):
		return ofSSH(base)
	case strings.HasPrefix(rest, ".aws/cli/cache/"), strings.HasPrefix(rest, ".aws/sso/cache/"),
		strings.HasPrefix(rest, ".config/gcloud/legacy_credentials/"),
		dir == ".config/gcloud" && strings.Contains(base, "credential"), dir == ".terraform.d" && strings.HasPrefix(base, "credentials"),
		dir == ".aws" && (base == "*" || strings.HasPrefix(base, "cred")), dir == ".kube" && (base == "*" || strings.HasPrefix(base, "config")):
		return "cloud-credentials"
	}
	return ofStores(rest, base)
}

// ofSSH are the files of ~/.ssh: all that is no configuration and no public key may be a key.
func ofSSH(base string) string {
	switch base {
	case "config", "config.d", "environment", "rc", "control", "sockets", "allowed_signers", "agent.sock":
		return ""
	}
	return "ssh-key"
}

// ofStores are keychains, browsers and wallets.
func ofStores(rest, base string) string {
	switch {
	case strings.HasPrefix(rest, "library/keychains/"), strings.HasPrefix(rest, ".local/share/keyrings/"), strings.HasPrefix(rest, ".gnome2/keyrings/"),
		strings.HasPrefix(rest, ".local/share/kwalletd/"), strings.HasPrefix(rest, ".password-store/") && !strings.HasSuffix(rest, ".gpg-id"),
		strings.HasPrefix(rest, ".gnupg/private-keys"), strings.HasPrefix(rest, ".gnupg/secring"),
		strings.HasPrefix(rest, "appdata/roaming/microsoft/credentials/"), strings.HasPrefix(rest, "appdata/local/microsoft/credentials/"),
		strings.HasPrefix(rest, "appdata/roaming/microsoft/protect/"):
		return "keychain"
	case inBrowser(rest) && (base == "cookies" || base == "local state" || base == "web data" || base == "*" || strings.HasPrefix(base, "login")):
		return "browser"
	case strings.HasPrefix(rest, ".bitcoin/"), strings.HasPrefix(rest, ".ethereum/keystore/"), strings.HasPrefix(rest, ".electrum/wallets/"),
		strings.HasPrefix(rest, ".config/solana/") && strings.HasSuffix(base, ".json"), strings.HasPrefix(rest, "library/ethereum/keystore/"),
		strings.HasPrefix(rest, ".config/exodus/"), strings.HasPrefix(rest, "library/application support/exodus/"):
		return "wallet"
	case base == ".bash_history", base == ".zsh_history", base == ".python_history", base == ".node_repl_history", base == ".psql_history",
		base == ".mysql_history", base == "fish_history":
		return "history"
	}
	return ""
}

// inBrowser tells the profiles of browsers.
func inBrowser(rest string) bool {
	for _, dir := range [...]string{"google/chrome", "google-chrome", "chromium", "bravesoftware", "brave-browser", "microsoft/edge", "microsoft-edge",
		"mozilla/firefox", ".mozilla/", "firefox/profiles", "vivaldi", "opera", "arc/user data", "library/safari", "library/cookies"} {
		if strings.Contains(rest, dir) {
			return true
		}
	}
	return false
}

// ofAnywhere are files known by the last two of their names, where the home is not: a relative path, a mount, another root.
func ofAnywhere(p string) string {
	for _, tail := range [...]string{".aws/credentials", ".kube/config", ".docker/config.json", ".config/gh/hosts.yml", ".codex/auth.json",
		".claude/.credentials.json", ".gemini/oauth_creds.json", ".cargo/credentials.toml", ".config/gcloud/credentials.db"} {
		if p == tail || strings.HasSuffix(p, "/"+tail) {
			if strings.HasPrefix(tail, ".aws") || strings.HasPrefix(tail, ".kube") || strings.HasPrefix(tail, ".config/gcloud") {
				return "cloud-credentials"
			}
			return "token-file"
		}
	}
	if i := strings.LastIndex(p, ".ssh/"); i >= 0 && (i == 0 || p[i-1] == '/') {
		return ofSSH(path.Base(p))
	}
	return ""
}
