package shellcmd

import (
	"strings"

	"github.com/boathook/boathook/internal/shellcmd/word"
)

// readBuiltin is read: it takes a line off the input.
func (w *shell) readBuiltin(in *invocation) status {
	w.note(in)
	w.subscripts(in.Argv[1:])
	o := readOptions{delim: "\n"}
	names := o.parse(in.Argv[1:])
	from := "in"
	if o.fd != "" && o.fd != "0" {
		from = "fd " + o.fd
	}
	c := w.get(special, from)
	if o.other || c == nil {
		w.readUnknown(names, o.array)
		return anyStatus
	}
	v := w.choose(c)
	if v.unset {
		w.readUnknown(names, o.array)
		return anyStatus
	}
	line, rest, found := cutDelim(v.text, o.delim, o.raw)
	if hasUnknown(line) {
		w.readUnknown(names, o.array)
		next := v
		next.text = word.Unknown
		if found {
			next.text += rest
		}
		w.set(special, from, one(next))
		return anyStatus
	}
	next := v
	next.text = rest
	w.set(special, from, one(next))
	w.readInto(names, line, o, v)
	return statusOf(found)
}

type readOptions struct {
	raw, other bool
	array      string
	delim, fd  string
}

func (o *readOptions) parse(args []word.Arg) (names []string) {
	for i := 0; i < len(args); i++ {
		t := args[i].Text
		if !strings.HasPrefix(t, "-") || len(t) < 2 || len(names) > 0 {
			names = append(names, t)
			continue
		}
		for j := 1; j < len(t); j++ {
			value := func() string {
				if j+1 < len(t) {
					s := t[j+1:]
					j = len(t)
					return s
				}
				if i++; i < len(args) {
					return args[i].Text
				}
				return ""
			}
			switch t[j] {
			case 'r':
				o.raw = true
			case 's', 'e':
			case 'p', 't', 'i':
				value()
			case 'a', 'A':
				o.array = value()
			case 'd':
				o.delim = first(value())
			case 'u':
				o.fd = value()
			default:
				o.other = true
				if t[j] == 'n' || t[j] == 'N' || t[j] == 'k' {
					value()
				}
			}
		}
	}
	return names
}

// cutDelim takes a line off; without -r a backslash before the line's end goes on with the next.
func cutDelim(s, delim string, raw bool) (line, rest string, found bool) {
	if delim == "" {
		return s, "", false
	}
	for i := 0; i < len(s); i++ {
		if s[i] == '\\' && !raw {
			i++
			continue
		}
		if s[i] == delim[0] {
			return s[:i], s[i+1:], true
		}
	}
	return s, "", false
}

func (w *shell) readUnknown(names []string, array string) {
	if array != "" {
		w.setVar(array, val{array: true, list: []string{word.Unknown}, many: true, wild: true})
	}
	if len(names) == 0 {
		names = []string{"REPLY"}
	}
	for _, n := range names {
		w.setVar(n, unknownVal(true))
	}
}

func (w *shell) readInto(names []string, line string, o readOptions, from val) {
	if !o.raw {
		line = unbackslash(line)
	}
	ifs := w.ifs()
	if o.array != "" {
		b := builder{w: w, ifs: ifs, ifsRead: true}
		b.fields(val{text: line})
		b.end()
		w.setVar(o.array, val{array: true, list: word.Texts(b.done), by: from.by})
		return
	}
	if len(names) == 0 {
		w.setVar("REPLY", val{text: line, by: from.by})
		return
	}
	blank := blanks(ifs)
	for i, n := range names {
		line = strings.TrimLeft(line, blank)
		if i == len(names)-1 {
			w.setVar(n, val{text: strings.TrimRight(line, blank), by: from.by})
			return
		}
		end := strings.IndexAny(line, ifs)
		if ifs == "" || end < 0 {
			end = len(line)
		}
		w.setVar(n, val{text: line[:end], by: from.by})
		line = strings.TrimLeft(line[end:], blank)
		if line != "" && strings.IndexByte(ifs, line[0]) >= 0 {
			line = line[1:]
		}
	}
}

func blanks(ifs string) string {
	var out []byte
	for i := 0; i < len(ifs); i++ {
		if ifs[i] == ' ' || ifs[i] == '\t' || ifs[i] == '\n' {
			out = append(out, ifs[i])
		}
	}
	return string(out)
}

func unbackslash(s string) string {
	if !strings.Contains(s, "\\") {
		return s
	}
	var out []byte
	for i := 0; i < len(s); i++ {
		if s[i] == '\\' && i+1 < len(s) {
			i++
			if s[i] == '\n' {
				continue
			}
		}
		out = append(out, s[i])
	}
	return string(out)
}

// mapfile reads all lines into an array.
func (w *shell) mapfile(in *invocation) status {
	w.note(in)
	name, trim, simple := "MAPFILE", false, true
	for _, a := range in.Argv[1:] {
		switch {
		case a.Text == "-t":
			trim = true
		case strings.HasPrefix(a.Text, "-"):
			simple = false
		default:
			name = a.Text
		}
	}
	c := w.get(special, "in")
	v := val{unset: true}
	if c != nil {
		v = w.choose(c)
	}
	if v.unset || !simple || hasUnknown(v.text) {
		w.readUnknown([]string{name}, name)
		w.setVar(name, val{array: true, list: []string{word.Unknown}, many: true, wild: true})
		return anyStatus
	}
	lines := strings.SplitAfter(v.text, "\n")
	if n := len(lines); lines[n-1] == "" {
		lines = lines[:n-1]
	}
	for i := range lines {
		if trim {
			lines[i] = strings.TrimSuffix(lines[i], "\n")
		}
	}
	w.setVar(name, val{array: true, list: lines, by: v.by})
	w.set(special, "in", one(val{text: ""}))
	return success
}
