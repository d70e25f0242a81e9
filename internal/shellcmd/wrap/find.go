package wrap

import (
	"strings"

	"github.com/boathook/boathook/internal/shellcmd/word"
)

// found is what find's expression says of the paths that it finds.
type found struct {
	starts []word.Arg
	names  []word.Arg
	// others says that a test leaves out the start itself; only that maxdepth is 0.
	others, only bool
	negated      bool
}

// find gives the commands of -exec, -execdir, -ok and -okdir.
func find(args []word.Arg) []word.Inner {
	f, rest := findStarts(args)
	f.tests(rest)
	var out []word.Inner
	for i := 0; i < len(rest); i++ {
		switch rest[i].Text {
		case "-exec", "-execdir", "-ok", "-okdir":
			end := i + 1
			for end < len(rest) && rest[end].Text != ";" && (rest[end].Text != "+" || rest[end-1].Text != "{}") {
				end++
			}
			if end > i+1 && len(out) < most {
				out = append(out, word.Inner{Argv: f.fill(rest[i+1 : end]), Maybe: true})
			}
			i = end
		}
	}
	return out
}

// findStarts splits the start paths from the expression.
func findStarts(args []word.Arg) (found, []word.Arg) {
	var f found
	for len(args) > 0 {
		t := args[0].Text
		switch {
		case t == "-H" || t == "-L" || t == "-P" || strings.HasPrefix(t, "-O") && len(t) > 2:
			args = args[1:]
			continue
		case t == "-D" || t == "-f":
			args = args[min(2, len(args)):]
			continue
		}
		if strings.HasPrefix(t, "-") || t == "(" || t == ")" || t == "!" || t == "," {
			break
		}
		f.starts, args = append(f.starts, args[0]), args[1:]
	}
	if len(f.starts) == 0 {
		f.starts = word.Lits(".")
	}
	return f, args
}

// tests reads what narrows the paths.
func (f *found) tests(rest []word.Arg) {
	for i, a := range rest {
		next := ""
		if i+1 < len(rest) {
			next = rest[i+1].Text
		}
		switch a.Text {
		case "-name", "-iname":
			if strings.Trim(next, "*") == "" {
				continue
			}
			f.others = true
			f.names = append(f.names, word.Lit(next))
		case "-path", "-ipath", "-wholename", "-iwholename", "-regex", "-iregex", "-newer", "-mtime", "-mmin", "-ctime", "-atime", "-cmin",
			"-amin", "-size", "-empty", "-newermt", "-user", "-perm", "-samefile", "-inum":
			f.others = true
		case "-mindepth":
			f.others = f.others || next != "0"
		case "-maxdepth":
			f.only = next == "0"
		case "-type":
			f.others = f.others || next != "d"
		case "!", "-not", "-o", "-or", ",": // a name then says nothing of all that is found
			f.negated = true
		}
	}
	if f.negated {
		f.names = nil
	}
}

// fill puts the paths that may be found into a command's words.
func (f *found) fill(argv []word.Arg) []word.Arg {
	paths := f.paths()
	var out []word.Arg
	for _, a := range argv {
		switch {
		case a.Text == "{}":
			out = append(out, paths...)
		case strings.Contains(a.Text, "{}") && len(a.Text) < 1<<14:
			out = append(out, word.Arg{Text: strings.ReplaceAll(a.Text, "{}", paths[0].Text), Many: a.Many})
		default:
			out = append(out, a)
		}
	}
	return out
}

// paths are the paths that may be found, most telling first.
func (f *found) paths() []word.Arg {
	var out []word.Arg
	for i, s := range f.starts {
		if i == 16 {
			return append(out, word.Arg{Text: word.Unknown, Many: true})
		}
		if !f.others || f.only {
			out = append(out, s)
		}
		if f.only {
			continue
		}
		base := strings.TrimRight(s.Text, "/") + "/"
		if len(f.names) == 0 {
			out = append(out, word.Arg{Text: base + word.Unknown, Many: s.Many})
		}
		for j, n := range f.names {
			if j < 8 {
				out = append(out, word.Arg{Text: base + foundName(n.Text), Many: s.Many})
			}
		}
	}
	return out
}

// foundName is a path that a name's pattern finds; what the pattern leaves open is unknown.
func foundName(p string) string {
	if !strings.ContainsAny(p, `*?[\`) {
		return word.Unknown + "/" + p
	}
	var b strings.Builder
	open := false
	for i := 0; i < len(p); i++ {
		switch p[i] {
		case '*', '?':
			open = true
			continue
		case '[':
			if end := strings.IndexByte(p[i:], ']'); end > 0 {
				open = true
				i += end
				continue
			}
		case '\\':
			if i+1 < len(p) {
				i++
			}
		}
		if open {
			b.WriteString(word.Unknown)
			open = false
		}
		b.WriteByte(p[i])
	}
	if open {
		b.WriteString(word.Unknown)
	}
	return b.String()
}

// fd gives the commands of -x and -X.
func fd(args []word.Arg) []word.Inner {
	at := -1
	for i, a := range args {
		switch a.Text {
		case "-x", "-X", "--exec", "--exec-batch":
			at = i
		}
		if at >= 0 {
			break
		}
	}
	if at < 0 {
		return nil
	}
	o := parse(args[:at], form{
		short:   "d:t:e:S:o:c:j:E:",
		long:    "max-depth min-depth exact-depth exclude type extension size changed-within changed-before owner color threads base-directory search-path path-separator max-results ignore-file format",
		permute: true,
	})
	f := found{starts: o.values("search-path", "base-directory"), others: true}
	if len(o.rest) > 1 {
		f.starts = append(f.starts, o.rest[1:]...)
	}
	if len(f.starts) == 0 {
		f.starts = word.Lits(".")
	}
	argv := args[at+1:]
	for i, a := range argv {
		if a.Text == ";" {
			argv = argv[:i]
			break
		}
	}
	if len(argv) == 0 {
		return nil
	}
	return []word.Inner{{Argv: fdFill(f, argv), Maybe: true}}
}

// fdFill puts paths into fd's marks, or at the end where there are none.
func fdFill(f found, argv []word.Arg) []word.Arg {
	marked := false
	out := make([]word.Arg, len(argv))
	for i, a := range argv {
		for _, mark := range []string{"{/}", "{//}", "{.}", "{/.}"} {
			if strings.Contains(a.Text, mark) && len(a.Text) < 1<<14 {
				a.Text, marked = strings.ReplaceAll(a.Text, mark, "{}"), true
			}
		}
		marked = marked || strings.Contains(a.Text, "{}")
		out[i] = a
	}
	if !marked {
		out = append(out, word.Lit("{}"))
	}
	return f.fill(out)
}
