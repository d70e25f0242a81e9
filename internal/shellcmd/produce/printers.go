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
