package wrap

import (
	"strings"

	"github.com/boathook/boathook/internal/shellcmd/word"
)

// splitter splits text into words by blanks and quotes.
type splitter struct {
	out   []word.Arg
	b     strings.Builder
	in    bool
	quote byte
}

// splitWords splits as env -S does: blanks, quotes, backslashes, ${NAME}.
func splitWords(s string) []word.Arg {
	var w splitter
	for i := 0; i < len(s); i++ {
		ch := s[i]
		switch {
		case ch == '\\' && w.quote != '\'' && i+1 < len(s):
			i++
			if s[i] == 'c' {
				i = len(s)
				break
			}
			w.escape(s[i])
		case ch == '$' && w.quote != '\'' && i+1 < len(s) && s[i+1] == '{':
			end := strings.IndexByte(s[i:], '}')
			if end < 0 {
				end = len(s) - i - 1
			}
			w.add(word.Unknown)
			i += end
		default:
			w.plain(s[i : i+1])
		}
	}
	w.end()
	return w.out
}

// plain takes one character that no backslash stands before.
func (w *splitter) plain(s string) {
	ch := s[0]
	switch {
	case w.quote != 0 && ch == w.quote:
		w.quote = 0
	case w.quote == 0 && (ch == '\'' || ch == '"'):
		w.quote, w.in = ch, true
	case w.quote == 0 && (ch == ' ' || ch == '\t' || ch == '\n'):
		w.end()
	default:
		w.add(s)
	}
}

// escape takes the character behind a backslash.
func (w *splitter) escape(ch byte) {
	switch {
	case ch == 'n':
		w.add("\n")
	case ch == 't':
		w.add("\t")
	case ch == '_' && w.quote == 0:
		w.end()
	case ch == '_':
		w.add(" ")
	default:
		w.b.WriteByte(ch)
		w.in = true
	}
}

// add makes the word longer.
func (w *splitter) add(s string) {
	w.b.WriteString(s)
	w.in = true
}

// end ends the word.
func (w *splitter) end() {
	if w.in {
		w.out = append(w.out, word.Lit(w.b.String()))
	}
	w.in = false
	w.b.Reset()
}
