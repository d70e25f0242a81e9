package cli

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/boathook/boathook/internal/store"
	"github.com/boathook/boathook/internal/worker"
)

// purgeOptions are purge's flags.
type purgeOptions struct {
	place
	before, session, project, agent string
	all, dryRun, yes, json          bool
}

func newPurge(env *Env) *cobra.Command {
	var o purgeOptions
	cmd := &cobra.Command{
		Use:   "purge",
		Short: "Delete recorded events for good",
		Long: `Delete the recorded events that match all that is given, stored or still waiting, and the turns that they began. It
shows how many there are first, and asks; their bytes are overwritten. What a collector or a guard got stays there.

--all deletes every event, with the files that were set aside, the stores that were damaged and the log of hook runs
(invocations.jsonl). The hooks stay installed, and go on to record; 'boathook uninstall --purge' leaves nothing.

What memory keeps of events stays: 'boathook memory forget' removes that, and the events with it.

What is older than retention.metadata_days goes by itself.`,
		Example: `  boathook purge --before 30d
  boathook purge --session 0f3c… --dry-run
  boathook purge --project . --before 2026-01-31
  boathook purge --all --yes`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			ctx, stop := untilInterrupted(cmd.Context())
			defer stop()
			return env.failJSON(o.json, runPurge(ctx, env, o))
		},
	}
	o.flags(cmd)
	f := cmd.Flags()
	f.StringVar(&o.before, "before", "", "events before `WHEN`: an age (30d, 12h) or a time (2026-01-31)")
	f.StringVar(&o.session, "session", "", "events of this session")
	f.StringVar(&o.project, "project", "", "events of the project in `DIR`, the root of its repository")
	f.StringVar(&o.agent, "agent", "", "events of this agent: "+strings.Join(agentNames(), ", "))
	f.BoolVar(&o.all, "all", false, "every event")
	f.BoolVar(&o.dryRun, "dry-run", false, "say what would be deleted, and delete nothing")
	f.BoolVarP(&o.yes, "yes", "y", false, "don't ask")
	f.BoolVar(&o.json, "json", false, "print JSON")
	complete(cmd, "agent", agentNames())
	complete(cmd, "before", []string{"30d", "90d"})
	complete(cmd, "session", nil)
	_ = cmd.MarkFlagDirname("project") // it is there
	return cmd
}

// filter reads the flags. Nothing at all is never taken for everything.
func (o *purgeOptions) filter(env *Env) (f store.PurgeFilter, err error) {
	if f.Before, err = parseWhen(env.Now(), o.before); err != nil {
		return f, usage("--before %w", err)
	}
	f.Session = o.session
	if o.project != "" {
		f.Project = filepath.Clean(env.absolute(o.project))
	}
	if f.Agent, err = agentID(o.agent); err != nil {
		return f, err
	}
	switch none := f == (store.PurgeFilter{}); {
	case none && !o.all:
		return f, usage("purge wants to know what: --before, --session, --project, --agent, or --all")
	case !none && o.all:
		return f, usage("--all is all: it goes with no other choice")
	}
	return f, nil
}

func runPurge(ctx context.Context, env *Env, o purgeOptions) error {
	f, err := o.filter(env)
	if err != nil {
		return err
	}
	dir, settings, err := o.find(env)
	if err != nil {
		return err
	}
	w := storingOptions(env, dir, settings)
	p, err := planPurge(ctx, w, f, o.all)
	if err != nil {
		return err
	}
	if f.Project != "" && settings.Minimal {
		env.warn(`with privacy = "minimal" projects are recorded as hashes, which --project does not find`)
	}
	if p.empty() || o.dryRun {
		return p.say(env, o.json)
	}
	if !o.yes {
		if !o.json {
			if err := env.sentence(p.text(), 0); err != nil {
				return err
			}
		}
		if err := confirm(env, "purge", "Delete this for good?", dryRun, o.json); err != nil {
			return err
		}
	}
	if err := p.apply(ctx, w, f); err != nil {
		return err
	}
	return p.say(env, o.json)
}

// purgeTime bounds the wait for a worker to store what is spooled.
const purgeTime = 30 * time.Second

func (p *purgePlan) apply(ctx context.Context, w worker.Options, f store.PurgeFilter) error {
	limited, cancel := context.WithTimeout(ctx, purgeTime)
	defer cancel()
	done, err := worker.Purge(limited, w, f)
	p.Deleted = &deleted{Events: done.Events + done.Spooled, Turns: done.Turns, Sessions: done.Sessions, Lingers: done.Lingers}
	for _, path := range p.Files {
		err = errors.Join(err, removeOwn(path))
	}
	return err
}

func (p *purgePlan) say(env *Env, asJSON bool) error {
	if asJSON {
		return env.printJSON(p, nil)
	}
	switch {
	case p.empty():
		return env.sentence("nothing matches: nothing was deleted", 0)
	case p.Deleted == nil:
		return env.sentence(p.text()+". Nothing was deleted: this was a dry run", 0)
	}
	text := fmt.Sprintf("deleted %s and %s", count(p.Deleted.Events, "event"), count(p.Deleted.Turns, "turn"))
	if len(p.Files) > 0 {
		text += " and " + count(len(p.Files), "file")
	}
	if p.Deleted.Lingers {
		text += "; another process reads the store: some bytes stay in its log (events.db-wal) until that ends"
	}
	return env.sentence(text, 0)
}
