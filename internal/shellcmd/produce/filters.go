package produce

import (
	"slices"
	"strings"

	"github.com/boathook/boathook/internal/shellcmd/word"
)

// filters are the commands that change text that flows through them.
func filters(name string, c word.Command) (string, bool) {
	args := c.Argv[1:]
	switch name {
	case "cat", "gcat", "tee", "less", "more", "pv", "sponge", "bat", "unbuffer":
		f := parse(args, "")
		if name == "tee" || name == "sponge" || name == "pv" {
			f.rest = nil
		} else if strings.HasSuffix(name, "cat") && f.has("n", "b", "A", "E", "e", "T", "t", "s", "number") {
			return word.Unknown, true
		}
		return input(c, f.rest), true
	case "tac", "gtac":
		l := lines(input(c, parse(args, "s").rest))
		slices.Reverse(l)
		return ended(l), true
	case "rev":
		return eachLine(input(c, parse(args, "").rest), reverse), true
	case "tr", "gtr":
		return tr(c), true
	case "cut", "gcut":
		return cut(c), true
	case "head", "tail", "ghead", "gtail":
		return headTail(strings.TrimPrefix(name, "g"), c), true
	case "sed", "gsed":
		return sed(c), true
	case "sort", "gsort":
		return sorted(c), true
	case "uniq":
		return ended(slices.Compact(lines(input(c, parse(args, "f s w").rest)))), true
	case "fold":
		return fold(c), true
	case "paste":
		return paste(c), true
	case "grep", "egrep", "fgrep", "rg":
		return grep(c), true
	case "iconv", "dos2unix", "col", "expand", "fmt":
		if in := input(c, nil); c.Stdin.Given {
			return in, true
		}
	case "awk", "gawk", "mawk":
		return awk(c), true
	}
	return "", false
}

// ended are lines with their ends.
func ended(l []string) string {
	if len(l) == 0 {
		return ""
	}
	return strings.Join(l, "\n") + "\n"
}

// reverse turns a line around; an unknown part stays one character.
func reverse(s string) string {
	r := []rune(s)
	slices.Reverse(r)
	return string(r)
}

// headTail takes lines (-n, -5) or bytes (-c) from one end.
func headTail(name string, c word.Command) string {
	args := c.Argv[1:]
	n, unit := "10", "n"
	if len(args) > 0 && len(args[0].Text) > 1 && args[0].Text[0] == '-' {
		if _, ok := number(args[0].Text[1:]); ok {
			n, args = args[0].Text[1:], args[1:]
		}
	}
	f := parse(args, "n c lines bytes")
	if v, ok := f.get("n", "lines"); ok {
		n = v
	}
	if v, ok := f.get("c", "bytes"); ok {
		n, unit = v, "c"
	}
	in := input(c, f.rest)
	plus := strings.HasPrefix(n, "+")
	minus := strings.HasPrefix(n, "-")
	k, ok := number(strings.TrimLeft(n, "+-"))
	if !ok || name == "head" && plus {
		return word.Unknown
	}
	if unit == "c" {
		if uncertain(in) {
			return word.Unknown
		}
		from, to := span(name, len(in), k, plus, minus)
		return in[from:to]
	}
	l := lines(in)
	if strings.Contains(in, word.Unknown) && len(l) > 0 {
		// An unknown part may be many lines.
		return in
	}
	from, to := span(name, len(l), k, plus, minus)
	return ended(l[from:to])
}

// span is the part that head or tail takes of so many.
func span(name string, size, k int, plus, minus bool) (from, to int) {
	switch {
	case name == "head" && minus:
		return 0, max(0, size-k)
	case name == "head":
		return 0, min(k, size)
	case plus:
		return min(max(k-1, 0), size), size
	}
	return max(0, size-k), size
}

// sorted sorts lines, with -r backwards and with -u once each; other orders keep all lines.
func sorted(c word.Command) string {
	f := parse(c.Argv[1:], "k t o S T")
	l := lines(input(c, f.rest))
	slices.Sort(l)
	if f.has("r", "reverse") {
		slices.Reverse(l)
	}
	if f.has("u", "unique") {
		l = slices.Compact(l)
	}
	return ended(l)
}

// fold breaks lines after some characters.
func fold(c word.Command) string {
	f := parse(c.Argv[1:], "w width")
	n := 80
	if v, ok := f.get("w", "width"); ok {
		n, _ = number(v)
	}
	in := input(c, f.rest)
	if n <= 0 || uncertain(in) {
		return word.Unknown
	}
	return eachLine(in, func(s string) string {
		var b strings.Builder
		for len(s) > n {
			b.WriteString(s[:n] + "\n")
			s = s[n:]
		}
		return b.String() + s
	})
}

// paste joins the lines of its input (-s).
func paste(c word.Command) string {
	f := parse(c.Argv[1:], "d delimiters")
	d := "\t"
	if v, ok := f.get("d", "delimiters"); ok {
		d, _ = unescape(v, false)
		if d == `\0` || v == `\0` {
			d = ""
		}
	}
	in := input(c, f.rest)
	if f.has("s", "serial") && len(d) <= 1 {
		return strings.Join(lines(in), d) + "\n"
	}
	if len(f.rest) <= 1 {
		return in
	}
	return word.Unknown
}

// grep keeps lines that hold a literal word; else any of them.
func grep(c word.Command) string {
	f := parse(c.Argv[1:], "e f m A B C")
	rest := f.rest
	expr, ok := f.get("e")
	if !ok && len(rest) > 0 {
		expr, rest = rest[0].Text, rest[1:]
	}
	in := input(c, rest)
	if uncertain(in) || uncertain(expr) || times(c.Argv, "-e") > 1 {
		return word.Unknown
	}
	if f.has("c", "l", "L", "o", "n", "q", "A", "B", "C", "w", "x", "m", "f", "b") {
		return word.Unknown
	}
	matches := func(l string) bool { return strings.Contains(l, expr) }
	if c.Name() != "fgrep" && !f.has("F") && strings.ContainsAny(expr, `.*[]^$\+?(){}|`) {
		re, ok := pattern(expr, c.Name() != "grep" || f.has("E", "P"))
		if !ok || f.has("i") || len(in) > 1<<16 {
			return word.Unknown
		}
		matches = re.MatchString
	} else if f.has("i") {
		expr = strings.ToLower(expr)
		matches = func(l string) bool { return strings.Contains(strings.ToLower(l), expr) }
	}
	var out []string
	for _, l := range lines(in) {
		if matches(l) != f.has("v") {
			out = append(out, l)
		}
	}
	return ended(out)
}
