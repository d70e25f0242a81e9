package inline

import (
	"strings"

	"github.com/boathook/boathook/internal/shellcmd/word"
)

// pendingDoc is a here-document whose text begins on the next line.
type pendingDoc struct {
	at     int
	mark   string
	indent bool
	raw    bool
}

// heredocStart reads <<EOF, <<~EOF, <<"EOF".
func (l *lexer) heredocStart(s string) bool {
	if !l.syn.heredoc || !strings.HasPrefix(s, "<<") {
		return false
	}
	t := s[2:]
	var d pendingDoc
	if t != "" && (t[0] == '~' || t[0] == '-') {
		d.indent, t = true, t[1:]
	}
	if t == "" {
		return false
	}
	quote := byte(0)
	if t[0] == '"' || t[0] == '\'' || t[0] == '`' {
		quote, t = t[0], t[1:]
	}
	n := 0
	for n < len(t) && isName(t[n]) {
		n++
	}
	if n == 0 || quote == 0 && (t[0] < 'A' || t[0] > 'Z') || quote != 0 && (n == len(t) || t[n] != quote) {
		return false
	}
	d.mark, d.raw, d.at = t[:n], quote == '\'', len(l.toks)
	kind := byte('s')
	if quote == '`' {
		kind = 'c'
	}
	l.i += len(s) - len(t) + n
	if quote != 0 {
		l.i++
	}
	l.add(token{kind: kind})
	l.pending = append(l.pending, d)
	return true
}

// docs reads the here-documents that begin here.
func (l *lexer) docs() {
	for _, d := range l.pending {
		var b strings.Builder
		for l.i < len(l.s) {
			line, _, _ := strings.Cut(l.s[l.i:], "\n")
			l.i = min(len(l.s), l.i+len(line)+1)
			if t := strings.TrimRight(line, "\r"); t == d.mark || d.indent && strings.TrimLeft(t, " \t") == d.mark {
				break
			}
			b.WriteString(line + "\n")
		}
		l.toks[d.at].parts = l.pieces(b.String(), '"', d.raw)
	}
	l.pending = nil
}

// quoted reads a string, a command in backticks, a template, a pattern.
func (l *lexer) quoted(s string) bool {
	prefix, n := l.prefix(s)
	if n >= len(s) {
		return false
	}
	q := s[n]
	kind := byte('s')
	switch {
	case strings.IndexByte(l.syn.quotes, q) >= 0:
	case q == '`' && l.syn.tick != 0 && n == 0:
		switch l.syn.tick {
		case 'c':
			kind = 'c'
		case 'n':
			kind = 'i'
		}
	case n == 0 && q == '[' && len(l.syn.concat) > 0 && l.syn.concat[0] == ".." && strings.HasPrefix(s, "[["):
		return l.until(s, 2, "]]", 's', true)
	case n == 0 && q == '/' && l.syn.regex && !l.operand():
		return l.regex(s)
	default:
		return l.percent(s)
	}
	raw := strings.ContainsAny(prefix, "rR") || strings.IndexByte(l.syn.raw, q) >= 0
	if l.syn.triple && strings.HasPrefix(s[n:], strings.Repeat(string(q), 3)) {
		return l.string(s, n+3, strings.Repeat(string(q), 3), kind, raw, strings.ContainsAny(prefix, "fF"))
	}
	return l.string(s, n+1, string(q), kind, raw, strings.ContainsAny(prefix, "fF"))
}

// prefix is what letters stand before a string of Python.
func (l *lexer) prefix(s string) (string, int) {
	if l.syn.triple && len(l.syn.line) > 0 && l.syn.line[0] == "#" && l.syn.mark == "" {
		n := 0
		for n < len(s) && n < 2 && strings.IndexByte("rRbBuUfFtT", s[n]) >= 0 {
			n++
		}
		if n > 0 && n < len(s) && (s[n] == '"' || s[n] == '\'') {
			return s[:n], n
		}
	}
	return "", 0
}

// string reads up to the end mark; escapes count.
func (l *lexer) string(s string, from int, end string, kind byte, raw, format bool) bool {
	i := from
	for i < len(s) {
		switch {
		case s[i] == '\\' && i+1 < len(s):
			i += 2
			continue
		case l.syn.mark == "${" && end == "`" && strings.HasPrefix(s[i:], "${"):
			i = skipBraces(s, i+1)
			continue
		case strings.HasPrefix(s[i:], end):
			q := end[0]
			var parts []piece
			if format {
				parts = formatPieces(s[from:i], raw)
			} else {
				parts = l.pieces(s[from:i], q, raw)
			}
			t := token{kind: kind, parts: parts}
			if kind == 'i' {
				t.text = s[from:i]
			}
			l.add(t)
			l.i += i + len(end)
			return true
		}
		i++
	}
	l.ok = false
	l.i = len(l.s)
	return true
}

// until reads a string in which no escapes count.
func (l *lexer) until(s string, from int, end string, kind byte, raw bool) bool {
	n := strings.Index(s[from:], end)
	if n < 0 {
		l.ok = false
		l.i = len(l.s)
		return true
	}
	l.add(token{kind: kind, parts: l.pieces(s[from:from+n], '\'', raw)})
	l.i += from + n + len(end)
	return true
}

// skipBraces gives the place after the brace that closes the one at i.
func skipBraces(s string, i int) int {
	depth := 0
	for ; i < len(s); i++ {
		switch s[i] {
		case '\\':
			i++
		case '{':
			depth++
		case '}':
			if depth--; depth <= 0 {
				return i + 1
			}
		}
	}
	return len(s)
}

// pieces splits a string's text into literal parts and code.
func (l *lexer) pieces(s string, quote byte, raw bool) []piece {
	if strings.IndexByte(l.syn.interpolate, quote) < 0 || raw {
		return []piece{{text: unescape(s, raw)}}
	}
	var out []piece
	from := 0
	for i := 0; i < len(s); i++ {
		switch {
		case s[i] == '\\':
			i++
		case strings.HasPrefix(s[i:], l.syn.mark) && len(l.syn.mark) == 2:
			end := skipBraces(s, i+1)
			out = append(out, piece{text: unescape(s[from:i], false)}, piece{text: s[i+2 : max(i+2, end-1)], code: true})
			i, from = end-1, end
		case l.syn.mark == "$" && (s[i] == '$' || s[i] == '@' && l.syn.percent == 'p' || s[i] == '{' && strings.HasPrefix(s[i:], "{$")) && i+1 < len(s):
			n := variableLength(s[i:])
			if n == 0 {
				continue
			}
			out = append(out, piece{text: unescape(s[from:i], false)}, piece{text: strings.TrimSuffix(strings.TrimPrefix(s[i:i+n], "{"), closing(s[i])), code: true})
			i, from = i+n-1, i+n
		}
		if len(out) > 1<<10 {
			return []piece{{text: word.Unknown}}
		}
	}
	return append(out, piece{text: unescape(s[from:], false)})
}

// closing is the brace that ends {$x}.
func closing(ch byte) string {
	if ch == '{' {
		return "}"
	}
	return ""
}

// variableLength is the length of a variable in a string: $x, ${x}, $x[0], $x{k}, $x->{k}, @{[ … ]}, {$x}, $(…).
func variableLength(s string) int {
	if s[0] == '{' || s[1] == '{' || s[1] == '(' {
		if s[1] == '(' {
			if n := strings.IndexByte(s, ')'); n > 0 {
				return n + 1
			}
			return 0
		}
		return skipBraces(s, strings.IndexByte(s, '{'))
	}
	n := 1
	for n < len(s) && isName(s[n]) {
		n++
	}
	if n == 1 {
		return 0
	}
	for n < len(s) {
		rest := strings.TrimPrefix(s[n:], "->")
		skip := len(s[n:]) - len(rest)
		if rest == "" || rest[0] != '[' && rest[0] != '{' {
			break
		}
		end := strings.IndexAny(rest, "]}")
		if end < 0 {
			break
		}
		n += skip + end + 1
	}
	return n
}

// formatPieces splits an f-string.
func formatPieces(s string, raw bool) []piece {
	var out []piece
	from := 0
	for i := 0; i < len(s); i++ {
		switch {
		case strings.HasPrefix(s[i:], "{{"), strings.HasPrefix(s[i:], "}}"):
			out = append(out, piece{text: unescape(s[from:i+1], raw)})
			i++
			from = i + 1
		case s[i] == '{':
			end := skipBraces(s, i)
			code := s[i+1 : max(i+1, end-1)]
			out = append(out, piece{text: unescape(s[from:i], raw)}, piece{text: code, code: true})
			i, from = end-1, end
		}
		if len(out) > 1<<10 {
			return []piece{{text: word.Unknown}}
		}
	}
	return append(out, piece{text: unescape(s[from:], raw)})
}
