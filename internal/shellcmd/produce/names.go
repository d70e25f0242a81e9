package produce

import (
	"path"
	"strings"

	"github.com/boathook/boathook/internal/shellcmd/word"
)

// names are the commands that print a path, or one word that only a run would tell.
func names(name string, c word.Command) (string, bool) {
	args := c.Argv[1:]
	switch name {
	case "basename":
		return basename(args), true
	case "dirname":
		var b strings.Builder
		for _, a := range parse(args, "").rest {
			b.WriteString(dirname(argText(a)) + "\n")
		}
		return b.String(), true
	case "realpath", "readlink", "greadlink", "grealpath":
		return realpath(name, c), true
	case "pwd":
		if c.Dir.Text == "" {
			return word.Unknown + "\n", true
		}
		return c.Dir.Text + "\n", true
	case "which", "type", "whence", "where":
		return which(args), true
	case "command":
		if len(args) > 1 && args[0].Text == "-v" {
			return which(args[1:]), true
		}
	case "mktemp", "gmktemp":
		return mktemp(args), true
	case "hostname", "whoami", "id", "uname", "arch", "nproc", "date", "uuidgen", "tty", "logname", "gdate":
		return word.Unknown + "\n", true
	case "git":
		return git(args)
	case "expr":
		return expr(args), true
	}
	return "", false
}

// basename drops directories and a suffix.
func basename(args []word.Arg) string {
	f := parse(args, "s suffix")
	suffix, many := f.get("s", "suffix")
	many = many || f.has("a", "multiple", "z")
	if !many && len(f.rest) == 2 {
		suffix = f.rest[1].Text
		f.rest = f.rest[:1]
	}
	var b strings.Builder
	for _, a := range f.rest {
		t := strings.TrimRight(argText(a), "/")
		if t == "" && a.Text != "" {
			t = "/"
		} else {
			t = t[strings.LastIndexByte(t, '/')+1:]
		}
		if t != suffix {
			t = strings.TrimSuffix(t, suffix)
		}
		b.WriteString(t + "\n")
	}
	return b.String()
}

// dirname is what stands before the last slash.
func dirname(t string) string {
	t = strings.TrimRight(t, "/")
	i := strings.LastIndexByte(t, '/')
	switch {
	case t == "":
		return "/"
	case i < 0 && uncertain(t):
		return word.Unknown
	case i < 0:
		return "."
	case strings.TrimRight(t[:i], "/") == "":
		return "/"
	}
	return strings.TrimRight(t[:i], "/")
}

// realpath makes paths absolute; links are not followed, as nothing is read. A plain readlink prints what only the disk tells.
func realpath(name string, c word.Command) string {
	f := parse(c.Argv[1:], "relative-to relative-base")
	if strings.HasSuffix(name, "readlink") && !f.has("f", "e", "m", "canonicalize", "canonicalize-existing", "canonicalize-missing") ||
		f.has("relative-to", "relative-base") {
		return word.Unknown + "\n"
	}
	var b strings.Builder
	for _, a := range f.rest {
		t := argText(a)
		if !strings.HasPrefix(t, "/") {
			if uncertain(t) && strings.HasPrefix(t, word.Unknown) {
				b.WriteString(t + "\n")
				continue
			}
			dir := c.Dir.Text
			if dir == "" {
				dir = word.Unknown
			}
			t = dir + "/" + t
		}
		if !uncertain(t) {
			t = path.Clean(t)
		}
		b.WriteString(t + "\n")
	}
	return b.String()
}

// which keeps a program's name; its directory is not known.
func which(args []word.Arg) string {
	var b strings.Builder
	for _, a := range args {
		if strings.HasPrefix(a.Text, "-") {
			continue
		}
		t := argText(a)
		if !strings.Contains(t, "/") {
			t = word.Unknown + "/" + t
		}
		b.WriteString(t + "\n")
	}
	return b.String()
}

// mktemp makes a name below the temporary directory, or of its template.
func mktemp(args []word.Arg) string {
	f := parse(args, "p suffix tmpdir")
	dir := "/tmp"
	if v, ok := f.get("p"); ok && v != "" {
		dir = v
	}
	if v, ok := f.get("tmpdir"); ok && v != "" {
		dir = v
	}
	name := word.Unknown
	if len(f.rest) > 0 {
		t := argText(f.rest[0])
		i := strings.Index(t, "XXX")
		if i >= 0 {
			t = t[:i] + word.Unknown + strings.TrimLeft(t[i:], "X")
		}
		if !f.has("p", "t", "tmpdir") || strings.HasPrefix(t, "/") {
			return t + "\n"
		}
		name = t
	}
	return dir + "/" + name + "\n"
}

// git's questions print one word, or some.
func git(args []word.Arg) (string, bool) {
	for len(args) > 1 && strings.HasPrefix(args[0].Text, "-") {
		n := 1
		if args[0].Text == "-C" || args[0].Text == "-c" {
			n = 2
		}
		args = args[min(n, len(args)):]
	}
	if len(args) == 0 {
		return "", false
	}
	switch args[0].Text {
	case "rev-parse", "merge-base", "rev-list", "symbolic-ref", "describe", "hash-object", "write-tree", "stash":
		return word.Unknown + "\n", true
	}
	return "", false
}

// expr knows substr, and else one unknown word.
func expr(args []word.Arg) string {
	if len(args) == 4 && args[0].Text == "substr" && !uncertain(args[1].Text) {
		from, ok1 := number(args[2].Text)
		n, ok2 := number(args[3].Text)
		s := args[1].Text
		if ok1 && ok2 && from >= 1 && from <= len(s) {
			return s[from-1:min(len(s), from-1+n)] + "\n"
		}
	}
	if len(args) == 3 && args[1].Text == ":" && !uncertain(args[0].Text) {
		// What the group matches at the text's start.
		if re, ok := pattern(strings.TrimPrefix(args[2].Text, "^"), false); ok {
			m := re.FindStringSubmatchIndex(args[0].Text)
			if len(m) > 3 && m[0] == 0 && m[2] >= 0 {
				return args[0].Text[m[2]:m[3]] + "\n"
			}
		}
	}
	return word.Unknown + "\n"
}
