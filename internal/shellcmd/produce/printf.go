package produce

import (
	"strconv"
	"strings"

	"github.com/boathook/boathook/internal/shellcmd/word"
)

// printf fills its format, again and again while words are left.
func printf(args []word.Arg) string {
	if len(args) > 1 && args[0].Text == "-v" {
		return ""
	}
	if len(args) > 0 && args[0].Text == "--" {
		args = args[1:]
	}
	if len(args) == 0 {
		return ""
	}
	format := argText(args[0])
	args = args[1:]
	var b strings.Builder
	for {
		left := len(args)
		stop := false
		args, stop = formatOnce(&b, format, args)
		if stop || len(args) == 0 || len(args) == left || b.Len() > limit {
			return b.String()
		}
	}
}

// formatOnce goes through a format once.
func formatOnce(b *strings.Builder, format string, args []word.Arg) (rest []word.Arg, stop bool) {
	for i := 0; i < len(format); i++ {
		switch {
		case format[i] == '\\':
			end := i + 1
			for end < len(format) && end < i+11 && format[end] != '\\' && format[end] != '%' {
				end++
			}
			if end == i+1 && end < len(format) && format[end] == '\\' {
				end++
			}
			text, stop := unescape(format[i:end], false)
			b.WriteString(text)
			if stop {
				return nil, true
			}
			i = end - 1
		case format[i] == '%' && i+1 < len(format):
			var n int
			n, args, stop = verb(b, format[i+1:], args)
			if stop {
				return nil, true
			}
			i += n
		default:
			b.WriteByte(format[i])
		}
		if b.Len() > limit {
			return nil, true
		}
	}
	return args, false
}

// verb writes one conversion and gives how many bytes of the format it takes.
func verb(b *strings.Builder, f string, args []word.Arg) (n int, rest []word.Arg, stop bool) {
	if f[0] == '%' {
		b.WriteByte('%')
		return 1, args, false
	}
	var spec spec
	i := 0
	for i < len(f) && spec.read(f[i]) {
		if f[i] == '*' && len(args) > 0 {
			spec.digits(argText(args[0]))
			args = args[1:]
		}
		i++
	}
	if i == len(f) {
		b.WriteString("%" + f)
		return len(f), args, false
	}
	t, had := "", len(args) > 0
	if had {
		t, args = argText(args[0]), args[1:]
	}
	if f[i] == '(' {
		if end := strings.IndexByte(f[i:], ')'); end >= 0 {
			b.WriteString(word.Unknown)
			return min(len(f), i+end+2), args, false
		}
	}
	text, stop := convert(f[i], t, had)
	b.WriteString(spec.pad(text, f[i]))
	return i + 1, args, stop
}

// read takes one character of a conversion's flags, width and precision; false for what is none.
func (s *spec) read(ch byte) bool {
	switch {
	case ch == '-':
		s.left = true
	case ch == '0' && s.width == "" && !s.dot:
		s.zero = true
	case ch == '.':
		s.dot = true
	case ch >= '0' && ch <= '9':
		s.digits(string(ch))
	default:
		return strings.IndexByte("+ #'*hlLjzt", ch) >= 0
	}
	return true
}

// convert is a word as a conversion writes it.
func convert(ch byte, t string, had bool) (text string, stop bool) {
	switch ch {
	case 's':
		return t, false
	case 'b':
		return unescape(t, true)
	case 'q':
		return quote(t), false
	case 'c':
		if t != "" && !uncertain(t) {
			t = t[:1]
		}
		return t, false
	case 'd', 'i', 'u', 'o', 'x', 'X':
		if !had || t == "" {
			t = "0"
		}
		if uncertain(t) {
			return word.Unknown, false
		}
		if t[0] == '\'' || t[0] == '"' {
			if len(t) < 2 {
				return "0", false
			}
			t = strconv.Itoa(int([]rune(t[1:])[0]))
		}
		v, err := strconv.ParseInt(t, 0, 64)
		if err != nil {
			return word.Unknown, false
		}
		switch ch {
		case 'o':
			return strconv.FormatInt(v, 8), false
		case 'x':
			return strconv.FormatInt(v, 16), false
		case 'X':
			return strings.ToUpper(strconv.FormatInt(v, 16)), false
		}
		return strconv.FormatInt(v, 10), false
	}
	return word.Unknown, false
}

// quote writes a word so that a shell reads it as that word.
func quote(t string) string {
	if t == "" {
		return "''"
	}
	if uncertain(t) {
		return t
	}
	var b strings.Builder
	for i := range len(t) {
		if strings.IndexByte(" \t\n!\"#$&'()*;<=>?[\\]^`{|}~", t[i]) >= 0 {
			b.WriteByte('\\')
		}
		b.WriteByte(t[i])
	}
	return b.String()
}

// spec is the width and precision of a conversion.
type spec struct {
	left, zero, dot  bool
	width, precision string
}

// digits adds digits to the width, or after a dot to the precision.
func (s *spec) digits(t string) {
	if s.dot {
		s.precision += t
	} else {
		s.width += t
	}
}

// pad cuts a text to the precision and fills it up to the width.
func (s *spec) pad(t string, ch byte) string {
	if uncertain(t) {
		return t
	}
	if s.dot && (ch == 's' || ch == 'b') {
		if n, ok := number("0" + s.precision); ok && n < len(t) {
			t = t[:n]
		}
	}
	n, ok := number(s.width)
	if !ok || n <= len(t) || n > 1<<16 {
		return t
	}
	fill := strings.Repeat(" ", n-len(t))
	switch {
	case s.left:
		return t + fill
	case s.zero && ch != 's':
		return strings.Repeat("0", n-len(t)) + t
	}
	return fill + t
}
