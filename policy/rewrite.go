package policy

import (
	"slices"
	"strings"
)

// A rewrite takes back what weaker layers and later rules say of the part that it matches, as an allow does: that part does not run as
// it stands. It does so only if the whole call is rewritten: where another rule asks or denies, what runs is the call as it was, and
// all that was taken back counts again.

// rewrite makes the edits of a rewriting hit; where they cannot be made (a word does not stand in the text as it is run) the rule's
// fail decides: ask, where it says nothing.
func (v *verdict) rewrite(m *matched, h *Hit) {
	command := h.Command
	if edits, ok := editsOf(m.rule.Rewrite, v.allows.call, command); ok {
		v.edits = append(v.edits, edits...)
		effect := h.Effect
		if m.rule.Rewrite.CutPipe { // the command is gone, with all that it does
			effect = -1
		}
		v.rewrites.set(m, effect, command)
		return
	}
	if h.Action = m.rule.Fail; h.Action == "" {
		h.Action = Ask
	}
}

// merged are edits in their order, each once; ok is false where two of them do not go together.
func merged(edits []Edit) (out []Edit, ok bool) {
	slices.SortStableFunc(edits, func(a, b Edit) int { return a.From - b.From })
	for _, e := range edits {
		if n := len(out); n > 0 {
			if out[n-1] == e {
				continue
			}
			if e.From < out[n-1].To {
				return nil, false
			}
		}
		out = append(out, e)
	}
	return out, true
}

// editsOf makes the edits of one command, sorted and without overlaps.
func editsOf(change *Change, c *Call, command int) ([]Edit, bool) {
	if change == nil || command < 0 || command >= len(c.Commands) {
		return nil, false
	}
	cmd := &c.Commands[command]
	e := editor{text: c.Text, command: cmd}
	if change.CutPipe {
		e.cutPipe(c, command)
	}
	if change.Program != "" {
		e.word(0, change.Program)
	}
	for i := 1; i < len(cmd.Argv); i++ {
		e.argument(change, i)
	}
	for _, add := range change.Add {
		e.add(add)
	}
	if e.failed || len(e.edits) == 0 {
		return nil, false
	}
	return merged(e.edits)
}

// editor collects the edits of one command.
type editor struct {
	text    string
	command *Command
	edits   []Edit
	failed  bool
}

// span is where a word stands in the text, if what stands there is that word and nothing that only looks like it.
func (e *editor) span(i int) (from, to int, ok bool) {
	if i >= len(e.command.Words) {
		return 0, 0, false
	}
	w := e.command.Words[i]
	if w[1] <= w[0] || w[0] < 0 || w[1] > len(e.text) {
		return 0, 0, false
	}
	written := strings.NewReplacer(`'`, "", `"`, "", `\`, "").Replace(e.text[w[0]:w[1]])
	return w[0], w[1], written == strings.NewReplacer(`'`, "", `"`, "", `\`, "").Replace(e.command.Argv[i])
}

func (e *editor) word(i int, to string) {
	from, end, ok := e.span(i)
	if !ok {
		e.failed = true
		return
	}
	e.edits = append(e.edits, Edit{From: from, To: end, Text: shellQuoted(to)})
}

// argument drops or replaces one argument, where the change is about it. After -- everything is an operand, which stays.
func (e *editor) argument(change *Change, i int) {
	if slices.Contains(e.command.Argv[1:i], "--") {
		return
	}
	arg := e.command.Argv[i]
	for _, s := range change.Replace {
		if s.From == arg {
			e.word(i, s.To)
			return
		}
	}
	for _, p := range change.Drop {
		m := matcher{steps: maxSteps}
		if strings.HasPrefix(p, "re:") || glob(&m, p, arg) != yes {
			continue
		}
		from, to, ok := e.span(i)
		if !ok {
			e.failed = true
			return
		}
		for from > 0 && (e.text[from-1] == ' ' || e.text[from-1] == '\t') {
			from--
		}
		e.edits = append(e.edits, Edit{From: from, To: to})
		return
	}
}

// add puts an argument behind the program's name, where no -- is in its way.
func (e *editor) add(arg string) {
	_, to, ok := e.span(0)
	if !ok {
		e.failed = true
		return
	}
	e.edits = append(e.edits, Edit{From: to, To: to, Text: " " + shellQuoted(arg)})
}

// cutPipe takes away "| sh" behind the command that feeds it; the command is the shell.
func (e *editor) cutPipe(c *Call, command int) {
	for i := range c.Commands {
		from, to := c.Commands[i].Span, c.Commands[command].Span
		if i == command || from[1] <= 0 || to[1] > len(e.text) || from[1] > to[0] || to[0] >= to[1] {
			continue
		}
		if strings.TrimSpace(e.text[from[1]:to[0]]) == "|" && endsThere(e.text[to[1]:]) {
			e.edits = append(e.edits, Edit{From: from[1], To: to[1]})
			return
		}
	}
	e.failed = true
}

// endsThere tells whether a command is over where the rest begins: neither a redirection nor a further pipe of it follows.
func endsThere(rest string) bool {
	rest = strings.TrimLeft(rest, " \t")
	return rest == "" || rest[0] == ';' || rest[0] == '\n' || rest[0] == ')' || strings.HasPrefix(rest, "&&") || strings.HasPrefix(rest, "||")
}

// shellQuoted is a word as a shell takes it.
func shellQuoted(s string) string {
	if s != "" && strings.Trim(s, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_./=:@%+,") == "" {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}
