package cli

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"text/tabwriter"

	"github.com/boathook/boathook/hook/canon"
	"github.com/boathook/boathook/internal/userhook"
)

// replayed is one event with what the hook made of it.
type replayed struct {
	From     string          `json:"from,omitempty"`
	ID       string          `json:"id"`
	Agent    string          `json:"agent"`
	Event    string          `json:"event"`
	Tool     string          `json:"tool,omitempty"`
	What     string          `json:"what,omitempty"`
	Decision canon.Decision  `json:"decision"`
	Failed   string          `json:"failed,omitempty"`
	Detail   string          `json:"detail,omitempty"`
	Wanted   *canon.Decision `json:"wanted,omitempty"`
	MS       float64         `json:"duration_ms"`
}

func (c replay) play(ctx context.Context, p userhook.Program) replayed {
	result := userhook.Run(ctx, p, userhook.Event(c.event))
	e := c.event
	out := replayed{
		From: c.from, ID: e.ID, Agent: e.Agent, Event: string(e.Event), Decision: result.Decision, Failed: result.Failed, Detail: result.Detail,
		MS: float64(result.Took.Microseconds()) / 1000,
	}
	if e.Tool != nil {
		out.Tool = e.Tool.Name
	}
	out.What = e.Command() + e.Prompt
	if c.wanted != nil && !sameDecision(*c.wanted, result.Decision) {
		out.Wanted = c.wanted
	}
	return out
}

// sameDecision compares what a decision says; in an input the order of members does not matter.
func sameDecision(a, b canon.Decision) bool {
	var in, other any
	if json.Unmarshal(a.Input, &in) != nil {
		in = nil
	}
	if json.Unmarshal(b.Input, &other) != nil {
		other = nil
	}
	x, _ := json.Marshal(in)
	y, _ := json.Marshal(other)
	return a.Action.Strictness() == b.Action.Strictness() && a.Reason == b.Reason && a.Context == b.Context && string(x) == string(y)
}

func (o *hooksTest) report(env *Env, results []replayed) error {
	counts := map[string]int{}
	for _, r := range results {
		counts[r.outcome()]++
	}
	var failed error
	if counts["no answer"]+counts["another answer"] > 0 {
		failed = exitWith(exitFailed, nil)
	}
	if o.asJSON {
		for _, r := range results {
			if err := env.printJSON(r, nil); err != nil {
				return err
			}
		}
		return failed
	}
	w := tabwriter.NewWriter(env.Stdout, 0, 0, 2, ' ', 0)
	_, _ = fmt.Fprintln(w, "AGENT\tEVENT\tTOOL\tMS\tDECISION\tWHAT") // Flush says it
	for _, r := range results {
		_, _ = fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\t%s\n", plain(dash(r.Agent)), plain(dash(r.Event)), plain(dash(r.Tool)), latencyText(r.MS), plain(shorten(r.says(), 80)), plain(shorten(r.What, 80)))
	}
	if err := w.Flush(); err != nil {
		return err
	}
	var parts []string
	for _, name := range []string{"no objection", "deny", "ask", "another input", "context", "no answer", "another answer"} {
		if n := counts[name]; n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, name))
		}
	}
	if _, err := fmt.Fprintf(env.Stdout, "\n%s: %s\n", count(len(results), "event"), strings.Join(parts, ", ")); err != nil {
		return err
	}
	return failed
}

func (r replayed) outcome() string {
	switch {
	case r.Wanted != nil:
		return "another answer"
	case r.Failed != "":
		return "no answer"
	case r.Decision.Action == canon.Deny, r.Decision.Action == canon.Ask:
		return string(r.Decision.Action)
	case r.Decision.Input != nil:
		return "another input"
	case r.Decision.Context != "":
		return "context"
	}
	return "no objection"
}

// says is the decision in a few words.
func (r replayed) says() string {
	d := r.Decision
	switch {
	case r.Wanted != nil:
		wanted, _ := json.Marshal(r.Wanted)
		got, _ := json.Marshal(d)
		return "not " + string(wanted) + " but " + string(got) + " " + r.Failed
	case r.Failed != "":
		return r.Failed + ": " + r.Detail
	case d.Action == canon.Deny, d.Action == canon.Ask:
		return string(d.Action) + ": " + d.Reason
	case d.Input != nil:
		return "input: " + string(d.Input)
	case d.Context != "":
		return "context: " + d.Context
	}
	return "-"
}
