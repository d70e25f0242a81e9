package proof

import (
	"fmt"
	"strings"

	"github.com/boathook/boathook/internal/host"
)

// Letters are what can be done at an event: D deny, A ask, R rewrite, C context; capital where a run has shown it, "-" for
// nothing.
func Letters(r Row) string {
	out := ""
	for _, x := range []struct {
		state  State
		letter string
	}{{r.Deny, "d"}, {r.Ask, "a"}, {r.Rewrite, "r"}, {r.Context, "c"}} {
		switch x.state {
		case Said:
			out += x.letter
		case Seen:
			out += strings.ToUpper(x.letter)
		}
	}
	if out == "" {
		return "-"
	}
	return out
}

// Markdown is the capability table of one agent as its document has it.
func Markdown(t Table) string {
	var b strings.Builder
	head := "No run has driven this agent."
	switch t.How {
	case Live:
		head = fmt.Sprintf("Shown on the real program, version %s, on %s: **%s**.", t.Version, t.Date, labelText(t))
	case Replay:
		head = fmt.Sprintf("Replay only: the documented contract of version %s was played on %s (**%s**); nothing here was shown on the real program.", t.Version, t.Date, labelText(t))
	}
	b.WriteString(head + "\n\n| event | kind | installed | seen | deny | ask | rewrite | context | call id | crash | garbage | timeout |\n" +
		"|---|---|---|---|---|---|---|---|---|---|---|---|\n")
	for _, r := range t.Events {
		fmt.Fprintf(&b, "| `%s` | `%s` | %s | %s | %s | %s | %s | %s | %s | %s | %s | %s |\n", r.Event, r.Kind, mark(r.Registered), seenMark(r.Arrives),
			stateMark(r.Deny), stateMark(r.Ask), stateMark(r.Rewrite), stateMark(r.Context), mark(r.CallID), failMark(r.Crash), failMark(r.Garbage), failMark(r.Timeout))
	}
	b.WriteString("\n**yes** is what a run has shown, *said* what the agent's documents or source say, an empty cell is no. The last three columns say\n" +
		"what becomes of a call when a hook does so; install's command keeps a crash from being one.\n")
	return b.String()
}

func labelText(t Table) string {
	var out []string
	for _, l := range t.Labels {
		out = append(out, string(l))
	}
	return strings.Join(out, ", ")
}

func mark(yes bool) string {
	if yes {
		return "yes"
	}
	return ""
}

func seenMark(s State) string {
	if s == Seen {
		return "**yes**"
	}
	return ""
}

func stateMark(s State) string {
	switch s {
	case Seen:
		return "**yes**"
	case Said:
		return "*said*"
	}
	return ""
}

func failMark(f host.Fail) string { return string(f) }
