package wrap

import (
	"strings"

	"github.com/boathook/boathook/internal/shellcmd/word"
)

// pagers unwraps what programs for text run on the side: a filter of split, a preview of fzf, an askpass.
func pagers(name string, c word.Command) ([]word.Inner, bool, bool) {
	args := c.Argv[1:]
	switch name {
	case "less", "more", "most":
		return plusLines(args), true, true
	case "split", "gsplit":
		return texts(parse(args, form{short: "a:b:C:l:n:t:", long: "filter suffix-length bytes line-bytes lines number separator additional-suffix", permute: true}).values("filter")), true, true
	case "sort", "gsort":
		return programs(parse(args, form{short: "k:o:S:t:T:", long: "compress-program output key buffer-size field-separator temporary-directory files0-from parallel batch-size", permute: true}).values("compress-program")), true, true
	case "rg", "ripgrep", "rga":
		o := parse(args, form{short: "A:B:C:e:f:g:m:t:T:M:j:r:E:d:", long: "pre hostname-bin pre-glob regexp file glob type type-not max-count replace", permute: true})
		return programs(o.values("pre", "hostname-bin")), true, true
	case "fzf", "sk", "peco", "fzy":
		return fzf(args), true, true
	case "dc", "bc":
		return calculator(name, c), true, true
	case "wget":
		return programs(parse(args, form{short: "O:o:a:P:U:e:T:t:i:", long: "use-askpass output-document output-file user-agent header post-data post-file", permute: true}).values("use-askpass")), true, true
	case "sftp", "scp":
		o := parse(args, form{short: "B:b:c:D:F:i:J:l:o:P:R:S:s:X:", permute: true})
		return append(sshOptions(o.values("o")), programs(o.values("S"))...), true, true
	case "faketime":
		return after(parse(args, form{}).rest), false, true
	case "sandbox-exec":
		return run(parse(args, form{short: "f:n:p:D:"}).rest), false, true
	case "capsh":
		return capsh(c), true, true
	case "zargs":
		return zargs(args), false, true
	case "pdflatex", "latex", "xelatex", "lualatex", "tex", "pdftex", "etex":
		return texts(write18(args)), true, true
	case "emacs", "emacsclient":
		return emacs(args), true, true
	}
	return nil, false, false
}

// programs are commands that options name, which get operands of their own.
func programs(values []word.Arg) []word.Inner {
	var out []word.Inner
	for _, v := range values {
		if words := splitWords(v.Text); len(words) > 0 {
			out = append(out, word.Inner{Argv: append(words, word.Arg{Text: word.Unknown, Many: true}), Maybe: true})
		}
	}
	return out
}

// plusLines are the commands that a pager is to begin with: less +'!cmd'.
func plusLines(args []word.Arg) []word.Inner {
	var out []word.Inner
	for _, a := range args {
		t, ok := strings.CutPrefix(a.Text, "+")
		if t = strings.TrimLeft(t, "+"); !ok || t == "" || len(out) == most {
			continue
		}
		if t[0] == '!' || t[0] == '|' && len(t) > 2 {
			out = append(out, text("sh", part(a, strings.TrimLeft(t, "!|$^."))))
		}
	}
	return out
}

// fzf runs previews, and the commands that keys are bound to.
func fzf(args []word.Arg) []word.Inner {
	o := parse(args, form{short: "q:f:d:n:m?", long: "preview bind query filter delimiter nth with-nth prompt header height layout preview-window color expect history", permute: true})
	out := texts(o.values("preview"))
	for _, v := range o.values("bind") {
		for _, verb := range []string{"execute", "execute-silent", "become", "reload", "transform", "preview"} {
			if _, rest, ok := strings.Cut(v.Text, verb+"("); ok {
				body, _, _ := strings.Cut(rest, "),")
				out = append(out, text("sh", part(v, strings.TrimSuffix(body, ")"))))
			} else if _, rest, ok := strings.Cut(v.Text, verb+":"); ok {
				out = append(out, text("sh", part(v, rest)))
			}
		}
	}
	for i := range out {
		out[i].Maybe = true
	}
	return out
}

// calculator's lines that begin with ! are a shell's.
func calculator(name string, c word.Command) []word.Inner {
	lines := word.Texts(parse(c.Argv[1:], form{short: "e:f:", long: "expression file", permute: true}).values("e", "expression"))
	if c.Stdin.Given {
		lines = append(lines, strings.Split(cut(c.Stdin.Text), "\n")...)
	}
	var out []word.Inner
	for _, l := range lines {
		i := strings.IndexByte(l, '!')
		if name != "dc" || i < 0 || len(out) == most || strings.HasPrefix(l[i:], "!=") || strings.HasPrefix(l[i:], "!<") || strings.HasPrefix(l[i:], "!>") {
			continue
		}
		out = append(out, text("sh", word.Lit(l[i+1:])))
	}
	return out
}

// capsh gives what follows -- to a shell.
func capsh(c word.Command) []word.Inner {
	rest := afterDashes(c.Argv[1:])
	if len(rest) == len(c.Argv)-1 {
		return nil
	}
	return run(append(word.Lits("bash"), rest...))
}

// zargs is zsh's xargs: operands, --, a command.
func zargs(args []word.Arg) []word.Inner {
	o := parse(args, form{short: "n:P:s:i?l?L:I:e?", long: "max-args max-procs max-chars replace? max-lines? eof?"})
	for i, a := range o.rest {
		if a.Text != "--" {
			continue
		}
		return run(append(append([]word.Arg(nil), o.rest[i+1:]...), o.rest[:i]...))
	}
	return nil
}

// write18 are the commands in the text that TeX is given: \\write18{cmd}.
func write18(args []word.Arg) []word.Arg {
	var out []word.Arg
	for _, a := range args {
		_, rest, ok := strings.Cut(a.Text, `\write18{`)
		if body, _, end := strings.Cut(rest, "}"); ok && end && len(out) < most {
			out = append(out, part(a, body))
		}
	}
	return out
}
