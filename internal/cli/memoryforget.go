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

	"github.com/boathook/boathook/internal/memory"
	"github.com/boathook/boathook/internal/memory/audit"
	"github.com/boathook/boathook/internal/memory/forget"
	"github.com/boathook/boathook/internal/memory/open"
	"github.com/boathook/boathook/internal/transcripts"
)

// memoryForget is `boathook memory forget`.
type memoryForget struct {
	memoryPast
	query                        string
	rows                         []string
	anonymize, dryRun, yes, json bool
}

func newMemoryForget(env *Env) *cobra.Command {
	var o memoryForget
	cmd := &cobra.Command{
		Use:   "forget",
		Short: "Remove what memory knows, to the last byte, and prove that it is gone",
		Long: `Remove from memory what matches all that is given: its rows and what they are found by, the recorded events that told of
them, stored or waiting, what was kept for an injection, and their lines in the log of hook runs. What is left in the logs of the
databases is emptied. Then samples of what went are searched for, in the memory and in every byte of the data directory.

It shows how much there is first, and asks. What was forgotten does not come back from an event that waits, from an agent's own
record or from 'boathook memory backfill': memory.forgotten in the data directory keeps hashes of it, made with this machine's key.
The agents' own records are theirs: those in which it still stands are named, and not touched. A collector, and the backups of
a database, keep what they got.

--anonymize keeps that something was done, when, with which tool and how it ended, and removes all texts, arguments, results,
paths and roots.

The exit code is 1 where something is left, and 3 where nobody said yes.`,
		Example: `  boathook memory forget --session claude/0f3c9a7e --dry-run
  boathook memory forget --project . --until 30d
  boathook memory forget --all-projects --query 'Project Bluebird'
  boathook memory forget --row ID --row ID --yes`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			ctx, stop := untilInterrupted(cmd.Context())
			defer stop()
			return env.failJSON(o.json, memoryFailed(o.run(ctx, env)))
		},
	}
	o.flags(cmd)
	o.choices(cmd, "what is")
	f := cmd.Flags()
	f.StringVar(&o.query, "query", "", "rows that have this `TEXT`, word for word")
	f.StringSliceVar(&o.rows, "row", nil, "this row, by the id that a search prints; may be given again")
	f.BoolVar(&o.anonymize, "anonymize", false, "keep the rows without their texts")
	f.BoolVar(&o.dryRun, "dry-run", false, "say what would go, and remove nothing")
	f.BoolVarP(&o.yes, "yes", "y", false, "don't ask")
	f.BoolVar(&o.json, "json", false, "print JSON")
	complete(cmd, "query", nil)
	complete(cmd, "row", nil)
	return cmd
}

// selection reads the flags. Nothing at all is never taken for everything.
func (o *memoryForget) selection(ctx context.Context, env *Env, w *memoryWork) (s memory.Selection, err error) {
	if s.Filter, err = o.filter(ctx, env, w); err != nil {
		return s, err
	}
	s.Text, s.Rows, s.Anonymize = o.query, o.rows, o.anonymize
	switch {
	case s.Session == "" && len(s.Projects) == 0 && !s.AllProjects && len(s.Rows) == 0:
		return s, usage("forget wants to know what: --session, --project, --all-projects or --row; with them --since, --until, --agent, --query")
	case len(s.Rows) > 0:
		s.AllProjects = len(s.Projects) == 0
	case s.Text != "" && len(strings.TrimSpace(s.Text)) < minQuery:
		return s, usage("--query %q is in too much: it wants %d letters", s.Text, minQuery)
	}
	return s, nil
}

// minQuery is how long a text is that is forgotten wherever it stands.
const minQuery = 4

func (o *memoryForget) run(ctx context.Context, env *Env) error {
	if !o.dryRun {
		if err := env.refuseAgents("memory forget"); err != nil {
			return err
		}
	}
	w, err := o.open(ctx, env, false)
	if err != nil {
		return err
	}
	defer w.close()
	s, err := o.selection(ctx, env, w)
	if err != nil {
		return err
	}
	f, err := w.planForget(ctx, env, s)
	if err != nil {
		return err
	}
	if f.Empty() || o.dryRun {
		return o.say(env, f)
	}
	if !o.yes {
		if !o.json {
			if err := env.sentence(forgetText(f), 0); err != nil {
				return err
			}
		}
		if err := confirm(env, "forget", "Remove this for good?", dryRun, o.json); err != nil {
			return err
		}
	}
	r := f.Report()
	// What was asked for is what is to be forgotten: the log has how much it was, and in which projects and time.
	entry := audit.Entry{Action: audit.Forget, Filter: &s.Filter, Count: r.Messages + r.ToolCalls, Anonymize: o.anonymize}
	if err := w.audit(env, entry); err != nil {
		return err
	}
	if err := f.Make(ctx); err != nil {
		return fmt.Errorf("%w; what is not removed yet goes when it is run again", err)
	}
	return o.say(env, f)
}

// planForget looks at what would go.
func (w *memoryWork) planForget(ctx context.Context, env *Env, s memory.Selection) (*forget.Forgetting, error) {
	projects, err := open.Projects(w.dir, w.settings)
	if err != nil {
		return nil, err
	}
	return forget.Plan(ctx, forget.Options{
		Store: w.store, Selection: s, Worker: storingOptions(env, w.dir, w.settings), Forgotten: w.forgotten, Now: env.Now,
		Project: func(dir string) string {
			p, _ := projects.Of(dir) // what can't be looked at is of no project
			return p.Key
		},
		Transcripts: func(ctx context.Context, agents []string) (out []string) {
			for _, f := range transcripts.Find(ctx, env.Home, env.LookupEnv, "", time.Time{}) {
				if slices.Contains(agents, f.Agent) {
					out = append(out, f.Path)
				}
			}
			return out
		},
	})
}

func (o *memoryForget) say(env *Env, f *forget.Forgetting) error {
	r := f.Report()
	var left error
	if !r.DryRun && !r.Absent {
		left = exitWith(exitFailed, errors.New("something is left: "+plain(strings.Join(r.Remains, ", "))))
	}
	if o.json {
		return env.printJSON(r, left)
	}
	switch {
	case f.Empty():
		return env.sentence("nothing matches: nothing was removed", 0)
	case r.DryRun:
		return env.sentence(forgetText(f)+". Nothing was removed: this was a dry run", 0)
	}
	p := explainPrinter{env: env}
	verb := "removed "
	if o.anonymize {
		verb = "made anonymous "
	}
	p.line("", verb+forgetText(f)+".")
	if r.Lines+r.Files > 0 {
		p.line("", fmt.Sprintf("Removed %s of the audit log and %s beside.", count(r.Lines, "line"), count(r.Files, "file")))
	}
	if r.Absent {
		text := fmt.Sprintf("Searched the memory and every file of the data directory for %s of it: none is left.", count(r.Searched, "sample"))
		if r.Elsewhere > 0 {
			text += fmt.Sprintf(" %d of them other sessions say as well, which were not chosen.", r.Elsewhere)
		}
		p.line("", text)
	}
	if r.Pending != "" {
		p.line("", "Still to do: "+r.Pending)
	}
	if len(r.Transcripts) > 0 {
		p.line("", "It still stands in the agents' own records, which are not boathook's to change:")
		for _, path := range r.Transcripts {
			p.line("  ", path)
		}
	}
	if p.err != nil {
		return p.err
	}
	return left
}

func forgetText(f *forget.Forgetting) string {
	r := f.Report()
	text := fmt.Sprintf("%s and %s", count(r.Messages, "message"), count(r.ToolCalls, "tool call"))
	if n := f.Report().Touched(); n > 0 {
		text += " of " + count(n, "session")
	}
	if n := r.Events + r.Spooled; n > 0 {
		text += ", and " + count(n, "recorded event")
	}
	return text
}

// noMemory says that there is nothing yet.
func noMemory(err error) bool { return errors.Is(err, fs.ErrNotExist) }
