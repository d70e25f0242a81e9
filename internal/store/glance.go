package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/boathook/boathook/internal/record"
)

// Glance is what a person wants to see of a store at once. All of it comes out of indexes and the newest rows, however
// large the store is.
type Glance struct {
	// Oldest and Newest are the earliest and the latest time of an event, zero in an empty store.
	Oldest, Newest time.Time
	// Rows is the distance from the first sequence number to the last: the number of events, but for what retention took
	// from between.
	Rows   int64
	Agents []AgentGlance
	// Decisions counts, since the day began, what was decided where somebody was asked.
	Decisions map[string]int64
}

// AgentGlance is one agent's part: how many events since the day and the hour began, and when the last one was.
type AgentGlance struct {
	Agent       string
	Today, Hour int64
	Last        time.Time
}

// Glance reads it, with the counts since a day began and since an hour ago.
func (s *Store) Glance(ctx context.Context, day, hour time.Time) (Glance, error) {
	g := Glance{Decisions: map[string]int64{}}
	err := s.bounds(ctx, &g)
	if err == nil {
		err = s.tally(ctx, day, hour, &g)
	}
	if err != nil {
		return Glance{}, fmt.Errorf("look at %s: %w", s.path, classify(err))
	}
	return g, nil
}

func (s *Store) bounds(ctx context.Context, g *Glance) error {
	var first, last, oldest, newest int64
	row := s.db.QueryRowContext(ctx, `SELECT ifnull((SELECT min(seq) FROM events), 0), ifnull((SELECT max(seq) FROM events), -1),
ifnull((SELECT min(time_ns) FROM events), 0), ifnull((SELECT max(time_ns) FROM events), 0)`)
	if err := row.Scan(&first, &last, &oldest, &newest); err != nil {
		return err
	}
	g.Rows, g.Oldest, g.Newest = last-first+1, fromNano(oldest), fromNano(newest)
	return nil
}

// maxKinds bounds the kinds of events that are counted: agents, actions and sources are few.
const maxKinds = 200

// tally walks from one kind of event to the next along the index events_counts, and counts within each.
func (s *Store) tally(ctx context.Context, day, hour time.Time, g *Glance) error {
	var agent, action, source string
	for range maxKinds {
		err := s.db.QueryRowContext(ctx, `SELECT agent, action, source FROM events WHERE (agent, action, source) > (?, ?, ?)
ORDER BY agent, action, source LIMIT 1`, agent, action, source).Scan(&agent, &action, &source)
		if errors.Is(err, sql.ErrNoRows) {
			return nil
		}
		if err != nil {
			return err
		}
		var today, recent, last int64
		const among = "FROM events WHERE agent = ? AND action = ? AND source = ?"
		err = s.db.QueryRowContext(ctx, "SELECT (SELECT count(*) "+among+" AND time_ns >= ?), (SELECT count(*) "+among+
			" AND time_ns >= ?), (SELECT max(time_ns) "+among+")", agent, action, source, unixNano(day), agent, action, source, unixNano(hour),
			agent, action, source).Scan(&today, &recent, &last)
		if err != nil {
			return err
		}
		a := g.agent(agent)
		a.Today, a.Hour = a.Today+today, a.Hour+recent
		if at := fromNano(last); at.After(a.Last) {
			a.Last = at
		}
		if source != "default" {
			g.Decisions[action] += today
		}
	}
	return nil
}

func (g *Glance) agent(name string) *AgentGlance {
	for i := range g.Agents {
		if g.Agents[i].Agent == name {
			return &g.Agents[i]
		}
	}
	g.Agents = append(g.Agents, AgentGlance{Agent: name})
	return &g.Agents[len(g.Agents)-1]
}

// newestRows bounds what is looked at where no index helps.
const newestRows = 2_000

// Questions reads what became of the newest questions to the guard, at most so many, the newest first. It looks at the
// newest 2,000 events.
func (s *Store) Questions(ctx context.Context, limit int) ([]record.Guard, error) {
	texts, err := s.texts(ctx, `SELECT json FROM (SELECT source, json FROM events ORDER BY seq DESC LIMIT ?)
WHERE source IN ('remote_guard', 'guard_failed') LIMIT ?`, newestRows, limit)
	if err != nil {
		return nil, fmt.Errorf("read questions of %s: %w", s.path, classify(err))
	}
	var out []record.Guard
	for _, text := range texts {
		var r struct{ Guard *record.Guard }
		if json.Unmarshal([]byte(text), &r) == nil && r.Guard != nil {
			out = append(out, *r.Guard)
		}
	}
	return out, nil
}

// Quick has SQLite check the file's structure without comparing indexes and rows, which takes a fraction of Integrity.
func (s *Store) Quick(ctx context.Context) error {
	problems, err := s.texts(ctx, "PRAGMA quick_check(10)")
	if err != nil {
		return fmt.Errorf("check store %s: %w", s.path, classify(err))
	}
	if len(problems) != 1 || problems[0] != "ok" {
		return fmt.Errorf("check store %s: %w: %s", s.path, ErrCorrupt, strings.Join(problems, "; "))
	}
	return nil
}
