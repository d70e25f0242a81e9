package redact

import (
	"strings"
	"sync"
)

// keyClass says what a name announces about its value.
type keyClass uint8

const (
	keyPlain  keyClass = iota
	keyWeak            // a secret if the value looks like one: token, auth
	keySecret          // password, client_secret, api_key, …
	keyAuth            // Authorization
	keyCookie
	keyAWS   // an AWS secret access key
	keyAzure // a storage or bus key
	keySig   // a SAS signature
)

const maxKey = 64

// strongSuffixes end the names of secrets, compared without case and separators.
var strongSuffixes = [...]string{
	"password", "passwd", "passphrase", "passcode", "userpwd", "dbpwd", "rootpwd", "mysqlpwd", "adminpwd", "secret", "secretkey",
	"secretkeybase", "apikey", "privatekey", "authkey", "encryptionkey", "signingkey", "masterkey", "subscriptionkey",
	"functionskey", "accesskeysecret", "secretvalue", "cliauth", "비밀번호", "패스워드", "암호",
	"비번", "パスワード", "密码", "密碼",
}

// strongByEnd is strongSuffixes by their last byte.
var strongByEnd = sync.OnceValue(func() *[256][]string {
	var t [256][]string
	for _, s := range strongSuffixes {
		t[s[len(s)-1]] = append(t[s[len(s)-1]], s)
	}
	return &t
})

// tokenOwners before "token" make it a credential; next_token or pad_token are none.
var tokenOwners = [...]string{
	"access", "refresh", "auth", "api", "id", "bearer", "session", "bot", "github", "gitlab", "gh", "slack", "npm", "secret",
	"relay", "private", "deploy", "personal", "oauth", "oauth2", "user", "security", "client", "app", "admin", "service",
	"vault", "registry", "hf", "face", "telegram", "discord", "jwt", "login", "push", "pypi", "sentry", "job", "sso",
	"aws", "azure", "gcp", "google", "notion", "webhook", "account", "runner", "identity", "verification",
}

// stageSuffixes may follow the telling word: DB_PASSWORD_PROD.
var stageSuffixes = [...]string{"_prod", "_production", "_staging", "_dev", "_live", "_old", "_new", "_value", "_default"}

// passOwners before "pass", "pwd" or "pw" make it a password; bypass or
// render_pass are none.
var passOwners = [...]string{
	"db", "user", "smtp", "imap", "mail", "email", "ftp", "admin", "root", "mysql", "pg", "postgres", "redis", "mongo", "sql", "database",
	"login", "proxy", "ssh", "ldap", "jdbc", "account", "key", "keystore", "store", "truststore", "cert", "server", "host", "wifi", "sudo",
	"rabbit", "mq", "client", "http", "auth", "api", "my", "bind", "vpn", "sa", "svc", "service", "app",
}

// notCredentials end in "key" behind "x-" and hold none.
var notCredentials = [...]string{"idempotencykey", "cachekey", "partitionkey", "sortkey", "surrogatekey", "publickey", "requestkey", "hostkey", "routingkey"}

// classify judges a name. Of a long one, the end tells.
func classify(key string) keyClass {
	key = trimName(key)
	if len(key) < 3 || !tellingEnd(key[len(key)-1]) {
		return keyPlain
	}
	header := foldPrefix(key, "x-") && len(key) <= maxKey
	if len(key) > maxKey {
		key = key[len(key)-maxKey:]
	}
	key = strings.ToLower(key)
	for len(key) > 0 && isDigit(key[len(key)-1]) {
		key = key[:len(key)-1]
	}
	if strings.IndexByte(key, '_') > 0 {
		for _, s := range stageSuffixes {
			key = strings.TrimSuffix(key, s)
		}
	}
	var buf [maxKey * 2]byte
	norm := string(squeeze(buf[:0], key))
	class := classifyNorm(norm)
	if class == keyPlain && (strings.HasSuffix(key, "_pass") || strings.HasSuffix(key, "-pass") || strings.HasSuffix(key, ".pass")) {
		class = keySecret
	}
	if class == keyPlain && strings.HasSuffix(norm, "s") && len(norm) > 8 {
		class = classifyNorm(norm[:len(norm)-1])
		if strings.HasSuffix(norm, "tokens") || strings.HasSuffix(norm, "keys") { // counts, and sets of both
			class = min(class, keyWeak)
		}
	}
	if class == keyPlain && header && (strings.HasSuffix(norm, "key") || strings.HasSuffix(norm, "auth")) {
		class = keyWeak
		for _, n := range notCredentials {
			if strings.HasSuffix(norm, n) {
				class = keyPlain
			}
		}
	}
	return class
}

// trimName drops what quoting and lists leave round a name: 'password', password[].
func trimName(key string) string {
	for len(key) > 0 && key[0] < 0x80 && !isAlnum(key[0]) {
		key = key[1:]
	}
	for len(key) > 0 && key[len(key)-1] < 0x80 && !isAlnum(key[len(key)-1]) {
		key = key[:len(key)-1]
	}
	return key
}

func classifyNorm(norm string) keyClass {
	if class := classifyExact(norm); class != keyPlain {
		return class
	}
	if norm == "" {
		return keyPlain
	}
	for _, s := range strongByEnd()[norm[len(norm)-1]] {
		if strings.HasSuffix(norm, s) {
			return classifyStrong(norm)
		}
	}
	if owner, ok := strings.CutSuffix(norm, "token"); ok && owner != "publickey" { // of a .NET assembly
		if ownedBy(owner, tokenOwners[:]) {
			return keySecret
		}
		return keyWeak
	}
	for _, s := range [...]string{"pass", "pwd", "pw"} {
		if owner, ok := strings.CutSuffix(norm, s); ok && ownedBy(owner, passOwners[:]) {
			return keySecret
		}
	}
	return keyPlain
}

func ownedBy(owner string, owners []string) bool {
	for _, o := range owners {
		if strings.HasSuffix(owner, o) {
			return true
		}
	}
	return false
}

// classifyStrong sorts out names that talk about passwords without holding one.
func classifyStrong(norm string) keyClass {
	for _, p := range [...]string{"forgot", "reset", "show", "hide", "toggle", "is", "has", "require", "needs", "enable", "allow"} {
		if strings.HasPrefix(norm, p) && !strings.HasPrefix(norm, "issuer") {
			return keyWeak
		}
	}
	return keySecret
}

func classifyExact(norm string) keyClass {
	switch norm {
	case "authorization", "proxyauthorization", "xauthorization", "xforwardedauthorization":
		return keyAuth
	case "cookie", "cookies", "setcookie":
		return keyCookie
	case "accountkey", "sharedaccesskey", "storageaccountkey", "azurestoragekey":
		return keyAzure
	case "sig":
		return keySig
	case "pwd", "pass", "auth", "credential", "credentials", "accesskey":
		return keyWeak
	}
	if strings.HasSuffix(norm, "secretaccesskey") || strings.HasSuffix(norm, "awssecretkey") {
		return keyAWS
	}
	return keyPlain
}

// tellingEnd is a cheap look at the last byte before the work of classify.
func tellingEnd(b byte) bool {
	switch b | 0x20 {
	case 'd', 'e', 't', 'y', 'n', 's', 'g', 'l', 'h', 'r', 'w':
		return true
	}
	return isDigit(b) || b >= 0x80
}

func squeeze(dst []byte, key string) []byte {
	for i := 0; i < len(key); i++ {
		if b := key[i]; isAlnum(b) || b >= 0x80 {
			dst = append(dst, b)
		}
	}
	return dst
}

// envName is the style of environment variables: API_TOKEN.
func envName(key string) bool {
	k := kindsOf(key)
	return k.upper && !k.lower && !k.space && len(key) >= 3 && strings.Trim(key, "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_") == ""
}
