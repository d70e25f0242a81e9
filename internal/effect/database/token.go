package database

import (
	"strings"

	"github.com/boathook/boathook/internal/shellcmd/word"
)

// token is one token of SQL: a word in upper case, a mark, or with Quoted the inside of quotes.
type token struct {
	text   string
	quoted byte // the quote: ' " ` [ $, or 0
	depth  int  // of parentheses around it
}

// is tells whether a token is one of these words.
func (t token) is(words ...string) bool {
	if t.quoted != 0 {
		return false
	}
	for _, w := range words {
		if t.text == w {
			return true
		}
	}
	return false
}

// dialect says what differs between the databases.
type dialect struct {
	hash      bool // # begins a comment, and /*! */ is code: MySQL
	backslash bool // \ escapes in quotes: MySQL, BigQuery
	brackets  bool // [name]: SQL Server, SQLite
	dollar    bool // $tag$ text $tag$: PostgreSQL
}

// lexer reads SQL. It always goes forward: its work is bounded by the text's length.
type lexer struct {
	text  string
	at    int
	depth int
	d     dialect
}

// next is the next token; ok is false at the end.
func (l *lexer) next() (t token, ok bool) {
	l.blanks()
	if l.at >= len(l.text) {
		return token{}, false
	}
	c := l.text[l.at]
	switch {
	case c == '\'' || c == '"' || c == '`':
		return l.quoted(c, c), true
	case c == '[' && l.d.brackets:
		return l.quoted('[', ']'), true
	case c == '$' && l.d.dollar:
		if t, ok := l.dollars(); ok {
			return t, true
		}
	case isWord(c):
		from := l.at
		for l.at < len(l.text) && isWord(l.text[l.at]) {
			l.at++
		}
		return token{text: strings.ToUpper(l.text[from:l.at]), depth: l.depth}, true
	}
	l.at++
	switch c {
	case '(':
		l.depth++
	case ')':
		if l.depth > 0 {
			l.depth--
		}
	case ';':
		l.depth = 0
	}
	return token{text: string(rune(c)), depth: l.depth}, true
}

// isWord tells what words are made of; all that is not ASCII is, as is word.Unknown.
func isWord(c byte) bool {
	return 'a' <= c|0x20 && c|0x20 <= 'z' || '0' <= c && c <= '9' || c == '_' || c >= 0x80
}

// blanks skips blanks and comments.
func (l *lexer) blanks() {
	for l.at < len(l.text) {
		rest := l.text[l.at:]
		switch {
		case rest[0] == ' ' || rest[0] == '\t' || rest[0] == '\n' || rest[0] == '\r' || rest[0] == '\f' || rest[0] == '\v':
			l.at++
		case strings.HasPrefix(rest, "--"), rest[0] == '#' && l.d.hash:
			end := strings.IndexByte(rest, '\n')
			if end < 0 {
				end = len(rest) - 1
			}
			l.at += end + 1
		case l.d.hash && strings.HasPrefix(rest, "/*!"): // MySQL runs what stands in it
			l.at += 3
			for l.at < len(l.text) && '0' <= l.text[l.at] && l.text[l.at] <= '9' {
				l.at++
			}
		case l.d.hash && strings.HasPrefix(rest, "*/"):
			l.at += 2
		case strings.HasPrefix(rest, "/*"):
			end := strings.Index(rest[2:], "*/")
			if end < 0 {
				l.at = len(l.text)
				return
			}
			l.at += end + 4
		default:
			return
		}
	}
}

// quoted reads up to the closing quote; a doubled one stands for itself.
func (l *lexer) quoted(open, end byte) token {
	l.at++
	from := l.at
	for l.at < len(l.text) {
		switch c := l.text[l.at]; {
		case c == '\\' && l.d.backslash && open != '[':
			l.at++
		case c == end:
			if l.at+1 < len(l.text) && l.text[l.at+1] == end {
				l.at++
				break
			}
			text := l.text[from:l.at]
			l.at++
			return token{text: text, quoted: open, depth: l.depth}
		}
		l.at++
	}
	l.at = len(l.text)
	return token{text: l.text[from:], quoted: open, depth: l.depth}
}

// dollars reads $tag$ … $tag$.
func (l *lexer) dollars() (token, bool) {
	rest := l.text[l.at+1:]
	end := 0
	for end < len(rest) && end < 64 && isWord(rest[end]) {
		end++
	}
	if end >= len(rest) || rest[end] != '$' || end > 0 && '0' <= rest[0] && rest[0] <= '9' {
		return token{}, false
	}
	tag := l.text[l.at : l.at+end+2]
	body := l.text[l.at+len(tag):]
	i := strings.Index(body, tag)
	if i < 0 {
		l.at = len(l.text)
		return token{text: body, quoted: '$', depth: l.depth}, true
	}
	l.at += 2*len(tag) + i
	return token{text: body[:i], quoted: '$', depth: l.depth}, true
}

// known tells whether a token is the same in every run.
func (t token) known() bool { return !strings.Contains(t.text, word.Unknown) }
