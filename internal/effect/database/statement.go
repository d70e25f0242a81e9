package database

import (
	"slices"
	"strings"
)

// drop is DROP kind name.
func (r *reader) drop(s []token) {
	if len(s) == 0 {
		return
	}
	kind := s[0]
	switch {
	case kind.is("DATABASE", "SCHEMA", "TABLE", "KEYSPACE", "TABLESPACE", "COLLECTION", "USER", "ROLE", "OWNED", "COLUMN", "BUCKET", "STREAM", "TOPIC",
		"CATALOG", "WAREHOUSE", "CLUSTER", "GRAPH", "MEASUREMENT", "SERIES"):
		rest := s[1:]
		if kind.is("OWNED") && len(rest) > 0 {
			rest = rest[1:] // BY
		}
		r.add("drop-"+strings.ToLower(kind.text), name(rest), false)
	case kind.is("FOREIGN", "EXTERNAL", "UNLOGGED", "MATERIALIZED", "VIRTUAL"):
		if len(s) > 1 && s[1].is("TABLE") {
			r.add("drop-table", name(s[2:]), false)
		} else if len(s) > 1 {
			r.add("drop-object", name(s[2:]), false)
		}
	case kind.is("TEMPORARY", "TEMP", "PREPARE"):
	case !kind.known():
		r.add("drop-object", "", false, "dynamic")
	default:
		r.add("drop-object", name(s[1:]), false)
	}
}

func (r *reader) truncate(s []token) {
	if len(s) == 0 || s[0].is("(") {
		return // the function
	}
	r.add("truncate", name(s), false)
}

// rows is a DELETE or an UPDATE: of all rows unless a WHERE at its own depth bounds it.
func (r *reader) rows(s []token) {
	verb, target := "delete-all", ""
	switch {
	case s[0].is("DELETE"):
		from := slices.IndexFunc(s, func(t token) bool { return t.is("FROM") })
		if from < 0 {
			if len(s) < 2 || s[1].quoted == 0 && !isWord(s[1].text[0]) {
				return
			}
			from = 0 // Oracle does without
		}
		target = name(s[from+1:])
	default:
		if set := slices.IndexFunc(s, func(t token) bool { return t.is("SET") }); set < 0 {
			return
		}
		verb, target = "update-all", name(s[1:])
	}
	depth := s[0].depth
	for i, t := range s {
		if t.depth < depth {
			break
		}
		if t.depth != depth {
			continue
		}
		if t.is("LIMIT", "TOP") && s[0].is("DELETE") {
			return
		}
		if t.is("WHERE") {
			if always(s[i+1:], depth) {
				break
			}
			return
		}
	}
	if target == "" {
		r.add(verb, "", true, "dynamic")
		return
	}
	r.add(verb, target, true)
}

// always tells whether a condition holds for every row: true, 1=1, 'a'='a', or one of these after OR.
func always(s []token, depth int) bool {
	end := len(s)
	for i, t := range s {
		if t.depth < depth || t.is("RETURNING", "ORDER", "LIMIT", "GROUP") {
			end = i
			break
		}
	}
	s = s[:end]
	for len(s) > 1 && s[0].is("(") && s[len(s)-1].is(")") {
		s = s[1 : len(s)-1]
	}
	if len(s) == 0 {
		return false
	}
	if i := slices.IndexFunc(s, func(t token) bool { return t.is("OR") && t.depth == s[0].depth }); i > 0 {
		return plain(s[:i]) || always(s[i+1:], depth)
	}
	return plain(s)
}

// plain tells one comparison that is always true.
func plain(s []token) bool {
	switch len(s) {
	case 1:
		return s[0].is("TRUE") || s[0].quoted == 0 && s[0].text != "0" && number(s[0].text)
	case 2:
		return s[0].is("NOT") && s[1].is("FALSE", "0")
	case 3:
		return s[1].is("=") && s[0] == s[2] || s[1].is("IS") && s[0].is("TRUE") && s[2].is("TRUE")
	case 4: // 1 <> 2, 1 >= 1
		return s[0].quoted == 0 && s[3].quoted == 0 && number(s[0].text) && number(s[3].text) &&
			(s[1].is("<", "!") && s[0].text != s[3].text || s[1].is(">") && s[2].is("=") && s[0].text == s[3].text)
	}
	return false
}

func number(s string) bool {
	return s != "" && strings.Trim(s, "0123456789") == ""
}

// alter is ALTER … DROP of what holds data, and what makes a role mighty.
func (r *reader) alter(s []token) {
	if len(s) < 2 {
		return
	}
	if s[0].is("USER", "ROLE") {
		if slices.ContainsFunc(s, func(t token) bool { return t.is("SUPERUSER", "BYPASSRLS") }) {
			r.add("grant-superuser", name(s[1:]), false)
		}
		return
	}
	if !s[0].is("TABLE", "FOREIGN", "ONLINE", "KEYSPACE") {
		return
	}
	table := name(s[1:])
	depth := s[0].depth
	for i, t := range s {
		if t.depth != depth {
			continue
		}
		if t.is("DELETE", "UPDATE") { // ClickHouse
			r.rows(append([]token{t, {text: "FROM", depth: depth}, {text: strings.ToUpper(table), depth: depth}}, s[i+1:]...))
			return
		}
		if !t.is("DROP") || i+1 >= len(s) || i > 0 && s[i-1].is("ALTER") {
			continue
		}
		if column(s, i) {
			r.add("drop-column", table, false)
		} else if s[i+1].is("PARTITION") {
			r.add("drop-partition", table, false)
		}
	}
}

// column tells whether the DROP at i is one of a column: DROP COLUMN x, DROP x, but not DROP CONSTRAINT x or ALTER COLUMN x DROP DEFAULT.
func column(s []token, i int) bool {
	for back := i - 1; back >= 0 && back >= i-4; back-- {
		if s[back].is("ALTER", "MODIFY") {
			return false
		}
	}
	n := s[i+1]
	if n.is("COLUMN", "IF") {
		return true
	}
	return !n.is("CONSTRAINT", "INDEX", "KEY", "PRIMARY", "FOREIGN", "DEFAULT", "NOT", "CHECK", "PARTITION", "IDENTITY", "EXPRESSION", "TRIGGER",
		"STATISTICS", "PROJECTION", "ROW", "UNIQUE")
}

func (r *reader) grant(s []token) {
	if len(s) > 0 && s[0].is("ALL", "DBA", "SUPERUSER", "SYSDBA") {
		r.add("grant-all", "", false)
	}
}

func (r *reader) create(s []token) {
	if len(s) > 1 && s[0].is("USER", "ROLE") && slices.ContainsFunc(s, func(t token) bool { return t.is("SUPERUSER") }) {
		r.add("grant-superuser", name(s[1:]), false)
	}
}

// others are statements that run code of their own, or programs.
func (r *reader) others(s []token, nested int) {
	if s[0].is("DO", "EXECUTE", "EXEC", "PREPARE", "CALL") {
		r.texts(s, nested)
	}
	for i, t := range s {
		switch {
		case t.is("PROGRAM") && i > 0 && s[i-1].is("TO", "FROM"), t.is("XP_CMDSHELL"):
			r.add("run-program", "", false)
		case t.is("OUTFILE", "DUMPFILE") && i > 0 && s[i-1].is("INTO"):
			r.add("write-file", "", false)
		case s[0].is("RESET", "PURGE") && t.is("MASTER", "BINARY"):
			r.add("drop-logs", "", false)
			return
		case s[0].is("IF") && i > 0 && t.is("DROP", "TRUNCATE", "DELETE") && !s[i-1].is("."):
			r.statement(s[i:], nested) // IF … DROP TABLE x, SQL Server's
			return
		}
	}
}
