package produce

import (
	"regexp"
	"strings"

	"github.com/boathook/boathook/internal/shellcmd/word"
)

// sed knows scripts of s, y, d, p and q, each of which may be for a line, a range of lines, the last, or those of a pattern. Of
// others the output is not known.
func sed(c word.Command) string {
	f := parse(c.Argv[1:], "e f l expression file")
	rest := f.rest
	script, ok := f.get("e")
	if times(c.Argv, "-e") > 1 {
		return word.Unknown
	}
	if !ok {
		if script, ok = f.get("expression"); !ok && !f.has("f", "file") && len(rest) > 0 {
			script, rest, ok = argText(rest[0]), rest[1:], true
		}
	}
	if f.has("i", "in-place") {
		return ""
	}
	if !ok {
		return word.Unknown
	}
	edits, ok := sedScript(script, f.has("E", "r", "regexp-extended"))
	if !ok {
		return word.Unknown
	}
	return sedRun(edits, lines(input(c, rest)), f.has("n", "quiet", "silent"))
}

// sedRun does the edits to each line.
func sedRun(edits []edit, all []string, quiet bool) string {
	var b strings.Builder
	work := 0
	for n, l := range all {
		printed := !quiet
		stop := false
		for _, e := range edits {
			hit, ok := e.applies(l, n+1, len(all))
			if work += len(l) + 1; !ok || work > limit || b.Len() > limit {
				return b.String() + word.Unknown
			}
			if !hit {
				continue
			}
			switch e.op {
			case 'd':
				printed = false
			case 'p':
				b.WriteString(l + "\n")
				continue
			case 'q':
				stop = true
			default:
				l = e.apply(l)
				continue
			}
			break
		}
		if printed {
			b.WriteString(l + "\n")
		}
		if stop {
			break
		}
	}
	return b.String()
}

// edit is one command of a script.
type edit struct {
	op byte
	// from and to are its lines, 0 for all, -1 for the last; at is a pattern of them.
	from, to int
	at       *regexp.Regexp
	not      bool
	// re and with are those of s, pairs that of y.
	re    *regexp.Regexp
	with  string
	all   bool
	pairs []string
}

// applies tells whether an edit is for a line; ok is false where that is not known.
func (e edit) applies(l string, n, last int) (hit, ok bool) {
	hit = true
	switch {
	case e.at != nil:
		if uncertain(l) {
			return false, false
		}
		hit = e.at.MatchString(l)
	case e.from != 0:
		from, to := e.from, e.to
		if from < 0 {
			from = last
		}
		if to < 0 {
			to = last
		}
		hit = n >= from && n <= max(to, from)
	}
	return hit != e.not, true
}

// apply changes one line.
func (e edit) apply(l string) string {
	if uncertain(l) || len(l) > 1<<14 {
		return word.Unknown
	}
	if e.op == 'y' {
		return strings.NewReplacer(e.pairs...).Replace(l)
	}
	if e.all {
		return e.re.ReplaceAllString(l, e.with)
	}
	m := e.re.FindStringSubmatchIndex(l)
	if m == nil {
		return l
	}
	out := e.re.ExpandString([]byte(l[:m[0]]), e.with, l, m)
	return string(out) + l[m[1]:]
}

// sedScript reads commands between ; and line ends.
func sedScript(s string, extended bool) ([]edit, bool) {
	var out []edit
	for {
		s = strings.TrimLeft(s, " \t\n;")
		if s == "" {
			return out, true
		}
		if uncertain(s) || len(out) == 64 {
			return nil, false
		}
		e, rest, ok := sedAddress(s, extended)
		if !ok || rest == "" {
			return nil, false
		}
		e.op, rest = rest[0], rest[1:]
		switch e.op {
		case 's', 'y':
			rest, ok = e.substitution(rest, extended)
		case 'd', 'p', 'q':
		default:
			return nil, false
		}
		if rest = strings.TrimLeft(rest, " \t"); !ok || rest != "" && rest[0] != ';' && rest[0] != '\n' {
			return nil, false
		}
		out, s = append(out, e), rest
	}
}

// sedAddress reads the lines that a command is for.
func sedAddress(s string, extended bool) (e edit, rest string, ok bool) {
	if s[0] == '/' {
		p, rest, ok := sedPart(s[1:], '/')
		if !ok || p == "" {
			return e, "", false
		}
		e.at, ok = pattern(p, extended)
		rest = strings.TrimLeft(rest, " ")
		if strings.HasPrefix(rest, "!") {
			e.not, rest = true, rest[1:]
		}
		return e, rest, ok
	}
	e.from, s = sedLine(s)
	e.to = e.from
	if strings.HasPrefix(s, ",") && e.from != 0 {
		if e.to, s = sedLine(s[1:]); e.to == 0 {
			return e, "", false
		}
	}
	s = strings.TrimLeft(s, " ")
	if strings.HasPrefix(s, "!") {
		e.not, s = true, s[1:]
	}
	return e, s, true
}

func sedLine(s string) (int, string) {
	if strings.HasPrefix(s, "$") {
		return -1, s[1:]
	}
	i := 0
	for i < len(s) && i < 7 && s[i] >= '0' && s[i] <= '9' {
		i++
	}
	n, _ := number(s[:i])
	return n, s[i:]
}

// substitution reads what follows s or y.
func (e *edit) substitution(s string, extended bool) (rest string, ok bool) {
	if s == "" || s[0] == '\\' || s[0] == '\n' {
		return "", false
	}
	from, rest, ok := sedPart(s[1:], s[0])
	if !ok {
		return "", false
	}
	to, rest, ok := sedPart(rest, s[0])
	if !ok {
		return "", false
	}
	if e.op == 'y' {
		a, b := []rune(from), []rune(to)
		if len(a) != len(b) || strings.Contains(from+to, `\`) {
			return "", false
		}
		for i := range a {
			e.pairs = append(e.pairs, string(a[i]), string(b[i]))
		}
		return rest, true
	}
	for rest != "" && strings.IndexByte("; \n", rest[0]) < 0 {
		if rest[0] != 'g' {
			return "", false
		}
		e.all, rest = true, rest[1:]
	}
	if e.re, ok = pattern(from, extended); !ok || from == "" {
		return "", false
	}
	e.with, ok = replacement(to)
	return rest, ok
}

// sedPart reads up to the separator, which a backslash hides.
func sedPart(s string, sep byte) (part, rest string, ok bool) {
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		switch {
		case s[i] == sep:
			return b.String(), s[i+1:], true
		case s[i] == '\\' && i+1 < len(s) && s[i+1] == sep:
			i++
			b.WriteByte(sep)
		case s[i] == '\\' && i+1 < len(s):
			b.WriteString(s[i : i+2])
			i++
		default:
			b.WriteByte(s[i])
		}
	}
	return "", "", false
}

// times counts how often an option is given.
func times(argv []word.Arg, option string) int {
	n := 0
	for _, a := range argv {
		if strings.HasPrefix(a.Text, option) {
			n++
		}
	}
	return n
}
