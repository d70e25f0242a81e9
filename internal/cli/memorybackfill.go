package cli

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/boathook/boathook/internal/config"
	"github.com/boathook/boathook/internal/memory/backfill"
	"github.com/boathook/boathook/internal/transcripts"
)

// memoryBackfill is `boathook memory backfill`.
type memoryBackfill struct {
	memoryPast
	dryRun, again, json bool
}

func newMemoryBackfill(env *Env) *cobra.Command {
	var o memoryBackfill
	cmd := &cobra.Command{
		Use:   "backfill",
		Short: "Read old sessions out of the agents' own records",
		Long: `Find the records that your agents keep of their sessions, and write what was said and done in them to memory, masked:
` + strings.Join(transcripts.Agents(), ", ") + `. The records are only read.

It may be interrupted and begun again: it goes on where it was, and what memory knows already, from hooks or from an earlier
run, stays one row. A record that has changed since is read again. What 'boathook memory forget' removed does not come back,
and what is older than memory.retention allows is removed again within an hour: raise that first, to keep it.`,
		Example: `  boathook memory backfill --dry-run
  boathook memory backfill
  boathook memory backfill --agent claude --since 90d
  boathook memory backfill --project . --json`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			ctx, stop := untilInterrupted(cmd.Context())
			defer stop()
			return env.failJSON(o.json, memoryFailed(o.run(ctx, env)))
		},
	}
	o.flags(cmd)
	f := cmd.Flags()
	f.StringVar(&o.agent, "agent", "", "only this agent's: "+strings.Join(transcripts.Agents(), ", "))
	f.StringVar(&o.since, "since", "", "only what was said from then on: an age (90d, 12h) or a time (2026-01-31)")
	f.StringVar(&o.project, "project", "", "only sessions of the project in `DIR`")
	f.BoolVar(&o.dryRun, "dry-run", false, "read the records, and write nothing")
	f.BoolVar(&o.again, "again", false, "read all of them, those too that were read and have not changed")
	f.BoolVar(&o.json, "json", false, "print JSON")
	complete(cmd, "agent", transcripts.Agents())
	complete(cmd, "since", []string{"30d", "90d"})
	_ = cmd.MarkFlagDirname("project") // it is there
	return cmd
}

func (o *memoryBackfill) run(ctx context.Context, env *Env) error {
	s, err := parseSpan(env.Now(), o.since, "")
	if err != nil {
		return err
	}
	agent, err := agentID(o.agent)
	if err != nil {
		return err
	}
	if agent != "" && !slices.Contains(transcripts.Agents(), agent) {
		return usage("--agent %s: its records can't be read; there are %s", agent, strings.Join(transcripts.Agents(), ", "))
	}
	w, err := o.openOrNone(ctx, env, o.dryRun)
	if err != nil {
		return err
	}
	defer w.close()
	in, err := memoryIntake(env, w.dir, w.settings)
	if err != nil {
		return err
	}
	options := backfill.Options{
		Store: w.store, Into: intoOf(w.settings), Intake: in, Forgotten: w.forgotten, DataDir: w.dir, Home: env.Home, Env: env.LookupEnv,
		Agent: agent, Since: s.since, Floor: floorOf(w.settings.Memory, env.Now()), DryRun: o.dryRun, Again: o.again, Now: env.Now,
	}
	if o.project != "" {
		key, err := w.projectKey(env, o.project)
		if err != nil {
			return err
		}
		options.Projects = []string{key}
	}
	bar := newBar(env, "old sessions", o.json)
	options.Tell = func(p backfill.Progress) { bar.tell(p.Done, p.Files, p.Read, p.Bytes, p.Agent) }
	report, err := backfill.Run(ctx, options)
	bar.end()
	if o.json {
		if perr := env.printJSON(report, err); perr != nil {
			return perr
		}
		return err
	}
	if err != nil {
		return fmt.Errorf("%w; run it again: it goes on where it was", err)
	}
	return printBackfill(env, report)
}

// intoOf names a store, and what else makes rows others than they were.
func intoOf(s config.Settings) string {
	m := s.Memory
	return strings.Join(append([]string{m.Provider, m.DSN, m.Tenant}, m.Exclude...), "\x00")
}

// floorOf is how old what is kept may be: what is older would be removed at once.
func floorOf(m config.Memory, now time.Time) time.Time {
	if m.Summaries <= 0 {
		return time.Time{}
	}
	return now.Add(-m.Summaries)
}

func printBackfill(env *Env, r backfill.Report) error {
	p := explainPrinter{env: env}
	head := fmt.Sprintf("read %s of old sessions", count(r.Files-r.Unchanged, "record"))
	if r.Unchanged > 0 {
		head += fmt.Sprintf("; %d had not changed since they were read", r.Unchanged)
	}
	p.line("", head+".")
	for _, agent := range sortedAgents(r.Agents) {
		c := r.Agents[agent]
		if c.Files == c.Unchanged {
			continue
		}
		text := fmt.Sprintf("%s: %s with %s and %s", agent, count(c.Sessions, "session"), count(c.Messages, "message"), count(c.ToolCalls, "tool call"))
		if !r.DryRun {
			text += fmt.Sprintf("; %s new, %d learned something, %d were known", areNew(c.New), c.Changed, c.Known)
		}
		p.line("  ", text)
	}
	for _, n := range []struct {
		n    int
		text string
	}{
		{r.Forgotten, "rows stay forgotten ('boathook memory forget' removed them)"},
		{r.Left, "items are nobody's words or excluded"},
		{r.Refused, "rows were refused by the store"},
		{r.Skipped, "lines could not be read"},
		{r.Unknown, "lines are of a kind that this version doesn't know"},
	} {
		if n.n > 0 {
			p.line("  ", fmt.Sprintf("%d %s", n.n, n.text))
		}
	}
	for _, text := range r.Unread {
		p.line("  ", "not read: "+text)
	}
	if r.DryRun {
		p.line("", "Nothing was written: this was a dry run.")
	}
	return p.err
}

func sortedAgents(m map[string]*backfill.Counts) []string {
	var out []string
	for k := range m {
		out = append(out, k)
	}
	slices.Sort(out)
	return out
}
