package shellcmd

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"github.com/boathook/boathook/internal/shellcmd/word"
)

// flagged is a parameter with zsh's flags: ${(z)x}, ${=x}. Those that change its value otherwise than is told here make it unknown.
func (w *shell) flagged(pe *syntax.ParamExp) many {
	flags := ""
	plain := *pe
	if pe.Flags != nil {
		flags = pe.Flags.Value
	}
	plain.Flags, plain.Split, plain.GlobSubst, plain.RcExpand = nil, syntax.OptUnset, syntax.OptUnset, syntax.OptUnset
	m := w.parameter(&plain)
	for i := 0; i < len(flags); i++ {
		if !strings.ContainsRune("zZefsjPLUQqk@v", rune(flags[i])) {
			w.codeOf(m, flags[i:])
			return m.vague()
		}
		arg := ""
		if strings.IndexByte("sjZ", flags[i]) >= 0 {
			arg, i = flagArg(flags, i)
		}
		m = w.flag(m, flags[i], arg)
	}
	if pe.Split == syntax.OptOn {
		m = m.words(strings.Fields)
	}
	return m
}

// flagArg is what stands between the delimiters behind a flag, and where it ends.
func flagArg(flags string, i int) (string, int) {
	if i+2 > len(flags)-1 {
		return "", i
	}
	end := closing(flags[i+1])
	j := strings.IndexByte(flags[i+2:], end)
	if j < 0 {
		return "", i
	}
	return flags[i+2 : i+2+j], i
}

// closing is the delimiter that ends what another begins.
func closing(open byte) byte {
	switch open {
	case '(':
		return ')'
	case '{':
		return '}'
	case '[':
		return ']'
	case '<':
		return '>'
	}
	return open
}

// flag does what one flag says.
func (w *shell) flag(m many, f byte, arg string) many {
	switch f {
	case 'e':
		w.codeOf(m, "e")
		if strings.ContainsAny(m.text+strings.Join(m.all, ""), "$`") {
			return m.vague()
		}
	case 'P':
		return w.indirect(m)
	case 'L':
		return m.mapped(strings.ToLower)
	case 'U':
		return m.mapped(strings.ToUpper)
	case 'Q':
		return m.mapped(unquoted)
	case 'f':
		return m.words(func(s string) []string { return strings.Split(s, "\n") })
	case 'z', 'Z':
		return m.words(strings.Fields)
	case 's':
		if arg == "" {
			return m.vague()
		}
		return m.words(func(s string) []string { return strings.Split(s, arg) })
	case 'j':
		if m.list {
			m.text, m.list, m.all = strings.Join(m.all, arg), false, nil
		}
	}
	return m
}

// words makes a list of a value by splitting it.
func (m many) words(split func(string) []string) many {
	if m.list {
		var all []string
		for _, s := range m.all {
			all = append(all, split(s)...)
		}
		m.all = all
		return m
	}
	return many{val: m.val, list: true, all: split(m.text)}
}

func unquoted(s string) string {
	return strings.Map(func(r rune) rune {
		if r == '\'' || r == '"' || r == '\\' {
			return -1
		}
		return r
	}, s)
}

// codeOf runs what zsh substitutes in a value once more, as (e) and (%) say.
func (w *shell) codeOf(m many, flags string) {
	if !strings.ContainsAny(flags, "e%") {
		return
	}
	w.expandLater(m.text)
	for _, s := range m.all {
		w.expandLater(s)
	}
}

// qualifier runs the code in zsh's glob qualifiers: *(e:'rm x':) runs it for each path, *(+f) a function.
func (w *shell) qualifier(s string) {
	if name, ok := strings.CutPrefix(s, "+"); ok {
		if i := strings.IndexAny(name, " ,()'\""); i >= 0 {
			name = name[:i]
		}
		w.later(name)
		return
	}
	for i := 0; i+2 < len(s); i++ {
		if s[i] != 'e' || s[i+1] != '_' && strings.IndexByte("!\"#%&',-./:;<=@[\\]^`{|}~", s[i+1]) < 0 {
			continue
		}
		rest := s[i+2:]
		code, _, ok := strings.Cut(rest, string(closing(s[i+1])))
		if s[i+1] == '\'' || s[i+1] == '"' { // the quotes are the shell's, and the delimiter stands in them
			code = strings.Trim(code, code[:min(1, len(code))])
		}
		if ok && strings.ContainsAny(code, " \t;$`") {
			w.later(unquotedOnce(code))
		}
		return
	}
}

// qualifiers looks at a word of which the qualifiers begin at i, as far as it is one piece of literal text: what is quoted in it is not
// known then, and anything may run.
func (w *shell) qualifiers(s string, i int) {
	if i == 0 || !strings.ContainsAny(s[:i], "*?/[]") {
		return
	}
	if strings.HasSuffix(s, ")") {
		w.qualifier(s[i+1 : len(s)-1])
		return
	}
	w.unsure("code", s, -1)
}

// unquotedOnce is a text without the quotes around it.
func unquotedOnce(s string) string {
	if len(s) > 1 && (s[0] == '\'' || s[0] == '"') && s[len(s)-1] == s[0] {
		return s[1 : len(s)-1]
	}
	return strings.ReplaceAll(s, `\`, "")
}

// setopt is set -o by zsh's own name.
func (w *shell) setopt(in *invocation) status {
	w.note(in)
	for _, a := range in.Argv[1:] {
		name := strings.ReplaceAll(strings.ToLower(strings.TrimPrefix(a.Text, "-o")), "_", "")
		on := in.Name() == "setopt"
		if bare, ok := strings.CutPrefix(name, "no"); ok && bare != "match" && bare != "tify" && bare != "mad" {
			name, on = bare, !on
		}
		w.option(name, on)
	}
	return success
}

// sched runs its words at a time: sched +00:10 rm x.
func (w *shell) sched(in *invocation) status {
	w.note(in)
	args := in.Argv[1:]
	for len(args) > 0 && strings.HasPrefix(args[0].Text, "-") {
		args = args[1:]
	}
	if len(args) > 1 {
		w.later(strings.Join(word.Texts(args[1:]), " "))
	}
	return success
}
