package cli

import (
	"fmt"
	"slices"
	"strings"

	"github.com/boathook/boathook/internal/shellcmd"
	"github.com/boathook/boathook/internal/shellcmd/word"
	"github.com/boathook/boathook/policy"
)

func (x explained) print(env *Env) error {
	p := explainPrinter{env: env}
	p.verdict(x)
	p.commands(x.Call.Commands, x.Call.Text)
	p.effects(x.Call.Effects)
	p.unsure(x.Unsure)
	p.hits(x.Hits)
	p.tree(x.Tree)
	p.legend()
	return p.err
}

// legend says what the marks mean that were printed.
func (p *explainPrinter) legend() {
	if p.unknown || p.maybe {
		p.head(strings.Join(slices.DeleteFunc([]string{
			map[bool]string{true: "◌ stands for what only a run would tell."}[p.unknown],
			map[bool]string{true: "? stands before what need not run."}[p.maybe],
		}, func(s string) bool { return s == "" }), " "))
	}
}

// explainPrinter prints the parts and keeps the first error.
type explainPrinter struct {
	env *Env
	err error
	// unknown and maybe say that these marks were printed.
	unknown, maybe bool
}

func (p *explainPrinter) line(lead, text string) {
	p.unknown = p.unknown || strings.Contains(text, word.Unknown)
	if p.err == nil {
		p.err = p.env.hanging(lead, plain(unknownMark(text)), columns(lead), p.env.columns())
	}
}

func (p *explainPrinter) head(title string) {
	if p.err == nil {
		_, p.err = fmt.Fprintf(p.env.Stdout, "\n%s\n", title)
	}
}

func (p *explainPrinter) verdict(x explained) {
	text := strings.ToUpper(string(x.Action))
	if p.env.colour() {
		text = actionPaint(x.Action) + text + reset
	}
	switch {
	case x.Rule != "":
		text += "  " + plain(ruleName(x.Rule, x.Pack, x.Layer))
	case len(x.Hits) > 0:
		text += "  no rule that counts speaks of it"
	default:
		text += "  no rule speaks of it"
	}
	_, p.err = fmt.Fprintln(p.env.Stdout, text)
	switch x.Mode {
	case "shadow":
		p.line("  ", "It is only recorded: policy.mode is shadow.")
	case "off":
		p.line("  ", "It would be so if the policy were on: policy.mode is off.")
	}
	if x.Reason != "" {
		p.line("  ", x.Reason)
	}
	if x.Advice != "" {
		p.line("  → ", x.Advice)
	}
	if i := x.Instead; i != nil {
		p.line("  The tool gets: ", i.Command)
		if i.Action != policy.Allow {
			p.line("  And of that: ", strings.ToUpper(string(i.Action))+"  "+i.from+": "+i.Reason)
		}
	}
}

// ruleName is a rule with where it comes from.
func ruleName(rule, pack string, layer policy.Layer) string {
	from := string(layer)
	if pack != "" {
		from = "pack " + pack
	}
	if from == "" {
		return rule
	}
	return rule + " (" + from + ")"
}

func actionPaint(a policy.Action) string {
	switch a {
	case policy.Deny:
		return red
	case policy.Ask, policy.Warn, policy.Rewrite:
		return yellow
	}
	return green
}

func (p *explainPrinter) commands(list []policy.Command, from string) {
	if len(list) == 0 {
		return
	}
	p.head("Commands that may run:")
	for i, c := range list {
		text := argvText(c, from)
		if c.Maybe {
			text, p.maybe = "? "+text, true
		}
		var notes []string
		if len(c.Via) > 0 {
			notes = append(notes, "by "+strings.Join(viaTexts(c.Via), ", "))
		}
		if c.Dir != "" && i > 0 && c.Dir != list[0].Dir {
			notes = append(notes, "in "+c.Dir)
		}
		if len(notes) > 0 {
			text += "   [" + strings.Join(notes, "; ") + "]"
		}
		p.line(fmt.Sprintf("%4d  ", i+1), text)
	}
}

// viaTexts leaves out a program whose code's language follows.
func viaTexts(via []string) []string {
	var out []string
	for i, v := range via {
		if strings.HasPrefix(v, "code ") && i+1 < len(via) && strings.HasPrefix(via[i+1], "code ") {
			continue
		}
		out = append(out, v)
	}
	return out
}

func (p *explainPrinter) effects(list []policy.Effect) {
	if len(list) == 0 {
		p.head("Effects: none that a rule could speak of.")
		return
	}
	p.head("Effects:")
	for _, e := range list {
		lead := "      "
		if e.Command >= 0 {
			lead = fmt.Sprintf("%4d  ", e.Command+1)
		}
		p.line(lead, effectText(e))
	}
}

// effectText is an effect in one line.
func effectText(e policy.Effect) string {
	parts := []string{string(e.Kind)}
	if e.Verb != "" {
		parts[0] += "/" + e.Verb
	}
	if e.Target != "" {
		parts = append(parts, e.Target)
	}
	var notes []string
	if e.Where != "" {
		notes = append(notes, string(e.Where))
	}
	if notes = append(notes, e.Flags...); len(notes) > 0 {
		parts = append(parts, "("+strings.Join(notes, ", ")+")")
	}
	return strings.Join(parts, " ")
}

func (p *explainPrinter) unsure(list []shellcmd.Unsure) {
	if len(list) == 0 {
		return
	}
	p.head("What only a run would tell:")
	for _, u := range list {
		lead := "      "
		if u.Command >= 0 {
			lead = fmt.Sprintf("%4d  ", u.Command+1)
		}
		p.line(lead, strings.TrimSpace(unsureText(u.Kind)+" "+u.Text))
	}
}

func unsureText(kind string) string {
	switch kind {
	case "parse":
		return "the text cannot be read:"
	case "limit":
		return "the text is too large or too deep:"
	case "command":
		return "which program runs:"
	case "code":
		return "the code that runs:"
	}
	return kind + ":"
}

func (p *explainPrinter) hits(list []policy.Hit) {
	if len(list) == 0 {
		return
	}
	p.head("Rules that speak of it:")
	for _, h := range list {
		text := fmt.Sprintf("%-7s %s", h.Action, ruleName(h.Rule, h.Pack, h.Layer))
		switch {
		case h.Relieved != "":
			text += ", taken back by " + h.Relieved
		case h.Shadow:
			text += ", in the shadow: recorded and not enforced"
		}
		p.line("      ", text)
	}
}
