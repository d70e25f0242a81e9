package unit

import (
	"strings"

	"github.com/boathook/boathook/internal/shellcmd/word"
	"github.com/boathook/boathook/policy"
)

// Marked says of effects which command they are of, and what holds for all that it does.
func (u Unit) Marked(effects []policy.Effect) []policy.Effect {
	for i := range effects {
		e := &effects[i]
		e.Command = u.I
		for _, f := range [...]struct {
			on   bool
			name string
		}{{u.Host != "", "remote"}, {u.Host == "container", "container"}, {u.User == "root", "sudo"}, {u.Maybe, "maybe"}} {
			if f.on {
				e.Flags = append(e.Flags, f.name)
			}
		}
	}
	return effects
}

// Completed writes out long options that are only begun, as getopt takes them. long are a program's, separated by blanks, with = after
// those that have a value; an option that may be several is taken for the first of these.
func Completed(args []word.Arg, long string) []word.Arg {
	full := make([]word.Arg, len(args))
	copy(full, args)
	for i, a := range full {
		if a.Text == "--" {
			break
		}
		if strings.HasPrefix(a.Text, "--") {
			name, value, has := strings.Cut(a.Text[2:], "=")
			if name = complete(name, long); has {
				name += "=" + value
			}
			full[i].Text = "--" + name
		}
	}
	return full
}

func complete(name, long string) string {
	first := ""
	for n := range strings.FieldsSeq(long) {
		n = strings.TrimSuffix(n, "=")
		if n == name {
			return name
		}
		if first == "" && name != "" && strings.HasPrefix(n, name) {
			first = n
		}
	}
	if first == "" {
		return name
	}
	return first
}
