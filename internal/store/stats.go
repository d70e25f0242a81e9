package store

import (
	"context"
	"database/sql"
	"fmt"
	"math"
	"slices"
	"time"
)

// Stats is what a store holds.
type Stats struct {
	Events int64
	// Bytes is the size of its file, what is free in it included.
	Bytes          int64
	Oldest, Newest time.Time
}

// Stats reads it. The count takes a look at every row's index entry, not at the rows.
func (s *Store) Stats(ctx context.Context) (Stats, error) {
	var st Stats
	var oldest, newest sql.NullInt64
	err := s.db.QueryRowContext(ctx, `SELECT (SELECT count(*) FROM events), (SELECT min(time_ns) FROM events), (SELECT max(time_ns) FROM events),
(SELECT page_count * page_size FROM pragma_page_count, pragma_page_size)`).Scan(&st.Events, &oldest, &newest, &st.Bytes)
	if err != nil {
		return st, fmt.Errorf("measure %s: %w", s.path, classify(err))
	}
	if oldest.Valid {
		st.Oldest, st.Newest = fromNano(oldest.Int64), fromNano(newest.Int64)
	}
	return st, nil
}

// Seen is how often, and when last, one event of an agent came.
type Seen struct {
	Agent, HostEvent string
	Count            int64
	Last             time.Time
}

// Seen counts the events since a time, by agent and event, in the order of these. The zero time is the beginning.
func (s *Store) Seen(ctx context.Context, since time.Time) ([]Seen, error) {
	rows, err := s.db.QueryContext(ctx, `SELECT agent, host_event, count(*), max(time_ns) FROM events WHERE time_ns >= ?
GROUP BY agent, host_event ORDER BY agent, host_event`, sinceNano(since))
	if err != nil {
		return nil, fmt.Errorf("count events of %s: %w", s.path, classify(err))
	}
	defer rows.Close()
	var out []Seen
	for rows.Next() {
		var e Seen
		var last int64
		if err := rows.Scan(&e.Agent, &e.HostEvent, &e.Count, &last); err != nil {
			return nil, fmt.Errorf("count events of %s: %w", s.path, classify(err))
		}
		e.Last = fromNano(last)
		out = append(out, e)
	}
	if err := rows.Err(); err != nil {
		return nil, fmt.Errorf("count events of %s: %w", s.path, classify(err))
	}
	return out, nil
}

// LastByAgent is when each agent's last event was.
func (s *Store) LastByAgent(ctx context.Context) (map[string]time.Time, error) {
	all, err := s.Seen(ctx, time.Time{})
	if err != nil {
		return nil, err
	}
	out := map[string]time.Time{}
	for _, e := range all {
		if e.Last.After(out[e.Agent]) {
			out[e.Agent] = e.Last
		}
	}
	return out, nil
}

// Latency is how long something took, in milliseconds, over so many of the newest events.
type Latency struct {
	Count              int
	P50, P95, P99, Max float64
}

// latencyRows bounds what Latency looks at.
const latencyRows = 10_000

// HookLatency is how long the hooks of the newest events since a time took.
func (s *Store) HookLatency(ctx context.Context, since time.Time) (Latency, error) {
	return s.latency(ctx, "SELECT latency_ms FROM events WHERE time_ns >= ? ORDER BY time_ns DESC LIMIT ?", since)
}

// GuardLatency is how long the remote guard took to answer, or not to, over the newest events since a time about which it
// was asked.
func (s *Store) GuardLatency(ctx context.Context, since time.Time) (Latency, error) {
	return s.latency(ctx, `SELECT json_extract(json, '$.guard.duration_ms') AS ms FROM events
WHERE time_ns >= ? AND source IN ('remote_guard', 'guard_failed') AND json_valid(json) AND ms IS NOT NULL ORDER BY time_ns DESC LIMIT ?`, since)
}

func (s *Store) latency(ctx context.Context, query string, since time.Time) (Latency, error) {
	values, err := s.floats(ctx, query, sinceNano(since), latencyRows)
	if err != nil {
		return Latency{}, fmt.Errorf("read latencies of %s: %w", s.path, classify(err))
	}
	if len(values) == 0 {
		return Latency{}, nil
	}
	slices.Sort(values)
	at := func(share float64) float64 { return values[int(math.Ceil(share*float64(len(values))))-1] }
	return Latency{Count: len(values), P50: at(.5), P95: at(.95), P99: at(.99), Max: values[len(values)-1]}, nil
}

func (s *Store) floats(ctx context.Context, query string, args ...any) ([]float64, error) {
	rows, err := s.db.QueryContext(ctx, query, args...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var out []float64
	for rows.Next() {
		var v float64
		if err := rows.Scan(&v); err != nil {
			return nil, err
		}
		out = append(out, v)
	}
	return out, rows.Err()
}

// sinceNano: the zero time is before every row, also those whose year doesn't fit.
func sinceNano(t time.Time) int64 {
	if t.IsZero() {
		return math.MinInt64
	}
	return unixNano(t)
}
