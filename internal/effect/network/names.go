package network

import (
	"strings"

	"github.com/boathook/boathook/internal/effect/secret"
	"github.com/boathook/boathook/internal/effect/unit"
)

// namesOnly tells of programs that print only the names in a .env, or the values of such as hold no secret.
func namesOnly(program string, o unit.Opts) bool {
	switch program {
	case "cut":
		d, _ := o.Value("d", "delimiter")
		f, _ := o.Value("f", "fields")
		return d.Text == "=" && f.Text == "1"
	case "sed", "gsed":
		return !o.Has("n") && len(o.Operands) > 0 && cutsValues(script(o))
	case "awk", "gawk", "mawk":
		f, _ := o.Value("F", "field-separator")
		return f.Text == "=" && len(o.Operands) > 0 && firstField(o.Operands[0].Text)
	case "grep", "egrep", "rg":
		return grepsNames(o)
	}
	return false
}

// script is the only script of a sed.
func script(o unit.Opts) string {
	if given := append(o.Flags["e"], o.Flags["expression"]...); len(given) == 1 && !o.Has("f", "file") {
		return given[0].Text
	} else if len(given) == 0 && !o.Has("f", "file") {
		return o.Operands[0].Text
	}
	return ""
}

// cutsValues tells s/=.*/…/ from other scripts.
func cutsValues(script string) bool {
	if len(script) < 4 || script[0] != 's' {
		return false
	}
	part := strings.Split(script[1:], script[1:2])
	return len(part) == 4 && part[1] == "=.*" && !strings.ContainsAny(part[2], "&\\") && (part[3] == "" || part[3] == "g")
}

// firstField tells programs of awk that print the first field and nothing else.
func firstField(code string) bool {
	code = strings.ReplaceAll(code, " ", "")
	if i := strings.IndexByte(code, '{'); i > 0 && code[0] == '/' && code[i-1] == '/' {
		code = code[i:]
	}
	return code == "{print$1}" || code == "{print$1;}"
}

// grepsNames tells patterns that match the names alone, shown with -o, and those of lines whose variable holds no secret by its name.
func grepsNames(o unit.Opts) bool {
	patterns := append(o.Flags["e"], o.Flags["regexp"]...)
	if len(patterns) == 0 && len(o.Operands) > 0 {
		patterns = o.Operands[:1]
	}
	if o.Has("v", "invert-match", "A", "B", "C", "f", "file") {
		return false
	}
	for _, p := range patterns {
		rest, anchored := strings.CutPrefix(p.Text, "^")
		if !anchored || !p.Known() {
			return false
		}
		if o.Has("o", "only-matching") && nameClass(rest) {
			continue
		}
		rest = strings.TrimSuffix(strings.TrimSuffix(rest, ".*"), "=")
		rest = strings.NewReplacer("(", "", ")", "", `\|`, "|", "=", "").Replace(rest)
		for name := range strings.SplitSeq(rest, "|") {
			if !variableName(name) || secret.Name(name) || strings.HasSuffix(name, "_") {
				return false
			}
		}
	}
	return len(patterns) > 0
}

// nameClass tells a class of characters that has no more than a name: [A-Z_]*, [^=]+.
func nameClass(p string) bool {
	p = strings.TrimSuffix(strings.TrimSuffix(p, "(?==)"), "=")
	for _, quantity := range [...]string{`\+`, "+", "*"} {
		if class, ok := strings.CutSuffix(p, quantity); ok {
			p = class
			break
		}
	}
	class, ok := strings.CutPrefix(p, "[")
	class, closed := strings.CutSuffix(class, "]")
	return ok && closed && (class == "^=" || !strings.ContainsAny(class, "=^.[]\\/+"))
}

func variableName(s string) bool {
	return len(s) > 2 && strings.Trim(s, "ABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789") == ""
}
