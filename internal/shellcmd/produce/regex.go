package produce

import (
	"regexp"
	"strings"
)

// maxPattern is how long a regular expression of grep or sed may be to be read.
const maxPattern = 256

// pattern reads a regular expression as grep and sed do, basic or extended. ok is false for one that Go's would not match alike.
func pattern(s string, extended bool) (*regexp.Regexp, bool) {
	if len(s) > maxPattern || uncertain(s) {
		return nil, false
	}
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		switch ch := s[i]; {
		case ch == '[':
			n, ok := bracket(s[i:])
			if !ok {
				return nil, false
			}
			b.WriteString(strings.ReplaceAll(s[i:i+n], `\`, `\\`))
			i += n - 1
		case ch == '\\' && i+1 < len(s):
			i++
			switch {
			case strings.IndexByte("(){}|+?", s[i]) >= 0 && !extended:
				b.WriteByte(s[i])
			case strings.IndexByte(`.*[]^$/\(){}|+?-"'`, s[i]) >= 0:
				b.WriteByte('\\')
				b.WriteByte(s[i])
			default:
				return nil, false // \1 \w \< and others
			}
		case strings.IndexByte("(){}|+?", ch) >= 0 && !extended:
			b.WriteByte('\\')
			b.WriteByte(ch)
		case ch == '*' && (i == 0 || s[i-1] == '^' || s[i-1] == '('):
			b.WriteString(`\*`)
		case ch == '$' && i+1 < len(s) && !extended && !strings.HasPrefix(s[i+1:], `\)`):
			b.WriteString(`\$`)
		case ch == '^' && i > 0 && !extended && !strings.HasSuffix(s[:i], `\(`):
			b.WriteString(`\^`)
		default:
			b.WriteByte(ch)
		}
	}
	re, err := regexp.Compile(b.String())
	if err != nil {
		return nil, false
	}
	re.Longest()
	return re, true
}

// bracket is how long a bracket expression is.
func bracket(s string) (int, bool) {
	i := 1
	if i < len(s) && s[i] == '^' {
		i++
	}
	if i < len(s) && s[i] == ']' {
		return 0, false
	}
	for i < len(s) {
		switch {
		case s[i] == ']':
			return i + 1, true
		case strings.HasPrefix(s[i:], "[:"):
			end := strings.Index(s[i:], ":]")
			if end < 0 {
				return 0, false
			}
			i += end + 2
			continue
		case s[i] == '[':
			return 0, false
		}
		i++
	}
	return 0, false
}

// replacement is sed's right side as Go's; s may hold & and \1.
func replacement(s string) (string, bool) {
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		switch ch := s[i]; {
		case ch == '$':
			b.WriteString("$$")
		case ch == '&':
			b.WriteString("${0}")
		case ch == '\\' && i+1 < len(s):
			i++
			switch {
			case s[i] >= '0' && s[i] <= '9':
				b.WriteString("${" + s[i:i+1] + "}")
			case s[i] == 'n':
				b.WriteByte('\n')
			case s[i] == 't':
				b.WriteByte('\t')
			case s[i] >= 'a' && s[i] <= 'z' || s[i] >= 'A' && s[i] <= 'Z':
				return "", false
			default:
				b.WriteByte(s[i])
			}
		default:
			b.WriteByte(ch)
		}
	}
	return b.String(), true
}
