package wincmd

import (
	"strings"

	"github.com/boathook/boathook/internal/shellcmd/word"
)

// batch reads cmd.exe's language.
type batch struct {
	vars   map[string]string
	cmds   []word.Command
	unsure bool
	maybe  bool
	depth  int
	// work is how much has been read, loops' bodies again and again.
	work int
}

// text reads lines.
func (b *batch) text(s string) {
	s = strings.ReplaceAll(strings.ReplaceAll(s, "^\r\n", ""), "^\n", "")
	for l := range strings.SplitSeq(s, "\n") {
		if len(b.cmds) > maxCommands {
			b.unsure = true
			return
		}
		b.line(strings.TrimSuffix(l, "\r"))
	}
}

// line splits at &, && , || and |, outside quotes.
func (b *batch) line(s string) {
	b.work += len(s) + 16
	if b.depth++; b.depth > maxDepth || b.work > maxText/2 || len(b.cmds) > maxCommands {
		b.unsure = true
		b.depth--
		return
	}
	defer func() { b.depth-- }()
	l := lineReader{batch: b, s: s, piped: -1}
	for l.i = 0; l.i < len(s); l.i++ {
		l.at(s[l.i])
	}
	l.flush(false)
}

// lineReader splits one line.
type lineReader struct {
	batch *batch
	s     string
	i     int
	cur   strings.Builder
	quote bool
	open  int
	piped int
}

// flush reads the command that has been split off. pipe says that its output goes to the next.
func (l *lineReader) flush(pipe bool) {
	b := l.batch
	from := len(b.cmds)
	b.command(l.cur.String(), l.piped)
	l.cur.Reset()
	l.piped = -1
	if pipe && len(b.cmds) > from {
		l.piped = len(b.cmds) - 1
		b.cmds[l.piped].Piped = true
	}
}

// at takes one character.
func (l *lineReader) at(ch byte) {
	s, i := l.s, l.i
	switch {
	case ch == '"':
		l.quote = !l.quote
		l.cur.WriteByte(ch)
	case l.quote:
		l.cur.WriteByte(ch)
	case ch == '^' && i+1 < len(s):
		l.cur.WriteString(s[i : i+2])
		l.i++
	case ch == '(' && strings.HasSuffix(strings.ToLower(strings.TrimRight(s[max(0, i-8):i], " ")), " in"):
		// The set of a loop.
		end := strings.IndexByte(s[i:], ')')
		if end < 0 {
			end = len(s) - i - 1
		}
		l.cur.WriteString(s[i : i+end+1])
		l.i += end
	case ch == '(':
		l.open++
		l.cur.WriteByte(ch)
	case ch == ')' && l.open > 0:
		l.open--
		l.flush(false)
	case ch == '&' && i > 0 && s[i-1] == '>':
		l.cur.WriteByte(ch)
	case ch == '&' || ch == '|':
		double := i+1 < len(s) && s[i+1] == ch
		l.flush(ch == '|' && !double)
		if double {
			l.i++
			l.batch.maybe = l.batch.maybe || ch == '|'
		}
	default:
		l.cur.WriteByte(ch)
	}
}

// expand puts variables into a text; what is not known is unknown.
func (b *batch) expand(s string) string {
	for _, mark := range []byte{'%', '!'} {
		if strings.IndexByte(s, mark) < 0 {
			continue
		}
		var out strings.Builder
		for i := 0; i < len(s); i++ {
			if s[i] != mark {
				out.WriteByte(s[i])
				continue
			}
			if mark == '%' && i+1 < len(s) && (s[i+1] == '%' || s[i+1] == '~' || s[i+1] >= '0' && s[i+1] <= '9' || s[i+1] == '*') {
				// A parameter, or a loop's variable in a file.
				out.WriteString(word.Unknown)
				for i++; i+1 < len(s) && (isWord(s[i+1]) || s[i] == '~' || s[i] == '%' && s[i+1] == '~'); i++ {
					continue
				}
				continue
			}
			end := strings.IndexByte(s[i+1:], mark)
			if end <= 0 || !variable(s[i+1:i+1+end]) {
				if mark == '%' && i+1 < len(s) && isWord(s[i+1]) && (i+2 >= len(s) || !isWord(s[i+2])) {
					if v, ok := b.vars["%"+s[i+1:i+2]]; ok {
						out.WriteString(v)
					} else {
						out.WriteString(word.Unknown)
					}
					i++
					continue
				}
				out.WriteByte(s[i])
				continue
			}
			out.WriteString(b.value(s[i+1 : i+1+end]))
			i += end + 1
			if out.Len() > 1<<13 {
				b.unsure = true
				return word.Unknown
			}
		}
		s = out.String()
	}
	return s
}

// variable tells whether a text between marks can be a variable's name, perhaps with a piece of it (x:~1,2).
func variable(s string) bool {
	name, _, _ := strings.Cut(s, ":")
	for i := range len(name) {
		if !isWord(name[i]) && strings.IndexByte("()-.", name[i]) < 0 {
			return false
		}
	}
	return name != ""
}

// value is what a variable holds; x:~1,2 is a part of it, x:a=b has one text for another.
func (b *batch) value(s string) string {
	name, piece, has := strings.Cut(s, ":")
	v, ok := b.vars[strings.ToLower(name)]
	if !ok {
		if v, ok = place(strings.ToLower(name)); !ok {
			return word.Unknown
		}
	}
	switch {
	case !has:
		return v
	case strings.HasPrefix(piece, "~"):
		return substring(v, piece[1:])
	}
	from, to, ok := strings.Cut(piece, "=")
	if !ok || from == "" || len(v)*(len(to)+1) > 1<<13 {
		return word.Unknown
	}
	return strings.ReplaceAll(v, from, to)
}

// substring is the part of a text that starts somewhere and has a length.
func substring(v, piece string) string {
	a, l, has := strings.Cut(piece, ",")
	from, ok := number(a)
	if !ok || strings.Contains(v, word.Unknown) {
		return word.Unknown
	}
	if from < 0 {
		from = max(0, len(v)+from)
	}
	from = min(from, len(v))
	to := len(v)
	if has {
		n, ok := number(l)
		if !ok {
			return word.Unknown
		}
		if n < 0 {
			to = max(from, len(v)+n)
		} else {
			to = min(len(v), from+n)
		}
	}
	return v[from:to]
}

// number reads a small number with a sign.
func number(s string) (int, bool) {
	neg := strings.HasPrefix(s, "-")
	s = strings.TrimPrefix(s, "-")
	n := 0
	for i := range len(s) {
		if s[i] < '0' || s[i] > '9' || n > 1<<20 {
			return 0, false
		}
		n = n*10 + int(s[i]-'0')
	}
	if neg {
		n = -n
	}
	return n, s != ""
}
