package produce

import (
	"strings"

	"github.com/boathook/boathook/internal/shellcmd/word"
)

// sed knows scripts of literal substitutions (s/a/b/g), d and p; of others the output is not known.
func sed(c word.Command) string {
	f := parse(c.Argv[1:], "e f l expression file")
	rest := f.rest
	script, ok := f.get("e")
	if !ok {
		if script, ok = f.get("expression"); !ok && !f.has("f", "file") && len(rest) > 0 {
			script, rest, ok = argText(rest[0]), rest[1:], true
		}
	}
	if !ok || f.has("i", "in-place") {
		if f.has("i", "in-place") {
			return ""
		}
		return word.Unknown
	}
	edits, ok := sedScript(script)
	if !ok || f.has("n", "quiet", "silent") && len(edits) > 0 {
		return word.Unknown
	}
	in := input(c, rest)
	work := 0
	return eachLine(in, func(l string) string {
		for _, e := range edits {
			if work += len(l); work > 4*limit {
				return word.Unknown
			}
			l = e.apply(l)
		}
		return l
	})
}

// edit is one literal substitution.
type edit struct {
	from, to string
	head     bool // ^
	tail     bool // $
	all      bool
}

// apply changes one line.
func (e edit) apply(l string) string {
	switch {
	case len(l) > 1<<14 || len(l)*(len(e.to)+1) > limit:
		return word.Unknown
	case e.head && e.tail:
		if l == e.from {
			return e.to
		}
		return l
	case e.head:
		if t, ok := strings.CutPrefix(l, e.from); ok {
			return e.to + t
		}
		return l
	case e.tail:
		if t, ok := strings.CutSuffix(l, e.from); ok {
			return t + e.to
		}
		return l
	case e.from == "":
		return word.Unknown
	case e.all:
		return strings.ReplaceAll(l, e.from, e.to)
	}
	return strings.Replace(l, e.from, e.to, 1)
}

// sedScript reads substitutions between ; and line ends.
func sedScript(s string) ([]edit, bool) {
	var out []edit
	for {
		s = strings.TrimLeft(s, " \t\n;")
		if s == "" {
			return out, true
		}
		if s[0] != 's' || len(s) < 4 || uncertain(s) || len(out) == 64 {
			return nil, false
		}
		sep := s[1]
		from, rest, ok := sedPart(s[2:], sep, true)
		if !ok {
			return nil, false
		}
		to, rest, ok := sedPart(rest, sep, false)
		if !ok {
			return nil, false
		}
		e := edit{}
		e.from, e.head, e.tail = from.text, from.head, from.tail
		for rest != "" && strings.IndexByte("; \n", rest[0]) < 0 {
			if rest[0] != 'g' {
				return nil, false
			}
			e.all, rest = true, rest[1:]
		}
		e.to = to.text
		out, s = append(out, e), rest
	}
}

// sedText is one side of a substitution, without its escapes.
type sedText struct {
	text       string
	head, tail bool
}

// sedPart reads up to the separator. A pattern must be literal, apart from ^ and $ at its ends.
func sedPart(s string, sep byte, pattern bool) (out sedText, rest string, ok bool) {
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		switch ch := s[i]; {
		case ch == sep:
			out.text = b.String()
			return out, s[i+1:], true
		case ch == '\\' && i+1 < len(s):
			i++
			switch {
			case s[i] == 'n':
				b.WriteByte('\n')
			case s[i] == 't':
				b.WriteByte('\t')
			case s[i] >= '0' && s[i] <= '9' || s[i] >= 'a' && s[i] <= 'z' || s[i] >= 'A' && s[i] <= 'Z' || pattern && strings.IndexByte("(){}|+?<>", s[i]) >= 0:
				return out, "", false
			default:
				b.WriteByte(s[i])
			}
		case pattern && ch == '^' && i == 0:
			out.head = true
		case pattern && ch == '$' && i+1 < len(s) && s[i+1] == sep:
			out.tail = true
		case pattern && strings.IndexByte(".*[]^$", ch) >= 0, !pattern && ch == '&':
			return out, "", false
		default:
			b.WriteByte(ch)
		}
	}
	return out, "", false
}

// awk knows print of a literal, and of one field or all.
func awk(c word.Command) string {
	f := parse(c.Argv[1:], "F v f")
	if len(f.rest) == 0 || f.has("f", "v") {
		return word.Unknown
	}
	p := strings.TrimSpace(f.rest[0].Text)
	in := input(c, f.rest[1:])
	once := false
	if t, ok := strings.CutPrefix(p, "BEGIN"); ok {
		p, once = strings.TrimSpace(t), true
	}
	p, ok := strings.CutPrefix(p, "{")
	p, ok2 := strings.CutSuffix(p, "}")
	p, ok3 := strings.CutPrefix(strings.Trim(p, " ;"), "print")
	p = strings.TrimSpace(p)
	if !ok || !ok2 || !ok3 || uncertain(p) {
		return word.Unknown
	}
	if len(p) > 1 && p[0] == '"' && strings.IndexByte(p[1:], '"') == len(p)-2 {
		t, _ := unescape(p[1:len(p)-1], false)
		if once {
			return t + "\n"
		}
		return eachLine(in, func(string) string { return t })
	}
	if p == "" || p == "$0" {
		return in
	}
	n, ok := number(strings.TrimPrefix(p, "$"))
	if !ok || p[0] != '$' || once {
		return word.Unknown
	}
	sep, hasSep := f.get("F")
	return awkField(in, n, sep, hasSep)
}

// awkField is one field of each line.
func awkField(in string, n int, sep string, hasSep bool) string {
	if hasSep && len(sep) != 1 {
		return word.Unknown
	}
	return eachLine(in, func(l string) string {
		if uncertain(l) {
			return word.Unknown
		}
		parts := strings.Fields(l)
		if hasSep && sep != " " {
			parts = strings.Split(l, sep)
		}
		if n > len(parts) {
			return ""
		}
		return parts[n-1]
	})
}
