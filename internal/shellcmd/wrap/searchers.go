package wrap

import (
	"strings"

	"github.com/boathook/boathook/internal/shellcmd/word"
)

// searchers unwraps what runs a command for things that it finds or is told.
func searchers(name string, c word.Command) ([]word.Inner, bool, bool) {
	switch name {
	case "xargs", "gxargs":
		return append(xargs(c), argFile(c)...), false, true
	case "parallel":
		return parallel(c), false, true
	case "find", "gfind", "bfs":
		return find(c.Argv[1:]), true, true
	case "fd", "fdfind":
		return fd(c.Argv[1:]), true, true
	}
	return nil, false, false
}

// argFile is the file from which xargs takes its words: it is read, and its words are shown or used.
func argFile(c word.Command) []word.Inner {
	for i, a := range c.Argv[1:] {
		switch t := a.Text; {
		case (t == "-a" || t == "--arg-file") && i+2 < len(c.Argv):
			return []word.Inner{{Op: "read", Argv: c.Argv[i+2 : i+3]}}
		case strings.HasPrefix(t, "--arg-file="):
			return []word.Inner{{Op: "read", Argv: []word.Arg{part(a, t[len("--arg-file="):])}}}
		case strings.HasPrefix(t, "-a") && len(t) > 2:
			return []word.Inner{{Op: "read", Argv: []word.Arg{part(a, t[2:])}}}
		case t == "" || t[0] != '-':
			return nil
		}
	}
	return nil
}

// most is how many runs of one command are told apart; what is over that is one run of all the rest.
const most = 64

// xargs gives its command the words of its input.
func xargs(c word.Command) []word.Inner {
	o := parse(c.Argv[1:], form{
		short: "I:n:P:L:s:d:a:E:J:R:S:i?e?l?",
		long:  "replace? max-args max-procs max-lines? max-chars delimiter arg-file eof? process-slot-var",
	})
	if len(o.rest) == 0 {
		o.rest = word.Lits("echo")
	}
	items, known := xargsItems(c, o)
	replace, hasReplace := o.value("I", "i", "replace", "J")
	if !hasReplace && o.has("i", "replace") {
		replace, hasReplace = word.Lit("{}"), true
	}
	// What flows in is no input of the command, but who wrote it stays known.
	stdin := &word.Data{From: c.Stdin.From}
	if !known {
		unknown := word.Arg{Text: word.Unknown, Many: true}
		argv := append(clip(o.rest), unknown)
		if hasReplace {
			unknown.Many = false
			argv = substitute(o.rest, replace.Text, unknown)
		}
		return []word.Inner{{Argv: argv, Stdin: stdin, Maybe: true}}
	}
	var out []word.Inner
	if hasReplace {
		for i, it := range items {
			if i == most {
				it = word.Arg{Text: word.Unknown}
			}
			out = append(out, word.Inner{Argv: substitute(o.rest, replace.Text, it), Stdin: stdin})
			if i == most {
				break
			}
		}
		return out
	}
	for _, batch := range batches(items, o) {
		out = append(out, word.Inner{Argv: append(clip(o.rest), batch...), Stdin: stdin})
	}
	return out
}

// clip is a slice to which one can append without writing into what lies behind it.
func clip(args []word.Arg) []word.Arg { return args[:len(args):len(args)] }

// xargsItems are the words of xargs' input, if they are known.
func xargsItems(c word.Command, o options) ([]word.Arg, bool) {
	if !c.Stdin.Given || o.has("a", "arg-file") || c.Stdin.Text == word.Unknown || len(c.Stdin.Text) > 1<<16 {
		return nil, false
	}
	sep := ""
	if d, ok := o.value("d", "delimiter"); ok {
		sep = unescape(d.Text)
	}
	if o.has("0", "null") {
		sep = "\x00"
	}
	if sep == "" {
		return quotedWords(c.Stdin.Text, o.has("I", "i", "replace", "J")), true
	}
	var out []word.Arg
	for s := range strings.SplitSeq(strings.TrimSuffix(c.Stdin.Text, sep), sep) {
		if s != "" || sep != "\n" {
			out = append(out, word.Arg{Text: s, Many: sep == "\n" && strings.Contains(s, word.Unknown)})
		}
	}
	return out, true
}

// quotedWords splits as xargs does: blanks, quotes, backslashes. With lines, blanks are a part of a line, and quotes still are none.
func quotedWords(s string, lines bool) []word.Arg {
	var out []word.Arg
	var b strings.Builder
	in, quote := false, byte(0)
	end := func() {
		if in {
			t := b.String()
			out = append(out, word.Arg{Text: t, Many: strings.Contains(t, word.Unknown)})
		}
		in = false
		b.Reset()
	}
	for i := 0; i < len(s); i++ {
		ch := s[i]
		switch {
		case quote != 0 && ch == quote:
			quote = 0
		case quote == 0 && (ch == '\'' || ch == '"'):
			quote, in = ch, true
		case quote == 0 && ch == '\\' && i+1 < len(s):
			i++
			b.WriteByte(s[i])
			in = true
		case quote == 0 && (ch == '\n' || !lines && (ch == ' ' || ch == '\t')):
			end()
		case !in && (ch == ' ' || ch == '\t'):
		default:
			b.WriteByte(ch)
			in = true
		}
	}
	end()
	return out
}

// batches splits words into runs as -n and -L ask.
func batches(items []word.Arg, o options) [][]word.Arg {
	n := 0
	if v, ok := o.value("n", "max-args", "L", "l", "max-lines"); ok {
		n = number(v.Text)
	}
	if n <= 0 || len(items) <= n {
		return [][]word.Arg{items}
	}
	var out [][]word.Arg
	for len(items) > 0 && len(out) < most {
		k := min(n, len(items))
		out, items = append(out, items[:k:k]), items[k:]
	}
	if len(items) > 0 {
		out = append(out, items)
	}
	return out
}

// number reads a small number; 0 where it is none.
func number(s string) int {
	n := 0
	for i := range len(s) {
		if s[i] < '0' || s[i] > '9' || n > 1<<20 {
			return 0
		}
		n = n*10 + int(s[i]-'0')
	}
	return n
}

// unescape reads a delimiter: \n, \t, \0, or itself.
func unescape(s string) string {
	switch s {
	case `\n`:
		return "\n"
	case `\t`:
		return "\t"
	case `\0`, "":
		return "\x00"
	case `\\`:
		return `\`
	}
	return s
}

// substitute puts a word in the place of a mark in all words.
func substitute(args []word.Arg, mark string, by word.Arg) []word.Arg {
	out := make([]word.Arg, len(args))
	for i, a := range args {
		if mark != "" && strings.Contains(a.Text, mark) && strings.Count(a.Text, mark)*len(by.Text) < 1<<20 {
			a = word.Arg{Text: strings.ReplaceAll(a.Text, mark, by.Text), Many: a.Many || by.Many}
		}
		out[i] = a
	}
	return out
}

// parallel makes shell text of its words and runs that for each value.
func parallel(c word.Command) []word.Inner {
	o := parse(c.Argv[1:], form{
		short: "j:P:a:I:n:N:L:X:s:S:d:C:E:i?l?",
		long:  "jobs max-procs arg-file max-args max-replace-args colsep sshlogin delay timeout joblog results retries tmpdir workdir wd delimiter delim halt load memfree nice tagstring env basefile sshloginfile",
	})
	var command []word.Arg
	var values [][]word.Arg
	unknown := false
	for _, a := range o.rest {
		switch {
		case a.Text == ":::" || a.Text == ":::+":
			values = append(values, nil)
		case a.Text == "::::" || a.Text == "::::+":
			values, unknown = append(values, nil), true
		case len(values) > 0:
			values[len(values)-1] = append(values[len(values)-1], a)
		default:
			command = append(command, a)
		}
	}
	if len(values) == 0 {
		lines := []word.Arg{{Text: word.Unknown}}
		if c.Stdin.Given && c.Stdin.Text != word.Unknown && !o.has("a", "arg-file") {
			lines = nil
			for s := range strings.Lines(c.Stdin.Text) {
				lines = append(lines, word.Lit(strings.TrimSuffix(s, "\n")))
			}
		}
		values = [][]word.Arg{lines}
	}
	if unknown {
		values = [][]word.Arg{{{Text: word.Unknown}}}
	}
	return parallelRuns(command, values)
}

// parallelRuns fills a parallel command's template.
func parallelRuns(command []word.Arg, values [][]word.Arg) []word.Inner {
	line := joined(command)
	var out []word.Inner
	for i, v := range values[0] {
		if i == most {
			v = word.Arg{Text: word.Unknown}
		}
		t := line.Text
		switch {
		case t == "":
			t = v.Text
		case !strings.Contains(t, "{"):
			t += " " + shellWord(v.Text)
			for range values[1:] {
				t += " " + word.Unknown
			}
		default:
			t = parallelFill(t, v.Text, values)
		}
		out = append(out, text("bash", word.Arg{Text: t, Many: line.Many}))
		if i == most {
			break
		}
	}
	return out
}

// parallelFill puts values into the marks of a template.
func parallelFill(t, first string, values [][]word.Arg) string {
	if len(t)*(len(first)+1) > 1<<20 {
		first = word.Unknown
	}
	for _, mark := range []string{"{}", "{1}"} {
		t = strings.ReplaceAll(t, mark, shellWord(first))
	}
	for _, mark := range []string{"{.}", "{/}", "{//}", "{/.}", "{#}", "{%}"} {
		t = strings.ReplaceAll(t, mark, word.Unknown)
	}
	for n, list := range values[1:] {
		by := word.Unknown
		if len(list) == 1 && len(list[0].Text) < 1<<10 {
			by = shellWord(list[0].Text)
		}
		if n < 8 {
			t = strings.ReplaceAll(t, "{"+string(rune('2'+n))+"}", by)
		}
	}
	return t
}

// shellWord quotes a word for a shell; an unknown part stays one word.
func shellWord(s string) string { return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'" }
