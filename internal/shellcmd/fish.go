package shellcmd

import "strings"

// fishText is a text for fish as the others would have it: (cmd) outside of quotes substitutes.
func fishText(text string) string {
	if !strings.Contains(text, "(") {
		return text
	}
	var b strings.Builder
	b.Grow(len(text) + 16)
	quote := byte(0)
	for i := 0; i < len(text); i++ {
		c := text[i]
		switch {
		case c == '\\' && i+1 < len(text):
			b.WriteByte(c)
			i++
			c = text[i]
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '\'' || c == '"':
			quote = c
		case c == '(' && (i == 0 || text[i-1] != '$'):
			b.WriteByte('$')
		}
		b.WriteByte(c)
	}
	return b.String()
}
