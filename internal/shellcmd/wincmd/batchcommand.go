package wincmd

import (
	"strings"

	"github.com/boathook/boathook/internal/shellcmd/word"
)

// command reads one command: what stands before it (@, parentheses, if, for, call, start), then its words.
func (b *batch) command(s string, piped int) {
	s = strings.Trim(s, " \t@(),;=")
	if s == "" || strings.HasPrefix(s, ":") {
		return
	}
	if len(b.cmds) > maxCommands {
		b.unsure = true
		return
	}
	if head, rest := first(s); b.control(strings.ToLower(head), rest, piped) {
		return
	}
	c := b.words(b.expand(s))
	if len(c.Argv) == 0 {
		return
	}
	if piped >= 0 {
		c.Stdin = word.Data{Given: true, Text: word.Unknown, From: []int{piped}}
		if p := b.cmds[piped]; len(p.Argv) > 0 && p.Argv[0].Text == "echo" {
			c.Stdin.Text = strings.Join(word.Texts(p.Argv[1:]), " ") + "\r\n"
		}
	}
	c.Maybe = b.maybe
	b.cmds = append(b.cmds, c)
}

// control reads what is no command itself; false for all else.
func (b *batch) control(head, rest string, piped int) bool {
	switch head {
	case "rem":
	case "if":
		b.maybe = true
		b.line(afterCondition(rest))
	case "else":
		b.line(rest)
	case "for":
		b.loop(rest)
	case "call":
		if !strings.HasPrefix(strings.TrimSpace(rest), ":") {
			b.command(rest, piped)
		}
	case "set":
		b.set(rest)
	case "start":
		b.start(rest, piped)
	default:
		return false
	}
	return true
}

// first splits a command's name off; a switch may be glued to it (rd/s).
func first(s string) (head, rest string) {
	if strings.HasPrefix(s, `"`) {
		return s, ""
	}
	i := strings.IndexAny(s, " \t,;=/(")
	if i < 0 {
		return s, ""
	}
	return s[:i], s[i:]
}

// afterCondition is the command of if [/i] [not] (exist x | defined x | errorlevel n | a==b | a equ b).
func afterCondition(s string) string {
	for {
		head, rest := next(s)
		switch strings.ToLower(head) {
		case "/i", "not":
			s = rest
			continue
		case "exist", "defined", "errorlevel":
			_, rest = next(rest)
			return rest
		case "":
			return ""
		}
		if strings.Contains(head, "==") {
			if strings.HasSuffix(head, "==") {
				_, rest = next(rest)
			}
			return rest
		}
		op, after := next(rest)
		if strings.HasPrefix(op, "==") && len(op) > 2 {
			return after
		}
		_, after = next(after)
		return after
	}
}

// next splits the first word off, quotes kept together.
func next(s string) (head, rest string) {
	s = strings.TrimLeft(s, " \t")
	quote := false
	for i := range len(s) {
		switch {
		case s[i] == '"':
			quote = !quote
		case (s[i] == ' ' || s[i] == '\t') && !quote:
			return s[:i], s[i:]
		}
	}
	return s, ""
}

// loop reads for [/f "…"] %x in (set) do command; x is what the set has, if that is one value.
func (b *batch) loop(s string) {
	low := lower(s)
	in := strings.Index(low, " in ")
	if in < 0 {
		return
	}
	do := strings.Index(low[in+3:], " do ")
	if do < 0 {
		return
	}
	do += in + 3
	head := strings.Fields(s[:in])
	set := strings.Trim(strings.TrimSpace(s[in+3:do]), "()")
	body := s[do+4:]
	flag := len(head) > 0 && strings.EqualFold(head[0], "/f")
	if flag && (strings.HasPrefix(set, "'") || strings.HasPrefix(set, "`")) {
		b.line(strings.Trim(set, "'`"))
	}
	if len(head) == 0 {
		b.line(body)
		return
	}
	name := "%" + strings.TrimLeft(head[len(head)-1], "%")
	old := b.maybe
	b.maybe = true
	list := strings.FieldsFunc(b.expand(set), func(r rune) bool { return r == ' ' || r == ',' || r == ';' })
	if strings.HasPrefix(strings.ToLower(s), " /") || len(list) == 0 || len(list) > 16 {
		list = []string{word.Unknown}
		if len(head) > 2 && (strings.EqualFold(head[0], "/d") || strings.EqualFold(head[0], "/r")) && !flag {
			list = []string{strings.Trim(head[1], `"`) + `\` + word.Unknown}
		} else if strings.EqualFold(head[0], "/d") {
			list = []string{set}
		}
	}
	for _, v := range list {
		b.vars[name] = v
		b.line(strings.ReplaceAll(body, "%"+name, name))
	}
	delete(b.vars, name)
	b.maybe = old
}

// set keeps a variable: set X=1, set "X=1".
func (b *batch) set(rest string) {
	rest = strings.TrimSpace(rest)
	if strings.HasPrefix(rest, "/") {
		return
	}
	if strings.HasPrefix(rest, `"`) {
		rest = strings.Trim(rest, `"`)
	}
	if name, v, ok := strings.Cut(rest, "="); ok {
		b.vars[strings.ToLower(strings.TrimSpace(name))] = unescape(b.expand(v))
	}
}

// unescape drops carets.
func unescape(s string) string {
	if strings.IndexByte(s, '^') < 0 {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] == '^' && i+1 < len(s) {
			i++
		}
		b.WriteByte(s[i])
	}
	return b.String()
}

// start runs a program in a window of its own: start "title" /b program words.
func (b *batch) start(rest string, piped int) {
	rest = strings.TrimSpace(rest)
	if strings.HasPrefix(rest, `"`) {
		_, rest = next(rest)
	}
	for {
		head, after := next(rest)
		if !strings.HasPrefix(head, "/") {
			break
		}
		if strings.EqualFold(head, "/d") || strings.EqualFold(head, "/node") || strings.EqualFold(head, "/affinity") {
			_, after = next(after)
		}
		rest = after
	}
	b.command(rest, piped)
}

// words splits a command into its words and redirections.
func (b *batch) words(s string) word.Command {
	l := &batchWords{s: s}
	l.read()
	c := word.Command{Argv: l.argv, Redirects: l.redirects}
	if len(c.Argv) == 0 {
		return c
	}
	name := c.Argv[0].Text
	base := strings.ToLower(name)
	base = strings.TrimSuffix(strings.TrimSuffix(base[strings.LastIndexAny(base, `\/`)+1:], ".exe"), ".com")
	if own(base) {
		c.Argv[0].Text = base
		c.Argv = append(c.Argv[:1:1], switches(c.Argv[1:])...)
	}
	return c
}

// own tells whether a command is cmd.exe's own or one of Windows, whose switches may be glued.
func own(name string) bool {
	switch name {
	case "del", "erase", "rd", "rmdir", "md", "mkdir", "copy", "move", "ren", "rename", "type", "echo", "cd", "chdir", "pushd", "popd", "dir", "mklink", "assoc", "ftype",
		"format", "diskpart", "cipher", "vssadmin", "wevtutil", "takeown", "icacls", "cacls", "attrib", "reg", "sc", "net", "schtasks", "shutdown", "taskkill", "bcdedit",
		"robocopy", "xcopy", "wmic", "certutil", "bitsadmin", "fsutil", "netsh", "wbadmin", "powercfg", "runas", "forfiles", "sdelete", "where", "setx", "cmd", "tasklist":
		return true
	}
	return false
}

// switches splits /s/q into two; a path with a slash stays.
func switches(args []word.Arg) []word.Arg {
	var out []word.Arg
	for _, a := range args {
		t := a.Text
		if len(t) > 3 && t[0] == '/' && t[2] == '/' && len(t) < 16 {
			for p := range strings.SplitSeq(t[1:], "/") {
				out = append(out, word.Lit("/"+p))
			}
			continue
		}
		out = append(out, a)
	}
	return out
}

// batchWords splits a command's text.
type batchWords struct {
	s         string
	argv      []word.Arg
	redirects []word.Redirect
	cur       strings.Builder
	in        bool
	target    *word.Redirect
}

// end ends the word that is being read.
func (l *batchWords) end() {
	if !l.in {
		return
	}
	t := l.cur.String()
	l.cur.Reset()
	l.in = false
	a := word.Arg{Text: t, Glob: strings.ContainsAny(t, "*?"), Many: t == word.Unknown}
	if l.target != nil {
		l.target.Target = a
		l.redirects = append(l.redirects, *l.target)
		l.target = nil
		return
	}
	l.argv = append(l.argv, a)
}

// read reads all words.
func (l *batchWords) read() {
	quote := false
	for i := 0; i < len(l.s); i++ {
		ch := l.s[i]
		switch {
		case ch == '"':
			quote, l.in = !quote, true
		case quote:
			l.cur.WriteByte(ch)
		case ch == '^' && i+1 < len(l.s):
			i++
			l.cur.WriteByte(l.s[i])
			l.in = true
		case ch == ' ' || ch == '\t' || (ch == ',' || ch == ';') && len(l.argv) > 0:
			l.end()
		case ch == '/' && l.in && len(l.argv) == 0 && own(strings.ToLower(l.cur.String())):
			l.end()
			l.cur.WriteByte(ch)
			l.in = true
		case ch == '>' || ch == '<':
			i += l.redirect(i)
		default:
			l.cur.WriteByte(ch)
			l.in = true
		}
	}
	l.end()
}

// redirect reads an operator and gives how many further bytes it has.
func (l *batchWords) redirect(i int) int {
	r := word.Redirect{Op: l.s[i : i+1]}
	if t := l.cur.String(); l.in && len(t) == 1 && t[0] >= '0' && t[0] <= '9' {
		r.FD = t
		l.cur.Reset()
		l.in = false
	}
	l.end()
	n := 0
	if i+1 < len(l.s) && l.s[i+1] == '>' && r.Op == ">" {
		r.Op, n = ">>", 1
	}
	if i+n+1 < len(l.s) && l.s[i+n+1] == '&' {
		return min(n+2, len(l.s)-i-1)
	}
	l.target = &r
	return n
}

// lower makes ASCII letters small. Others stay, so that places in the text stay what they are.
func lower(s string) string {
	b := []byte(s)
	for i, c := range b {
		if c >= 'A' && c <= 'Z' {
			b[i] = c + 'a' - 'A'
		}
	}
	return string(b)
}
