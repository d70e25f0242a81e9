package database

import (
	"slices"
	"strings"
)

// found is one thing that a statement does.
type found struct {
	verb, target string
	flags        []string
	// data says that it is rows alone, which the end of a transaction may take back.
	data bool
}

const (
	maxSQL    = 1 << 20 // bytes that are read
	maxFound  = 16      // findings that are kept
	maxTokens = 4096    // of one statement; what stands behind is not looked at
	maxNested = 3       // of code in quotes
)

// readSQL tells what the statements of a text drop or empty. cut says that the text is larger than what is read.
func readSQL(text string, d dialect) (out []found, cut bool) {
	if len(text) > maxSQL {
		text, cut = text[:maxSQL], true
	}
	r := reader{d: d}
	r.read(text, 0)
	if r.begun && r.rolled {
		out = slices.DeleteFunc(r.out, func(f found) bool { return f.data })
		return out, cut || r.cut
	}
	return r.out, cut || r.cut
}

// reader gathers what statements do.
type reader struct {
	d   dialect
	out []found
	// begun and rolled say that a transaction was begun, and that its end takes all back.
	begun, rolled bool
	cut           bool
}

func (r *reader) add(verb, target string, data bool, flags ...string) {
	for _, f := range r.out {
		if f.verb == verb && f.target == target {
			return
		}
	}
	if len(r.out) < maxFound {
		r.out = append(r.out, found{verb: verb, target: target, data: data, flags: flags})
	}
}

func (r *reader) read(text string, nested int) {
	l := lexer{text: text, d: r.d}
	var stmt []token
	for {
		t, ok := l.next()
		end := !ok || t.is(";") || t.is("GO") && startsLine(text, l.at-2)
		if t.is("\\") {
			end = true
			if lineCommand(&l) == "gexec" { // what the query gives is run
				r.texts(stmt, nested)
			}
		}
		if !end {
			if len(stmt) < maxTokens {
				stmt = append(stmt, t)
			} else {
				r.cut = true
			}
			continue
		}
		if len(stmt) > 0 {
			r.statement(stmt, nested)
			stmt = stmt[:0]
		}
		if !ok {
			return
		}
	}
}

// startsLine tells whether a word stands alone on its line, as SQL Server's GO.
func startsLine(text string, at int) bool {
	before, after := strings.TrimRight(text[:at], " \t"), strings.TrimLeft(text[at+2:], " \t\r")
	return (before == "" || strings.HasSuffix(before, "\n")) && (after == "" || after[0] == '\n')
}

// lineCommand skips psql's own commands, which end with their line, and gives the command's name; \g and its like also end a
// statement, and so does \;.
func lineCommand(l *lexer) string {
	rest := l.text[l.at:]
	if strings.HasPrefix(rest, ";") {
		return ";"
	}
	end := strings.IndexByte(rest, '\n')
	if end < 0 {
		end = len(rest)
	}
	l.at += end
	return strings.TrimSpace(rest[:end])
}

// texts reads the texts in quotes of a statement as statements themselves.
func (r *reader) texts(s []token, nested int) {
	for _, t := range s {
		if t.quoted != 0 && t.quoted != '[' && nested < maxNested {
			r.read(t.text, nested+1)
		}
	}
}

// statement looks at one statement, past what may stand before its verb.
func (r *reader) statement(s []token, nested int) {
	for len(s) > 0 && (s[0].is("(", "BEGIN", "EXPLAIN", "ANALYZE", "ANALYSE", "VERBOSE", "ATOMIC", "THEN", "ELSE", "LOOP") || s[0].depth > 0 && len(s) > 1) {
		if s[0].is("BEGIN") && nested == 0 {
			r.begun = true
		}
		if s[0].is("EXPLAIN") && !slices.ContainsFunc(s, func(t token) bool { return t.is("ANALYZE", "ANALYSE") }) {
			return
		}
		s = s[1:]
	}
	if len(s) == 0 {
		return
	}
	switch first := s[0]; {
	case first.is("START"):
		r.begun = true
	case first.is("ROLLBACK"):
		r.rolled = len(s) < 2 || !s[1].is("TO")
	case first.is("COMMIT"), first.is("END") && nested == 0:
		r.rolled, r.begun = false, false
	case first.is("DROP"):
		r.drop(s[1:])
	case first.is("TRUNCATE"):
		r.truncate(s[1:])
	case first.is("DELETE"), first.is("UPDATE"):
		r.rows(s)
	case first.is("WITH"):
		for i, t := range s {
			if t.is("DELETE", "UPDATE") && i > 0 && (s[i-1].is("(", ")")) {
				r.rows(s[i:])
			}
		}
	case first.is("ALTER"):
		r.alter(s[1:])
	case first.is("GRANT"):
		r.grant(s[1:])
	case first.is("CREATE"):
		r.create(s[1:])
	case first.is("DO", "EXECUTE", "EXEC", "PREPARE", "CALL", "IF", "SELECT", "COPY", "RESET", "PURGE"):
		r.others(s, nested)
	}
}

// name is the name that stands at the beginning of tokens: a.b."c".
func name(s []token) string {
	for len(s) > 0 && s[0].is("IF", "EXISTS", "NOT", "ONLY", "CONCURRENTLY", "TABLE") {
		s = s[1:]
	}
	var b strings.Builder
	dot := true
	for _, t := range s {
		if t.is(".") {
			b.WriteByte('.')
			dot = true
			continue
		}
		if !dot || t.quoted == 0 && t.text != "*" && !isWord(t.text[0]) || b.Len() > 200 {
			break
		}
		text := t.text
		if t.quoted == 0 {
			text = strings.ToLower(text)
		}
		b.WriteString(text)
		dot = false
	}
	return b.String()
}
