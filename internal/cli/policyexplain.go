package cli

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/boathook/boathook/hook/canon"
	"github.com/boathook/boathook/internal/callspec"
	fsplace "github.com/boathook/boathook/internal/effect/place"
	"github.com/boathook/boathook/internal/judge"
	rerun "github.com/boathook/boathook/internal/replay"
	"github.com/boathook/boathook/internal/shellcmd"
	"github.com/boathook/boathook/policy"
)

// policyExplain is `boathook policy explain`.
type policyExplain struct {
	policyOptions
	call   callspec.Call
	input  string
	tree   bool
	asJSON bool
}

func newPolicyExplain(env *Env) *cobra.Command {
	var o policyExplain
	cmd := &cobra.Command{
		Use:   "explain COMMAND",
		Short: "Show what would become of a command, and why",
		Long: `Show what the policy makes of a command: each command that may run and how it is reached, what it does to the world, the
rules that speak of it, and what is decided. Nothing is run and nothing is recorded.

The command is one argument, in quotes; - reads it from stdin. With --tool it is the call of another tool, whose arguments
are the JSON of --input. Paths are seen from --cwd, and what is on the disk counts as it does for an agent: whether git
ignores a path, where a link leads.

  ◌   stands for what only a run would tell
  ?   stands before a command that need not run: a branch, a loop, what follows && or ||

The exit code is 0 whatever is decided.`,
		Example: `  boathook policy explain 'X=rm; $X -rf ~'
  boathook policy explain --cwd ~/shop --agent codex 'git push --force'
  boathook policy explain --tool write_file --input '{"file_path":"~/.bashrc"}'
  boathook policy explain --json - < script.sh | jq .effects`,
		Args: func(_ *cobra.Command, args []string) error {
			switch {
			case len(args) == 0 && o.call.Tool == "":
				return usage("policy explain wants a command, in quotes, or --tool")
			case len(args) > 1:
				return usage("policy explain wants one command: put it in quotes")
			case len(args) == 1 && o.call.Tool != "":
				return usage("policy explain wants a command or --tool, not both")
			}
			return nil
		},
		RunE: func(_ *cobra.Command, args []string) error { return env.failJSON(o.asJSON, o.run(env, args)) },
	}
	cmd.SetFlagErrorFunc(func(_ *cobra.Command, err error) error { // rm -rf x without quotes: the flags are the command's
		return usage("%v: a command to explain stands in quotes", err)
	})
	o.ownFlags(cmd)
	return cmd
}

func (o *policyExplain) ownFlags(cmd *cobra.Command) {
	o.flags(cmd)
	f := cmd.Flags()
	f.StringVar(&o.call.CWD, "cwd", "", "the `DIR` in which the agent works (default: here)")
	f.StringVar(&o.call.Agent, "agent", "", "whose call it is: "+strings.Join(agentNames(), ", "))
	f.StringVar(&o.call.Tool, "tool", "", "the call of this tool: its canonical name, the agent's own, or mcp:SERVER/TOOL")
	f.StringVar(&o.input, "input", "", "the tool's arguments, as `JSON`")
	f.BoolVar(&o.tree, "tree", false, "show how the text is read, too")
	f.BoolVar(&o.asJSON, "json", false, "print JSON")
	_ = cmd.MarkFlagDirname("cwd") // it is there
	complete(cmd, "agent", agentNames())
	complete(cmd, "tool", toolNames())
	complete(cmd, "input", nil)
}

// explained is all that can be said of one call.
type explained struct {
	Decision canon.Action `json:"decision"`
	policy.Verdict
	// Mode is policy.mode: what it is not enforce, the decision is only recorded, or not even made.
	Mode   string            `json:"mode"`
	Call   policy.Call       `json:"call"`
	Unsure []shellcmd.Unsure `json:"unsure,omitempty"`
	Tree   []treeNode        `json:"tree,omitempty"`
	// Instead is what a rewrite makes of the call, and what is decided of that.
	Instead *instead `json:"instead,omitempty"`
}

type instead struct {
	Command string        `json:"command"`
	Action  policy.Action `json:"action"`
	Rule    string        `json:"rule,omitempty"`
	Reason  string        `json:"reason,omitempty"`

	from string
}

func (o *policyExplain) run(env *Env, args []string) error {
	if err := o.complete(env, args); err != nil {
		return err
	}
	p, err := o.load(env)
	if err != nil {
		return err
	}
	f := p.of(o.call.Project)
	p.tellProblems(f)
	m := p.disk(o.call.CWD, o.call.Project)
	c, unsure := judge.ReadAll(o.call.Event(), m, nil)
	c.Time = env.Now()
	x := explained{Verdict: f.Set.Judge(c), Call: c, Mode: f.Mode}
	x.Decision = rerun.Decision(x.Action)
	if x.Action == policy.Rewrite {
		if x.Instead = o.instead(env, f.Set, m, x.Verdict, c.Text); x.Instead != nil {
			x.Decision = rerun.Decision(x.Instead.Action)
		}
	}
	if len(unsure) > 0 {
		x.Unsure = unsurePlaces(c.Text, m, unsure)
	}
	if o.tree {
		x.Tree = treeOf(c.Text)
	}
	if o.asJSON {
		return env.printJSON(x, nil)
	}
	return x.print(env)
}

// instead judges what a rewrite makes of a call, as the hook does before the tool gets it. A rewrite of a rewrite may have no end: it
// is denied.
func (o *policyExplain) instead(env *Env, set *policy.Set, m *fsplace.Machine, v policy.Verdict, text string) *instead {
	line, ok := judge.Apply(text, v.Edits)
	if !ok {
		return nil
	}
	again := o.call
	again.Command = line
	c := judge.Read(again.Event(), m)
	c.Time = env.Now()
	v = set.Judge(c)
	out := &instead{Command: line, Action: v.Action, Rule: v.Rule, Reason: v.Reason, from: ruleName(v.Rule, v.Pack, v.Layer)}
	if v.Action == policy.Rewrite {
		out.Action = policy.Deny
	}
	return out
}

// unsurePlaces are the places in a text of what only a run would tell, of the kinds that were found.
func unsurePlaces(text string, m *fsplace.Machine, kinds []string) []shellcmd.Unsure {
	read := shellcmd.Parse(text, shellcmd.Options{Dir: m.Dir, Home: m.Home})
	var out []shellcmd.Unsure
	for _, kind := range kinds {
		places := slices.DeleteFunc(slices.Clone(read.Unsure), func(u shellcmd.Unsure) bool { return u.Kind != kind })
		if len(places) == 0 { // it was read in another dialect
			places = []shellcmd.Unsure{{Kind: kind, Command: -1}}
		}
		out = append(out, places...)
	}
	return out
}

// complete makes the call of the arguments.
func (o *policyExplain) complete(env *Env, args []string) error {
	if len(args) == 1 {
		o.call.Command = args[0]
	}
	if o.call.Command == "-" {
		text, err := readAll(env)
		if err != nil {
			return err
		}
		o.call.Command = text
	}
	if o.input != "" {
		if !json.Valid([]byte(o.input)) {
			return usage("--input wants JSON: an object with the tool's arguments")
		}
		o.call.Input = json.RawMessage(o.input)
	}
	if o.call.Agent != "" {
		id, err := agentID(o.call.Agent)
		if err != nil {
			return err
		}
		o.call.Agent = id
	}
	if o.call.CWD == "" {
		o.call.CWD = env.Dir
	}
	o.call.CWD = env.absolute(o.call.CWD)
	o.call.Project = projectOf(o.call.CWD)
	return nil
}
