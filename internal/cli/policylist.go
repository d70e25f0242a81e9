package cli

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/boathook/boathook/policy"
)

// policyList is `boathook policy list`.
type policyList struct {
	policyOptions
	pack   string
	asJSON bool
}

func newPolicyList(env *Env) *cobra.Command {
	var o policyList
	cmd := &cobra.Command{
		Use:   "list",
		Short: "List the packs and the rules in force",
		Long: `List the built-in packs, and the rules that are in force in this directory, in the order in which they are asked: each with
what it does and why. --pack lists the rules of one pack, in force or not. 'boathook policy show RULE' says all of a rule.

A mark stands behind what a rule does where it does not count as it is written: shadow (only recorded), off, expired.`,
		Example: `  boathook policy list
  boathook policy list --pack strict
  boathook policy list --json | jq -r '.rules[] | select(.action=="deny").id'`,
		Args: noArgs,
		RunE: func(*cobra.Command, []string) error { return env.failJSON(o.asJSON, o.run(env)) },
	}
	o.flags(cmd)
	cmd.Flags().StringVar(&o.pack, "pack", "", "the rules of this pack: "+strings.Join(packNames(), ", "))
	cmd.Flags().BoolVar(&o.asJSON, "json", false, "print JSON")
	complete(cmd, "pack", packNames())
	return cmd
}

func packNames() []string {
	var out []string
	for _, p := range policy.Packs() {
		out = append(out, p.Name)
	}
	return out
}

// listedRule is a rule as it is shown.
type listedRule struct {
	ID      string        `json:"id"`
	Pack    string        `json:"pack,omitempty"`
	Layer   policy.Layer  `json:"layer,omitempty"`
	File    string        `json:"file,omitempty"`
	Action  policy.Action `json:"action"`
	Mark    string        `json:"mark,omitempty"`
	Expires string        `json:"expires,omitempty"`
	Reason  string        `json:"reason"`
	Advice  string        `json:"advice,omitempty"`
}

type listedPack struct {
	Name  string   `json:"name"`
	Text  string   `json:"description"`
	Holds []string `json:"packs,omitempty"`
	Rules int      `json:"rules"`
	// In says that its rules are in force.
	In bool `json:"in_force"`
}

func (o *policyList) run(env *Env) error {
	p, err := o.load(env)
	if err != nil {
		return err
	}
	f := p.of(projectOf(env.Dir))
	p.tellProblems(f)
	rules, in := []listedRule{}, []string{}
	for _, r := range f.Set.Rules() {
		in = append(in, r.Rule.Pack)
		rules = append(rules, listRule(env, r))
	}
	if o.pack != "" {
		if rules, err = rulesOfPack(o.pack); err != nil {
			return err
		}
	}
	packs := []listedPack{}
	for _, p := range policy.Packs() {
		has := slices.Contains(in, p.Name) || len(p.Rules) == 0 && slices.ContainsFunc(p.Packs, func(n string) bool { return slices.Contains(in, n) })
		packs = append(packs, listedPack{Name: p.Name, Text: p.Text, Holds: p.Packs, Rules: len(p.Rules), In: has})
	}
	if o.asJSON {
		return env.printJSON(map[string]any{"packs": packs, "rules": rules}, nil)
	}
	if o.pack == "" {
		if err := packTable(env, packs); err != nil {
			return err
		}
	}
	return ruleTable(env, rules)
}

func listRule(env *Env, r policy.InForce) listedRule {
	out := listedRule{
		ID: r.Rule.ID, Pack: r.Rule.Pack, Layer: r.Layer, File: r.File, Action: r.Action, Expires: r.Rule.Expires, Reason: r.Rule.Reason,
		Advice: r.Rule.Advice,
	}
	switch {
	case r.Off:
		out.Mark = "off"
	case r.Rule.Expired(env.Now()):
		out.Mark = "expired"
	case r.Shadow:
		out.Mark = "shadow"
	}
	return out
}

func rulesOfPack(name string) ([]listedRule, error) {
	for _, p := range policy.Packs() {
		if p.Name != name {
			continue
		}
		out := []listedRule{}
		for _, r := range p.Rules {
			out = append(out, listedRule{ID: r.ID, Pack: name, Action: r.Action, Reason: r.Reason, Advice: r.Advice})
		}
		return out, nil
	}
	return nil, usage("--pack %q is none of %s", name, strings.Join(packNames(), ", "))
}

func packTable(env *Env, packs []listedPack) error {
	rows := [][]string{{"PACK", "IN FORCE", "RULES", "WHAT IT IS FOR"}}
	for _, p := range packs {
		text := p.Text
		if len(p.Holds) > 0 {
			text += " Holds " + strings.Join(p.Holds, ", ") + "."
		}
		rows = append(rows, []string{p.Name, yesDash(p.In), strconv.Itoa(p.Rules), text})
	}
	if err := env.rows(rows); err != nil {
		return err
	}
	_, err := fmt.Fprintln(env.Stdout)
	return err
}

func ruleTable(env *Env, rules []listedRule) error {
	rows := [][]string{{"RULE", "FROM", "DOES", "WHY"}}
	for _, r := range rules {
		does := string(r.Action)
		if r.Mark != "" {
			does += " (" + r.Mark + ")"
		}
		rows = append(rows, []string{r.ID, cmp.Or(r.Pack, string(r.Layer)), does, r.Reason})
	}
	return env.rows(rows)
}
