// Package unit is one command among all of its text, as the packages of effects look at it, and how its options are read.
package unit

import (
	"strings"
	"unicode/utf8"

	"github.com/boathook/boathook/internal/effect/place"
	"github.com/boathook/boathook/internal/shellcmd/word"
)

// Unit is one command among all of its text.
type Unit struct {
	word.Command
	I       int
	All     []word.Command
	Machine *place.Machine
	// Text is the text in which words have their bytes; empty where there is none.
	Text string
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
	var o Opts
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
			v := word.Arg{Text: value, Many: a.Many, By: a.By, Source: a.Source}
			if !has && word.Listed(valued, name) && i+1 < len(args) {
				i++
				v = args[i]
			}
			o.put(name, v)
		default:
			i = o.bundle(args, i, valued)
		}
	}
	return o
}

// bundle reads -abc or -ofile and gives the place of the last word that it took.
func (o *Opts) bundle(args []word.Arg, i int, valued string) int {
	text := args[i].Text[1:]
	if word.Listed(valued, text) && i+1 < len(args) { // find -name, java -jar
		o.put(text, args[i+1])
		return i + 1
	}
	for j := 0; j < len(text); {
		_, size := utf8.DecodeRuneInString(text[j:])
		name := text[j : j+size]
		j += size
		if !word.Listed(valued, name) {
			o.put(name, word.Arg{})
			continue
		}
		rest := text[j:]
		switch {
		case rest != "":
			o.put(name, word.Arg{Text: rest, Many: args[i].Many, By: args[i].By, Source: args[i].Source})
		case i+1 < len(args):
			o.put(name, args[i+1])
			return i + 1
		}
		return i
	}
	return i
}

func (o *Opts) put(name string, v word.Arg) {
	if o.Flags == nil {
		o.Flags = make(map[string][]word.Arg, 4)
	}
	if len(o.Flags) < maxFlags && len(o.Flags[name]) < maxFlags {
		o.Flags[name] = append(o.Flags[name], v)
	}
}

// maxFlags is more than a program has, or takes of one.
const maxFlags = 1000
