package inline

import (
	"strings"
	"unicode/utf8"
)

// syntax is how a language's tokens look.
type syntax struct {
	// line and block begin comments; block comments end as the text after the blank says.
	line  []string
	block string
	// concat are the operators that put texts together.
	concat []string
	// quotes are the characters that begin strings; raw are those in which a backslash is mostly itself; tick says what a backtick is:
	// 'c' a command, 't' a template.
	quotes, raw string
	tick        byte
	// interpolate are the quotes in which values are put, by "#{", "${" or "$".
	interpolate string
	mark        string
	// sigils begin names: $x, @x.
	sigils string
	// bare says that calls need no parentheses.
	bare bool
	// attr are the operators between a thing and its part.
	attr []string
	// regex says that /…/ may be a pattern; percent that q(), qw(), %w() are strings (perl, ruby).
	regex   bool
	percent byte
	// triple says that """ begins strings of many lines.
	triple bool
	// keys are what stands between a key and its value beside ':'.
	heredoc bool
}

// syntaxOf is nil for a language that is not known.
func syntaxOf(lang string) *syntax {
	switch lang {
	case "python":
		return &syntax{line: []string{"#"}, quotes: `"'`, concat: []string{"+"}, attr: []string{"."}, triple: true}
	case "node":
		return &syntax{
			line: []string{"//", "#!"}, block: "/* */", quotes: `"'`, tick: 't', concat: []string{"+"}, interpolate: "`", mark: "${",
			attr: []string{".", "?."}, regex: true,
		}
	case "ruby":
		return &syntax{
			line: []string{"#"}, block: "=begin =end", quotes: `"'`, raw: `'`, tick: 'c', concat: []string{"+", "<<"}, interpolate: "\"`", mark: "#{", sigils: "$@",
			bare: true, attr: []string{".", "&.", "::"}, regex: true, percent: 'r', heredoc: true,
		}
	case "perl":
		return &syntax{
			line: []string{"#"}, quotes: `"'`, raw: `'`, tick: 'c', concat: []string{"."}, interpolate: "\"`", mark: "$", sigils: "$@%&", bare: true,
			attr: []string{"->", "::"}, regex: true, percent: 'p', heredoc: true,
		}
	case "php":
		return &syntax{
			line: []string{"#", "//"}, block: "/* */", quotes: `"'`, raw: `'`, tick: 'c', concat: []string{"."}, interpolate: "\"`", mark: "$", sigils: "$",
			attr: []string{"->", "?->", "::"},
		}
	case "lua":
		return &syntax{line: []string{"--"}, block: "--[[ ]]", quotes: `"'`, concat: []string{".."}, attr: []string{".", ":"}, bare: true}
	case "r":
		return &syntax{line: []string{"#"}, quotes: `"'`, tick: 'n', attr: []string{"::", "$"}}
	case "julia":
		return &syntax{line: []string{"#"}, block: "#= =#", quotes: `"`, tick: 'c', concat: []string{"*"}, interpolate: "\"`", mark: "$", attr: []string{"."}, triple: true}
	case "elixir":
		return &syntax{line: []string{"#"}, quotes: `"'`, concat: []string{"<>"}, interpolate: `"`, mark: "#{", attr: []string{"."}, triple: true}
	case "groovy", "scala", "swift", "nim", "crystal":
		return &syntax{line: []string{"//"}, block: "/* */", quotes: `"'`, concat: []string{"+"}, attr: []string{"."}, triple: true}
	}
	return nil
}

// token is one of a code's words and signs.
type token struct {
	// kind is i (name), s (string), c (command), n (number), o (sign), l (end of a line or statement), x (code of s///e).
	kind byte
	text string
	// parts are those of a string in which values stand.
	parts []piece
	// space says that blanks stand before it.
	space bool
}

// piece is a literal part of a string, or code in it.
type piece struct {
	text string
	code bool
}

// lexer splits code.
type lexer struct {
	syn   *syntax
	s     string
	i     int
	toks  []token
	depth []byte
	ok    bool
	space bool
	// pending are the here-documents that begin on the next line: indices of tokens and their end marks.
	pending []pendingDoc
	// scanned is how far strings of perl and ruby were looked for in vain or not: it bounds the work.
	scanned int
}

// lex splits code into tokens; ok is false where it is cut or a string does not end.
func lex(syn *syntax, code string) ([]token, bool) {
	l := &lexer{syn: syn, s: code, ok: true}
	for l.i < len(l.s) {
		if len(l.toks) > maxTokens {
			return l.toks, false
		}
		l.next()
	}
	return l.toks, l.ok
}

// add keeps a token.
func (l *lexer) add(t token) {
	t.space = l.space
	l.space = false
	l.toks = append(l.toks, t)
}

// next reads one token.
func (l *lexer) next() {
	s := l.s[l.i:]
	ch := s[0]
	switch {
	case ch == '\n':
		l.i++
		l.newline()
		l.docs()
	case ch == ' ' || ch == '\t' || ch == '\r':
		l.i++
		l.space = true
	case ch == '\\' && len(s) > 1 && s[1] == '\n':
		l.i += 2
	case ch == ';':
		l.i++
		l.add(token{kind: 'l'})
	case l.comment(s):
	case l.heredocStart(s):
	case ch == ':' && l.syn.percent == 'r' && len(s) > 1 && isName(s[1]) && (l.space || !l.operand()) && (l.i == 0 || l.s[l.i-1] != ':'):
		l.symbol(s)
	case l.quoted(s):
	case l.name(s):
	case ch >= '0' && ch <= '9':
		n := 1
		for n < len(s) && (isName(s[n]) || s[n] == '.' && n+1 < len(s) && s[n+1] >= '0' && s[n+1] <= '9') {
			n++
		}
		l.add(token{kind: 'n', text: s[:n]})
		l.i += n
	default:
		l.sign(s)
	}
}

// newline ends a statement, except in parentheses.
func (l *lexer) newline() {
	if n := len(l.depth); n > 0 && l.depth[n-1] != '{' {
		l.space = true
		return
	}
	l.add(token{kind: 'l'})
}

// comment skips a comment.
func (l *lexer) comment(s string) bool {
	if l.syn.block != "" {
		begin, end, _ := strings.Cut(l.syn.block, " ")
		if strings.HasPrefix(s, begin) {
			n := strings.Index(s[len(begin):], end)
			if n < 0 {
				l.i = len(l.s)
				return true
			}
			l.i += len(begin) + n + len(end)
			return true
		}
	}
	for _, c := range l.syn.line {
		if !strings.HasPrefix(s, c) {
			continue
		}
		if n := strings.IndexByte(s, '\n'); n >= 0 {
			l.i += n
		} else {
			l.i = len(l.s)
		}
		return true
	}
	return false
}

// isName tells whether a character can be part of a name.
func isName(ch byte) bool {
	return ch == '_' || ch >= 'a' && ch <= 'z' || ch >= 'A' && ch <= 'Z' || ch >= '0' && ch <= '9' || ch >= 0x80
}

// name reads a name with its sigil.
func (l *lexer) name(s string) bool {
	n := 0
	if strings.IndexByte(l.syn.sigils, s[0]) >= 0 {
		n = 1
		for n < len(s) && n < 3 && strings.IndexByte("$@#", s[n]) >= 0 {
			n++
		}
		if n < len(s) && s[n] == '{' && l.syn.percent == 'p' {
			// ${x} and @{[ … ]}: the braces are read as they stand.
			l.i += n
			return true
		}
		if n == len(s) || !isName(s[n]) {
			if s[0] == '$' && n < len(s) {
				l.add(token{kind: 'i', text: s[:n+1]})
				l.i += n + 1
				return true
			}
			return false
		}
	} else if !isName(s[0]) || s[0] >= '0' && s[0] <= '9' {
		return false
	}
	for n < len(s) && (isName(s[n]) || s[n] == '.' && l.syn.tick == 'n') {
		n++
	}
	if n < len(s) && (s[n] == '!' || s[n] == '?') && (l.syn.percent == 'r' || l.syn.mark == "#{") && (n+1 == len(s) || s[n+1] != '=') {
		n++
	}
	if strings.HasPrefix(s, "\uFFFC") && n == utf8.RuneLen('\uFFFC') {
		l.add(token{kind: 'u'})
		l.i += n
		return true
	}
	l.add(token{kind: 'i', text: s[:n]})
	l.i += n
	return true
}

// symbol reads a symbol of Ruby, which is as good as a text.
func (l *lexer) symbol(s string) {
	n := 1
	for n < len(s) && isName(s[n]) {
		n++
	}
	l.add(token{kind: 's', parts: []piece{{text: s[1:n]}}})
	l.i += n
}

// sign reads an operator.
func (l *lexer) sign(s string) {
	n := 1
	for _, op := range []string{
		"...", "===", "!==", "**=", "<=>", "?->", "->", "=>", "==", "!=", "::", "&&", "||", "??", "?.", "&.", "..", "=~", "!~", "+=", ".=", "-=", "*=",
		"/=", "|=", "<<", ">>", "<=", ">=", "<-", "<>", "|>", ":=", "**", "++", "--",
	} {
		if strings.HasPrefix(s, op) {
			n = len(op)
			break
		}
	}
	switch s[0] {
	case '(', '[', '{':
		l.depth = append(l.depth, s[0])
	case ')', ']', '}':
		if len(l.depth) > 0 {
			l.depth = l.depth[:len(l.depth)-1]
		}
	}
	l.add(token{kind: 'o', text: s[:n]})
	l.i += n
}

// operand tells whether the last token ends an operand, so that / divides and < compares.
func (l *lexer) operand() bool {
	if len(l.toks) == 0 {
		return false
	}
	t := l.toks[len(l.toks)-1]
	switch t.kind {
	case 'n', 's', 'c', 'u':
		return true
	case 'i':
		switch t.text {
		case "return", "and", "or", "not", "if", "unless", "while", "split", "grep", "map", "join", "push", "in", "of", "typeof", "case", "when", "print", "puts":
			return false
		}
		return true
	case 'o':
		return t.text == ")" || t.text == "]" || t.text == "}"
	}
	return false
}
