package cli

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/boathook/boathook/internal/config"
	"github.com/boathook/boathook/internal/foreign"
	"github.com/boathook/boathook/internal/judge"
	"github.com/boathook/boathook/policy"
)

// policyCheck is `boathook policy check`.
type policyCheck struct {
	policyOptions
	asJSON bool
}

func newPolicyCheck(env *Env) *cobra.Command {
	var o policyCheck
	cmd := &cobra.Command{
		Use:   "check [FILE...]",
		Short: "Check the policy files, and show what is in force here",
		Long: `Check the policies that are in force in this directory: the built-in packs, the administrator's, yours and the project's.
Each problem is told with its file and line, its key, and what to write instead. With files, those are checked: one in a
directory .boathook as a project's, which may only tighten.

A file that is broken counts for nothing; the built-in rules stand in for it, and 'boathook doctor', 'boathook log' and each
record say so. The exit code is 1 where there is such a problem.`,
		Example: `  boathook policy check
  boathook policy check ~/shop/.boathook/policy.toml
  boathook policy check --json | jq -r '.problems[] | "\(.file):\(.line) \(.text)"'`,
		ValidArgsFunction: completeFiles("toml"),
		RunE:              func(_ *cobra.Command, args []string) error { return env.failJSON(o.asJSON, o.run(env, args)) },
	}
	cmd.Flags().StringVar(&o.config, "config", "", configUsage)
	cmd.Flags().BoolVar(&o.asJSON, "json", false, "print JSON")
	_ = cmd.MarkFlagFilename("config", "toml") // it is there
	return cmd
}

// completeFiles offers files with these endings, and directories.
func completeFiles(endings ...string) cobra.CompletionFunc {
	return func(*cobra.Command, []string, string) ([]cobra.Completion, cobra.ShellCompDirective) {
		return endings, cobra.ShellCompDirectiveFilterFileExt
	}
}

// checked is what a check found.
type checked struct {
	Problems []policy.Problem `json:"problems"`
	// Of what is in force; empty where files were checked.
	Mode      string        `json:"mode,omitempty"`
	Overruled bool          `json:"mode_overruled,omitempty"`
	Files     []checkedFile `json:"files"`
	Untrusted string        `json:"untrusted,omitempty"`
	Packs     []string      `json:"packs,omitempty"`
	Rules     int           `json:"rules"`
	Shadow    []string      `json:"shadow"`
	Off       []string      `json:"off"`
	Expired   []string      `json:"expired"`
	Digest    string        `json:"digest,omitempty"`
	failure
}

type checkedFile struct {
	Path  string       `json:"path"`
	Layer policy.Layer `json:"layer"`
	There bool         `json:"there"`
	Rules int          `json:"rules"`
	// Broken says that nothing of it counts.
	Broken bool `json:"broken,omitempty"`
}

func (o *policyCheck) run(env *Env, args []string) error {
	var c checked
	var err error
	if len(args) > 0 {
		c, err = checkFiles(env, args)
	} else {
		c, err = o.inForce(env)
	}
	if err != nil {
		return err
	}
	wrong := slices.ContainsFunc(c.Problems, func(p policy.Problem) bool { return !p.Note })
	if wrong {
		err = exitWith(exitFailed, nil)
	}
	if o.asJSON {
		c.failure = failed(err)
		return env.printJSON(c, err)
	}
	if perr := c.print(env, len(args) == 0); perr != nil {
		return perr
	}
	return err
}

// checkFiles reads files that were named.
func checkFiles(env *Env, args []string) (checked, error) {
	c := checked{Problems: []policy.Problem{}, Shadow: []string{}, Off: []string{}, Expired: []string{}}
	for _, arg := range args {
		path := env.absolute(arg)
		t, err := readText(path)
		if err != nil {
			return c, err
		}
		layer := layerOf(path)
		f, problems, broken := policy.Parse(path, t, layer)
		c.Problems = append(c.Problems, problems...)
		c.Files = append(c.Files, checkedFile{Path: path, Layer: layer, There: true, Rules: len(f.Rules), Broken: broken})
		c.Rules += len(f.Rules)
	}
	return c, nil
}

// layerOf is the layer that a file is for, by its place.
func layerOf(path string) policy.Layer {
	switch {
	case filepath.Base(filepath.Dir(path)) == ".boathook":
		return policy.ProjectLayer
	case config.ManagedPath() != "" && filepath.Dir(path) == filepath.Dir(config.ManagedPath()):
		return policy.Organisation
	}
	return policy.UserLayer
}

// inForce looks at what holds in this directory.
func (o *policyCheck) inForce(env *Env) (checked, error) {
	p, err := o.load(env)
	if err != nil {
		return checked{}, err
	}
	f := p.of(projectOf(env.Dir))
	c := checked{
		Problems: f.Problems, Mode: f.Mode, Overruled: f.Overruled, Untrusted: f.Untrusted, Digest: f.Digest,
		Shadow: []string{}, Off: []string{}, Expired: []string{},
	}
	if c.Problems == nil {
		c.Problems = []policy.Problem{}
	}
	for _, t := range f.Files {
		own, broken := ownRules(t)
		c.Files = append(c.Files, checkedFile{Path: t.Path, Layer: t.Layer, There: t.There, Rules: own, Broken: broken || t.Err != nil})
	}
	if f.Untrusted != "" { // what is wrong with it is to be known before somebody trusts it
		if text, err := foreign.ReadIn(projectOf(env.Dir), f.Untrusted); err == nil {
			_, problems, _ := policy.Parse(f.Untrusted, text, policy.ProjectLayer)
			c.Problems = append(c.Problems[:len(c.Problems):len(c.Problems)], problems...)
		}
	}
	c.Problems = append(c.Problems[:len(c.Problems):len(c.Problems)], overruled(f)...)
	for _, r := range f.Set.Rules() {
		c.Rules++
		switch {
		case r.Off:
			c.Off = append(c.Off, r.Rule.ID)
		case r.Rule.Expired(env.Now()):
			c.Expired = append(c.Expired, r.Rule.ID)
		case r.Shadow:
			c.Shadow = append(c.Shadow, r.Rule.ID)
		}
		if r.Rule.Pack != "" && !slices.Contains(c.Packs, r.Rule.Pack) {
			c.Packs = append(c.Packs, r.Rule.Pack)
		}
	}
	return c, nil
}

// overruled notes the user's overrides of rules that the organisation has put in force.
func overruled(f inForce) (out []policy.Problem) {
	fixed := map[string]bool{}
	for _, r := range f.Set.Rules() {
		if r.Layer == policy.Organisation {
			fixed[r.Rule.ID] = true
		}
	}
	for _, t := range f.Files {
		if t.Layer != policy.UserLayer {
			continue
		}
		own, _, _ := policy.Parse(t.Path, t.Text, t.Layer)
		for _, o := range own.Overrides {
			if fixed[o.Rule] {
				out = append(out, policy.Problem{
					File: t.Path, Line: o.Line, Key: "override." + o.Rule, Text: "the organisation's policy has this rule in force; the override is ignored",
					Cure: "take it out, or ask who administers this machine", Note: true,
				})
			}
		}
	}
	return out
}

func ownRules(t judge.Text) (n int, broken bool) {
	f, _, broken := policy.Parse(t.Path, t.Text, t.Layer)
	return len(f.Rules), broken
}

// print shows the problems, and then what is in force.
func (c checked) print(env *Env, here bool) error {
	for _, p := range c.Problems {
		text, _, _ := strings.Cut(judge.ProblemText(policy.Problem{File: p.File, Line: p.Line, Key: p.Key, Text: p.Text}), "\n")
		if p.Note {
			text += " (the rest counts)"
		}
		if err := env.hanging("", plain(text), 4, env.columns()); err != nil {
			return err
		}
		for line := range strings.Lines(p.Cure) {
			if err := env.hanging("    → ", plain(strings.TrimRight(line, "\n")), 6, env.columns()); err != nil {
				return err
			}
		}
	}
	rows := statusPrinter{env: env}
	for _, f := range c.Files {
		text := f.Path + ": " + count(f.Rules, "rule")
		switch {
		case f.Broken && !f.There:
			text = f.Path + " does not count"
		case !f.There:
			text = f.Path + " is not there"
		case f.Broken:
			text = f.Path + ": broken, nothing of it counts"
		}
		if err := rows.row(string(f.Layer), text); err != nil {
			return err
		}
	}
	if !here {
		return nil
	}
	return c.printForce(rows)
}

// someRules names rules; of very many it says how many there are.
func someRules(ids []string) string {
	const most = 10
	if len(ids) > most {
		return count(len(ids), "rule") + ": 'boathook policy list' marks them"
	}
	return strings.Join(ids, ", ")
}

func (c checked) printForce(rows statusPrinter) error {
	if c.Untrusted != "" {
		if err := rows.row("project", c.Untrusted+" does not count until you trust it: 'boathook policy trust'"); err != nil {
			return err
		}
	}
	mode := c.Mode
	if c.Overruled {
		mode += ": there is an administrator's policy, so that yours does not switch it off"
	}
	for _, row := range []struct{ label, text string }{
		{"packs", strings.Join(c.Packs, ", ")}, {"mode", mode}, {"shadow", someRules(c.Shadow)}, {"off", someRules(c.Off)},
		{"expired", someRules(c.Expired)}, {"in force", fmt.Sprintf("%s (digest %s)", count(c.Rules-len(c.Off)-len(c.Expired), "rule"), c.Digest)},
	} {
		if row.text == "" {
			continue
		}
		if err := rows.row(row.label, row.text); err != nil {
			return err
		}
	}
	return nil
}
