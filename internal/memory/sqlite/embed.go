package sqlite

import (
	"context"
	"encoding/binary"
	"fmt"

	"github.com/ncruces/go-sqlite3"

	"github.com/boathook/boathook/internal/memory"
)

// Unembedded lists chunks without a vector of a model, the oldest first.
func (s *Store) Unembedded(ctx context.Context, name string, width, limit int) (out []memory.Chunk, err error) {
	err = s.reading(ctx, "look for chunks without a vector in", func(c *conn) error {
		m, err := c.model(name, width)
		if err != nil {
			return err
		}
		in, err := c.scope(memory.Filter{AllProjects: true})
		if err != nil {
			return err
		}
		missing := ""
		if m.number != 0 {
			missing = "AND NOT EXISTS (SELECT 1 FROM " + m.vectors() + " v WHERE v.chunk_id = k.chunk_id)"
		}
		l := newLoader(c, in, memory.Query{})
		var sessions []int64
		err = c.each("SELECT "+chunkColumns+" FROM ltm_chunks k WHERE chunk_id > ? "+missing+" ORDER BY chunk_id LIMIT ?", []any{m.done, max(limit, 0)},
			func(s *sqlite3.Stmt) error {
				chunk := chunkOf(s)
				chunk.Project = in.names[s.ColumnInt64(2)]
				out, sessions = append(out, chunk), append(sessions, s.ColumnInt64(1))
				return nil
			})
		for i := 0; err == nil && i < len(out); i++ {
			var o owner
			o, err = l.owner(sessions[i])
			out[i].Session, out[i].Agent = o.id, o.agent
		}
		return err
	})
	return out, err
}

// Embed gives chunks their vectors. Those that are not there any more are passed over.
func (s *Store) Embed(ctx context.Context, name string, width int, vectors []memory.Embedding) error {
	for _, v := range vectors {
		err := checkVector(v.Vector)
		if err == nil && len(v.Vector) != width {
			err = fmt.Errorf("%w: %d numbers", memory.ErrPoison, len(v.Vector))
		}
		if err != nil {
			return fmt.Errorf("embed chunk %d with %s, width %d: %w", v.Chunk, name, width, err)
		}
	}
	return s.writing(ctx, "embed in", func(c *conn) error {
		m, err := c.makeModel(name, width)
		if err != nil {
			return err
		}
		for _, v := range vectors {
			if err := c.embed(m, v); err != nil {
				return err
			}
		}
		return c.exec(`UPDATE ltm_models SET done = ifnull((SELECT min(k.chunk_id) FROM ltm_chunks k WHERE k.chunk_id > ?1 AND NOT EXISTS
(SELECT 1 FROM `+m.vectors()+` v WHERE v.chunk_id = k.chunk_id)) - 1, (SELECT max(chunk_id) FROM ltm_chunks)) WHERE number = ?2 AND EXISTS
(SELECT 1 FROM ltm_chunks)`, m.done, m.number)
	})
}

func (c *conn) embed(m model, v memory.Embedding) error {
	project, there, err := c.number("SELECT project FROM ltm_chunks WHERE chunk_id = ?", v.Chunk)
	if err != nil || !there {
		return err
	}
	unit := normalize(v.Vector)
	raw := make([]byte, 0, 2*len(unit))
	for _, x := range unit {
		raw = appendHalf(raw, x)
	}
	if err := c.exec("INSERT OR REPLACE INTO "+m.vectors()+" (chunk_id, vector) VALUES (?, ?)", v.Chunk, raw); err != nil {
		return err
	}
	var quick []byte
	for _, w := range signs(unit) {
		quick = binary.LittleEndian.AppendUint64(quick, w)
	}
	return c.exec("INSERT OR REPLACE INTO "+m.bits()+" (project, chunk_id, bits) VALUES (?, ?, ?)", project, v.Chunk, quick)
}

// makeModel makes the tables of a model that has none.
func (c *conn) makeModel(name string, width int) (model, error) {
	m, err := c.model(name, width)
	if err != nil || m.number != 0 {
		return m, err
	}
	if err := c.exec("INSERT INTO ltm_models (model, width) VALUES (?, ?)", name, width); err != nil {
		return m, err
	}
	m = model{number: c.db.LastInsertRowID(), width: width}
	return m, c.db.Exec("CREATE TABLE " + m.bits() + ` (project INTEGER NOT NULL, chunk_id INTEGER NOT NULL, bits BLOB NOT NULL,
PRIMARY KEY (project, chunk_id)) WITHOUT ROWID; CREATE TABLE ` + m.vectors() + " (chunk_id INTEGER PRIMARY KEY, vector BLOB NOT NULL)")
}

// removeVectors removes the vectors of a chunk.
func (w *writer) removeVectors(old stored) error {
	return w.eachModel(func(m model) error {
		if err := w.exec("DELETE FROM "+m.vectors()+" WHERE chunk_id = ?", old.id); err != nil {
			return err
		}
		return w.exec("DELETE FROM "+m.bits()+" WHERE project = ? AND chunk_id = ?", old.project, old.id)
	})
}

// moveVectors gives the vectors of a chunk to another project.
func (w *writer) moveVectors(chunk, from, to int64) error {
	return w.eachModel(func(m model) error {
		return w.exec("UPDATE "+m.bits()+" SET project = ? WHERE project = ? AND chunk_id = ?", to, from, chunk)
	})
}

func (w *writer) eachModel(f func(model) error) error {
	if !w.modelsRead {
		_, all, err := w.conn.models()
		if err != nil {
			return err
		}
		w.known, w.modelsRead = all, true
	}
	for _, m := range w.known {
		if err := f(m); err != nil {
			return err
		}
	}
	return nil
}
