package cli

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/boathook/boathook/internal/store"
	"github.com/boathook/boathook/internal/worker"
)

// logOptions are log's flags.
type logOptions struct {
	config, data                  string
	follow, json, noDrain         bool
	count                         int
	since, until                  string
	events                        []string
	agent, tool, decision, search string
	session, trace, turn          string
	rule, effect                  string
}

// pageful is how many events a person is shown who does not say how many.
const pageful = 50

func newLog(env *Env) *cobra.Command {
	var o logOptions
	cmd := &cobra.Command{
		Use:   "log",
		Short: "Show what agents did and what was decided",
		Long: `Show the events that the hooks recorded on this machine, oldest first.

A terminal gets a table of the newest 50, fitted to its width; a pipe gets all rows, uncut. --json prints all stored
records, one per line (its schema: 'boathook schema record'). MS is what the hook took. DECISION is

  -                     nobody objected: no rule speaks of it, or nothing can be stopped at this event
  deny git-push-force   what the local policy said, and its rule ('boathook why EVENT' says all of it)
  warn, rewrite no-rm   it let the call go on, with a warning to the model or as another one
  allow, deny no-rm     what the remote guard said, and the rule that it named
  review force-push     the guard wants a review; the call went on
  ask, ask→deny         a person is asked; denied where the agent cannot ask one
  allow guard:timeout   the guard gave no verdict (or guard:refused, guard:bad_endpoint, …): guard.fail allows or denies
  deny judge.py         what a hook of yours said ([[hooks]]); judge.py:timeout, where it gave no answer

On a terminal of less than 110 columns the rule stands in brackets before WHAT; WHAT has its own line where both don't fit, and
always below 60. --decision allow finds all that went on,
whether somebody was asked or not; --decision none only that of which nobody was. What was wrong with the settings is
counted behind a call (config: 2 problems); --json says it whole, and 'boathook doctor' what cures it. Of the local policy there
is said in the same place what rules in the shadow would have done, that a file of it is broken (policy broken), that somebody
let the call through (allowed once), and how often the session was denied it (5th time).`,
		Example: `  boathook log -f                          follow what happens
  boathook log --decision deny --since 1d  what was stopped since yesterday
  boathook log --event 'tool:*'            only what is about tools
  boathook log --event '!PreCompress'      all but that
  boathook log --effect delete --since 1h  what deleted something
  boathook log --json --tool bash | jq -r .tool.command`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if !cmd.Flags().Changed("lines") && (o.json || !env.IsTerminal) {
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
	f.IntVarP(&o.count, "lines", "n", pageful, "how many of the newest, 0 for all")
	f.Lookup("lines").DefValue = fmt.Sprintf("%d on a terminal, 0 elsewhere", pageful)
	f.StringVar(&o.since, "since", "", "only from then on: an age (15m, 1h, 2d) or a time (2026-01-31, 14:30)")
	f.StringVar(&o.until, "until", "", "only before then")
	f.StringVar(&o.agent, "agent", "", "only this agent: "+strings.Join(agentNames(), ", "))
	f.StringSliceVar(&o.events, "event", nil, "only these `EVENTS`: tool:before, tool:*, BeforeTool; !EVENT leaves it out")
	f.StringVar(&o.tool, "tool", "", "only this tool: bash, or the agent's own name, run_shell_command")
	f.StringVar(&o.decision, "decision", "", "only this: deny, ask, review, allow, none")
	f.StringVar(&o.rule, "rule", "", "only what this rule of a policy spoke of, enforced or not: git-push-force, git-*")
	f.StringVar(&o.effect, "effect", "", "only calls with this effect: delete, git_loss, delete:home, send:*")
	f.StringVar(&o.session, "session", "", "only this session")
	f.StringVar(&o.trace, "trace", "", "only this trace, by the `ID` that a collector shows")
	f.StringVar(&o.turn, "turn", "", "only this turn, by the `ID` in the attribute boathook.turn.id")
	f.StringVar(&o.search, "grep", "", "only records that contain this text, in upper or lower case")
	f.BoolVar(&o.noDrain, "no-drain", false, "show only what is stored; leave waiting events to the worker")
	f.StringVar(&o.config, "config", "", configUsage)
	f.StringVar(&o.data, "data", "", "data directory, instead of the config's")
	completeLog(cmd)
}

func runLog(ctx context.Context, env *Env, o logOptions) error {
	filter, match, err := o.filter(env.Now())
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
	if err := o.checkData(dir); err != nil {
		return err
	}
	if !o.noDrain {
		if err := settle(ctx, env, dir, settings); err != nil {
			env.warn(err.Error())
		}
	}
	p := &logPrinter{env: env, o: o, filter: filter, match: match, dir: dir, settings: settings, path: worker.StorePath(dir)}
	defer p.close()
	if o.follow {
		p.problems()
	}
	err = p.show(ctx)
	switch {
	case ctx.Err() != nil && o.follow:
		return nil // interrupted, as it is meant to end
	case err != nil:
		return err
	}
	p.footer(ctx)
	return nil
}

// checkData finds a mistyped --data. The config's own directory may well not be there yet.
func (o logOptions) checkData(dir string) error {
	if o.data == "" {
		return nil
	}
	info, err := os.Stat(dir)
	switch {
	case errors.Is(err, fs.ErrNotExist), err == nil && !info.IsDir():
		return exitWith(exitFailed, fmt.Errorf("read log: no such data directory: %s", dir))
	case err != nil:
		return exitWith(exitFailed, fmt.Errorf("read log: %w", err))
	}
	return nil
}

func (p *logPrinter) show(ctx context.Context) error {
	s, err := store.OpenReadOnly(ctx, p.path)
	if errors.Is(err, fs.ErrNotExist) {
		p.nothingYet()
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
