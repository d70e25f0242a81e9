package shellquote

import "strings"

// First reads the first word of a command line, quoted as Quote does it, with double quotes or not at all, and gives what
// stands behind it. ok is false where a quote is open, or there is no word. Nothing is expanded.
func First(line string) (word, rest string, ok bool) {
	line = strings.TrimLeft(line, " \t")
	var b strings.Builder
	for i := 0; i < len(line); i++ {
		switch c := line[i]; c {
		case ' ', '\t', '\n', ';':
			return b.String(), line[i:], true
		case '\'', '"':
			end := strings.IndexByte(line[i+1:], c)
			if end < 0 {
				return "", "", false
			}
			b.WriteString(line[i+1 : i+1+end])
			i += 1 + end
		case '\\':
			if i++; i < len(line) {
				b.WriteByte(line[i])
			}
		default:
			b.WriteByte(c)
		}
	}
	return b.String(), "", line != ""
}
