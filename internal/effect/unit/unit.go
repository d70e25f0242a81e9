// Package unit is one command among all of its text, as the packages of effects look at it, and how its options are read.
package unit

import (
	"strings"

	"github.com/boathook/boathook/internal/effect/place"
	"github.com/boathook/boathook/internal/shellcmd/word"
)

// Unit is one command among all of its text.
type Unit struct {
	word.Command
	I       int
	All     []word.Command
	Machine *place.Machine
}

// Opts are a command's arguments, sorted by getopt's rules.
type Opts struct {
	// Flags are the options without their dashes, with their values; of one without a value the zero word.
	Flags map[string][]word.Arg
	// Operands are the rest, in their order; after -- everything is one.
	Operands []word.Arg
	// Vague says that a word that is not known could be an option.
	Vague bool
}

// Has tells whether one of these options is there, each without its dashes.
func (o Opts) Has(names ...string) bool {
	for _, n := range names {
		if _, ok := o.Flags[n]; ok {
			return true
		}
	}
	return false
}

// Value is the last value of the first of these options that is there.
func (o Opts) Value(names ...string) (word.Arg, bool) {
	for _, n := range names {
		if v := o.Flags[n]; len(v) > 0 {
			return v[len(v)-1], true
		}
	}
	return word.Arg{}, false
}

// Options sorts words: one-letter options may be bundled and have their value attached, long ones have it after = or, as the
// one-letter ones, as the next word. valued names, separated by blanks, those that take a value.
func Options(args []word.Arg, valued string) Opts {
	takes := map[string]bool{}
	for _, n := range strings.Fields(valued) {
		takes[n] = true
	}
	o := Opts{Flags: map[string][]word.Arg{}}
	for i := 0; i < len(args); i++ {
		a := args[i]
		text := a.Text
		switch {
		case text == "--":
			o.Operands = append(o.Operands, args[i+1:]...)
			return o
		case len(text) < 2 || text[0] != '-':
			o.Vague = o.Vague || strings.HasPrefix(text, word.Unknown)
			o.Operands = append(o.Operands, a)
		case strings.HasPrefix(text, "--"):
			name, value, has := strings.Cut(text[2:], "=")
			v := word.Arg{Text: value, Many: a.Many, By: a.By}
			if !has && takes[name] && i+1 < len(args) {
				i++
				v = args[i]
			}
			o.Flags[name] = append(o.Flags[name], v)
		default:
			i = o.bundle(args, i, takes)
		}
	}
	return o
}

// bundle reads -abc or -ofile and gives the place of the last word that it took.
func (o *Opts) bundle(args []word.Arg, i int, takes map[string]bool) int {
	text := args[i].Text[1:]
	if takes[text] && i+1 < len(args) { // find -name, java -jar
		o.Flags[text] = append(o.Flags[text], args[i+1])
		return i + 1
	}
	for j, c := range text {
		name := string(c)
		if !takes[name] {
			o.Flags[name] = append(o.Flags[name], word.Arg{})
			continue
		}
		rest := text[j+len(name):]
		switch {
		case rest != "":
			o.Flags[name] = append(o.Flags[name], word.Arg{Text: rest, Many: args[i].Many, By: args[i].By})
		case i+1 < len(args):
			o.Flags[name] = append(o.Flags[name], args[i+1])
			return i + 1
		}
		return i
	}
	return i
}
