package sqlite

import (
	"context"
	"fmt"
	"slices"

	"github.com/ncruces/go-sqlite3"

	"github.com/boathook/boathook/internal/memory"
	"github.com/boathook/boathook/internal/memory/merge"
)

// forgetRows is how many rows go in one transaction: others who write wait for it.
const forgetRows = 100

// Forget removes rows with all that is of them: chunks, the index's entries, vectors, and sessions and projects that have nothing left.
// Their bytes are overwritten in the file, and the write-ahead log is emptied. It works beside others in small transactions: one that
// is interrupted leaves the rest, and may be repeated.
func (s *Store) Forget(ctx context.Context, sel memory.Selection) (done memory.Removed, err error) {
	if s.write == nil && !sel.DryRun {
		return done, fmt.Errorf("forget in %s: %w", s.path, errReadOnly)
	}
	var d *doomed
	err = s.reading(ctx, "look for what to forget in", func(c *conn) (err error) {
		d, err = c.doom(sel)
		return err
	})
	if err != nil || sel.DryRun {
		if d != nil {
			done = d.removed()
		}
		return done, err
	}
	if err := s.forget(ctx, sel, d); err != nil {
		return done, err
	}
	done = d.removed()
	done.Pending, err = s.shrink(ctx)
	return done, err
}

func (s *Store) forget(ctx context.Context, sel memory.Selection, d *doomed) error {
	change := func(what func(*writer) error) error {
		return s.writing(ctx, "forget in", func(c *conn) error {
			w := newWriter(c)
			if err := what(w); err != nil {
				return err
			}
			return w.finish()
		})
	}
	message, call := (*writer).removeMessage, (*writer).removeCall
	if sel.Anonymize {
		message, call = (*writer).anonymizeMessage, (*writer).anonymizeCall
	}
	steps := []func() error{
		inSteps(change, slices.Concat(d.messages, d.hidden), message),
		inSteps(change, d.calls, call),
		inSteps(change, d.chunks, func(w *writer, id int64) error { return w.removeChunks("chunk_id = ?", id) }),
		inSteps(change, d.blank, func(w *writer, session int64) error { return w.blank(session, sel.Text) }),
	}
	if sel.Anonymize {
		steps = append(steps, inSteps(change, d.sessions, (*writer).anonymizeSession))
	} else {
		steps = append(steps, inSteps(change, d.sessions, (*writer).removeSession), func() error {
			return change(func(w *writer) error {
				return w.exec("DELETE FROM ltm_projects WHERE NOT EXISTS (SELECT 1 FROM ltm_sessions s WHERE s.project = ltm_projects.project)")
			})
		})
	}
	for _, step := range steps {
		if err := step(); err != nil {
			return err
		}
	}
	return nil
}

// inSteps does something to all in transactions of bounded size.
func inSteps[T any](change func(func(*writer) error) error, all []T, what func(*writer, T) error) func() error {
	return func() error {
		for some := range slices.Chunk(all, forgetRows) {
			err := change(func(w *writer) error {
				for _, one := range some {
					if err := what(w, one); err != nil {
						return err
					}
				}
				return nil
			})
			if err != nil {
				return err
			}
		}
		return nil
	}
}

func (w *writer) removeMessage(id string) error {
	return w.deleteRow("ltm_messages", "message_id", id)
}

func (w *writer) removeCall(id string) error {
	return w.deleteRow("ltm_tool_calls", "tool_call_id", id)
}

func (w *writer) anonymizeMessage(id string) error {
	session, err := w.sessionOf("ltm_messages", "message_id", id)
	if err != nil || session == nil {
		return err
	}
	rows, err := w.messageRows(merge.Group(id), session.row.ID)
	for i := 0; err == nil && i < len(rows); i++ {
		if rows[i].ID == id {
			err = w.putMessage(session, merge.AnonymizeMessage(rows[i]))
		}
	}
	return err
}

func (w *writer) anonymizeCall(id string) error {
	session, err := w.sessionOf("ltm_tool_calls", "tool_call_id", id)
	if err != nil || session == nil {
		return err
	}
	rows, err := w.callRows(merge.Group(id), session.row.ID)
	for i := 0; err == nil && i < len(rows); i++ {
		if rows[i].ID == id {
			err = w.putCall(session, merge.AnonymizeCall(rows[i]))
		}
	}
	return err
}

// sessionOf is the session of a row, nil where that is gone.
func (w *writer) sessionOf(table, column, id string) (*session, error) {
	name := ""
	err := w.each("SELECT s.session_id FROM "+table+" JOIN ltm_sessions s USING (session) WHERE "+column+" = ?", []any{id}, func(r *sqlite3.Stmt) error {
		name = r.ColumnText(0)
		return nil
	})
	if err != nil || name == "" {
		return nil, err
	}
	return w.session(name)
}

// blank takes from a session what may tell of rows that are gone.
func (w *writer) blank(session int64, text string) error {
	if err := w.exec("UPDATE ltm_sessions SET summary = '' WHERE session = ?", session); err != nil || text == "" {
		return err
	}
	return w.exec("UPDATE ltm_sessions SET workspace_root = '' WHERE session = ? AND instr(workspace_root, ?)", session, text)
}

func (w *writer) anonymizeSession(session int64) error {
	return w.exec("UPDATE ltm_sessions SET summary = '', workspace_root = '', anonymous = 1 WHERE session = ?", session)
}

// removeSession removes a session, and what has been written of it since its rows were looked for.
func (w *writer) removeSession(session int64) error {
	if err := w.removeChunks("session = ?", session); err != nil {
		return err
	}
	for _, table := range []string{"ltm_messages", "ltm_tool_calls", "ltm_sessions"} {
		if err := w.exec("DELETE FROM "+table+" WHERE session = ?", session); err != nil {
			return err
		}
	}
	return nil
}

// vacuumPages is how many free pages one step gives back.
const vacuumPages = 2048

// shrink gives free pages back, some at once, and empties the write-ahead log, which still has what was removed.
func (s *Store) shrink(ctx context.Context) (pending string, err error) {
	err = s.alone(ctx, func(c *conn) error {
		old := c.db.SetInterrupt(ctx)
		defer c.db.SetInterrupt(old)
		for before := int64(-1); ; {
			free, _, err := c.number("PRAGMA freelist_count")
			if err != nil {
				return err
			}
			if free == 0 || free == before {
				break
			}
			if err := c.db.Exec(fmt.Sprintf("PRAGMA incremental_vacuum(%d)", vacuumPages)); err != nil {
				return err
			}
			before = free
		}
		// The busy timeout is how long the readers are waited for that hold the log.
		busy, _, err := c.number("PRAGMA wal_checkpoint(TRUNCATE)")
		if busy != 0 {
			pending = "another process is reading: bytes of what was removed stay in the write-ahead log until it ends"
		}
		return err
	})
	if err != nil {
		return "", fmt.Errorf("shrink %s: %w", s.path, classify(interrupted(ctx, err)))
	}
	return pending, nil
}
