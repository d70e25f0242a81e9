package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/boathook/boathook/hook/canon"
	"github.com/boathook/boathook/internal/judge"
	"github.com/boathook/boathook/internal/record"
	"github.com/boathook/boathook/internal/store"
	"github.com/boathook/boathook/internal/worker"
	"github.com/boathook/boathook/policy"
)

// why is `boathook why`.
type why struct {
	config, data string
	asJSON       bool
}

func newWhy(env *Env) *cobra.Command {
	var o why
	cmd := &cobra.Command{
		Use:   "why EVENT | last",
		Short: "Show why one recorded call was allowed, asked about or denied",
		Long: `Show what was decided of one recorded event, and on what evidence: what it does, the rules that spoke of it, what your hooks
and the remote guard said, what the agent was told, and how to change that.

The event is named by its id, or by enough of the id's beginning ('boathook log --json' shows ids); last is the last call
that somebody objected to, or else the last one.`,
		Example: `  boathook why last
  boathook why 01KBA5XV7P
  boathook why last --json | jq .record.policy.hits`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 1 {
				return usage("why wants one event: its id, or last")
			}
			return nil
		},
		ValidArgs: []string{"last"},
		RunE: func(cmd *cobra.Command, args []string) error {
			ctx, stop := untilInterrupted(cmd.Context())
			defer stop()
			return env.failJSON(o.asJSON, o.run(ctx, env, args[0]))
		},
	}
	f := cmd.Flags()
	f.StringVar(&o.config, "config", "", configUsage)
	f.StringVar(&o.data, "data", "", "data directory, instead of the config's")
	f.BoolVar(&o.asJSON, "json", false, "print JSON")
	_ = cmd.MarkFlagFilename("config", "toml") // these are there
	_ = cmd.MarkFlagDirname("data")
	return cmd
}

func (o why) run(ctx context.Context, env *Env, name string) error {
	p, err := (&policyOptions{config: o.config}).load(env)
	if err != nil {
		return err
	}
	dir, err := env.dataDir(o.data, p.settings)
	if err != nil {
		return err
	}
	if err := settle(ctx, env, dir, p.settings); err != nil {
		env.warn(err.Error())
	}
	db, err := store.OpenReadOnly(ctx, worker.StorePath(dir))
	if errors.Is(err, fs.ErrNotExist) {
		return exitWith(exitFailed, errors.New("find the event: nothing is recorded yet"))
	}
	if err != nil {
		return err
	}
	defer func() { _ = db.Close() }() // it was only read
	line, err := findEvent(ctx, db, name)
	if err != nil {
		return err
	}
	r, err := record.Parse(line)
	if err != nil {
		return exitWith(exitFailed, err)
	}
	w := whyPrinter{explainPrinter{env: env}, p, r}
	if o.asJSON {
		return env.printJSON(map[string]any{"record": json.RawMessage(line), "commands": w.commandList(), "change": w.change()}, nil)
	}
	return w.print()
}

// findEvent finds one event of a store.
func findEvent(ctx context.Context, db *store.Store, name string) ([]byte, error) {
	if name == "last" {
		return lastCall(ctx, db)
	}
	id := strings.ToUpper(name)
	from, until, ok := timesOf(id)
	if !ok {
		return nil, usage("%q is no event's id: they have 26 digits and letters, as in 'boathook log --json'", name)
	}
	var found [][]byte
	err := db.Each(ctx, store.Filter{Since: from.Add(-time.Second), Until: until.Add(time.Second)}, func(_ int64, line []byte) error {
		var head struct {
			ID string `json:"id"`
		}
		if json.Unmarshal(line, &head) == nil && strings.HasPrefix(head.ID, id) {
			found = append(found, line)
		}
		if len(found) > 1 {
			return errEnough
		}
		return ctx.Err()
	})
	switch {
	case errors.Is(err, errEnough):
		return nil, usage("more than one event's id begins with %s", id)
	case err != nil:
		return nil, err
	case len(found) == 0:
		return nil, exitWith(exitFailed, fmt.Errorf("find the event: none begins with %s", id))
	}
	return found[0], nil
}

var errEnough = errors.New("enough")

// lastCall is the newest call that somebody objected to, among the newest events, or else the newest call of a tool.
func lastCall(ctx context.Context, db *store.Store) ([]byte, error) {
	const newest = 2000
	var call, objected []byte
	err := db.Each(ctx, store.Filter{Newest: true, Limit: newest}, func(_ int64, line []byte) error {
		r, err := record.ParseBare(line)
		if err == nil && r.Tool != nil && (r.Event.Event == canon.ToolBefore || r.Event.Event == canon.PermissionRequest) {
			call = line
			if r.Decision.Action != canon.Allow {
				objected = line
			}
		}
		return ctx.Err()
	})
	switch {
	case err != nil:
		return nil, err
	case objected != nil:
		return objected, nil
	case call == nil:
		return nil, exitWith(exitFailed, errors.New("find the event: no tool's call is recorded"))
	}
	return call, nil
}

// timesOf are the bounds of when an event happened whose id, a ULID, begins so: its first ten digits are the milliseconds.
func timesOf(prefix string) (from, until time.Time, ok bool) {
	const digits, stamp = "0123456789ABCDEFGHJKMNPQRSTVWXYZ", 10
	if prefix == "" || len(prefix) > 26 || strings.Trim(prefix, digits) != "" || prefix[0] > '7' {
		return from, until, false
	}
	var low, high int64
	for i := range stamp {
		low, high = low<<5, high<<5|31
		if i < len(prefix) {
			d := int64(strings.IndexByte(digits, prefix[i]))
			low, high = low|d, high&^31|d
		}
	}
	latest := int64(253402300799000) // the year 9999: what is beyond has no text
	return time.UnixMilli(low), time.UnixMilli(min(high, latest)), true
}

// whyPrinter shows one record.
type whyPrinter struct {
	explainPrinter
	p *policies
	r record.Record
}

func (w *whyPrinter) print() error {
	r, d := w.r, w.r.Decision
	verdict, rule, paint := decisionText(r)
	if verdict == "-" {
		verdict, rule = "allow", "nobody objected"
	}
	text := strings.ToUpper(verdict)
	if w.env.colour() {
		text = paint + text + reset
	}
	_, w.err = fmt.Fprintln(w.env.Stdout, strings.TrimSpace(text+"  "+plain(rule)))
	w.line("  ", d.Reason)
	w.head(fmt.Sprintf("%s, %s, %s %s, event %s:", r.Time.In(w.env.Now().Location()).Format(time.DateTime), plain(r.Agent), plain(kindText(r)), plain(toolText(r)), plain(r.ID)))
	w.line("      ", shorten(subject(r), maxCall))
	w.commands(w.commandList(), commandOf(w.r))
	w.policy()
	w.others()
	if change := w.change(); change != "" {
		w.head("To change it:")
		w.line("      ", change)
	}
	w.legend()
	return w.err
}

// commandOf is the command line of a call, if it is one.
func commandOf(r record.Record) string {
	if r.Tool == nil {
		return ""
	}
	return r.Tool.Command
}

// commandList are the commands of the call, as far as they can be read of what is kept.
func (w *whyPrinter) commandList() []policy.Command {
	if w.r.Tool == nil || w.r.Tool.Command == "" || w.r.Hook.Privacy != "" {
		return nil
	}
	return judge.Read(w.r.Event, w.p.machine(w.r.CWD, w.r.Project)).Commands
}

// policy shows what the local policy said, and of what.
func (w *whyPrinter) policy() {
	p := w.r.Policy
	if p == nil {
		w.head("The local policy was not asked.")
		return
	}
	var effects []policy.Effect
	for _, e := range p.Effects {
		effects = append(effects, policy.Effect{
			Kind: policy.Kind(e.Kind), Verb: e.Verb, Target: e.Target, Where: policy.Where(e.Where), Flags: e.Flags, Command: e.Command,
		})
	}
	w.effects(effects)
	var hits []policy.Hit
	for _, h := range p.Hits {
		hits = append(hits, policy.Hit{
			Rule: h.Rule, Pack: h.Pack, Layer: policy.Layer(h.Layer), Action: policy.Action(h.Action), Shadow: h.Shadow, Relieved: h.Relieved,
		})
	}
	w.hits(hits)
	for _, note := range []struct {
		is   bool
		text string
	}{
		{p.Shadow, "Nothing of it was enforced: policy.mode was shadow."},
		{p.AllowedOnce, "It was let through once: somebody said 'boathook allow-once'."},
		{p.Rewritten, "The tool was given another command line."},
		{p.Loop > 0, "The session was denied it for the " + nth(p.Loop) + " time."},
		{len(p.Unsure) > 0, "Only a run would tell all of it: " + strings.Join(p.Unsure, ", ") + "."},
	} {
		if note.is {
			w.line("      ", note.text)
		}
	}
	for _, problem := range p.Problems {
		w.line("      ", "broken: "+problem)
	}
}

// others shows what the user's hooks and the remote guard said.
func (w *whyPrinter) others() {
	if len(w.r.UserHooks) > 0 {
		w.head("Your hooks:")
	}
	for _, h := range w.r.UserHooks {
		w.line("      ", strings.TrimSpace(h.Name+": "+h.Outcome+" "+h.Reason))
	}
	if g := w.r.Guard; g != nil {
		w.head("The remote guard:")
		w.line("      ", strings.TrimSpace(g.Outcome+" "+g.Rule+" "+g.Reason))
	}
}

// action is the rule's, as far as that was recorded.
func (w *whyPrinter) action() policy.Action {
	if w.r.Policy != nil {
		return policy.Action(w.r.Policy.Action)
	}
	return policy.Action(w.r.Decision.Action)
}

// change says what a person does who wants it otherwise.
func (w *whyPrinter) change() string {
	d := w.r.Decision
	switch d.Source {
	case "local_policy":
		file := w.p.settings.Policy.File
		switch policy.Layer(d.Layer) {
		case policy.Organisation:
			file = w.p.settings.Policy.Organisation
		case policy.ProjectLayer:
			file = judge.ProjectFile(w.r.Project)
		}
		text := changeText(d.Rule, d.Pack, policy.Layer(d.Layer), file, w.p.settings.Policy.File, milder(w.action()))
		if (d.Action == canon.Deny || d.Expressed == canon.Deny) && !d.Locked {
			text += "; or let it through once: 'boathook pending'"
		}
		return text
	case "remote_guard", "guard_failed":
		return "the remote guard decided it: guard.* in " + w.p.settings.Path
	case "user_hook", "user_hook_failed":
		return "a hook of yours decided it: " + d.Rule + " in " + w.p.settings.Path + " ('boathook hooks list')"
	}
	if w.r.Policy != nil && slices.ContainsFunc(w.r.Policy.Hits, func(h record.Hit) bool { return h.Shadow }) {
		return "a rule in the shadow objected: take its mode away where it stands, and it counts"
	}
	return ""
}
