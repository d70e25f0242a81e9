package secret_test

import (
	"strings"
	"testing"

	"github.com/boathook/boathook/internal/effect/secret"
)

func TestPath(t *testing.T) {
	const home = "/home/dev"
	for _, c := range []struct{ path, want string }{
		{"/home/dev/shop/.env", "env-file"},
		{"/home/dev/shop/.env.local", "env-file"},
		{"/home/dev/shop/.env.production", "env-file"},
		{"/home/dev/shop/config/prod.env", "env-file"},
		{".env", "env-file"},
		{"/home/dev/shop/.env*", "env-file"},
		{"/home/dev/.ssh/id_rsa", "ssh-key"},
		{"/home/dev/.ssh/id_ed25519", "ssh-key"},
		{"/home/dev/.ssh/work_key", "ssh-key"},
		{"/home/dev/.ssh/*", "ssh-key"},
		{"/home/dev/.ssh/id_*", "ssh-key"},
		{"/home/other/.ssh/id_rsa", "ssh-key"},
		{"/root/.ssh/id_rsa", "ssh-key"},
		{"/Users/x/.SSH/ID_RSA", "ssh-key"},
		{`C:\Users\x\.ssh\id_rsa`, "ssh-key"},
		{"~/.ssh/id_rsa", "ssh-key"},
		{"\uFFFC/.ssh/id_rsa", "ssh-key"},
		{"/mnt/backup/id_ed25519", "ssh-key"},
		{"/etc/ssh/ssh_host_rsa_key", "ssh-key"},
		{"/home/dev/shop/deploy.pem", "key-file"},
		{"/home/dev/shop/server.key", "key-file"},
		{"/home/dev/shop/app.jks", "key-file"},
		{"/home/dev/.aws/credentials", "cloud-credentials"},
		{"/home/dev/.aws/*", "cloud-credentials"},
		{"/home/dev/.kube/config", "cloud-credentials"},
		{"/home/dev/.config/gcloud/application_default_credentials.json", "cloud-credentials"},
		{"/home/dev/shop/service-account-prod.json", "cloud-credentials"},
		{"/home/dev/.azure/accessTokens.json", "cloud-credentials"},
		{"/home/dev/.npmrc", "token-file"},
		{"/home/dev/.netrc", "token-file"},
		{"/home/dev/.pypirc", "token-file"},
		{"/home/dev/.git-credentials", "token-file"},
		{"/home/dev/.docker/config.json", "token-file"},
		{"/home/dev/.config/gh/hosts.yml", "token-file"},
		{"/home/dev/.codex/auth.json", "token-file"},
		{"/home/dev/.claude/.credentials.json", "token-file"},
		{"/home/dev/.vault-token", "token-file"},
		{"/home/dev/.gnupg/private-keys-v1.d/x.key", "key-file"},
		{"/home/dev/.password-store/mail.gpg", "keychain"},
		{"/Users/x/Library/Keychains/login.keychain-db", "keychain"},
		{"/home/dev/secrets.kdbx", "keychain"},
		{"/home/dev/.mozilla/firefox/x.default/logins.json", "browser"},
		{"/home/dev/.config/google-chrome/Default/Login Data", "browser"},
		{"/Users/x/Library/Application Support/Google/Chrome/Default/Cookies", "browser"},
		{"/etc/shadow", "system"},
		{"/etc/sudoers", "system"},
		{"/proc/1/environ", "process-environment"},
		{"/proc/self/environ", "process-environment"},
		{"/proc/*/environ", "process-environment"},
		{"/home/dev/.bash_history", "history"},
		{"/home/dev/shop/terraform.tfstate", "state-file"},
		{"/home/dev/.bitcoin/wallet.dat", "wallet"},

		{"/home/dev/shop/.env.example", ""},
		{"/home/dev/shop/.env.sample", ""},
		{"/home/dev/shop/.env.template", ""},
		{"/home/dev/shop/.env.test", ""},
		{"/home/dev/shop/.env.local.example", ""},
		{"/home/dev/shop/.envrc", ""},
		{"/home/dev/shop/.environment", ""},
		{"/home/dev/shop/src/env.ts", ""},
		{"/home/dev/shop/env.d.ts", ""},
		{"/home/dev/shop/example.env", ""},
		{"/home/dev/.ssh/config", ""},
		{"/home/dev/.ssh/known_hosts", ""},
		{"/home/dev/.ssh/id_rsa.pub", ""},
		{"/home/dev/.aws/config", ""},
		{"/home/dev/shop/.npmrc", ""},
		{"/home/dev/shop/cert.pem", ""},
		{"/home/dev/shop/ca-bundle.pem", ""},
		{"/home/dev/shop/fullchain.pem", ""},
		{"/home/dev/shop/testdata/server.key", ""},
		{"/home/dev/shop/node_modules/x/key.pem", ""},
		{"/etc/ssl/certs/ca-certificates.crt", ""},
		{"/home/dev/shop/main.go", ""},
		{"/home/dev/shop/src/id_generator.go", ""},
		{"/home/dev/shop/src/id_rsa.go", ""},
		{"/etc/passwd", ""},
		{"/etc/hosts", ""},
		{"/proc/cpuinfo", ""},
		{"/home/dev/.bashrc", ""},
		{"/home/dev/.gitconfig", ""},
		{"/home/dev/shop/docker/config.json", ""},
		{"", ""},
	} {
		if got, _ := secret.Path(c.path, home); got != c.want {
			t.Errorf("%s: %q, want %q", c.path, got, c.want)
		}
	}
}

func TestDir(t *testing.T) {
	for path, want := range map[string]string{
		"/home/dev/.ssh": "ssh-key", "/home/dev/.ssh/": "ssh-key", "~/.aws": "cloud-credentials", "/root/.gnupg": "keychain",
		"/home/dev/shop": "", "/home/dev": "", "/etc": "", "/home/dev/shop/src": "",
	} {
		if got, _ := secret.Dir(path, "/home/dev"); got != want {
			t.Errorf("%s: %q, want %q", path, got, want)
		}
	}
}

func TestName(t *testing.T) {
	for name := range strings.FieldsSeq("AWS_SECRET_ACCESS_KEY GITHUB_TOKEN OPENAI_API_KEY DB_PASSWORD STRIPE_SECRET_KEY NPM_TOKEN DATABASE_URL TOKEN") {
		if !secret.Name(name) {
			t.Errorf("%s is one", name)
		}
	}
	for name := range strings.FieldsSeq("HOME PATH NODE_ENV MAX_TOKENS TOKENIZERS_PARALLELISM PWD OLDPWD SSH_AUTH_SOCK KEYBOARD LANG PUBLIC_KEY_PATH NEXT_PUBLIC_API_KEY") {
		if secret.Name(name) {
			t.Errorf("%s is none", name)
		}
	}
}

func FuzzPath(f *testing.F) {
	f.Add("~/.ssh/id_rsa", "/home/dev")
	f.Add(`C:\..\.env`, "")
	f.Fuzz(func(_ *testing.T, path, home string) {
		secret.Path(path, home)
		secret.Dir(path, home)
		secret.Name(path)
	})
}
