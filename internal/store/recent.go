package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"sort"
	"sync"
)

// CounterRemovals grows with every removal of rows or contents: what is kept in memory then may be gone.
const CounterRemovals = "removals"

// recent are the events that were inserted last, without a gap, so that a sink which keeps up with the worker needs neither
// to read nor to parse them again.
type recent struct {
	mu sync.Mutex
	// limit bounds the bytes of their JSON; zero keeps nothing.
	limit, bytes int
	events       []Placed
	byID         map[string]int64
	// removals is the counter as it was when the first of them was kept.
	removals int64
}

// Keep has the store remember the events that are inserted last, up to so many bytes of their JSON, for After and Event.
func (s *Store) Keep(bytes int) {
	s.recent.mu.Lock()
	defer s.recent.mu.Unlock()
	s.recent.limit = bytes
}

// add keeps events that are committed.
func (r *recent) add(events []Placed) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.limit <= 0 {
		return
	}
	for _, p := range events {
		if n := len(r.events); n > 0 && r.events[n-1].Seq+1 != p.Seq {
			r.clear()
		}
		if r.byID == nil {
			r.byID = map[string]int64{}
		}
		r.events = append(r.events, p)
		r.byID[p.Record.ID] = p.Seq
		r.bytes += p.Bytes
	}
	drop := 0
	for ; r.bytes > r.limit; drop++ {
		r.bytes -= r.events[drop].Bytes
		delete(r.byID, r.events[drop].Record.ID)
		r.events[drop] = Placed{}
	}
	r.events = r.events[drop:]
}

func (r *recent) clear() { r.events, r.byID, r.bytes = nil, nil, 0 }

// Removals is how often rows or contents were removed, by whichever process: whoever keeps some in memory has to forget
// them when it has changed.
func (s *Store) Removals(ctx context.Context) (n int64, err error) {
	err = s.reader().QueryRowContext(ctx, "SELECT CAST(n AS INTEGER) FROM counters WHERE name = ?", CounterRemovals).Scan(&n)
	if err != nil && !errors.Is(err, sql.ErrNoRows) {
		return 0, fmt.Errorf("count removals of %s: %w", s.path, classify(err))
	}
	return n, nil
}

// SameFile tells whether two stores are the same file, opened twice.
func (s *Store) SameFile(other *Store) bool { return s == other || os.SameFile(s.file, other.file) }

// current forgets everything after a removal, by whichever process. The caller holds the lock.
func (s *Store) current(ctx context.Context) bool {
	r := &s.recent
	if len(r.events) == 0 {
		return false
	}
	n, err := s.Removals(ctx)
	if err != nil {
		return false
	}
	if n != r.removals {
		r.clear()
		r.removals = n
		return false
	}
	return true
}

func (s *Store) keptAfter(ctx context.Context, seq int64, limit, maxBytes int) []Placed {
	r := &s.recent
	r.mu.Lock()
	defer r.mu.Unlock()
	if !s.current(ctx) || r.events[0].Seq > seq+1 {
		return nil
	}
	from := sort.Search(len(r.events), func(i int) bool { return r.events[i].Seq > seq })
	to := from
	for size := 0; to < len(r.events) && to-from < limit && size < maxBytes; to++ {
		size += r.events[to].Bytes
	}
	return append([]Placed(nil), r.events[from:to]...)
}

func (s *Store) kept(ctx context.Context, id string) (Placed, bool) {
	r := &s.recent
	r.mu.Lock()
	defer r.mu.Unlock()
	seq, ok := r.byID[id]
	if !ok || !s.current(ctx) {
		return Placed{}, false
	}
	return r.events[seq-r.events[0].Seq], true
}
