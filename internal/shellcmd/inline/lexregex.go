package inline

import (
	"strings"

	"github.com/boathook/boathook/internal/shellcmd/word"
)

// regex skips a pattern and its flags.
func (l *lexer) regex(s string) bool {
	i, class := 1, false
	for i < len(s) && s[i] != '\n' {
		switch {
		case s[i] == '\\':
			i++
		case s[i] == '[':
			class = true
		case s[i] == ']':
			class = false
		case s[i] == '/' && !class:
			i++
			for i < len(s) && s[i] >= 'a' && s[i] <= 'z' {
				i++
			}
			l.add(token{kind: 'u'})
			l.i += i
			return true
		}
		i++
	}
	return false
}

// percent reads perl's q() qq() qw() qx() qr// m// s/// tr/// y/// and ruby's %w[] %x{} %q() %().
func (l *lexer) percent(s string) bool {
	op, n := l.percentOp(s)
	if op == "" || n >= len(s) || isName(s[n]) || strings.IndexByte(" \t\n,;)=", s[n]) >= 0 {
		return false
	}
	if l.scanned > 4*len(l.s)+1<<12 {
		l.ok = false
		return false
	}
	body, after, ok := delimited(s, n)
	if !ok {
		l.scanned += len(s)
		return false
	}
	l.scanned += after
	switch op {
	case "qw", "%w", "%W", "%i", "%I":
		l.listOf(body)
	case "qx", "%x":
		l.add(token{kind: 'c', parts: l.pieces(body, '`', s[n] == '\'')})
	case "q", "%q", "%s":
		l.add(token{kind: 's', parts: l.pieces(body, '\'', true)})
	case "qq", "%Q", "%":
		l.add(token{kind: 's', parts: l.pieces(body, '"', false)})
	case "s", "tr", "y":
		if after, ok = l.substitution(s, op, n, after); !ok {
			return false
		}
	default:
		after += letters(s[after:])
		l.add(token{kind: 'u'})
	}
	l.i += after
	return true
}

// percentOp is the operator that stands here, and the length up to its first mark.
func (l *lexer) percentOp(s string) (op string, n int) {
	switch {
	case l.syn.percent == 'p' && s[0] >= 'a' && s[0] <= 'z':
		for n < len(s) && isName(s[n]) {
			n++
		}
		op = s[:n]
		if !word.Listed("q qq qw qx qr m s tr y", op) || len(l.toks) > 0 && l.toks[len(l.toks)-1].text == "->" {
			return "", 0
		}
		for n < len(s) && (s[n] == ' ' || s[n] == '\n') && n+1 < len(s) && s[n+1] != '=' && s[n+1] != ',' && s[n+1] != '#' {
			n++
		}
	case l.syn.percent == 'r' && s[0] == '%' && len(s) > 2 && (!l.operand() || len(l.toks) > 0 && l.toks[len(l.toks)-1].kind == 'i' && l.space && s[1] != ' '):
		n = 1
		if strings.IndexByte("qQwWxirIs", s[1]) >= 0 {
			n = 2
		}
		op = s[:n]
	}
	return op, n
}

// listOf makes tokens of a list of words.
func (l *lexer) listOf(body string) {
	l.add(token{kind: 'o', text: "["})
	for i, w := range strings.Fields(body) {
		if i > 0 {
			l.add(token{kind: 'o', text: ","})
		}
		l.add(token{kind: 's', parts: []piece{{text: w}}})
	}
	l.add(token{kind: 'o', text: "]"})
}

// substitution reads what follows the pattern of s, tr and y; with the flag e it is code.
func (l *lexer) substitution(s, op string, n, after int) (int, bool) {
	by, end, ok := replacement(s, n, after)
	if !ok {
		return 0, false
	}
	l.scanned += end
	flags := letters(s[end:])
	if op == "s" && strings.Contains(s[end:end+flags], "e") {
		l.add(token{kind: 'x', text: strings.ReplaceAll(by, `\`+s[n:n+1], s[n:n+1])})
	} else {
		l.add(token{kind: 'u'})
	}
	return end + flags, true
}

// letters is the number of small letters at the beginning.
func letters(s string) int {
	n := 0
	for n < len(s) && s[n] >= 'a' && s[n] <= 'z' {
		n++
	}
	return n
}

// delimited reads from the mark at n to the one that closes it.
func delimited(s string, n int) (body string, after int, ok bool) {
	open := s[n]
	end := open
	if i := strings.IndexByte("([{<", open); i >= 0 {
		end = ")]}>"[i]
	}
	depth := 0
	for i := n + 1; i < len(s); i++ {
		switch {
		case s[i] == '\\':
			i++
		case s[i] == end && depth == 0:
			return s[n+1 : i], i + 1, true
		case s[i] == end:
			depth--
		case s[i] == open:
			depth++
		}
	}
	return "", 0, false
}

// replacement reads the second part of s{…}{…} or s/…/…/.
func replacement(s string, n, after int) (by string, end int, ok bool) {
	if strings.IndexByte("([{<", s[n]) >= 0 {
		for after < len(s) && (s[after] == ' ' || s[after] == '\n') {
			after++
		}
		if after >= len(s) {
			return "", 0, false
		}
		return delimited(s, after)
	}
	return delimited(s, after-1)
}
