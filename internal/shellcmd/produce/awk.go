package produce

import (
	"strings"

	"github.com/boathook/boathook/internal/shellcmd/word"
)

// awk knows print and printf of a literal, of fields and of all, on every line or some by their number.
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
	in, p, ok := awkLines(in, p)
	if !ok || uncertain(p) {
		return word.Unknown
	}
	if p == "" {
		return in
	}
	p, ok = strings.CutPrefix(p, "{")
	p, ok2 := strings.CutSuffix(p, "}")
	p = strings.Trim(p, " ;\n")
	end := "\n"
	rest, ok3 := strings.CutPrefix(p, "printf")
	if ok3 {
		end = ""
	} else {
		rest, ok3 = strings.CutPrefix(p, "print")
	}
	p = strings.TrimSpace(rest)
	if !ok || !ok2 || !ok3 {
		return word.Unknown
	}
	return awkPrint(p, end, in, once, f)
}

// awkLines takes the lines by number that a rule is for, and gives what is behind the condition.
func awkLines(in, p string) (lines2, rest string, ok bool) {
	if strings.HasPrefix(p, "{") || !strings.HasPrefix(p, "NR") {
		return in, p, strings.HasPrefix(p, "{") || p == "1"
	}
	p = strings.TrimSpace(p[2:])
	op := strings.TrimRight(p[:min(2, len(p))], " 0123456789")
	p = strings.TrimSpace(p[len(op):])
	i := 0
	for i < len(p) && p[i] >= '0' && p[i] <= '9' {
		i++
	}
	n, ok := number(p[:i])
	if !ok || uncertain(in) {
		return "", "", false
	}
	var out []string
	for at, l := range lines(in) {
		hit := false
		switch at++; op {
		case ">":
			hit = at > n
		case ">=":
			hit = at >= n
		case "<":
			hit = at < n
		case "<=":
			hit = at <= n
		case "==":
			hit = at == n
		case "!=":
			hit = at != n
		default:
			return "", "", false
		}
		if hit {
			out = append(out, l)
		}
	}
	return ended(out), strings.TrimSpace(p[i:]), true
}

func awkPrint(p, end, in string, once bool, f flags) string {
	if len(p) > 1 && p[0] == '"' && strings.IndexByte(p[1:], '"') == len(p)-2 {
		t, _ := unescape(p[1:len(p)-1], false)
		switch {
		case end == "" && strings.Contains(t, "%"):
			return word.Unknown
		case once:
			return t + end
		}
		return strings.Repeat(t+end, min(len(lines(in)), limit/(len(t)+1)))
	}
	if end == "" {
		return word.Unknown
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
		if n == 0 {
			return l
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
