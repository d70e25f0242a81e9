package redact

import (
	"strings"
	"sync"
)

// How a flag holds its secret.
const (
	wholeArgument = iota
	afterColon    // user:password
	afterPercent
	afterComma
	passSource // pass:<password> of openssl
	cookieJar
)

// flagRule is a flag whose meaning depends on the command.
type flagRule struct {
	flag     string
	kind     int
	attached bool // -pX
	spaced   bool // -p X
	commands string
}

var flagRules = [...]flagRule{
	{"-p", wholeArgument, true, true, "sshpass mongo mongosh"},
	{"-p", wholeArgument, true, false, "mysql mysqldump mysqladmin mysqlimport mysqlsh mysqlpump mysqlcheck mariadb mariadb-dump mariadb-admin 7z 7za 7zr rar unrar"},
	{"-p", wholeArgument, false, true, "mongodump mongorestore mongoimport mongoexport login cqlsh ncftpput ncftpget"},
	{"-P", wholeArgument, true, true, "zip unzip zipcloak"},
	{"-P", wholeArgument, false, true, "sqlcmd bcp osql isql ipmitool"},
	{"-a", wholeArgument, false, true, "redis-cli valkey-cli"},
	{"-w", wholeArgument, false, true, "ldapsearch ldapadd ldapmodify ldapwhoami ldapdelete ldappasswd"},
	{"-pw", wholeArgument, false, true, "plink pscp psftp putty kitty"},
	{"-k", passSource, false, true, "openssl"},
	{"-passin", passSource, false, true, "openssl"},
	{"-passout", passSource, false, true, "openssl"},
	{"-pass", passSource, false, true, "openssl"},
	{"-u", afterColon, true, true, "curl http https wget httpie xh"},
	{"-U", afterColon, true, true, "curl"},
	{"-a", afterColon, true, true, "http https httpie xh"},
	{"-U", afterPercent, true, true, "smbclient rpcclient smbmap smbget net nmblookup winexe"},
	{"-u", afterComma, true, true, "lftp"},
	{"-b", cookieJar, true, true, "curl"},
	{"--user", afterColon, false, true, "curl http https wget httpie xh"},
	{"--proxy-user", afterColon, false, true, "curl"},
	{"--user", afterPercent, false, true, "smbclient rpcclient smbmap smbget net"},
	{"--cookie", cookieJar, false, true, "curl"},
}

// flagTable holds the rules by the flag's letter, or by its whole name.
var flagTable = sync.OnceValue(func() map[string][]commandFlag {
	m := map[string][]commandFlag{}
	for _, rule := range flagRules {
		m[rule.flag] = append(m[rule.flag], commandFlag{rule, strings.Fields(rule.commands)})
	}
	return m
})

type commandFlag struct {
	flagRule
	names []string
}

var commandNames = sync.OnceValue(func() map[string]bool {
	m := map[string]bool{"sqlplus": true, "expdp": true, "impdp": true, "exp": true, "imp": true, "rman": true, "sqlldr": true}
	for _, rule := range flagRules {
		for _, name := range strings.Fields(rule.commands) {
			m[name] = true
		}
	}
	return m
})

// flagSecret returns where in v, the value of a flag, the secret starts.
func flagSecret(kind int, v string) (from int, typ string, ok bool) {
	cut := func(sep byte) (int, string, bool) {
		n := strings.IndexByte(v, sep)
		return n + 1, "cli_password", n > 0 && secretArgument(v[n+1:])
	}
	switch kind {
	case afterColon:
		return cut(':')
	case afterPercent:
		return cut('%')
	case afterComma:
		return cut(',')
	case passSource:
		if strings.HasPrefix(v, "pass:") {
			return len("pass:"), "cli_password", secretArgument(v[len("pass:"):])
		}
		for _, source := range [...]string{"env:", "file:", "fd:", "stdin"} {
			if strings.HasPrefix(v, source) {
				return 0, "", false
			}
		}
	case cookieJar:
		return 0, "cookie", cookiePairs(v)
	}
	return 0, "cli_password", secretArgument(v)
}

func secretArgument(v string) bool {
	return v != "" && !isPlaceholder(v) && !nameLike(v) && !strings.HasPrefix(v, "$(") && !strings.HasPrefix(v, "${")
}
