package cli

import (
	"context"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"github.com/boathook/boathook/internal/memory"
	"github.com/boathook/boathook/internal/memory/audit"
	"github.com/boathook/boathook/internal/memory/open"
)

// memoryPrune is `boathook memory prune`.
type memoryPrune struct {
	memoryPast
	dryRun, yes, json bool
}

func newMemoryPrune(env *Env) *cobra.Command {
	var o memoryPrune
	cmd := &cobra.Command{
		Use:   "prune",
		Short: "Remove now what is older than memory.retention allows",
		Long: `Remove messages and tool calls that are older than memory.retention.rawDays, and summaries and chunks that are older than
memory.retention.summaryDays, with the exceptions of single projects. The worker does this by itself, once an hour; here it is
done at once. It shows how much there is first, and asks.`,
		Example: `  boathook memory prune --dry-run
  boathook memory prune --yes`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			ctx, stop := untilInterrupted(cmd.Context())
			defer stop()
			if !o.dryRun {
				if err := env.refuseAgents("memory prune"); err != nil {
					return env.failJSON(o.json, err)
				}
			}
			return env.failJSON(o.json, memoryFailed(o.run(ctx, env)))
		},
	}
	o.flags(cmd)
	f := cmd.Flags()
	f.BoolVar(&o.dryRun, "dry-run", false, "say what would go, and remove nothing")
	f.BoolVarP(&o.yes, "yes", "y", false, "don't ask")
	f.BoolVar(&o.json, "json", false, "print JSON")
	return cmd
}

// pruned is the JSON of prune.
type pruned struct {
	memory.Removed
	RawBefore     time.Time `json:"raw_before,omitzero"`
	SummaryBefore time.Time `json:"summaries_before,omitzero"`
	DryRun        bool      `json:"dry_run,omitempty"`
}

func (o *memoryPrune) run(ctx context.Context, env *Env) error {
	w, err := o.open(ctx, env, false)
	if err != nil {
		return err
	}
	defer w.close()
	now := env.Now()
	projects, err := open.Projects(w.dir, w.settings)
	if err != nil {
		return err
	}
	retention := memoryRetention(w.settings, projects)
	p := pruned{DryRun: true, RawBefore: before(now, retention.Raw), SummaryBefore: before(now, retention.Summaries)}
	if p.Removed, err = w.old(ctx, retention, now); err != nil {
		return err
	}
	n := p.Sessions + p.Messages + p.ToolCalls + p.Chunks
	if n == 0 || o.dryRun {
		return o.say(env, p)
	}
	if !o.yes {
		if !o.json {
			if err := env.sentence(p.text(), 0); err != nil {
				return err
			}
		}
		if err := confirm(env, "prune", "Remove this for good?", dryRun, o.json); err != nil {
			return err
		}
	}
	if err := w.audit(env, audit.Entry{Action: audit.Prune, Count: n}); err != nil {
		return err
	}
	if err := p.remove(ctx, w.store, retention, now); err != nil {
		return err
	}
	return o.say(env, p)
}

// remove removes what is too old, and counts it.
func (p *pruned) remove(ctx context.Context, s memory.Store, retention memory.Retention, now time.Time) error {
	p.DryRun, p.Removed = false, memory.Removed{}
	for more := true; more; {
		r, again, err := s.Retain(ctx, retention, now)
		if err != nil {
			return err
		}
		p.Sessions, p.Messages, p.ToolCalls, p.Chunks = p.Sessions+r.Sessions, p.Messages+r.Messages, p.ToolCalls+r.ToolCalls, p.Chunks+r.Chunks
		if more = again; r.Pending != "" {
			p.Pending = r.Pending
		}
	}
	return nil
}

func before(now time.Time, age time.Duration) time.Time {
	if age <= 0 {
		return time.Time{}
	}
	return now.Add(-age)
}

// old counts what is too old, without removing it.
func (w *memoryWork) old(ctx context.Context, r memory.Retention, now time.Time) (out memory.Removed, err error) {
	add := func(f memory.Filter, age time.Duration) error {
		if age <= 0 {
			return nil
		}
		f.Until = now.Add(-age)
		got, err := w.store.Forget(ctx, memory.Selection{Filter: f, DryRun: true})
		out.Messages, out.ToolCalls = out.Messages+got.Messages, out.ToolCalls+got.ToolCalls
		out.Sessions += got.Sessions
		return err
	}
	if err := add(memory.Filter{AllProjects: true}, r.Raw); err != nil || len(r.Of) == 0 {
		return out, err
	}
	for key, of := range r.Of { // what the exceptions keep, or give up besides
		var all memory.Removed
		all, out = out, memory.Removed{}
		if err := add(memory.Filter{Projects: []string{key}}, r.Raw); err != nil {
			return out, err
		}
		common := out
		out = memory.Removed{}
		if err := add(memory.Filter{Projects: []string{key}}, of.Raw); err != nil {
			return out, err
		}
		out.Messages += all.Messages - common.Messages
		out.ToolCalls += all.ToolCalls - common.ToolCalls
		out.Sessions += all.Sessions - common.Sessions
	}
	return out, nil
}

func (p pruned) text() string {
	return fmt.Sprintf("%s and %s are too old", count(p.Messages, "message"), count(p.ToolCalls, "tool call"))
}

func (o *memoryPrune) say(env *Env, p pruned) error {
	switch {
	case o.json:
		return env.printJSON(p, nil)
	case p.Sessions+p.Messages+p.ToolCalls+p.Chunks == 0:
		return env.sentence("nothing is too old: nothing was removed", 0)
	case p.DryRun:
		return env.sentence(p.text()+". Nothing was removed: this was a dry run", 0)
	}
	text := fmt.Sprintf("removed %s, %s and %s", count(p.Messages, "message"), count(p.ToolCalls, "tool call"), count(p.Chunks, "chunk"))
	if p.Pending != "" {
		text += ". Still to do: " + p.Pending
	}
	return env.sentence(text, 0)
}
