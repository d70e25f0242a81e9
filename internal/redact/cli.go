package redact

import (
	"slices"
	"strings"
)

// maxCommand bounds how far back the name of the command is looked for.
const maxCommand = 256

// flagAt reads the command-line flag that starts with the '-' at i.
func (sc *scanner) flagAt(i int) span {
	s := sc.s
	if !sc.shell || i+2 >= len(s) || i > 0 && !isSpace(s[i-1]) && !isQuote(s[i-1]) && s[i-1] != '(' && s[i-1] != '[' && !afterNewline(s, i) {
		return span{}
	}
	end := i + 2
	if s[i+1] != '-' {
		if end = i + 1; sets().alnum.run(s, end)-end < 5 || classify(s[end:sets().alnum.run(s, end)]) == keyPlain {
			return sc.shortFlag(i)
		}
	}
	nameStart := end
	for end < len(s) && (isAlnum(s[end]) || s[end] == '-' || s[end] == '_') {
		end++
	}
	if end == nameStart || end >= len(s) || s[end] != '=' && s[end] != ' ' && s[end] != '"' && s[end] != '\'' {
		return span{}
	}
	name := s[nameStart:end]
	start, stop := argument(s, end, true)
	switch {
	case name == "user" || name == "proxy-user":
		return sc.userPassword(i, start, stop)
	case name == "cookie" && sc.command(i, "curl"):
		return cookieArgument(s, start, stop)
	}
	if class := classify(name); class < keyWeak || class > keySecret || name == "key" || name == "auth" {
		return span{}
	}
	return sc.passwordArgument(start, stop, s[end] == '=')
}

func afterNewline(s string, i int) bool {
	return i > 1 && s[i-1] == 'n' && s[i-2] == '\\'
}

// shortFlag reads the flags whose meaning depends on the command.
func (sc *scanner) shortFlag(i int) span {
	s := sc.s
	attached := !isBlank(s[i+2])
	start, stop := argument(s, i+2, false)
	switch s[i+1] {
	case 'p':
		switch {
		case sc.command(i, "sshpass"),
			attached && sc.command(i, "mysql", "mysqldump", "mysqladmin", "mysqlimport", "mysqlsh", "mariadb", "mariadb-dump", "mongosh", "mongo"),
			!attached && sc.command(i, "mongosh", "mongo", "mongodump", "mongorestore", "login"):
			return sc.passwordArgument(start, stop, true)
		}
	case 'a':
		if !attached && sc.command(i, "redis-cli") {
			return sc.passwordArgument(start, stop, true)
		}
		return sc.userPassword(i, start, stop)
	case 'w':
		if !attached && sc.command(i, "ldapsearch", "ldapadd", "ldapmodify", "ldapwhoami") {
			return sc.passwordArgument(start, stop, true)
		}
	case 'u':
		return sc.userPassword(i, start, stop)
	case 'b':
		if sc.command(i, "curl") {
			return cookieArgument(s, start, stop)
		}
	}
	return span{}
}

// passwordArgument masks a flag's value. sure means that the value belongs to the
// flag beyond doubt; a word after a blank may also be prose about the flag.
func (sc *scanner) passwordArgument(start, stop int, sure bool) span {
	v := sc.s[start:stop]
	if v == "" || isPlaceholder(v) || nameLike(v) || strings.HasPrefix(v, "$(") || strings.HasPrefix(v, "${") {
		return span{}
	}
	if !sure && (v[0] == '-' || v[0] == '|' || v[0] == '#' || strings.HasPrefix(v, "...")) {
		return span{}
	}
	if hit, ok := token(sc.rules, sc.s, start); ok && hit.end >= stop {
		return hit
	}
	return span{start, stop, "cli_password"}
}

// userPassword masks the password of -u user:password.
func (sc *scanner) userPassword(i, start, stop int) span {
	if !sc.command(i, "curl", "http", "https", "wget", "httpie", "xh") {
		return span{}
	}
	user, password, ok := strings.Cut(sc.s[start:stop], ":")
	if !ok || user == "" || isPlaceholder(password) || nameLike(password) || strings.HasPrefix(password, "$") {
		return span{}
	}
	return span{start + len(user) + 1, stop, "cli_password"}
}

func cookieArgument(s string, start, stop int) span {
	if start < stop && cookiePairs(s[start:stop]) {
		return span{start, stop, "cookie"}
	}
	return span{}
}

// argument returns the bounds of the value of a flag whose name ends at i.
func argument(s string, i int, long bool) (start, stop int) {
	if long && s[i] == '=' {
		i++
	}
	for long && i < len(s) && isQuote(s[i]) && i+1 < len(s) && (s[i+1] == ',' || s[i+1] == ' ') {
		i++ // the end of a quoted list element: "--password", "…"
		for i < len(s) && (s[i] == ',' || s[i] == ' ') {
			i++
		}
	}
	for i < len(s) && isBlank(s[i]) {
		i++
	}
	if open, delim := openQuote(s, i); delim != "" {
		return open, closeQuote(s, open, delim)
	}
	stop = i
	for stop < len(s) && s[stop] > ' ' && !isQuote(s[stop]) && strings.IndexByte(";|&)<>", s[stop]) < 0 {
		if s[stop] == '\\' && stop+1 < len(s) && (isQuote(s[stop+1]) || s[stop+1] == 'n' || s[stop+1] == '\\') {
			break
		}
		stop++
	}
	return i, stop
}

// command says whether one of names stands before i in the same command.
func (sc *scanner) command(i int, names ...string) bool {
	text := sc.s[max(0, i-maxCommand):i]
	if !slices.ContainsFunc(names, func(name string) bool { return strings.Contains(text, name) }) {
		return false
	}
	if n := strings.LastIndexAny(text, ";|&`"); n >= 0 {
		text = text[n+1:]
	}
	text = lastLine(lastLine(text, "\n"), `\n`)
	for word := range strings.FieldsFuncSeq(text, func(c rune) bool {
		return c <= ' ' || c == '/' || c == '(' || c == '"' || c == '\'' || c == '$' || c == ','
	}) {
		for _, name := range names {
			if word == name {
				return true
			}
		}
	}
	return false
}

// lastLine is what follows the last line break, real or encoded, that isn't
// escaped: a command goes on after a backslash.
func lastLine(text, lineBreak string) string {
	for at := strings.LastIndex(text, lineBreak); at >= 0; at = strings.LastIndex(text[:at], lineBreak) {
		if at == 0 || text[at-1] != '\\' {
			return text[at+len(lineBreak):]
		}
	}
	return text
}
