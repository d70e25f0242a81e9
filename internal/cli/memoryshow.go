package cli

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/boathook/boathook/internal/memory"
	"github.com/boathook/boathook/internal/memory/audit"
)

// memoryShow is show's flags.
type memoryShow struct {
	memoryPast
	pending         bool
	approve, reject string
	json            bool
}

func newMemoryShow(env *Env) *cobra.Command {
	var o memoryShow
	cmd := &cobra.Command{
		Use:   "show [ID...]",
		Short: "Show messages and commands in full, or what waits for your approval",
		Long: `Show messages and tool calls in full, by the ids that a search prints; with --session all of one session.

Where memory.inject is review, what would go into a prompt waits for you: --pending lists it, --approve lets it go in at the
session's next event that can take it, --reject drops it for that session. Approving is for a person at a terminal: what a
model may approve itself nobody has reviewed. Nothing waits for longer than a day.`,
		Example: `  boathook memory show tgqwxj6c6oa33b6aemapu37ls62-1
  boathook memory show --session claude/0f3c9a7e
  boathook memory show --pending
  boathook memory show --approve K7WQ2M`,
		ValidArgsFunction: cobra.NoFileCompletions,
		RunE: func(cmd *cobra.Command, args []string) error {
			ctx, stop := untilInterrupted(cmd.Context())
			defer stop()
			return env.failJSON(o.json, runMemoryShow(ctx, env, o, args))
		},
	}
	o.place.flags(cmd)
	f := cmd.Flags()
	f.StringVar(&o.session, "session", "", "all of this session, as a search prints it, or the beginning of the agent's own id")
	f.BoolVar(&o.pending, "pending", false, "what waits for your approval")
	f.StringVar(&o.approve, "approve", "", "let what has this `CODE` into the session's next prompt")
	f.StringVar(&o.reject, "reject", "", "drop what has this `CODE`")
	f.BoolVar(&o.json, "json", false, "print JSON")
	complete(cmd, "session", nil)
	complete(cmd, "approve", nil)
	complete(cmd, "reject", nil)
	return cmd
}

func runMemoryShow(ctx context.Context, env *Env, o memoryShow, ids []string) error {
	modes := 0
	for _, is := range []bool{len(ids) > 0, o.session != "", o.pending, o.approve != "", o.reject != ""} {
		if is {
			modes++
		}
	}
	switch {
	case modes == 0:
		return usage("memory show wants ids, --session, --pending, --approve or --reject")
	case modes > 1:
		return usage("memory show takes one of these at a time: ids, --session, --pending, --approve, --reject")
	case o.pending:
		return showReviews(env, o)
	case o.approve != "" || o.reject != "":
		return settleReview(env, o)
	}
	return showRows(ctx, env, o, ids)
}

// showRows shows the rows of some ids, or of a session.
func showRows(ctx context.Context, env *Env, o memoryShow, ids []string) error {
	w, err := o.look(ctx, env)
	if err != nil {
		return err
	}
	defer w.close()
	all := memory.Filter{AllProjects: true}
	var list []memory.Entry
	if o.session != "" {
		if all.Session, err = w.sessionKey(ctx, "", o.session); err != nil {
			return memoryFailed(err)
		}
		list, err = w.entries(ctx, all)
	} else {
		list, err = w.store.Get(ctx, all, ids)
	}
	if err != nil {
		return memoryFailed(err)
	}
	if err := w.audit(env, audit.Entry{Action: audit.Show, Filter: &all, Rows: ids, Count: len(list)}); err != nil {
		return err
	}
	return printRows(env, list, missingOf(ids, list), o.json)
}

func printRows(env *Env, list []memory.Entry, missing []string, asJSON bool) error {
	if asJSON {
		if list == nil {
			list = []memory.Entry{}
		}
		return env.printJSON(struct {
			Entries []memory.Entry `json:"entries"`
			Missing []string       `json:"missing,omitempty"`
			failure
		}{list, missing, failed(notThere(missing))}, notThere(missing))
	}
	for n, e := range list {
		if n > 0 {
			fmt.Fprintln(env.Stdout)
		}
		if err := env.entry(e); err != nil {
			return err
		}
	}
	if len(list) == 0 && len(missing) == 0 {
		return env.sentence("The session has no messages.", 0)
	}
	return notThere(missing)
}

// maxShown is how many rows of a session are shown: a session is bounded by what a person did in it.
const maxShown = 100_000

// entries are all rows of a filter, in the order of their time.
func (w *memoryWork) entries(ctx context.Context, f memory.Filter) (out []memory.Entry, err error) {
	const page = 500
	for at := memory.Page(""); len(out) < maxShown; {
		list, next, err := w.store.Entries(ctx, f, at, page)
		if err != nil {
			return nil, err
		}
		out = append(out, list...)
		if at = next; next == "" {
			break
		}
	}
	return out, nil
}

// missingOf are the ids that nothing was found for.
func missingOf(ids []string, list []memory.Entry) (out []string) {
	there := map[string]bool{}
	for _, e := range list {
		there[entryID(e)] = true
	}
	for _, id := range ids {
		if !there[id] {
			out = append(out, id)
		}
	}
	return out
}

func notThere(missing []string) error {
	if len(missing) == 0 {
		return nil
	}
	return exitWith(exitFailed, fmt.Errorf("memory has no %s; 'boathook memory search' prints ids", strings.Join(missing, ", ")))
}

func entryID(e memory.Entry) string {
	if e.Call != nil {
		return e.Call.ID
	}
	if e.Message != nil {
		return e.Message.ID
	}
	return ""
}

// entry prints a row in full. Its lines stay lines.
func (e *Env) entry(row memory.Entry) error {
	if m := row.Message; m != nil {
		head := fmt.Sprintf("%s  %s %s", m.Time.In(e.Now().Location()).Format("2006-01-02 15:04:05"), row.Agent, m.Role)
		if m.Model != "" {
			head += " (" + m.Model + ")"
		}
		if m.TokensTotal > 0 {
			head += fmt.Sprintf(", %d tokens", m.TokensTotal)
		}
		if err := e.entryHead("", head, m.ID, m.Session); err != nil {
			return err
		}
		return e.block(m.Text)
	}
	c := row.Call
	if c == nil {
		return nil
	}
	head := fmt.Sprintf("%s  %s %s %s", c.Time.In(e.Now().Location()).Format("2006-01-02 15:04:05"), row.Agent, c.Tool, c.Status)
	if c.Duration > 0 {
		head += fmt.Sprintf(", %d ms", c.Duration.Milliseconds())
	}
	if err := e.entryHead(statusColour(c.Status), strings.TrimSpace(head), c.ID, c.Session); err != nil {
		return err
	}
	asked := "$ " + c.Command
	if c.Command == "" {
		asked = string(c.Args)
		if !json.Valid(c.Args) {
			asked = ""
		}
	}
	for _, text := range []string{asked, c.Output, c.Error} {
		if err := e.block(text); err != nil {
			return err
		}
	}
	return nil
}

func (e *Env) entryHead(colour, head, id, session string) error {
	_, err := fmt.Fprintln(e.Stdout, e.painted(colour, plain(head))+"  "+e.painted(dim, plain(id+"  "+session)))
	return err
}

// block prints a text of many lines, indented and harmless.
func (e *Env) block(text string) error {
	text = strings.TrimRight(text, "\n")
	if text == "" {
		return nil
	}
	for line := range strings.SplitSeq(text, "\n") {
		line = strings.TrimRight("   "+plain(strings.TrimRight(line, "\r")), " ")
		if _, err := fmt.Fprintln(e.Stdout, line); err != nil {
			return err
		}
	}
	return nil
}
