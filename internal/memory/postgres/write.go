package postgres

import (
	"context"
	"hash/fnv"
	"maps"
	"slices"

	"github.com/boathook/boathook/internal/memory"
	"github.com/boathook/boathook/internal/memory/merge"
)

// Write stores a batch, all of it or nothing. It takes two round trips, and holds a lock on each session that it tells of: others
// who write of the same wait. No row is deleted, since writers may not.
func (s *Store) Write(ctx context.Context, b memory.Batch) (memory.Written, error) {
	const doing = "write to PostgreSQL"
	clean, err := merge.Clean(b)
	if err != nil {
		return memory.Written{}, failed(doing, err)
	}
	f, err := s.ready(ctx)
	if err != nil {
		return memory.Written{}, failed(doing, err)
	}
	var done memory.Written
	err = s.writing(ctx, func(tx *transaction) error {
		w := newWriter(f, tx)
		// The items are brought to the ids of their messages: what a second try gets has to be as new.
		calls := slices.Clone(clean.ToolCalls)
		done, err = w.write(ctx, memory.Batch{Sessions: clean.Sessions, Messages: clean.Messages, ToolCalls: calls, Covers: clean.Covers})
		return err
	})
	if err != nil {
		return memory.Written{}, failed(doing, err)
	}
	return done, nil
}

// session is a session in a transaction.
type session struct {
	there   bool
	project int
	row     merge.SessionRow
	// was is what is stored.
	was merge.SessionRow
}

// writer is one transaction.
type writer struct {
	*features
	tx       *transaction
	sessions map[string]*session
	projects map[string]int
	messages map[string][]merge.MessageRow // by group
	calls    map[string][]merge.CallRow
	have     map[string][]chunkRow // by row
	// covered are groups of which a row may be hidden.
	covered map[string]string // group → session
	// origins are the ids of messages by what the batch calls them.
	origins map[string]string
	// added is by how many chunks projects have grown.
	added map[int]int
	// before are statements that go ahead of those for put.
	before []statement
	put    puts
}

// puts is what the last round trip writes.
type puts struct {
	messages []messagePut
	calls    []callPut
	chunks   []chunkPut
	index    []indexPut
	// gone rows are others now, and gone chunks are none any more; touch are chunks of which only the status and the like has changed.
	goneMessages, goneCalls []string
	goneChunks              []int64
	touch                   []chunkPut
	done                    memory.Written
}

func newWriter(f *features, tx *transaction) *writer {
	return &writer{
		features: f, tx: tx, sessions: map[string]*session{}, projects: map[string]int{}, messages: map[string][]merge.MessageRow{},
		calls: map[string][]merge.CallRow{}, have: map[string][]chunkRow{}, covered: map[string]string{}, origins: map[string]string{},
		added: map[int]int{},
	}
}

func (w *writer) write(ctx context.Context, b memory.Batch) (memory.Written, error) {
	if err := w.load(ctx, b); err != nil {
		return memory.Written{}, err
	}
	for _, told := range b.Sessions {
		s := w.sessions[told.ID]
		s.row = merge.Session(s.row, told)
	}
	for _, c := range b.Covers {
		s := w.sessions[c.Session]
		s.row = merge.Covered(s.row, c.Until)
	}
	for _, m := range b.Messages {
		s := w.sessions[m.Session]
		s.row = merge.Active(s.row, m.Time)
	}
	for _, c := range b.ToolCalls {
		s := w.sessions[c.Session]
		s.row = merge.Active(s.row, c.Time)
	}
	if err := w.settle(ctx); err != nil {
		return memory.Written{}, err
	}
	if err := w.mergeMessages(b); err != nil {
		return memory.Written{}, err
	}
	if err := w.mergeCalls(b.ToolCalls); err != nil {
		return memory.Written{}, err
	}
	done := w.put.done
	done.Known = max(len(b.Messages)+len(b.ToolCalls)-done.New-done.Changed, 0)
	return done, w.finish(ctx)
}

// grouped has items by their group, and the groups in the order of their first items.
func grouped[T any](items []T, group func(T) string) (order []string, by map[string][]T) {
	by = make(map[string][]T, len(items))
	for _, item := range items {
		g := group(item)
		if by[g] == nil {
			order = append(order, g)
		}
		by[g] = append(by[g], item)
	}
	return order, by
}

func (w *writer) mergeMessages(b memory.Batch) error {
	order, by := grouped(b.Messages, merge.MessageGroup)
	for _, g := range order {
		if err := w.mergeMessage(g, by[g][0].Session, by[g], true); err != nil {
			return err
		}
		delete(w.covered, g)
	}
	for _, g := range slices.Sorted(maps.Keys(w.covered)) {
		if err := w.mergeMessage(g, w.covered[g], nil, false); err != nil {
			return err
		}
	}
	return nil
}

func (w *writer) mergeMessage(group, of string, items []memory.Message, count bool) error {
	s := w.sessions[of]
	rows := w.messages[group]
	r := merge.Messages(rows, items, s.row.CoveredUntil)
	if count {
		w.put.done.New, w.put.done.Changed = w.put.done.New+r.New, w.put.done.Changed+r.Changed
	}
	for _, row := range slices.Concat(rows, r.Put) {
		for _, t := range []*merge.Told[memory.Message]{row.Hook, row.Other} {
			for i := 0; t != nil && i < len(t.Origins); i++ {
				w.origins[t.Origins[i]] = row.ID
			}
		}
	}
	for _, id := range r.Delete {
		w.put.goneMessages = append(w.put.goneMessages, id)
		w.chunks(s, id, nil)
	}
	for _, row := range r.Put {
		put, err := messageOf(row)
		if err != nil {
			return err
		}
		w.put.messages = append(w.put.messages, put)
		w.chunks(s, row.ID, messageChunks(row))
	}
	return nil
}

func (w *writer) mergeCalls(items []memory.ToolCall) error {
	for i, c := range items {
		if id := w.origins[c.Message]; id != "" {
			items[i].Message = id
		}
	}
	order, by := grouped(items, merge.CallGroup)
	for _, g := range order {
		s := w.sessions[by[g][0].Session]
		r := merge.Calls(w.calls[g], by[g])
		w.put.done.New, w.put.done.Changed = w.put.done.New+r.New, w.put.done.Changed+r.Changed
		for _, id := range r.Delete {
			w.put.goneCalls = append(w.put.goneCalls, id)
			w.chunks(s, id, nil)
		}
		for _, row := range r.Put {
			put, err := callOf(row)
			if err != nil {
				return err
			}
			w.put.calls = append(w.put.calls, put)
			w.chunks(s, row.ID, callChunks(row))
		}
	}
	return nil
}

// lockOf is the number of a session's lock.
func lockOf(tenant, session string) int64 {
	h := fnv.New64a()
	_, _ = h.Write([]byte("boathook memory\x00" + tenant + "\x00" + session))
	return int64(h.Sum64())
}
