// Package produce knows what common commands print, where that can be told without running them: echo, printf, cat, base64 -d.
package produce

import (
	"strings"

	"github.com/boathook/boathook/internal/shellcmd/word"
)

// limit bounds every output; what is longer is unknown from there on.
const limit = 1 << 20

// Output is what a command writes to its standard output; its parts that are not known are word.Unknown. Input is c.Stdin. ok is
// false for a program whose output is not known at all.
func Output(c word.Command) (out word.Data, ok bool) {
	if c.Op != "" || len(c.Argv) == 0 {
		return word.Data{}, false
	}
	text, ok := output(c)
	if !ok {
		return word.Data{}, false
	}
	if len(text) > limit {
		text = strings.ToValidUTF8(text[:limit], "") + word.Unknown
	}
	return word.Data{Given: true, Text: text}, true
}

// output asks the families of commands in turn.
func output(c word.Command) (string, bool) {
	name := strings.TrimSuffix(c.Name(), ".exe")
	for _, family := range []func(string, word.Command) (string, bool){printers, filters, codecs, names} {
		if text, ok := family(name, c); ok {
			return text, true
		}
	}
	return "", false
}

// argText is an argument with all that is not known of it in its text.
func argText(a word.Arg) string {
	if (a.Many || a.Glob) && !strings.Contains(a.Text, word.Unknown) {
		return a.Text + word.Unknown
	}
	return a.Text
}

// uncertain tells whether a text holds unknown parts.
func uncertain(s string) bool { return strings.Contains(s, word.Unknown) }

// input is what a filter reads: its standard input, or files, whose content is not known.
func input(c word.Command, files []word.Arg) string {
	if len(files) == 0 {
		if c.Stdin.Given {
			return c.Stdin.Text
		}
		return word.Unknown
	}
	var b strings.Builder
	for _, f := range files {
		switch f.Text {
		case "-", "/dev/stdin", "/dev/fd/0", "/proc/self/fd/0":
			if c.Stdin.Given {
				b.WriteString(c.Stdin.Text)
				continue
			}
			b.WriteString(word.Unknown)
		case "/dev/null":
		default:
			b.WriteString(word.Unknown)
		}
		if b.Len() > limit {
			break
		}
	}
	return b.String()
}

// lines are a text's lines without their ends.
func lines(s string) []string {
	s = strings.TrimSuffix(s, "\n")
	if s == "" {
		return nil
	}
	return strings.Split(s, "\n")
}

// eachLine makes a text of its changed lines.
func eachLine(s string, change func(string) string) string {
	var b strings.Builder
	for _, l := range lines(s) {
		if b.Len() > limit {
			return b.String() + word.Unknown
		}
		b.WriteString(change(l))
		b.WriteByte('\n')
	}
	return b.String()
}

// flags splits a command's options from its operands; valued are the letters that take a value.
type flags struct {
	set  map[string]string
	rest []word.Arg
}

// has tells whether an option was given.
func (f flags) has(names ...string) bool {
	for _, n := range names {
		if _, ok := f.set[n]; ok {
			return true
		}
	}
	return false
}

// get is the last value of an option.
func (f flags) get(names ...string) (string, bool) {
	for _, n := range names {
		if v, ok := f.set[n]; ok {
			return v, true
		}
	}
	return "", false
}

// parse reads options as getopt does, operands between them; long options that take a value are in valued too, by blanks.
func parse(args []word.Arg, valued string) flags {
	f := flags{set: map[string]string{}}
	takes := strings.Fields(valued)
	for i := 0; i < len(args); i++ {
		a := args[i]
		t := a.Text
		switch {
		case t == "--":
			f.rest = append(f.rest, args[i+1:]...)
			return f
		case len(t) < 2 || t[0] != '-':
			f.rest = append(f.rest, a)
		case t[1] == '-':
			name, value, eq := strings.Cut(t[2:], "=")
			if !eq && contains(takes, name) && i+1 < len(args) {
				i++
				value = argText(args[i])
			}
			f.set[name] = value
		default:
			i += f.cluster(args[i:], takes)
		}
	}
	return f
}

// cluster reads short options and gives the number of words that it took beside itself.
func (f flags) cluster(args []word.Arg, takes []string) int {
	t := argText(args[0])
	for j := 1; j < len(t); j++ {
		name := t[j : j+1]
		if !contains(takes, name) {
			f.set[name] = ""
			continue
		}
		if j+1 < len(t) {
			f.add(name, t[j+1:])
			return 0
		}
		if len(args) > 1 {
			f.add(name, argText(args[1]))
			return 1
		}
		f.set[name] = ""
	}
	return 0
}

// add keeps a value; those of -e are joined, as sed has them.
func (f flags) add(name, value string) {
	if old, ok := f.set[name]; ok && name == "e" {
		value = old + "\n" + value
	}
	f.set[name] = value
}

// contains tells whether a word is in a list.
func contains(list []string, s string) bool {
	for _, l := range list {
		if l == s {
			return true
		}
	}
	return false
}

// number reads a number of at most seven digits.
func number(s string) (int, bool) {
	if s == "" || len(s) > 7 {
		return 0, false
	}
	n := 0
	for i := range len(s) {
		if s[i] < '0' || s[i] > '9' {
			return 0, false
		}
		n = n*10 + int(s[i]-'0')
	}
	return n, true
}
