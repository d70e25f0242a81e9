package redact

import "strings"

// lineEnds says that nothing but the end of a statement or a comment follows i.
func (sc *scanner) lineEnds(i int) bool {
	for i < len(sc.s) && i < sc.near+maxLabel && strings.IndexByte(" \t;,}", sc.s[i]) >= 0 {
		i++
	}
	return i == len(sc.s) || sc.s[i] == '\n' || sc.s[i] == '\r' || sc.s[i] == '#' || isQuote(sc.s[i]) || strings.HasPrefix(sc.s[i:], "//") ||
		strings.HasPrefix(sc.s[i:], `\n`)
}

// headerLine says that p is all of an "X-…" header: on a line of its own, or in
// the quotes of curl -H.
func (sc *scanner) headerLine(p pair) bool {
	if !p.colon || p.keyQuoted || !foldPrefix(p.key, "x-") || p.end-p.start < 4 {
		return false
	}
	start := p.keyStart
	for start > 0 && (isBlank(sc.s[start-1]) || sc.s[start-1] == '<' || sc.s[start-1] == '>') { // curl -v
		start--
	}
	begins := start == 0 || sc.s[start-1] == '\n' || isQuote(sc.s[start-1]) || afterNewline(sc.s, start)
	return begins && p.end < sc.near+1 && (p.end == len(sc.s) || sc.s[p.end] == '\n' || sc.s[p.end] == '\r' || sc.s[p.end] == '\\' || isQuote(sc.s[p.end]))
}

// connection says that p is a part of a connection string: "Server=db;Pwd=x;".
func (sc *scanner) connection(p pair) bool {
	if p.colon || p.query || p.keyQuoted || p.quoted {
		return false
	}
	switch strings.ToLower(p.key) {
	case "pwd", "password", "pass":
	default:
		return false
	}
	at := p.keyStart
	for at > 0 && isBlank(sc.s[at-1]) {
		at--
	}
	if at == 0 || sc.s[at-1] != ';' {
		return false
	}
	from := max(0, at-1-maxLabel)
	part := sc.s[from : at-1]
	part = part[strings.LastIndexAny(part, ";\"'\n")+1:]
	name, value, ok := strings.Cut(part, "=")
	sc.steps += maxLabel
	return ok && value != "" && len(name) >= 2 && !strings.ContainsAny(part, "()$`") &&
		(p.end == len(sc.s) || sc.s[p.end] == ';' || isQuote(sc.s[p.end]) || sc.s[p.end] == '\n' || sc.s[p.end] == '\r' || sc.s[p.end] == '\\')
}

// prompt is what a terminal shows when someone answers "Password: ".
func (sc *scanner) prompt(p pair, v string) bool {
	if p.key != "Password" && p.key != "password" && p.key != "Passphrase" || !p.colon || p.keyQuoted || len(v) < 6 || identifierCase(v) {
		return false
	}
	line := sc.s[max(0, p.keyStart-maxLabel):p.keyStart]
	line = line[strings.LastIndexByte(line, '\n')+1:]
	if p.key == "password" && !strings.HasSuffix(line, "'s ") || p.key != "password" && line != "" {
		return false
	}
	return p.end == len(sc.s) || sc.s[p.end] == '\n' || sc.s[p.end] == '\r'
}

// identifierCase is a name in program text: passwordInput, user_password.
func identifierCase(v string) bool {
	return !identifier(v) || strings.Contains(v, "_") || kindsOf(v).upper && kindsOf(v).lower && v[0] >= 'a'
}

// oraclePassword matches user/password@//host, and user/password@ after sqlplus.
func (sc *scanner) oraclePassword(i int) span {
	s := sc.s
	if !sc.shell || i == 0 || i+1 >= len(s) {
		return span{}
	}
	slash := i
	for slash > sc.done && i-slash < maxLabel && s[slash-1] > ' ' && s[slash-1] < 0x80 && !isQuote(s[slash-1]) && strings.IndexByte("/\\<>@", s[slash-1]) < 0 {
		slash--
	}
	if slash == i || slash <= sc.done || s[slash-1] != '/' {
		return span{}
	}
	user := slash - 1
	for user > sc.done && slash-user < maxLabel && (isAlnum(s[user-1]) || strings.IndexByte("_$#.-", s[user-1]) >= 0) {
		user--
	}
	sc.steps += i - user
	v := s[slash:i]
	if user == slash-1 || user > 0 && s[user-1] != ':' && !isSpace(s[user-1]) && !isQuote(s[user-1]) || !secretArgument(v) || v[0] == '$' {
		return span{}
	}
	thin := strings.HasSuffix(s[:user], "jdbc:oracle:thin:") || strings.HasSuffix(s[:user], "jdbc:oracle:oci:")
	if !thin && (!strings.HasPrefix(s[i:], "@//") || len(v) < 4) && !sc.command(user, "sqlplus", "expdp", "impdp", "exp", "imp", "rman", "sqlldr") {
		return span{}
	}
	return span{slash, i, "db_url"}
}
