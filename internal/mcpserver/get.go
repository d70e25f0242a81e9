package mcpserver

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/boathook/boathook/internal/memory"
	"github.com/boathook/boathook/internal/memory/audit"
)

// getArgs are memory_get's.
type getArgs struct {
	IDs []string `json:"ids" jsonschema:"ids of messages and tool calls, at most 20"`
	where
	MaxTokens int `json:"max_tokens,omitempty" jsonschema:"about how many tokens the answer may take, 200 to 20000; 4000 without it"`
}

// Got is memory_get's answer.
type Got struct {
	Note  string `json:"note"`
	Items []Item `json:"items"`
	// Missing are ids that there are not in this project.
	Missing []string `json:"missing,omitempty"`
	Omitted int      `json:"omitted,omitempty"`
	Dropped int      `json:"dropped_lines,omitempty"`
}

func (g Got) text() string {
	var b strings.Builder
	b.WriteString(note + "\n\n")
	for n, i := range g.Items {
		b.WriteString(i.line(n + 1))
	}
	if len(g.Missing) > 0 {
		fmt.Fprintf(&b, "\nNot in this project's memory: %s\n", strings.Join(g.Missing, ", "))
	}
	return b.String() + rest(g.Omitted, g.Dropped)
}

const (
	maxIDs      = 20
	usualOfFull = 4000
)

func get(ctx context.Context, a *asking, g getArgs) (Got, error) {
	tokens, err := budget(g.MaxTokens, usualOfFull)
	if err != nil {
		return Got{}, err
	}
	if len(g.IDs) == 0 || len(g.IDs) > maxIDs {
		return Got{}, fmt.Errorf("ids are 1 to %d", maxIDs)
	}
	for _, id := range g.IDs {
		if len(id) > maxName || strings.IndexFunc(id, strange) >= 0 {
			return Got{}, errors.New("ids are those that memory_search and memory_timeline give")
		}
	}
	f, err := a.filter(g.where)
	if err != nil {
		return Got{}, err
	}
	rows, err := a.store.Get(ctx, f, g.IDs)
	if err != nil {
		return Got{}, err
	}
	if err := a.log(audit.Entry{Action: audit.Show, Filter: &f, Rows: g.IDs, Count: len(rows)}); err != nil {
		return Got{}, err
	}
	byID := map[string]memory.Entry{}
	for _, e := range rows {
		byID[idOf(e)] = e
	}
	out := Got{Note: note}
	var all []Item
	for _, id := range g.IDs {
		if e, ok := byID[id]; ok {
			all = append(all, a.entry(e, f.AllProjects, maxFull))
			delete(byID, id) // an id that was given twice is answered once
		} else if _, seen := find(rows, id); !seen {
			out.Missing = append(out.Missing, id)
		}
	}
	out.Items, out.Omitted = fit(all, tokens)
	out.Dropped = a.dropped
	return out, nil
}

func find(rows []memory.Entry, id string) (int, bool) {
	for n, e := range rows {
		if idOf(e) == id {
			return n, true
		}
	}
	return 0, false
}

func idOf(e memory.Entry) string {
	switch {
	case e.Call != nil:
		return e.Call.ID
	case e.Message != nil:
		return e.Message.ID
	}
	return ""
}
