package wrap

import (
	"strings"

	"github.com/boathook/boathook/internal/shellcmd/word"
)

// form says how a program reads its arguments.
type form struct {
	// short are the letters that take a value, each with ':' (glued or the next word), '?' (only glued) or '#' (glued digits).
	short string
	// long are long options that take a value, by spaces; with '?' only after '='.
	long string
	// skip is the number of operands before the command.
	skip int
	// permute says that options may follow operands.
	permute bool
	// single says that long options have one dash: java, find, tsh.
	single bool
	// self says that the program does something of its own beside.
	self bool
}

// option is one option that was given, with its value where it takes one.
type option struct {
	name  string
	value word.Arg
	has   bool
}

// options are a command's arguments, read.
type options struct {
	list []option
	rest []word.Arg
}

// has tells whether one of the options was given.
func (o options) has(names ...string) bool {
	for _, p := range o.list {
		for _, n := range names {
			if p.name == n {
				return true
			}
		}
	}
	return false
}

// values are those of the options of these names, in their order.
func (o options) values(names ...string) []word.Arg {
	var out []word.Arg
	for _, p := range o.list {
		for _, n := range names {
			if p.name == n && p.has {
				out = append(out, p.value)
			}
		}
	}
	return out
}

// value is the last value of the options of these names.
func (o options) value(names ...string) (word.Arg, bool) {
	v := o.values(names...)
	if len(v) == 0 {
		return word.Arg{}, false
	}
	return v[len(v)-1], true
}

// parse reads arguments by a form.
func parse(args []word.Arg, f form) options {
	var o options
	for i := 0; i < len(args); i++ {
		a := args[i]
		switch {
		case a.Many && a.Text == word.Unknown && !f.permute:
			// It may be options, or nothing: what follows is then the command.
			if len(args) == i+1 {
				o.rest = args[i:]
				return o
			}
		case a.Text == "--":
			o.rest = append(o.rest, args[i+1:]...)
			return o
		case len(a.Text) < 2 || a.Text[0] != '-':
			if !f.permute {
				o.rest = args[i:]
				return o
			}
			o.rest = append(o.rest, a)
		case a.Text[1] == '-' || f.single:
			i += o.long(args[i:], f)
		default:
			i += o.cluster(args[i:], f)
		}
	}
	return o
}

// long reads a long option and gives the number of words that it took beside itself.
func (o *options) long(args []word.Arg, f form) int {
	name, value, eq := strings.Cut(strings.TrimLeft(args[0].Text, "-"), "=")
	if eq {
		o.list = append(o.list, option{name: f.longName(name), value: part(args[0], value), has: true})
		return 0
	}
	full := f.longName(name)
	if full == "" || strings.HasSuffix(full, "?") || !f.takes(full) || len(args) < 2 {
		o.list = append(o.list, option{name: strings.TrimSuffix(full, "?")})
		return 0
	}
	o.list = append(o.list, option{name: full, value: args[1], has: true})
	return 1
}

// longName completes an abbreviated name, as getopt does; names that are no values' stay.
func (f form) longName(name string) string {
	if len(name) < 3 || f.single {
		return name
	}
	for l := range strings.FieldsSeq(f.long) {
		l = strings.TrimSuffix(l, "?")
		if l == name {
			return name
		}
	}
	for l := range strings.FieldsSeq(f.long) {
		l = strings.TrimSuffix(l, "?")
		if strings.HasPrefix(l, name) {
			return l
		}
	}
	return name
}

// takes tells whether a long option's value may be the next word.
func (f form) takes(name string) bool {
	for l := range strings.FieldsSeq(f.long) {
		if l == name {
			return true
		}
	}
	return false
}

// cluster reads short options (-abc) and gives the number of words that it took beside itself.
func (o *options) cluster(args []word.Arg, f form) int {
	s := args[0].Text
	for j := 1; j < len(s); j++ {
		p := option{name: s[j : j+1]}
		k := strings.IndexByte(f.short, s[j])
		kind := byte(0)
		if k >= 0 && k+1 < len(f.short) {
			kind = f.short[k+1]
		}
		rest := s[j+1:]
		switch {
		case kind == '?':
			p.value, p.has = part(args[0], rest), rest != ""
			j = len(s)
		case kind == '#':
			n := 0
			for n < len(rest) && (rest[n] >= '0' && rest[n] <= '9' || rest[n] == 'x') {
				n++
			}
			j += n
		case kind == ':' && rest != "":
			p.value, p.has = part(args[0], rest), true
			j = len(s)
		case kind == ':' && len(args) > 1:
			p.value, p.has = args[1], true
			o.list = append(o.list, p)
			return 1
		}
		o.list = append(o.list, p)
	}
	return 0
}

// part is a piece of a word, with what is known of the word.
func part(a word.Arg, text string) word.Arg {
	return word.Arg{Text: text, Glob: a.Glob, Many: a.Many && strings.Contains(text, word.Unknown)}
}

// assignment splits NAME=value.
func assignment(a word.Arg) (word.Assign, bool) {
	i := strings.IndexByte(a.Text, '=')
	if i <= 0 {
		return word.Assign{}, false
	}
	for j := range i {
		ch := a.Text[j]
		if ch == '%' && strings.HasPrefix(a.Text, "BASH_FUNC_") {
			continue
		}
		if ch != '_' && (ch < 'a' || ch > 'z') && (ch < 'A' || ch > 'Z') && (ch < '0' || ch > '9' || j == 0) {
			return word.Assign{}, false
		}
	}
	return word.Assign{Name: a.Text[:i], Value: part(a, a.Text[i+1:])}, true
}

// assignments takes NAME=value words from the front.
func assignments(args []word.Arg) ([]word.Assign, []word.Arg) {
	var out []word.Assign
	for len(args) > 0 {
		a, ok := assignment(args[0])
		if !ok {
			break
		}
		out, args = append(out, a), args[1:]
	}
	return out, args
}

// inList tells whether a word is one of a list with blanks.
func inList(list, w string) bool {
	if w == "" || strings.IndexByte(w, ' ') >= 0 {
		return false
	}
	for i := 0; ; {
		j := strings.Index(list[i:], w)
		if j < 0 {
			return false
		}
		j += i
		end := j + len(w)
		if (j == 0 || list[j-1] == ' ') && (end == len(list) || list[end] == ' ') {
			return true
		}
		i = j + 1
	}
}
