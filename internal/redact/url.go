package redact

import "strings"

// maxAuthority bounds user:password@ in a URL.
const maxAuthority = 8 << 10

// urlAuthority returns where the authority of a URL starts whose ':' is at i.
// The slashes may be escaped, as some JSON encoders do.
func urlAuthority(s string, i int) (int, bool) {
	j := i + 1
	for range 2 {
		for j < len(s) && s[j] == '\\' {
			j++
		}
		if j >= len(s) || s[j] != '/' {
			return 0, false
		}
		j++
	}
	return j, true
}

// urlPassword masks the password of scheme://user:password@host and leaves the
// rest readable.
func (sc *scanner) urlPassword(colon, from int) span {
	s := sc.s
	scheme := schemeBefore(s, colon, sc.done)
	if scheme == "" {
		return span{}
	}
	db := dbScheme(scheme)
	at := sc.userinfoEnd(from, db)
	if at < 0 || at-from > maxAuthority {
		return span{}
	}
	user, password, ok := strings.Cut(s[from:at], ":")
	start := from + len(user) + 1
	if !ok && !db && len(user) >= 20 && !strings.Contains(user, ".") && looksSecret(user) {
		return span{from, at, "basic_auth"} // https://<token>@host
	}
	if !ok || db && portAndPath(password) {
		return span{}
	}
	if password == "x-oauth-basic" && len(user) >= 20 {
		return span{from, from + len(user), "basic_auth"}
	}
	if isPlaceholder(password) || nameLike(password) {
		return span{}
	}
	if db {
		return span{start, at, "db_url"}
	}
	return span{start, at, "basic_auth"}
}

func schemeBefore(s string, colon, floor int) string {
	i := colon
	for i > floor && colon-i < 32 && (isAlnum(s[i-1]) || s[i-1] == '+' || s[i-1] == '.' || s[i-1] == '-') {
		i--
	}
	return s[i:colon]
}

// authority remembers where the text without blanks ends that URLs stand in, and
// its last '@'.
type authority struct{ end, at int }

// userinfoEnd finds the '@', or returns -1. Database passwords are often written
// unencoded, so there a '/', '?' or '#' doesn't end the search.
func (sc *scanner) userinfoEnd(from int, db bool) int {
	s, end := sc.s, from
	if !db {
		for end < len(s) && authorityByte(s[end]) && strings.IndexByte("/?#", s[end]) < 0 {
			end++
		}
		sc.steps += end - from
		if n := strings.LastIndexByte(s[from:end], '@'); n >= 0 {
			return from + n
		}
		return -1
	}
	if from >= sc.authority.end {
		for end < len(s) && authorityByte(s[end]) {
			end++
		}
		sc.steps += 2 * (end - from)
		sc.authority = authority{end, from + strings.LastIndexByte(s[from:end], '@')}
	}
	at := sc.authority.at
	if at < from {
		return -1
	}
	// An '@' of the path or the query belongs to the password only if the
	// authority has none.
	text := s[from:at]
	if slash := strings.IndexAny(text[:min(len(text), maxAuthority)], "/?#"); slash >= 0 {
		if n := strings.LastIndexByte(text[:slash], '@'); n >= 0 {
			return from + n
		}
	}
	return at
}

func authorityByte(b byte) bool {
	return b > ' ' && !isQuote(b) && b != '<' && b != '>' && b != '\\'
}

// portAndPath says that what looks like a password is host:port/path?…@….
func portAndPath(password string) bool {
	n := 0
	for n < len(password) && isDigit(password[n]) {
		n++
	}
	return n > 0 && n <= 5 && n < len(password) && (password[n] == '/' || password[n] == '?' || password[n] == ',')
}

func dbScheme(scheme string) bool {
	scheme = strings.ToLower(scheme)
	if i := strings.LastIndexByte(scheme, '+'); i > 0 {
		scheme = scheme[:i]
	}
	switch scheme {
	case "postgres", "postgresql", "pgsql", "mysql", "mysqlx", "mariadb", "mongodb", "redis", "rediss", "amqp", "amqps",
		"mssql", "sqlserver", "oracle", "cockroachdb", "clickhouse", "cassandra", "couchbase", "neo4j", "bolt", "nats", "kafka",
		"postgis", "jdbc", "libsql", "snowflake", "valkey", "db2":
		return true
	}
	return false
}

// webhook masks what authorises a post to a chat webhook: the path after the
// fixed part.
func webhook(s string, i int) (span, bool) {
	for _, w := range [...]struct{ prefix, typ string }{
		{"hooks.slack.com/services/", "slack_webhook"},
		{"hooks.slack.com/workflows/", "slack_webhook"},
		{"hooks.slack.com/triggers/", "slack_webhook"},
		{"discord.com/api/webhooks/", "discord_webhook"},
		{"discordapp.com/api/webhooks/", "discord_webhook"},
	} {
		if !strings.HasPrefix(s[i:], w.prefix) {
			continue
		}
		from := i + len(w.prefix)
		end := from
		for end < len(s) && (sets().url[s[end]] || s[end] == '/') {
			end++
		}
		body := s[from:end]
		return span{from, end, w.typ}, len(body) >= 20 && kindsOf(body).digit && !onlyX(strings.ReplaceAll(body, "/", ""))
	}
	return span{}, false
}

// telegram matches a bot token, <bot id>:AA<33 characters>.
func telegram(s string, colon, floor int) (span, bool) {
	if !strings.HasPrefix(s[colon+1:], "AA") {
		return span{}, false
	}
	start := colon
	for start > floor && colon-start < 11 && isDigit(s[start-1]) {
		start--
	}
	end := sets().url.run(s[:min(len(s), colon+40)], colon+1)
	return span{start, end, "telegram_token"}, colon-start >= 8 && colon-start <= 10 && end-colon-1 == 35
}
