package secret

import "strings"

// Name tells whether a variable of this name holds a secret.
func Name(name string) bool {
	n := strings.ToUpper(name)
	switch n {
	case "GITHUB_TOKEN", "GH_TOKEN", "AWS_SECRET_ACCESS_KEY", "AWS_SESSION_TOKEN", "DATABASE_URL", "PGPASSWORD", "MYSQL_PWD", "KUBECONFIG_DATA",
		"NPM_TOKEN", "REDIS_URL", "MONGODB_URI", "SENTRY_DSN":
		return n != "SENTRY_DSN"
	case "TOKENIZERS_PARALLELISM", "SSH_AUTH_SOCK", "KEYBOARD", "GPG_KEY", "XAUTHORITY":
		return false
	}
	if strings.HasSuffix(n, "_PUBLIC_KEY") || strings.HasSuffix(n, "_FILE") || strings.HasSuffix(n, "_PATH") || strings.HasSuffix(n, "_COUNT") ||
		strings.HasPrefix(n, "NEXT_PUBLIC_") || strings.HasPrefix(n, "MAX_TOKENS") || strings.HasSuffix(n, "_TOKENS") {
		return false
	}
	for _, part := range [...]string{"SECRET", "PASSWORD", "PASSWD", "PASSPHRASE", "CREDENTIAL", "PRIVATE_KEY", "API_KEY", "APIKEY", "ACCESS_KEY",
		"AUTH_KEY", "SIGNING_KEY", "ENCRYPTION_KEY", "MASTER_KEY"} {
		if strings.Contains(n, part) {
			return true
		}
	}
	return n == "TOKEN" || strings.HasSuffix(n, "_TOKEN") || strings.HasPrefix(n, "TOKEN_") || strings.HasSuffix(n, "_PAT") || strings.HasSuffix(n, "_PWD") && n != "OLD_PWD"
}
