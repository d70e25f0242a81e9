package inline

import (
	"strings"

	"github.com/boathook/boathook/internal/shellcmd/word"
)

// awk finds system(), pipes to and from commands, and redirections to files.
func (r *reader) awk(code string) {
	syn := &syntax{line: []string{"#"}, quotes: `"`, regex: true, sigils: ""}
	toks, ok := lex(syn, code)
	if *r.budget -= len(toks); !ok || *r.budget < 0 {
		r.unsure = suspicious(code)
	}
	r.syn = syn
	vars := map[string]string{}
	for i := 0; i < len(toks); i++ {
		i = r.awkAt(toks, i, vars)
	}
}

// awkAt looks at one place and gives the last place that it has read.
func (r *reader) awkAt(toks []token, i int, vars map[string]string) int {
	t := toks[i]
	var next token
	if i+1 < len(toks) {
		next = toks[i+1]
	}
	text, end := "", i
	switch {
	case t.kind == 'i' && t.text == "system" && next.text == "(":
		text, end = r.awkText(toks, i+2, vars)
		r.shell(textValue(text))
	case t.kind == 'i' && i+2 < len(toks) && next.kind == 'o' && next.text == "=" && toks[i+2].kind == 's':
		vars[t.text], _ = r.awkText(toks, i+2, vars)
	case t.kind == 'o' && t.text == "|" && next.text == "getline":
		r.shell(textValue(r.awkBefore(toks, i, vars)))
	case t.kind == 'o' && t.text == "|" && next.kind != 0:
		n := i + 1
		if next.text == "&" {
			n++
		}
		text, end = r.awkText(toks, n, vars)
		if first, _, _ := strings.Cut(strings.TrimSpace(text), " "); isShell(first) {
			r.shell(textValue(r.awkBefore(toks, i, vars))) // what is printed is its text
		}
		r.shell(textValue(text))
	case t.kind == 'o' && (t.text == ">" || t.text == ">>") && awkPrints(toks, i):
		text, end = r.awkText(toks, i+1, vars)
		op := "overwrite"
		if t.text == ">>" {
			op = "append"
		}
		r.op(op, false, textValue(text))
	case t.kind == 'i' && t.text == "getline":
		for n := i + 1; n < i+4 && n < len(toks); n++ {
			if toks[n].kind == 'o' && toks[n].text == "<" {
				text, _ = r.awkText(toks, n+1, vars)
				r.op("read", false, textValue(text))
				break
			}
		}
	}
	return end
}

// awkText puts together what stands side by side: texts, variables that are known, and what is not.
func (r *reader) awkText(toks []token, i int, vars map[string]string) (string, int) {
	var b strings.Builder
	depth := 0
	for ; i < len(toks) && b.Len() < maxText; i++ {
		t := toks[i]
		switch {
		case t.kind == 's':
			for _, p := range t.parts {
				b.WriteString(p.text)
			}
		case t.kind == 'n' && i > 0 && toks[i-1].text != "$":
			b.WriteString(t.text)
		case t.kind == 'i':
			if v, n, ok := r.environ(toks[i:]); ok {
				b.WriteString(v)
				i += n
			} else if v, ok := vars[t.text]; ok {
				b.WriteString(v)
			} else {
				b.WriteString(word.Unknown)
			}
		case t.kind == 'o' && (t.text == "(" || t.text == "["):
			depth++
		case t.kind == 'o' && (t.text == ")" || t.text == "]"):
			if depth == 0 {
				return b.String(), i
			}
			depth--
		case t.kind == 'o' && t.text == "$":
			b.WriteString(word.Unknown)
			if i+1 < len(toks) {
				i++
			}
		case t.kind == 'l', t.kind == 'o' && (t.text == "}" || t.text == "," && depth == 0 || t.text == "|"):
			return b.String(), i
		case t.kind == 'u':
			b.WriteString(word.Unknown)
		}
	}
	return b.String(), i
}

// awkBefore is the text that stands before a place.
func (r *reader) awkBefore(toks []token, end int, vars map[string]string) string {
	i := end - 1
	for i >= 0 && (toks[i].kind == 's' || toks[i].kind == 'n' || toks[i].kind == 'u' || toks[i].kind == 'i' && toks[i].text != "while" && toks[i].text != "print" && toks[i].text != "printf" || toks[i].text == "$") {
		i--
	}
	text, _ := r.awkText(toks[:end], i+1, vars)
	return text
}

// awkPrints tells whether print or printf stands in the statement before a place, outside parentheses: > compares otherwise.
func awkPrints(toks []token, i int) bool {
	depth := 0
	for n := i - 1; n >= 0 && n > i-200; n-- {
		t := toks[n]
		switch {
		case t.kind == 'o' && t.text == ")":
			depth++
		case t.kind == 'o' && t.text == "(":
			depth--
			if depth < 0 {
				return false
			}
		case t.kind == 'l' || t.kind == 'o' && (t.text == "{" || t.text == "}"):
			return false
		case t.kind == 'i' && (t.text == "print" || t.text == "printf") && depth == 0:
			return true
		}
	}
	return false
}

// environ is a variable of the environment, and how many tokens behind the first it takes.
func (r *reader) environ(toks []token) (string, int, bool) {
	if len(toks) < 4 || toks[0].text != "ENVIRON" || toks[1].text != "[" || toks[2].kind != 's' || toks[3].text != "]" || r.env.Var == nil {
		return "", 0, false
	}
	name := ""
	for _, p := range toks[2].parts {
		name += p.text
	}
	v, ok := r.env.Var(name)
	return v, 3, ok
}

// isShell tells programs that run what they read.
func isShell(name string) bool {
	switch name[strings.LastIndexByte(name, '/')+1:] {
	case "sh", "bash", "zsh", "dash", "ksh", "ash", "fish":
		return true
	}
	return false
}
