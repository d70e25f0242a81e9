package shellcmd

import (
	"slices"
	"strconv"
	"strings"

	"github.com/boathook/boathook/internal/shellcmd/word"
)

// getopts takes one option off the arguments where they are known.
func (w *shell) getopts(in *invocation) status {
	w.note(in)
	if len(in.Argv) < 3 {
		return anyStatus
	}
	name := in.Argv[2].Text
	args := list(in.Argv[3:], in.wild)
	if c := w.get(special, "@"); c != nil && len(in.Argv) == 3 {
		args = w.choose(c)
	}
	at := 1
	if v := w.variable("OPTIND"); !v.unset {
		at, _ = strconv.Atoi(v.text)
	}
	if args.many || at < 1 || !in.Argv[1].Known() || at <= len(args.list) && hasUnknown(args.list[at-1]) {
		w.setVar(name, val{text: word.Unknown})
		w.setVar("OPTARG", unknownVal(true))
		w.setVar("OPTIND", val{text: word.Unknown})
		return anyStatus
	}
	return w.nextOption(in.Argv[1].Text, name, args, at)
}

// setArguments is what set does; in dash getopts then begins anew.
func (w *shell) setArguments(args val) {
	w.set(special, "@", one(args))
	if w.opt.Dialect == "dash" && !w.variable("OPTIND").unset {
		w.setVar("OPTIND", val{text: "1"})
		w.set(special, "getopts", one(val{}))
	}
}

// nextOption sets what getopts sets. The place within a cluster of letters is kept beside OPTIND.
func (w *shell) nextOption(spec, name string, args val, at int) status {
	inside := 1
	if c := w.get(special, "getopts"); c != nil {
		if v := w.choose(c); len(v.list) == 2 && v.list[0] == strconv.Itoa(at) {
			inside, _ = strconv.Atoi(v.list[1])
		}
	}
	done := func(letter, value string, next, in int) status {
		w.setVar(name, val{text: letter})
		w.setVar("OPTARG", val{text: value, by: args.by, wild: args.wild, many: hasUnknown(value)})
		w.setVar("OPTIND", val{text: strconv.Itoa(next)})
		w.set(special, "getopts", one(val{array: true, list: []string{strconv.Itoa(next), strconv.Itoa(in)}}))
		return statusOf(letter != "?")
	}
	if at > len(args.list) || len(args.list[at-1]) < 2 || args.list[at-1][0] != '-' || args.list[at-1] == "--" || inside >= len(args.list[at-1]) {
		return done("?", "", at, 1)
	}
	word := args.list[at-1]
	letter := word[inside : inside+1]
	i := strings.Index(spec, letter)
	valued := i >= 0 && i+1 < len(spec) && spec[i+1] == ':'
	switch {
	case valued && inside+1 < len(word):
		return done(letter, word[inside+1:], at+1, 1)
	case valued && at < len(args.list):
		return done(letter, args.list[at], at+2, 1)
	case inside+1 < len(word):
		return done(letter, "", at, inside+1)
	}
	return done(letter, "", at+1, 1)
}

// unsetElement takes an element off an array.
func (w *shell) unsetElement(name, text string) {
	_, key, _ := strings.Cut(strings.TrimSuffix(text, "]"), "[")
	v := w.variable(name)
	if !v.array || v.many || hasUnknown(key) || !w.bud.spend(8*len(v.list)) {
		w.set(variable, name, one(unknownVal(true)))
		return
	}
	v = v.spread()
	if i := slices.Index(v.keys, strings.Trim(key, `"'`)); i >= 0 {
		v.keys = append(v.keys[:i:i], v.keys[i+1:]...)
		v.list = append(v.list[:i:i], v.list[i+1:]...)
	}
	w.set(variable, name, one(v))
}
