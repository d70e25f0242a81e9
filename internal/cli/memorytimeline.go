package cli

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/boathook/boathook/internal/duration"
	"github.com/boathook/boathook/internal/memory"
	"github.com/boathook/boathook/internal/memory/audit"
)

// memoryTimeline is timeline's flags.
type memoryTimeline struct {
	memorySearch
	around int
}

func newMemoryTimeline(env *Env) *cobra.Command {
	var o memoryTimeline
	cmd := &cobra.Command{
		Use:   "timeline [ID]",
		Short: "Show the sessions of a project, or what was before and after one message",
		Long: `Show the sessions of the project around this directory, the newest first: when, which agent, how they ended and what they were
about. With --session, the messages and calls of one session in their order; with the id of a message or a call, those
before and after it.`,
		Example: `  boathook memory timeline --since 7d
  boathook memory timeline --session claude/0f3c9a7e
  boathook memory timeline tgqwxj6c6oa33b6aemapu37ls62-1 --around 10`,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) > 1 {
				return usage("%s takes one id, not %d", nameOf(cmd), len(args))
			}
			return nil
		},
		ValidArgsFunction: cobra.NoFileCompletions,
		RunE: func(cmd *cobra.Command, args []string) error {
			ctx, stop := untilInterrupted(cmd.Context())
			defer stop()
			return env.failJSON(o.json, runMemoryTimeline(ctx, env, o, strings.Join(args, "")))
		},
	}
	o.place.flags(cmd)
	o.choices(cmd, "only what is")
	o.narrow(cmd)
	f := cmd.Flags()
	f.IntVarP(&o.limit, "limit", "n", 20, "how many sessions, or rows of a session, at most")
	f.IntVar(&o.around, "around", 5, "how many rows before and after the one with the id")
	f.BoolVar(&o.json, "json", false, "print JSON")
	complete(cmd, "limit", nil)
	complete(cmd, "around", nil)
	return cmd
}

func runMemoryTimeline(ctx context.Context, env *Env, o memoryTimeline, id string) error {
	if o.limit < 1 || o.around < 0 {
		return usage("--limit is 1 or more, and --around 0 or more")
	}
	w, err := o.look(ctx, env)
	if err != nil {
		return err
	}
	defer w.close()
	switch {
	case id != "":
		return w.aroundRow(ctx, env, o, id)
	case o.session != "":
		f, err := o.chosen(ctx, env, w)
		if err != nil {
			return memoryFailed(err)
		}
		list, err := w.entries(ctx, f)
		if err != nil {
			return memoryFailed(err)
		}
		return w.tellRows(env, o, f, list[max(0, len(list)-o.limit):], "")
	}
	f, err := o.chosen(ctx, env, w)
	if err != nil {
		return memoryFailed(err)
	}
	return w.tellSessions(ctx, env, o, f)
}

// aroundRow shows what was before and after a row in its session.
func (w *memoryWork) aroundRow(ctx context.Context, env *Env, o memoryTimeline, id string) error {
	all := memory.Filter{AllProjects: true}
	list, err := w.store.Get(ctx, all, []string{id})
	if err != nil {
		return memoryFailed(err)
	}
	if len(list) == 0 {
		return notThere([]string{id})
	}
	if all.Session = list[0].SessionOf(); all.Session == "" {
		return notThere([]string{id})
	}
	if list, err = w.entries(ctx, all); err != nil {
		return memoryFailed(err)
	}
	at := slices.IndexFunc(list, func(e memory.Entry) bool { return entryID(e) == id })
	return w.tellRows(env, o, all, list[max(0, at-o.around):min(len(list), at+o.around+1)], id)
}

// tellRows prints rows one after the other, each by its beginning; marked is the one that was asked for.
func (w *memoryWork) tellRows(env *Env, o memoryTimeline, f memory.Filter, list []memory.Entry, marked string) error {
	if err := w.audit(env, audit.Entry{Action: audit.Show, Filter: &f, Count: len(list)}); err != nil {
		return err
	}
	if o.json {
		if list == nil {
			list = []memory.Entry{}
		}
		return env.printJSON(struct {
			Entries []memory.Entry `json:"entries"`
		}{list}, nil)
	}
	if len(list) == 0 {
		return env.sentence("Nothing fits.", 0)
	}
	for _, e := range list {
		sign, head, text, colour := " ", "", "", ""
		switch {
		case e.Call != nil:
			head = strings.TrimSpace(e.Call.Time.In(env.Now().Location()).Format(time.DateTime) + "  " + e.Call.Tool + " " + e.Call.Status)
			text, colour = strings.TrimSpace(e.Call.Command+" "+strings.Join(e.Call.Paths, " ")), statusColour(e.Call.Status)
			if text == "" {
				text = string(e.Call.Args)
			}
		case e.Message != nil:
			head, text = e.Message.Time.In(env.Now().Location()).Format(time.DateTime)+"  "+e.Message.Role, e.Message.Text
		}
		if entryID(e) == marked {
			sign = "▸"
		}
		if _, err := fmt.Fprintln(env.Stdout, sign+" "+env.painted(colour, plain(head))+"  "+env.painted(dim, plain(entryID(e)))); err != nil {
			return err
		}
		if text == "" {
			continue
		}
		if err := env.snippet(text, 4, 2); err != nil {
			return err
		}
	}
	return nil
}

// tellSessions prints the sessions of a filter.
func (w *memoryWork) tellSessions(ctx context.Context, env *Env, o memoryTimeline, f memory.Filter) error {
	var list []memory.Session
	for at := memory.Page(""); len(list) < o.limit; {
		more, next, err := w.store.Sessions(ctx, f, at, min(o.limit-len(list), 200))
		if err != nil {
			return memoryFailed(err)
		}
		list = append(list, more...)
		if at = next; next == "" {
			break
		}
	}
	if err := w.audit(env, audit.Entry{Action: audit.Show, Filter: &f, Count: len(list)}); err != nil {
		return err
	}
	if o.json {
		if list == nil {
			list = []memory.Session{}
		}
		return env.printJSON(struct {
			Sessions []memory.Session `json:"sessions"`
		}{list}, nil)
	}
	if len(list) == 0 {
		return env.sentence("Memory has no session of this project that fits; --all-projects looks at all of them.", 0)
	}
	for _, s := range list {
		if err := env.sessionRow(s, f.AllProjects); err != nil {
			return err
		}
	}
	return nil
}

// sessionRow prints a session: when, who, how long, how it ended, and what it was about.
func (e *Env) sessionRow(s memory.Session, wide bool) error {
	head := s.Started.In(e.Now().Location()).Format("2006-01-02 15:04") + "  " + s.Agent
	if !s.Ended.IsZero() && s.Ended.After(s.Started) {
		head += ", " + duration.Text(s.Ended.Sub(s.Started).Round(time.Second))
	} else if s.Ended.IsZero() {
		head += ", not ended"
	}
	if s.Outcome != "" {
		head += ", " + s.Outcome
	}
	tail := s.ID
	if wide && s.Root != "" {
		tail += "  " + s.Root
	}
	if _, err := fmt.Fprintln(e.Stdout, e.painted(statusColour(s.Outcome), plain(head))+"  "+e.painted(dim, plain(tail))); err != nil {
		return err
	}
	if s.Summary == "" {
		return nil
	}
	return e.snippet(s.Summary, 3, 2)
}
