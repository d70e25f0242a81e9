package produce

import (
	"strconv"
	"strings"

	"github.com/boathook/boathook/internal/shellcmd/word"
)

// printers are the commands that print their arguments.
func printers(name string, c word.Command) (string, bool) {
	args := c.Argv[1:]
	switch name {
	case "echo":
		return echo(args), true
	case "print":
		return echo(args), true
	case "printf":
		return printf(args), true
	case "yes":
		t := "y"
		if len(args) > 0 {
			t = joined(args)
		}
		return strings.Repeat(t+"\n", max(1, 512/(len(t)+1))) + word.Unknown, true
	case "seq":
		return seq(args)
	case "true", "false", ":", "sleep", "wait", "cd", "set", "unset", "export", "readonly", "declare", "local", "test", "[", "shift", "shopt":
		return "", true
	}
	return "", false
}

// joined are words with blanks between them.
func joined(args []word.Arg) string {
	var b strings.Builder
	for i, a := range args {
		if i > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(argText(a))
	}
	return b.String()
}

// echo is bash's: -n, -e, -E. Without -e a backslash is one, though dash reads it; the text of either is hardly ever different.
func echo(args []word.Arg) string {
	newline, escapes := true, false
	for len(args) > 0 {
		t := args[0].Text
		if len(t) < 2 || t[0] != '-' || strings.Trim(t[1:], "neE") != "" {
			break
		}
		for _, ch := range t[1:] {
			switch ch {
			case 'n':
				newline = false
			case 'e':
				escapes = true
			case 'E':
				escapes = false
			}
		}
		args = args[1:]
	}
	text := joined(args)
	if escapes {
		var stop bool
		if text, stop = unescape(text, true); stop {
			return text
		}
	}
	if newline {
		text += "\n"
	}
	return text
}

// unescape reads backslash escapes. zero says that octal ones begin with 0 (echo -e, %b); stop that \c ended the text.
func unescape(s string, zero bool) (out string, stop bool) {
	if strings.IndexByte(s, '\\') < 0 {
		return s, false
	}
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] != '\\' || i+1 == len(s) {
			b.WriteByte(s[i])
			continue
		}
		i++
		switch s[i] {
		case 'c':
			return b.String(), true
		case 'x':
			i += digits(&b, s[i+1:], 16, 2, `\x`, false)
		case 'u':
			i += digits(&b, s[i+1:], 16, 4, `\u`, true)
		case 'U':
			i += digits(&b, s[i+1:], 16, 8, `\U`, true)
		case '0', '1', '2', '3', '4', '5', '6', '7':
			from, most := i, 3
			if zero && s[i] == '0' {
				from, most = i+1, 3
			}
			n := digits(&b, s[from:], 8, most, "", false)
			if n == 0 {
				b.WriteByte(0)
			}
			i = from + n - 1
		default:
			if ch, ok := simpleEscape(s[i]); ok {
				b.WriteByte(ch)
			} else {
				b.WriteByte('\\')
				b.WriteByte(s[i])
			}
		}
	}
	return b.String(), false
}

// simpleEscape is what a letter after a backslash stands for.
func simpleEscape(ch byte) (byte, bool) {
	switch ch {
	case 'n':
		return '\n', true
	case 't':
		return '\t', true
	case 'r':
		return '\r', true
	case 'a':
		return '\a', true
	case 'b':
		return '\b', true
	case 'f':
		return '\f', true
	case 'v':
		return '\v', true
	case 'e', 'E':
		return 0x1b, true
	case '\\', '"', '\'':
		return ch, true
	}
	return 0, false
}

// digits writes the character of a number and gives how many digits it has; without any it writes what stood there.
func digits(b *strings.Builder, s string, base, most int, none string, char bool) int {
	n := 0
	for n < len(s) && n < most && digit(s[n]) < base {
		n++
	}
	if n == 0 {
		b.WriteString(none)
		return 0
	}
	v, err := strconv.ParseUint(s[:n], base, 32)
	switch {
	case err != nil:
	case char:
		b.WriteRune(rune(v))
	default:
		b.WriteByte(byte(v))
	}
	return n
}

// digit is a digit's value, or a large number.
func digit(ch byte) int {
	switch {
	case ch >= '0' && ch <= '9':
		return int(ch - '0')
	case ch >= 'a' && ch <= 'f':
		return int(ch-'a') + 10
	case ch >= 'A' && ch <= 'F':
		return int(ch-'A') + 10
	}
	return 99
}

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

// seq counts; without known numbers it prints some.
func seq(args []word.Arg) (string, bool) {
	f := parse(args, "s f")
	sep := "\n"
	if v, ok := f.get("s"); ok {
		sep = v
	}
	first, step, last := 1, 1, 0
	var ns []int
	for _, a := range f.rest {
		n, ok := number(a.Text)
		if !ok {
			return word.Unknown, true
		}
		ns = append(ns, n)
	}
	switch len(ns) {
	case 1:
		last = ns[0]
	case 2:
		first, last = ns[0], ns[1]
	case 3:
		first, step, last = ns[0], ns[1], ns[2]
	default:
		return word.Unknown, true
	}
	if step <= 0 || (last-first)/step > 1<<12 {
		return word.Unknown, true
	}
	var b strings.Builder
	for i := first; i <= last; i += step {
		if i > first {
			b.WriteString(sep)
		}
		b.WriteString(strconv.Itoa(i))
	}
	return b.String() + "\n", true
}
