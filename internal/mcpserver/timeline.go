package mcpserver

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/boathook/boathook/internal/duration"
	"github.com/boathook/boathook/internal/memory"
	"github.com/boathook/boathook/internal/memory/audit"
)

// timelineArgs are memory_timeline's.
type timelineArgs struct {
	Session string `json:"session,omitempty" jsonschema:"the session that is shown, by the id that results have"`
	Around  string `json:"around,omitempty" jsonschema:"the id of an item; what came before and after it in its session is shown"`
	where
	Before    int    `json:"before,omitempty" jsonschema:"how many items before it, at most 50; 5 without it"`
	After     int    `json:"after,omitempty" jsonschema:"how many items after it, at most 50; 10 without it"`
	Since     string `json:"since,omitempty" jsonschema:"only from this time on: 2026-11-30, 2026-11-30T12:00:00Z, or how long ago: 7d"`
	Until     string `json:"until,omitempty" jsonschema:"only before this time, in the same forms"`
	Limit     int    `json:"limit,omitempty" jsonschema:"how many items of a session, or sessions, at most, 1 to 50; 20 without it"`
	Page      string `json:"page,omitempty" jsonschema:"where to go on: the next_page of the answer before"`
	MaxTokens int    `json:"max_tokens,omitempty" jsonschema:"about how many tokens the answer may take, 200 to 20000; 3000 without it"`
}

// Timeline is memory_timeline's answer.
type Timeline struct {
	Note     string        `json:"note"`
	Items    []Item        `json:"items,omitempty"`
	Sessions []SessionItem `json:"sessions,omitempty"`
	NextPage string        `json:"next_page,omitempty"`
	Omitted  int           `json:"omitted,omitempty"`
	Dropped  int           `json:"dropped_lines,omitempty"`
}

// SessionItem is one session.
type SessionItem struct {
	ID      string `json:"id"`
	Agent   string `json:"agent,omitempty"`
	Project string `json:"project,omitempty"`
	Started string `json:"started,omitempty"`
	Age     string `json:"age,omitempty"`
	Outcome string `json:"outcome,omitempty"`
	Summary string `json:"summary,omitempty"`
}

func (t Timeline) text() string {
	var b strings.Builder
	b.WriteString(note + "\n\n")
	if len(t.Items)+len(t.Sessions) == 0 {
		b.WriteString("There is nothing.\n")
	}
	for n, i := range t.Items {
		b.WriteString(i.line(n + 1))
	}
	for n, s := range t.Sessions {
		b.WriteString(s.line(n + 1))
	}
	if t.NextPage != "" {
		fmt.Fprintf(&b, "\nThere is more: page %s\n", t.NextPage)
	}
	return b.String() + rest(t.Omitted, t.Dropped)
}

func (s SessionItem) line(n int) string {
	text := fmt.Sprintf("%d. %s, %s", n, s.Age, s.Agent)
	if s.Outcome != "" {
		text += ", ended with " + s.Outcome
	}
	return text + " · session " + s.ID + "\n   " + s.Summary + "\n"
}

const (
	usualBefore = 5
	usualAfter  = 10
	usualItems  = 20
	usualOfLine = 3000
	// maxPages is how far into a session an item is looked for, so many rows a page.
	maxPages = 100
	pageRows = 200
)

func timeline(ctx context.Context, a *asking, t timelineArgs) (Timeline, error) {
	tokens, err := budget(t.MaxTokens, usualOfLine)
	if err != nil {
		return Timeline{}, err
	}
	if t.Limit == 0 {
		t.Limit = usualItems
	}
	if t.Limit < 1 || max(t.Limit, t.Before, t.After) > mostLimit || min(t.Before, t.After) < 0 {
		return Timeline{}, fmt.Errorf("limit is between 1 and %d, before and after between 0 and that", mostLimit)
	}
	f, err := a.filter(t.where)
	if err == nil {
		err = a.period(&f, t.Since, t.Until)
	}
	if err != nil {
		return Timeline{}, err
	}
	f.Session = t.Session
	out := Timeline{Note: note}
	var rows []memory.Entry
	switch {
	case t.Around != "":
		rows, err = a.around(ctx, f, t)
	case t.Session != "":
		var next memory.Page
		rows, next, err = a.store.Entries(ctx, f, memory.Page(t.Page), t.Limit)
		out.NextPage = string(next)
	default:
		return a.sessions(ctx, f, t, tokens)
	}
	if err != nil {
		return Timeline{}, err
	}
	if err := a.log(audit.Entry{Action: audit.Show, Filter: &f, Rows: asked(t), Count: len(rows)}); err != nil {
		return Timeline{}, err
	}
	out.Items, out.Omitted = fit(a.items(rows, t.Around, f.AllProjects, tokens), tokens)
	out.Dropped = a.dropped
	return out, nil
}

func asked(t timelineArgs) []string {
	if t.Around == "" {
		return nil
	}
	return []string{t.Around}
}

// items are rows, each with its share of the tokens; the one that was asked for has four.
func (a *asking) items(rows []memory.Entry, around string, wide bool, tokens int) []Item {
	share := max(2*tokens/(len(rows)+4), 120)
	var out []Item
	for _, e := range rows {
		most := min(share, maxExcerpt)
		if idOf(e) == around {
			most = 4 * share
		}
		out = append(out, a.entry(e, wide, most))
	}
	return out
}

// around are the rows around one in its session.
func (a *asking) around(ctx context.Context, f memory.Filter, t timelineArgs) ([]memory.Entry, error) {
	if t.Before == 0 && t.After == 0 {
		t.Before, t.After = usualBefore, usualAfter
	}
	there, err := a.store.Get(ctx, memory.Filter{Projects: f.Projects, AllProjects: f.AllProjects}, []string{t.Around})
	if err != nil {
		return nil, err
	}
	if len(there) == 0 {
		return nil, errors.New("there is no item of that id in this project's memory")
	}
	f.Session = sessionOf(there[0])
	var before []memory.Entry
	var page memory.Page
	for range maxPages {
		rows, next, err := a.store.Entries(ctx, f, page, pageRows)
		if err != nil {
			return nil, err
		}
		before = append(before, rows...)
		if at, ok := find(before, t.Around); ok {
			if len(before)-at <= t.After && next != "" {
				more, _, err := a.store.Entries(ctx, f, next, t.After)
				if err != nil {
					return nil, err
				}
				before = append(before, more...)
			}
			return before[max(0, at-t.Before):min(len(before), at+t.After+1)], nil
		}
		if before = before[max(0, len(before)-t.Before):]; next == "" {
			break
		}
		page = next
	}
	return there, nil // it alone: its neighbours are beyond what was asked for
}

func sessionOf(e memory.Entry) string {
	if e.Call != nil {
		return e.Call.Session
	}
	return e.Message.Session
}

// sessions are the newest.
func (a *asking) sessions(ctx context.Context, f memory.Filter, t timelineArgs, tokens int) (Timeline, error) {
	list, next, err := a.store.Sessions(ctx, f, memory.Page(t.Page), t.Limit)
	if err != nil {
		return Timeline{}, err
	}
	if err := a.log(audit.Entry{Action: audit.Show, Filter: &f, Count: len(list)}); err != nil {
		return Timeline{}, err
	}
	out := Timeline{Note: note, NextPage: string(next)}
	for n, s := range list {
		item := SessionItem{ID: a.name(s.ID), Agent: a.name(s.Agent), Outcome: a.name(s.Outcome), Summary: a.clean(s.Summary, maxExcerpt/2)}
		if at := s.Started; !at.IsZero() {
			item.Started, item.Age = at.UTC().Format(time.RFC3339), duration.Ago(a.Now(), at)
		}
		if f.AllProjects {
			item.Project = a.name(s.Project)
		}
		// As an item's, since a session has no more parts.
		cost := Item{ID: item.ID, Session: item.ID, Agent: item.Agent, Time: item.Started, Age: item.Age, Outcome: item.Outcome, Text: item.Summary}.cost()
		if cost > tokens {
			out.Omitted = len(list) - n
			break
		}
		tokens -= cost
		out.Sessions = append(out.Sessions, item)
	}
	out.Dropped = a.dropped
	return out, nil
}
