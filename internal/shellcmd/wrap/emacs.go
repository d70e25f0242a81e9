package wrap

import (
	"strings"

	"github.com/boathook/boathook/internal/shellcmd/word"
)

// emacs finds what its Lisp does that stands in the command: the functions that run programs and those that delete files, where they
// are given texts.
func emacs(args []word.Arg) []word.Inner {
	o := parse(args, form{short: "e:l:f:q", long: "eval execute load funcall directory user init-directory", permute: true})
	var out []word.Inner
	for _, v := range o.values("eval", "execute", "e") {
		out = append(out, lispCalls(v)...)
	}
	return out
}

func lispCalls(v word.Arg) []word.Inner {
	var out []word.Inner
	t := cut(v.Text)
	for len(out) < most {
		i := strings.IndexByte(t, '(')
		if i < 0 {
			return out
		}
		t = t[i+1:]
		name, rest, _ := strings.Cut(t, " ")
		words := lispTexts(rest)
		if len(words) == 0 {
			continue
		}
		switch name {
		case "shell-command", "shell-command-to-string", "async-shell-command", "call-process-shell-command", "start-process-shell-command",
			"compile", "process-lines":
			out = append(out, text("sh", part(v, words[len(words)-1])))
		case "call-process", "start-process", "make-process", "process-file", "start-file-process":
			out = append(out, run(word.Lits(words...))...)
		case "delete-directory":
			out = append(out, text("sh", word.Lit("rm -r -- "+lispPath(words[0]))))
		case "delete-file", "move-file-to-trash":
			out = append(out, text("sh", word.Lit("rm -- "+lispPath(words[0]))))
		}
	}
	return out
}

// lispPath is a path as Emacs takes it, for a shell: ~ is the home.
func lispPath(s string) string {
	if rest, ok := strings.CutPrefix(s, "~"); ok && (rest == "" || rest[0] == '/') {
		return "~" + rest[:min(1, len(rest))] + shellWord(strings.TrimPrefix(rest, "/"))
	}
	return shellWord(s)
}

// lispTexts are the texts among the arguments of one call.
func lispTexts(s string) []string {
	var out []string
	for len(out) < 32 {
		i := strings.IndexAny(s, `")(`)
		if i < 0 || s[i] != '"' {
			return out
		}
		s = s[i+1:]
		var b strings.Builder
		j := 0
		for j < len(s) && s[j] != '"' {
			if s[j] == '\\' && j+1 < len(s) {
				j++
			}
			b.WriteByte(s[j])
			j++
		}
		out, s = append(out, b.String()), s[min(j+1, len(s)):]
	}
	return out
}
