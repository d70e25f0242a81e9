package cli

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/boathook/boathook/policy"
)

func newPolicyShow(env *Env) *cobra.Command {
	var o policyOptions
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "show RULE",
		Short: "Show a rule with its reason, what it matches, and its examples",
		Long: `Show all of a rule, in force or not: where it stands, what it matches, what it says, its examples, and how to change it.
'boathook policy list' lists them.`,
		Example: `  boathook policy show git-push-force`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 1 {
				return usage("policy show wants one rule; 'boathook policy list' lists them")
			}
			return nil
		},
		ValidArgsFunction: func(_ *cobra.Command, args []string, _ string) ([]cobra.Completion, cobra.ShellCompDirective) {
			if len(args) > 0 {
				return nil, cobra.ShellCompDirectiveNoFileComp
			}
			return builtInRules(), cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(_ *cobra.Command, args []string) error {
			return env.failJSON(asJSON, showRule(env, &o, args[0], asJSON))
		},
	}
	o.flags(cmd)
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return cmd
}

func builtInRules() []string {
	var out []string
	for _, p := range policy.Packs() {
		for _, r := range p.Rules {
			out = append(out, r.ID)
		}
	}
	return out
}

// shownRule is all of a rule.
type shownRule struct {
	listedRule
	Line     int              `json:"line,omitempty"`
	When     []whenKey        `json:"when"`
	Examples []policy.Example `json:"examples"`
	Change   string           `json:"change"`
}

type whenKey struct {
	Key      string   `json:"key"`
	Patterns []string `json:"patterns"`
}

func showRule(env *Env, o *policyOptions, id string, asJSON bool) error {
	p, err := o.load(env)
	if err != nil {
		return err
	}
	r, found := findRule(env, p.of(projectOf(env.Dir)).Set, id)
	if !found {
		return usage("there is no rule %q%s", id, alike(id, builtInRules()))
	}
	r.Change = changeText(r.ID, r.Pack, r.Layer, r.File, p.settings.Policy.File, milder(r.Action))
	if r.Mark == notInForce {
		r.Change = fmt.Sprintf("to have it, write in %s: packs = [\"default\", %q]", p.settings.Policy.File, r.Pack)
	}
	if asJSON {
		return env.printJSON(r, nil)
	}
	return r.print(env)
}

// alike names what is spelled alike.
func alike(name string, names []string) string {
	found := similar(name, names)
	if found == nil {
		return ""
	}
	return ": did you mean " + strings.Join(found, " or ") + "?"
}

const notInForce = "its pack is not in force"

// findRule finds a rule in force, else one of a pack.
func findRule(env *Env, set *policy.Set, id string) (shownRule, bool) {
	for _, r := range set.Rules() {
		if r.Rule.ID == id {
			return shown(listRule(env, r), r.Rule), true
		}
	}
	for _, p := range policy.Packs() {
		for i, r := range p.Rules {
			if r.ID == id {
				return shown(listedRule{
					ID: id, Pack: p.Name, Action: r.Action, Reason: r.Reason, Advice: r.Advice, Mark: notInForce,
				}, &p.Rules[i]), true
			}
		}
	}
	return shownRule{}, false
}

func shown(l listedRule, r *policy.Rule) shownRule {
	out := shownRule{listedRule: l, Line: r.Line, When: whenKeys(r.When), Examples: r.Examples}
	if out.Examples == nil {
		out.Examples = []policy.Example{}
	}
	return out
}

func whenKeys(w policy.When) []whenKey {
	out := []whenKey{}
	for _, k := range []whenKey{
		{"agent", w.Agent}, {"event", w.Event}, {"tool", w.Tool}, {"mcp", w.MCP}, {"cwd", w.CWD}, {"project", w.Project}, {"effect", w.Effect},
		{"verb", w.Verb}, {"where", w.Where}, {"flags", w.Flags}, {"not_flags", w.NotFlags}, {"command", w.Command}, {"argv", w.Argv},
		{"path", w.Path}, {"url", w.URL},
	} {
		if len(k.Patterns) > 0 {
			out = append(out, k)
		}
	}
	for _, a := range w.Args {
		out = append(out, whenKey{"arg." + a.Name, a.Patterns})
	}
	return out
}

// changeText is how somebody changes what a rule does.
func changeText(rule, pack string, layer policy.Layer, file, own, actions string) string {
	switch {
	case layer == policy.Organisation:
		return "only who administers this machine can change it: it stands in " + file
	case pack == "self-protection":
		return "it protects boathook itself: only an organisation's policy can change it"
	case pack != "":
		return fmt.Sprintf("write in %s: [override.%s] and below it action = %s", own, rule, actions)
	}
	return "edit " + file
}

// milder lists the actions that stop less than this one.
func milder(a policy.Action) string {
	switch a {
	case policy.Deny:
		return `"ask", "warn" or "off"`
	case policy.Ask, policy.Rewrite:
		return `"warn" or "off"`
	}
	return `"off"`
}

func (r shownRule) print(env *Env) error {
	head := r.ID + ": " + string(r.Action)
	if r.Mark != "" {
		head += " (" + r.Mark + ")"
	}
	if _, err := fmt.Fprintln(env.Stdout, plain(head)); err != nil {
		return err
	}
	rows := statusPrinter{env: env}
	from := "pack " + r.Pack
	if r.Pack == "" {
		from = fmt.Sprintf("%s, line %d (%s)", r.File, r.Line, r.Layer)
	}
	for _, row := range []struct{ label, text string }{
		{"from", from}, {"why", r.Reason}, {"instead", r.Advice}, {"until", r.Expires}, {"change it", r.Change},
	} {
		if row.text == "" {
			continue
		}
		if err := rows.row(row.label, row.text); err != nil {
			return err
		}
	}
	for _, k := range r.When {
		if err := rows.row("when", k.Key+" = "+strings.Join(k.Patterns, ", ")); err != nil {
			return err
		}
	}
	for _, e := range r.Examples {
		text := e.Command
		if e.Tool != "" {
			text = e.Tool + " " + e.Input
		}
		if e.CWD != "" {
			text += "   [in " + e.CWD + "]"
		}
		if err := rows.row("example", fmt.Sprintf("%-5s  %s", e.Expect, text)); err != nil {
			return err
		}
	}
	return nil
}
