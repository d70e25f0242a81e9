package sqlite

import (
	"context"
	"os"

	"github.com/ncruces/go-sqlite3"

	"github.com/boathook/boathook/internal/memory"
)

// Stats counts what the filter selects; the bytes are those of the files.
func (s *Store) Stats(ctx context.Context, f memory.Filter) (memory.Stats, error) {
	out := memory.Stats{Backend: "sqlite", Version: latest, Vectors: true}
	for _, suffix := range []string{"", "-wal"} {
		if fi, err := os.Stat(s.path + suffix); err == nil {
			out.Bytes += fi.Size()
		}
	}
	err := s.reading(ctx, "count what is in", func(c *conn) error { return c.stats(f, &out) })
	return out, err
}

func (c *conn) stats(f memory.Filter, out *memory.Stats) error {
	var sessions, messages, calls, chunks where
	sessions.sessions(f)
	sessions.times("s.sort_at", f)
	messages.messages(f)
	calls.calls(f)
	chunks.chunks(f)
	var projects int
	for _, q := range []struct {
		query string
		args  []any
		into  *int
	}{
		{"SELECT count(DISTINCT s.project), 0, 0 FROM ltm_sessions s WHERE " + sessions.String(), sessions.args, &projects},
		{"SELECT count(*), 0, 0 FROM ltm_sessions s WHERE " + sessions.String(), sessions.args, &out.Sessions},
		{"SELECT count(*), min(nullif(m.ts, 0)), max(m.ts) FROM ltm_messages m JOIN ltm_sessions s USING (session) WHERE " + messages.String(), messages.args, &out.Messages},
		{"SELECT count(*), min(nullif(c.ts, 0)), max(c.ts) FROM ltm_tool_calls c JOIN ltm_sessions s USING (session) WHERE " + calls.String(), calls.args, &out.ToolCalls},
		{"SELECT count(*), min(nullif(k.ts, 0)), max(k.ts) FROM ltm_chunks k JOIN ltm_sessions s USING (session) WHERE " + chunks.String(), chunks.args, &out.Chunks},
	} {
		err := c.each(q.query, q.args, func(s *sqlite3.Stmt) error {
			*q.into = s.ColumnInt(0)
			if first := fromNano(s.ColumnInt64(1)); !first.IsZero() && (out.Oldest.IsZero() || first.Before(out.Oldest)) {
				out.Oldest = first
			}
			if last := fromNano(s.ColumnInt64(2)); last.After(out.Newest) {
				out.Newest = last
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	out.Projects = projects
	return c.embedded(&chunks, out)
}

// embedded counts chunks that have a vector, by model.
func (c *conn) embedded(chunks *where, out *memory.Stats) error {
	names, all, err := c.models()
	for i := 0; err == nil && i < len(all); i++ {
		var n int64
		n, _, err = c.number("SELECT count(*) FROM "+all[i].bits()+" v JOIN ltm_chunks k USING (chunk_id) JOIN ltm_sessions s USING (session) WHERE "+
			chunks.String(), chunks.args...)
		if n > 0 {
			if out.Embedded == nil {
				out.Embedded = map[string]int{}
			}
			out.Embedded[names[i]] += int(n)
		}
	}
	return err
}
