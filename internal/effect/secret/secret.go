// Package secret knows where secrets are kept: paths and variables, by their names. It reads nothing.
package secret

import (
	"path"
	"strings"
)

// Path tells whether a path holds a secret, and of which kind: env-file, ssh-key, cloud-credentials, token-file, keychain, browser,
// system, process-environment, wallet, key-file, state-file. The path may have patterns (*, ?) and separators of either kind;
// home may be empty. A name counts in any case: file systems that tell the cases apart hold secrets by these names all the same.
func Path(name, home string) (verb string, ok bool) {
	if name == "" || len(name) > 4096 {
		return "", false
	}
	p := strings.ToLower(strings.ReplaceAll(name, `\`, "/"))
	p = path.Clean(p)
	base := path.Base(p)
	if public(base) {
		return "", false
	}
	if verb := ofBase(base, p); verb != "" {
		return verb, true
	}
	if verb := ofSystem(p); verb != "" {
		return verb, true
	}
	if verb := ofHome(p, below(p, strings.ToLower(strings.ReplaceAll(home, `\`, "/")))); verb != "" {
		return verb, true
	}
	return "", false
}

// below is what of a path stands below a home: the given one, or what looks like one of anyone's.
func below(p, home string) string {
	home = strings.TrimRight(home, "/")
	if home != "" && strings.HasPrefix(p, home+"/") {
		return p[len(home)+1:]
	}
	if len(p) > 2 && p[1] == ':' {
		p = p[2:] // a drive
	}
	for _, root := range [...]string{"/home/", "/users/", "/var/home/"} {
		if rest, ok := strings.CutPrefix(p, root); ok {
			if _, rest, ok = strings.Cut(rest, "/"); ok {
				return rest
			}
			return ""
		}
	}
	for _, root := range [...]string{"/root/", "~/", "/var/root/"} {
		if rest, ok := strings.CutPrefix(p, root); ok {
			return rest
		}
	}
	if strings.HasPrefix(p, "~") {
		_, rest, _ := strings.Cut(p, "/")
		return rest
	}
	return ""
}

// public tells names that hold no secret though their kin do.
func public(base string) bool {
	switch base {
	case "known_hosts", "authorized_keys", "known_hosts.old":
		return true
	}
	return strings.HasSuffix(base, ".pub")
}

// ofBase are the secrets that a name alone tells, wherever it is.
func ofBase(base, p string) string {
	switch {
	case isEnv(base):
		return "env-file"
	case privateKey(base):
		return "ssh-key"
	}
	switch base {
	case "application_default_credentials.json", "credentials.tfrc.json":
		return "cloud-credentials"
	case ".netrc", "_netrc", ".git-credentials", ".pgpass", ".vault-token", ".pypirc", ".my.cnf.secret", ".htpasswd":
		return "token-file"
	case "wallet.dat":
		return "wallet"
	case "logins.json", "key4.db", "key3.db", "cookies.sqlite", "login data", "login data for account":
		return "browser"
	case "terraform.tfstate", "terraform.tfstate.backup":
		return "state-file"
	case "login.keychain", "login.keychain-db", "ntds.dit", "lsass.dmp":
		return "keychain"
	}
	if strings.HasSuffix(base, ".json") && (strings.HasPrefix(base, "service-account") || strings.HasPrefix(base, "service_account") ||
		strings.HasPrefix(base, "serviceaccount")) {
		return "cloud-credentials"
	}
	switch path.Ext(base) {
	case ".kdbx", ".kdb", ".keychain-db":
		return "keychain"
	case ".p12", ".pfx", ".jks", ".ppk":
		return "key-file"
	case ".pem", ".key":
		if !certificate(base) && !shipped(p) {
			return "key-file"
		}
	}
	return ""
}

// privateKey tells ssh's names of private keys, also as patterns: id_rsa, id_*, id_ed25519_sk.
func privateKey(base string) bool {
	rest, ok := strings.CutPrefix(base, "id_")
	if !ok {
		return false
	}
	if ext := path.Ext(rest); ext != "" && ext != ".pem" && ext != ".bak" && ext != ".old" {
		return false
	}
	for _, kind := range [...]string{"rsa", "dsa", "ecdsa", "ed25519", "xmss", "*", "?", "[", "{", "r*", "ed*", "e*"} {
		if strings.HasPrefix(rest, kind) {
			return true
		}
	}
	return false
}

// certificate tells the .pem and .key files that hold only what is public.
func certificate(base string) bool {
	for _, word := range [...]string{"cert", "chain", "ca.", "ca-", "cacert", "bundle", "public", "pub.", "root"} {
		if strings.Contains(base, word) && !strings.Contains(base, "priv") && !strings.HasSuffix(base, ".key") {
			return true
		}
	}
	return strings.Contains(base, "public") || strings.Contains(base, ".pub.")
}

// shipped tells places whose keys are everyone's: of tests, of packages, of the system's certificates.
func shipped(p string) bool {
	for _, dir := range [...]string{"node_modules/", "certifi/", "testdata/", "fixtures/", "test/", "tests/", "examples/", "ssl/certs/", "ca-certificates/",
		"site-packages/", "vendor/", "go/pkg/mod/"} {
		if i := strings.Index(p, dir); i == 0 || i > 0 && p[i-1] == '/' {
			return true
		}
	}
	return false
}

// isEnv tells .env and its kin from the examples that projects commit.
func isEnv(base string) bool {
	rest, ok := strings.CutPrefix(base, ".env")
	if !ok {
		// prod.env, but not what merely ends so.
		rest, ok = strings.CutSuffix(base, ".env")
		return ok && rest != "" && !example(rest)
	}
	switch {
	case rest == "", rest == "*", rest == "?":
		return true
	case rest[0] != '.' && rest[0] != '-' && rest[0] != '_' && rest[0] != '*' && rest[0] != '[':
		return false
	}
	return !example(rest)
}

func example(rest string) bool {
	for _, word := range [...]string{"example", "sample", "template", "dist", "test", "schema", "defaults", "tmpl", "tpl", "dummy", "ci", "d.ts",
		".md", ".ts", ".js", ".py", ".go"} {
		if rest == word || strings.HasSuffix(rest, word) || strings.Contains(rest, word+".") {
			return true
		}
	}
	return false
}
