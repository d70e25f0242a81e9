package cli

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/boathook/boathook/internal/config"
	"github.com/boathook/boathook/internal/record"
	"github.com/boathook/boathook/internal/redact"
	rerun "github.com/boathook/boathook/internal/replay"
	"github.com/boathook/boathook/internal/store"
	"github.com/boathook/boathook/internal/transcripts"
	"github.com/boathook/boathook/internal/worker"
	"github.com/boathook/boathook/policy"
)

// policyReplay is `boathook policy replay`.
type policyReplay struct {
	policyOptions
	since, until, agent, data string
	transcripts, asJSON       bool
}

func newPolicyReplay(env *Env) *cobra.Command {
	var o policyReplay
	cmd := &cobra.Command{
		Use:   "replay",
		Short: "Show what the policy would have decided of what happened",
		Long: `Judge the recorded calls again, by the policies in force or by the one in a file, and show what would be decided otherwise, by
rule and with examples; and which calls the rules that are in the shadow would stop. Nothing is changed.

Each call is judged by what it was found to do when it happened, with the disk as it was then. Where that was not recorded, it
is judged without a look at the disk, and counted as such. What cannot be judged any more is counted by why: a masked secret
stands in it, its content was removed for its age or never kept, it was cut for its length.

With --transcripts, the calls are those of the agents' own records of old sessions, of before boathook, too:
` + strings.Join(transcripts.Agents(), ", ") + `. They are only read; what is shown of them is masked.`,
		Example: `  boathook policy replay
  boathook policy replay --policy new.toml --since 30d
  boathook policy replay --transcripts --agent claude
  boathook policy replay --json | jq '.changes[] | {from, to, rule, calls}'`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			ctx, stop := untilInterrupted(cmd.Context())
			defer stop()
			return env.failJSON(o.asJSON, o.run(ctx, env))
		},
	}
	o.flags(cmd)
	f := cmd.Flags()
	f.StringVar(&o.since, "since", "7d", "only from then on: an age (15m, 1h, 2d) or a time (2026-01-31, 14:30)")
	f.StringVar(&o.until, "until", "", "only before then")
	f.StringVar(&o.agent, "agent", "", "only this agent: "+strings.Join(agentNames(), ", "))
	f.BoolVar(&o.transcripts, "transcripts", false, "judge the agents' own records of old sessions instead")
	f.StringVar(&o.data, "data", "", "data directory, instead of the config's")
	f.BoolVar(&o.asJSON, "json", false, "print JSON")
	complete(cmd, "agent", agentNames())
	complete(cmd, "since", nil)
	complete(cmd, "until", nil)
	_ = cmd.MarkFlagDirname("data") // it is there
	return cmd
}

func (o *policyReplay) run(ctx context.Context, env *Env) error {
	s, err := parseSpan(env.Now(), o.since, o.until)
	if err != nil {
		return err
	}
	agent, err := agentID(o.agent)
	if err != nil {
		return err
	}
	p, err := o.load(env)
	if err != nil {
		return err
	}
	p.tellProblems(p.of(""))
	r := replayer{env: env, p: p, tally: rerun.NewTally(), world: rerun.World{Policies: p.set, Machine: p.machine}, started: env.Now()}
	if o.transcripts {
		err = r.transcripts(ctx, s, agent)
	} else {
		err = r.store(ctx, o.data, s, agent)
	}
	if err != nil {
		return err
	}
	r.progress("", true)
	report := r.tally.Report()
	if o.asJSON {
		return env.printJSON(struct {
			Since time.Time `json:"since,omitzero"`
			rerun.Report
			Sessions *readSessions `json:"transcripts,omitempty"`
		}{s.since, report, r.sessions}, nil)
	}
	return printReplay(env, report, s, r.sessions)
}

// replayer judges calls again, one after the other.
type replayer struct {
	env           *Env
	p             *policies
	world         rerun.World
	tally         *rerun.Tally
	sessions      *readSessions
	started, told time.Time
}

// readSessions is what of the agents' own records was read.
type readSessions struct {
	Files   int `json:"files"`
	Skipped int `json:"skipped_lines"`
	// Unread are files that could not be read, with why.
	Unread []string `json:"unread,omitempty"`
}

// store judges the recorded calls.
func (r *replayer) store(ctx context.Context, data string, s span, agent string) error {
	dir, err := r.env.dataDir(data, r.p.settings)
	if err != nil {
		return err
	}
	if err := (logOptions{data: data}).checkData(dir); err != nil {
		return err
	}
	if err := settle(ctx, r.env, dir, r.p.settings); err != nil {
		r.env.warn(err.Error())
	}
	db, err := store.OpenReadOnly(ctx, worker.StorePath(dir))
	if errors.Is(err, fs.ErrNotExist) {
		return nil // nothing was recorded
	}
	if err != nil {
		return err
	}
	defer func() { _ = db.Close() }() // it was only read
	return db.Each(ctx, store.Filter{Since: s.since, Until: s.until, Agent: agent}, func(_ int64, line []byte) error {
		rec, err := record.Parse(line)
		if err != nil || !rerun.Asked(rec) {
			return ctx.Err() // another version's, or nothing that a policy is asked about
		}
		r.tally.Add(r.world.Judge(rec), func() rerun.Example {
			return rerun.Example{ID: rec.ID, Time: rec.Time, Agent: rec.Agent, Tool: toolText(rec), What: shorten(subject(rec), maxCall)}
		})
		r.progress("recorded calls", false)
		return ctx.Err()
	})
}

// transcripts judges those of the agents' own records. A session that goes on in another file is counted once.
func (r *replayer) transcripts(ctx context.Context, s span, agent string) error {
	if agent != "" && !slices.Contains(transcripts.Agents(), agent) {
		return usage("--agent %s: its records can't be read; there are %s", agent, strings.Join(transcripts.Agents(), ", "))
	}
	mask := maskOf(r.p.settings.Redact)
	seen := map[string]bool{}
	projects := map[string]string{}
	r.sessions = &readSessions{}
	for _, f := range transcripts.Find(ctx, r.env.Home, r.env.LookupEnv, agent, s.since) {
		r.sessions.Files++
		skipped, err := f.Read(ctx, func(c transcripts.Call) error {
			late := !s.until.IsZero() && !c.Time.Before(s.until)
			if !c.Time.IsZero() && (c.Time.Before(s.since) || late) || c.ID != "" && seen[c.Agent+c.ID] {
				return ctx.Err()
			}
			seen[c.Agent+c.ID] = true
			if _, known := projects[c.CWD]; !known {
				projects[c.CWD] = projectOf(c.CWD)
			}
			c.Project = projects[c.CWD]
			ev := c.Event()
			ev.Time = c.Time
			r.tally.Add(r.world.JudgeCall(ev), func() rerun.Example {
				what := mask(subject(record.Record{Event: ev}))
				return rerun.Example{Time: c.Time, Agent: c.Agent, Tool: ev.Tool.Name, What: shorten(what, maxCall)}
			})
			r.progress("calls of old sessions", false)
			return ctx.Err()
		})
		r.sessions.Skipped += skipped
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case err != nil:
			r.sessions.Unread = append(r.sessions.Unread, f.Path+": "+err.Error())
		}
	}
	return nil
}

// maskOf masks what is shown of texts that nobody has masked yet.
func maskOf(c config.Redact) func(string) string {
	mask, _ := redact.New(redactOf(c)) // doctor tells of patterns that don't work
	return func(s string) string { return mask.Text(s, true, redact.Counts{}) }
}

// progress says on a terminal how far it is, from the second second on.
func (r *replayer) progress(what string, done bool) {
	if !r.env.IsTerminal {
		return
	}
	now := r.env.Now()
	switch {
	case done && !r.told.IsZero():
		fmt.Fprint(r.env.Stderr, "\r\x1b[K")
	case done, now.Sub(r.started) < time.Second, now.Sub(r.told) < time.Second/4:
	default:
		r.told = now
		fmt.Fprintf(r.env.Stderr, "\r%d %s…\x1b[K", r.tally.Calls(), what)
	}
}

// printReplay shows a report.
func printReplay(env *Env, r rerun.Report, s span, sessions *readSessions) error {
	p := explainPrinter{env: env}
	p.line("", replayHead(r, s, sessions))
	for _, why := range sortedKeys(r.NotEvaluable) {
		p.line("  ", fmt.Sprintf("%d not evaluable: %s", r.NotEvaluable[why], why))
	}
	if sessions != nil {
		for _, text := range sessions.Unread {
			p.line("  ", "not read: "+text)
		}
	}
	if r.Evaluated == 0 {
		return p.err
	}
	switch {
	case sessions != nil:
		p.counts("What would be stopped:", r.Rules, false)
	case len(r.Changes) == 0:
		p.head("Every decision would be the same.")
	default:
		p.counts("What would be decided otherwise:", r.Changes, true)
	}
	p.counts("What rules in the shadow would do:", r.Shadow, false)
	var parts []string
	for _, a := range []policy.Action{policy.Deny, policy.Ask, policy.Rewrite, policy.Warn, policy.Allow} {
		if n := r.Decisions[a]; n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, a))
		}
	}
	p.head("In all: " + strings.Join(parts, ", ") + ".")
	return p.err
}

func replayHead(r rerun.Report, s span, sessions *readSessions) string {
	from := ""
	if !s.since.IsZero() {
		from = " since " + s.since.Format(time.DateTime)
	}
	what := "recorded call"
	if sessions != nil {
		what = "call"
		from += " in " + count(sessions.Files, "record") + " of old sessions"
	}
	text := fmt.Sprintf("%s%s, %d judged", count(r.Calls, what), from, r.Evaluated)
	if r.Computed > 0 && sessions == nil {
		text += fmt.Sprintf(" (%d of them without what the disk said then)", r.Computed)
	}
	return text + "."
}

func sortedKeys(m map[string]int) []string {
	var out []string
	for k := range m {
		out = append(out, k)
	}
	slices.Sort(out)
	return out
}

// counts prints rules with their examples.
func (p *explainPrinter) counts(title string, list []rerun.Count, changes bool) {
	if len(list) == 0 {
		return
	}
	p.head(title)
	for _, c := range list {
		text := string(c.To)
		if changes {
			from := "nobody asked"
			if c.From != "" {
				from = strings.TrimSpace(string(c.From) + " " + c.FromRule)
			}
			text = from + " → " + text
		}
		if c.Rule != "" {
			text += "  " + ruleName(c.Rule, c.Pack, c.Layer)
		}
		if changes && c.Stopped > 0 {
			text += fmt.Sprintf("; %d of them somebody else stopped", c.Stopped)
		}
		p.line(fmt.Sprintf("%6d  ", c.Calls), text)
		for _, e := range c.Examples {
			p.line("          ", exampleText(e))
		}
	}
}

func exampleText(e rerun.Example) string {
	text := e.Agent
	if e.Tool != "" {
		text += " " + e.Tool
	}
	return text + ": " + shorten(plain(e.What), 160)
}
