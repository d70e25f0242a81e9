package sqlite

import (
	"slices"

	"github.com/ncruces/go-sqlite3"

	"github.com/boathook/boathook/internal/memory"
	"github.com/boathook/boathook/internal/memory/merge"
)

// table is one of the two that have rows of sessions.
type table struct {
	name, id, alias string
	texts           []string
}

func messageTable() table {
	return table{"ltm_messages", "message_id", "m", []string{"m.content_text", "m.content_json", "m.hook", "m.told"}}
}

func callTable() table {
	return table{"ltm_tool_calls", "tool_call_id", "c", []string{
		"c.command", "c.paths", "c.args_json", "c.result_json", "c.output", "c.error", "c.hook", "c.told",
	}}
}

// doomed is what a selection takes.
type doomed struct {
	messages, calls []string
	hidden          []string
	chunks          []int64
	// sessions go as a whole, blank ones lose their summaries.
	sessions, blank []int64
	origins         []string
	// left is how many rows and chunks each session has that is not selected as a whole.
	left map[int64]int
}

func (d *doomed) removed() memory.Removed {
	slices.Sort(d.origins)
	return memory.Removed{
		Sessions: len(d.sessions), Messages: len(d.messages), ToolCalls: len(d.calls), Chunks: len(d.chunks),
		Origins: slices.Compact(d.origins)[:min(len(slices.Compact(d.origins)), maxOrigins)],
	}
}

// maxOrigins is how many origins are told of.
const maxOrigins = 100_000

// whole tells whether a selection takes sessions with all they have.
func whole(s memory.Selection) bool {
	f := s.Filter
	return s.Text == "" && len(s.Rows) == 0 && f.Role == "" && f.Tool == "" && f.Status == "" && f.Tag == "" && f.Since.IsZero() && f.Until.IsZero()
}

// doom finds what a selection takes.
func (c *conn) doom(s memory.Selection) (*doomed, error) {
	d := &doomed{left: map[int64]int{}}
	if whole(s) {
		var w where
		w.sessions(s.Filter)
		sessions, err := c.numbers("SELECT s.session FROM ltm_sessions s WHERE "+w.String(), w.args)
		if err != nil {
			return nil, err
		}
		d.sessions = sessions
	}
	m, t, k := selected(s)
	owned := map[int64]bool{}
	if err := c.doomRows(d, messageTable(), &m, s.Rows, &d.messages, owned); err != nil {
		return nil, err
	}
	if err := c.doomRows(d, callTable(), &t, s.Rows, &d.calls, owned); err != nil {
		return nil, err
	}
	if err := c.doomChunks(d, &k, s.Rows, owned); err != nil {
		return nil, err
	}
	if whole(s) {
		return d, c.doomHidden(d)
	}
	return d, c.orphans(d, s)
}

// selected are the conditions on messages, calls and chunks.
func selected(s memory.Selection) (m, t, k where) {
	if len(s.Rows) > 0 {
		// The rows are named: of the filter the projects count, and what else says whose they are.
		m.sessions(s.Filter)
		t.sessions(s.Filter)
		k.sessions(s.Filter)
		m.and("m.hidden = 0")
	} else {
		m.messages(s.Filter)
		t.calls(s.Filter)
		k.chunks(s.Filter)
	}
	if s.Text == "" {
		return m, t, k
	}
	for _, w := range []struct {
		where *where
		texts []string
	}{{&m, messageTable().texts}, {&t, callTable().texts}, {&k, []string{"k.chunk_text", "k.command"}}} {
		cond, args := contains(w.texts, s.Text)
		w.where.and(cond, args...)
	}
	return m, t, k
}

// doomRows finds messages or calls, and the chunks that are of them.
func (c *conn) doomRows(d *doomed, t table, w *where, ids []string, into *[]string, owned map[int64]bool) error {
	query := "SELECT " + t.alias + "." + t.id + ", " + t.alias + ".session, " + t.alias + ".hook FROM " + t.name + " " + t.alias +
		" JOIN ltm_sessions s USING (session) WHERE " + w.String()
	take := func(r *sqlite3.Stmt) error {
		*into = append(*into, r.ColumnText(0))
		d.left[r.ColumnInt64(1)]--
		d.origins = append(d.origins, merge.OriginsOf(raw(r, 2))...)
		return nil
	}
	if len(ids) == 0 {
		if err := c.each(query, w.args, take); err != nil {
			return err
		}
	}
	for _, id := range ids {
		if err := c.each(query+" AND "+t.alias+"."+t.id+" = ?", append(w.args[:len(w.args):len(w.args)], id), take); err != nil {
			return err
		}
	}
	for _, id := range *into {
		err := c.each("SELECT chunk_id, session FROM ltm_chunks WHERE row_id = ?", []any{id}, d.takeChunk(owned))
		if err != nil {
			return err
		}
	}
	return nil
}

func (d *doomed) takeChunk(owned map[int64]bool) func(*sqlite3.Stmt) error {
	return func(r *sqlite3.Stmt) error {
		if id := r.ColumnInt64(0); !owned[id] {
			owned[id] = true
			d.chunks = append(d.chunks, id)
			d.left[r.ColumnInt64(1)]--
		}
		return nil
	}
}

// doomChunks finds chunks whose rows may be gone already.
func (c *conn) doomChunks(d *doomed, w *where, ids []string, owned map[int64]bool) error {
	query := "SELECT k.chunk_id, k.session FROM ltm_chunks k JOIN ltm_sessions s USING (session) WHERE " + w.String()
	if len(ids) == 0 {
		return c.each(query, w.args, d.takeChunk(owned))
	}
	for _, id := range ids {
		if err := c.each(query+" AND k.row_id = ?", append(w.args[:len(w.args):len(w.args)], id), d.takeChunk(owned)); err != nil {
			return err
		}
	}
	return nil
}

// doomHidden finds the hidden rows of sessions that go.
func (c *conn) doomHidden(d *doomed) error {
	for _, session := range d.sessions {
		err := c.each("SELECT message_id, hook FROM ltm_messages WHERE session = ? AND hidden = 1", []any{session}, func(r *sqlite3.Stmt) error {
			d.hidden = append(d.hidden, r.ColumnText(0))
			d.origins = append(d.origins, merge.OriginsOf(raw(r, 1))...)
			return nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// orphans finds the sessions of which nothing would be left, and those that would lose something: their summaries may tell of it.
func (c *conn) orphans(d *doomed, s memory.Selection) error {
	for session := range d.left {
		n, _, err := c.number(`SELECT (SELECT count(*) FROM ltm_messages WHERE session = ?1 AND hidden = 0) + (SELECT count(*) FROM ltm_tool_calls
WHERE session = ?1) + (SELECT count(*) FROM ltm_chunks WHERE session = ?1)`, session)
		if err != nil {
			return err
		}
		if d.left[session]+int(n) <= 0 && !s.Anonymize {
			d.sessions = append(d.sessions, session)
			continue
		}
		d.blank = append(d.blank, session)
	}
	if err := c.doomHidden(d); err != nil || s.Text == "" {
		return err
	}
	var w where
	w.sessions(s.Filter)
	cond, args := contains([]string{"s.summary", "s.workspace_root"}, s.Text)
	w.and(cond, args...)
	return c.each("SELECT s.session FROM ltm_sessions s WHERE "+w.String(), w.args, func(r *sqlite3.Stmt) error {
		if n := r.ColumnInt64(0); !slices.Contains(d.blank, n) && !slices.Contains(d.sessions, n) {
			d.blank = append(d.blank, n)
		}
		return nil
	})
}
