package cli

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/boathook/boathook/internal/config"
	"github.com/boathook/boathook/internal/host/registry"
	"github.com/boathook/boathook/internal/store"
	"github.com/boathook/boathook/internal/worker"
)

// logOptions are log's flags.
type logOptions struct {
	config, data                         string
	follow, json, noDrain                bool
	count                                int
	since, until                         string
	agent, event, tool, decision, search string
	session                              string
}

// pageful is how many events a person is shown who does not say how many.
const pageful = 50

func newLog(env *Env) *cobra.Command {
	var o logOptions
	cmd := &cobra.Command{
		Use:   "log",
		Short: "Show what agents did and what was decided",
		Long: `Show the events that the hooks recorded on this machine, oldest first.

A terminal and a pipe get a table of the newest 50; --json prints all of them, one stored record per line (its schema:
'boathook schema record'). DECISION has a dash where there was nothing to decide, "review" where the guard wanted a review
and the call went on, and "guard:timeout" and the like where the guard gave no verdict. MS is what the hook took.`,
		Example: `  boathook log -f                          follow what happens
  boathook log --decision deny --since 1d  what was stopped since yesterday
  boathook log --json --tool bash | jq -r .tool.command`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if !cmd.Flags().Changed("lines") && o.json {
				o.count = 0
			}
			ctx, stop := untilInterrupted(cmd.Context())
			defer stop()
			return runLog(ctx, env, o)
		},
	}
	o.flags(cmd)
	return cmd
}

func (o *logOptions) flags(cmd *cobra.Command) {
	f := cmd.Flags()
	f.BoolVarP(&o.follow, "follow", "f", false, "go on with new events until interrupted")
	f.BoolVar(&o.json, "json", false, "print the stored records as JSON lines")
	f.IntVarP(&o.count, "lines", "n", pageful, "how many of the newest events, 0 for all")
	f.StringVar(&o.since, "since", "", "only from then on: an age (15m, 1h, 2d) or a time (2026-01-31, 14:30)")
	f.StringVar(&o.until, "until", "", "only before then")
	f.StringVar(&o.agent, "agent", "", "only this agent: gemini, antigravity")
	f.StringVar(&o.event, "event", "", "only this event: tool:before, or the agent's own name, BeforeTool")
	f.StringVar(&o.tool, "tool", "", "only this tool: bash, or the agent's own name, run_shell_command")
	f.StringVar(&o.decision, "decision", "", "only this decision: allow, ask, deny or review")
	f.StringVar(&o.session, "session", "", "only this session")
	f.StringVar(&o.search, "grep", "", "only records that contain this text")
	f.BoolVar(&o.noDrain, "no-drain", false, "show only what is stored; leave waiting events to the worker")
	f.StringVar(&o.config, "config", "", "config file that the hooks were installed with (default ~/.config/boathook/config.toml)")
	f.StringVar(&o.data, "data", "", "data directory, instead of the config's")
	complete(cmd, "agent", agentNames())
	complete(cmd, "event", kindNames())
	complete(cmd, "decision", decisions())
}

func runLog(ctx context.Context, env *Env, o logOptions) error {
	filter, err := o.filter(env.Now())
	if err != nil {
		return err
	}
	settings, err := env.settings(o.config)
	if err != nil {
		return err
	}
	dir, err := env.dataDir(o.data, settings)
	if err != nil {
		return err
	}
	if !o.noDrain {
		if err := settle(ctx, env, dir, settings); err != nil {
			env.warn(err.Error())
		}
	}
	p := &logPrinter{env: env, o: o, filter: filter, path: worker.StorePath(dir)}
	defer p.close()
	if o.follow {
		env.problems(settings)
	}
	err = p.show(ctx)
	switch {
	case ctx.Err() != nil && o.follow:
		return nil // interrupted, as it is meant to end
	case err != nil:
		return err
	}
	p.footer(ctx, dir, settings)
	return nil
}

func (o logOptions) filter(now time.Time) (store.Filter, error) {
	f := store.Filter{Agent: o.agent, Session: o.session, Text: o.search, Limit: o.count, Newest: true}
	if o.count < 0 {
		return f, usage("-n wants 0 or more, not %d", o.count)
	}
	if o.decision != "" && !slices.Contains(decisions(), o.decision) {
		return f, usage("--decision %q is none of %s", o.decision, strings.Join(decisions(), ", "))
	}
	s, err := parseSpan(now, o.since, o.until)
	if err != nil {
		return f, err
	}
	f.Since, f.Until = s.since, s.until
	f.Event, f.HostEvent = splitEvent(o.event)
	f.Tool = canonicalTool(o.tool)
	f.Action = o.decision
	if o.decision == reviewed {
		f.Action = "" // it is a mark on another action: logPrinter looks for it
	}
	return f, nil
}

// reviewed is the mark of a call that the guard wanted reviewed.
const reviewed = "review"

func decisions() []string { return []string{"allow", "ask", "deny", reviewed} }

// canonicalTool translates an agent's tool name.
func canonicalTool(name string) string {
	for _, h := range registry.Hosts() {
		for _, t := range h.Tools {
			if t.HostName == name {
				return t.Name
			}
		}
	}
	return name
}

func (p *logPrinter) show(ctx context.Context) error {
	s, err := store.OpenReadOnly(ctx, p.path)
	if errors.Is(err, fs.ErrNotExist) {
		p.nothingYet(filepath.Dir(p.path))
		if !p.o.follow {
			return nil
		}
		s, err = awaitStore(ctx, p.path)
	}
	if err != nil {
		return err
	}
	p.store = s
	if err := p.list(ctx); err != nil {
		return err
	}
	if p.o.follow {
		return p.follow(ctx)
	}
	return nil
}

// awaitStore waits for the first event ever.
func awaitStore(ctx context.Context, path string) (*store.Store, error) {
	for {
		if err := pause(ctx, followEvery); err != nil {
			return nil, err
		}
		s, err := store.OpenReadOnly(ctx, path)
		if !errors.Is(err, fs.ErrNotExist) {
			return s, err
		}
	}
}

// nothingYet is what a newcomer sees.
func (p *logPrinter) nothingYet(dir string) {
	fmt.Fprintf(p.env.Stderr, `No event is recorded yet in %s.

  boathook install gemini        put the hooks in place (or: antigravity), then restart the agent
  boathook try                   see events without installing anything
`, plain(dir))
}

func pause(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-timer.C:
		return nil
	}
}

// problems prints what is wrong with the settings.
func (e *Env) problems(s config.Settings) {
	for _, text := range s.Problems {
		e.warn(text)
	}
}
