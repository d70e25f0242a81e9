package sqlite

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/ncruces/go-sqlite3"

	"github.com/boathook/boathook/internal/memory"
	"github.com/boathook/boathook/internal/memory/chunk"
	"github.com/boathook/boathook/internal/memory/merge"
)

// Write stores a batch, all of it or nothing. Others who write wait for it, so that a batch should have no more than some hundred rows.
func (s *Store) Write(ctx context.Context, b memory.Batch) (done memory.Written, err error) {
	clean, err := merge.Clean(b)
	if err != nil {
		return done, fmt.Errorf("write to %s: %w", s.path, err)
	}
	err = s.writing(ctx, "write to", func(c *conn) error {
		w := newWriter(c)
		done, err = w.write(clean)
		return err
	})
	if err != nil {
		return memory.Written{}, err
	}
	return done, nil
}

// writer is one transaction.
type writer struct {
	*conn
	sessions map[string]*session
	projects map[string]int64
	// added is by how many chunks projects have grown.
	added map[int64]int64
	// origins are the ids of messages by what the batch calls them.
	origins map[string]string
	// known are the models that have vectors, once they were read.
	known      []model
	modelsRead bool
}

func newWriter(c *conn) *writer {
	return &writer{conn: c, sessions: map[string]*session{}, projects: map[string]int64{}, added: map[int64]int64{}, origins: map[string]string{}}
}

func (w *writer) write(b memory.Batch) (done memory.Written, err error) {
	for _, told := range b.Sessions {
		s, err := w.session(told.ID)
		if err != nil {
			return done, err
		}
		s.row = merge.Session(s.row, told)
	}
	for _, c := range b.Covers {
		s, err := w.session(c.Session)
		if err != nil {
			return done, err
		}
		s.row = merge.Covered(s.row, c.Until)
	}
	for _, m := range b.Messages {
		if err := w.active(m.Session, m.Time); err != nil {
			return done, err
		}
	}
	for _, c := range b.ToolCalls {
		if err := w.active(c.Session, c.Time); err != nil {
			return done, err
		}
	}
	// The rows point to their sessions.
	for _, id := range slices.Sorted(maps.Keys(w.sessions)) {
		if err := w.putSession(w.sessions[id]); err != nil {
			return done, err
		}
	}
	if err := w.messages(b.Messages, &done); err != nil {
		return done, err
	}
	if err := w.calls(b.ToolCalls, &done); err != nil {
		return done, err
	}
	for _, c := range b.Covers {
		if err := w.cover(c); err != nil {
			return done, err
		}
	}
	done.Known = max(len(b.Messages)+len(b.ToolCalls)-done.New-done.Changed, 0)
	return done, w.finish()
}

func (w *writer) active(id string, at time.Time) error {
	s, err := w.session(id)
	if err == nil {
		s.row = merge.Active(s.row, at)
	}
	return err
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

func (w *writer) messages(items []memory.Message, done *memory.Written) error {
	order, by := grouped(items, merge.MessageGroup)
	for _, g := range order {
		r, err := w.mergeMessages(g, by[g][0].Session, by[g])
		if err != nil {
			return err
		}
		done.New, done.Changed = done.New+r.New, done.Changed+r.Changed
	}
	return nil
}

// mergeMessages brings one group up to date.
func (w *writer) mergeMessages(group, session string, items []memory.Message) (merge.Result[memory.Message], error) {
	s, err := w.session(session)
	if err != nil {
		return merge.Result[memory.Message]{}, err
	}
	rows, err := w.messageRows(group, session)
	if err != nil {
		return merge.Result[memory.Message]{}, err
	}
	r := merge.Messages(rows, items, s.row.CoveredUntil)
	for _, row := range slices.Concat(rows, r.Put) {
		for _, t := range []*merge.Told[memory.Message]{row.Hook, row.Other} {
			for i := 0; t != nil && i < len(t.Origins); i++ {
				w.origins[t.Origins[i]] = row.ID
			}
		}
	}
	for _, id := range r.Delete {
		if err := w.deleteRow("ltm_messages", "message_id", id); err != nil {
			return r, err
		}
	}
	for _, row := range r.Put {
		if err := w.putMessage(s, row); err != nil {
			return r, err
		}
		var chunks []memory.Chunk
		if !row.Hidden && !row.Anonymous() {
			chunks = chunk.Message(row.Shown)
		}
		if err := w.chunks(s, row.ID, chunks); err != nil {
			return r, err
		}
	}
	return r, nil
}

func (w *writer) calls(items []memory.ToolCall, done *memory.Written) error {
	for i, c := range items {
		if id := w.origins[c.Message]; id != "" {
			items[i].Message = id
		}
	}
	order, by := grouped(items, merge.CallGroup)
	for _, g := range order {
		s, err := w.session(by[g][0].Session)
		if err != nil {
			return err
		}
		rows, err := w.callRows(g, s.row.ID)
		if err != nil {
			return err
		}
		r := merge.Calls(rows, by[g])
		for _, id := range r.Delete {
			if err := w.deleteRow("ltm_tool_calls", "tool_call_id", id); err != nil {
				return err
			}
		}
		for _, row := range r.Put {
			if err := w.putCall(s, row); err != nil {
				return err
			}
			var chunks []memory.Chunk
			if !row.Anonymous() {
				chunks = chunk.Call(row.Shown)
			}
			if err := w.chunks(s, row.ID, chunks); err != nil {
				return err
			}
		}
		done.New, done.Changed = done.New+r.New, done.Changed+r.Changed
	}
	return nil
}

// deleteRow removes a row that is another one now, and its chunks.
func (w *writer) deleteRow(table, column, id string) error {
	if err := w.exec("DELETE FROM "+table+" WHERE "+column+" = ?", id); err != nil {
		return err
	}
	return w.removeChunks("row_id = ?", id)
}

// cover hides what only hooks have told of the time before.
func (w *writer) cover(c memory.Cover) error {
	s, err := w.session(c.Session)
	if err != nil {
		return err
	}
	groups := map[string]bool{}
	err = w.each(`SELECT message_id FROM ltm_messages WHERE session = ? AND ts <= ? AND told IS NULL AND hidden = 0 AND role IN ('assistant', 'gemini')`,
		[]any{s.number, nano(c.Until)}, func(row *sqlite3.Stmt) error {
			groups[merge.Group(row.ColumnText(0))] = true
			return nil
		})
	if err != nil {
		return err
	}
	for _, g := range slices.Sorted(maps.Keys(groups)) {
		if _, err := w.mergeMessages(g, c.Session, nil); err != nil {
			return err
		}
	}
	return nil
}

// finish writes what was counted.
func (w *writer) finish() error {
	for project, n := range w.added {
		if n == 0 {
			continue
		}
		if err := w.exec("UPDATE ltm_projects SET chunks = chunks + ? WHERE project = ?", n, project); err != nil {
			return err
		}
	}
	return nil
}
