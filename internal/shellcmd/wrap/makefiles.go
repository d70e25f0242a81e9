package wrap

import (
	"strings"

	"github.com/boathook/boathook/internal/shellcmd/word"
)

// Makefile gives what the text of a makefile runs: recipes, and $(shell …), which runs while it is read. A recipe need not be asked for.
func Makefile(text string) []word.Inner {
	var out []word.Inner
	add := func(t string) {
		if t = strings.TrimLeft(t, " \t@-+"); t != "" && len(out) <= maxRecipes {
			if len(out) == maxRecipes {
				t = word.Unknown // what is left may be anything
			}
			in := word.Inner{Text: &word.Data{Given: true, Text: strings.ReplaceAll(t, "$$", "$")}, Lang: "sh", Maybe: true}
			out = append(out, in)
		}
	}
	if len(text) > maxLines {
		out = append(out, word.Inner{Text: &word.Data{Given: true, Text: word.Unknown}, Lang: "sh", Maybe: true})
	}
	prefix := "\t"
	for line := range strings.SplitSeq(strings.ReplaceAll(cut(text), "\\\n", " "), "\n") {
		if v, ok := strings.CutPrefix(line, ".RECIPEPREFIX"); ok {
			if v = strings.Trim(v, " :?=+"); v != "" {
				prefix = v[:1]
			}
			continue
		}
		for _, t := range makeShell(line) {
			add(t)
		}
		if recipe, ok := strings.CutPrefix(line, prefix); ok {
			add(recipe)
			continue
		}
		if name, value, ok := strings.Cut(line, "="); ok && strings.HasSuffix(strings.TrimRight(name, " "), "!") {
			add(value)
		} else if _, rule, ok := strings.Cut(line, ":"); ok && !strings.HasPrefix(line, "#") {
			if _, recipe, ok := strings.Cut(rule, ";"); ok {
				add(recipe)
			}
		}
	}
	return out
}

// maxRecipes is how many lines of recipes are told apart.
const maxRecipes = 256

// makeShell are the texts of $(shell …) in a line.
func makeShell(line string) []string {
	var out []string
	for len(out) < most {
		_, after, ok := strings.Cut(line, "$(shell ")
		if !ok {
			return out
		}
		depth, end := 1, 0
		for end < len(after) && depth > 0 {
			switch after[end] {
			case '(':
				depth++
			case ')':
				depth--
			}
			end++
		}
		body := after[:end]
		if depth == 0 {
			body = body[:len(body)-1]
		}
		out, line = append(out, body), after[end:]
	}
	return out
}

// makes is what make runs of its own command: --eval, a makefile on its input, and the programs that variables name.
func makes(c word.Command) []word.Inner {
	o := parse(c.Argv[1:], form{short: "C:f:I:j?l?o:W:E:", long: "eval directory file makefile include-dir jobs? old-file what-if", permute: true})
	var out []word.Inner
	for _, v := range o.values("eval", "E") {
		out = append(out, Makefile(v.Text)...)
	}
	for _, v := range o.values("f", "file", "makefile") {
		if c.Stdin.Given && (v.Text == "-" || isInput(v)) {
			out = append(out, Makefile(c.Stdin.Text)...)
		}
	}
	for _, a := range o.rest {
		set, ok := assignment(a)
		if ok && strings.ContainsAny(set.Value.Text, " ;|&`$") && oneOf(set.Name, "SHELL", "CC", "CXX", "LD", "AR", "RM", "MAKE", "PYTHON", "GO", "NPM") {
			in := text("sh", set.Value)
			in.Maybe = true
			out = append(out, in)
		}
	}
	return out
}

// Language is the language of the code that a program takes from a file which is its operand; empty for none.
func Language(name string) string {
	if lang := shellLang(name); lang != "" {
		return lang
	}
	it, ok := interpreterOf(strings.ToLower(name))
	if !ok || it.lang == "awk" || it.lang == "sed" {
		return ""
	}
	return it.lang
}
