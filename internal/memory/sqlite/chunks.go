package sqlite

import (
	"strconv"
	"strings"

	"github.com/ncruces/go-sqlite3"

	"github.com/boathook/boathook/internal/memory"
)

// separator stands between the terms of a chunk.
const separator = "\x1f"

func joinTerms(terms []string) string {
	return strings.Join(terms, separator)
}

func splitTerms(joined string) []string {
	if joined == "" {
		return nil
	}
	return strings.Split(joined, separator)
}

// token is what stands in the index for a term of a project: letters and digits alone, whatever the term is.
func token(project int64, term string) string {
	// FNV-1a.
	h := uint64(14695981039346656037)
	for i := range len(term) {
		h = (h ^ uint64(term[i])) * 1099511628211
	}
	// Its last bits alone are those of the last letter.
	h ^= h >> 32
	h *= 0x9E3779B97F4A7C15
	h ^= h >> 29
	var out [34]byte
	b := append(strconv.AppendInt(out[:0], project, 10), 'p')
	return string(strconv.AppendUint(b, h, 36))
}

// tokens are those of a chunk, each once.
func tokens(project int64, terms []string) string {
	seen := make(map[string]bool, len(terms))
	var out strings.Builder
	for _, t := range terms {
		if seen[t] {
			continue
		}
		seen[t] = true
		if out.Len() > 0 {
			out.WriteByte(' ')
		}
		out.WriteString(token(project, t))
	}
	return out.String()
}

// joinTags has each tag between spaces, so that one can be looked for.
func joinTags(tags []string) string {
	if len(tags) == 0 {
		return ""
	}
	return " " + strings.Join(tags, " ") + " "
}

// stored is a chunk that is there.
type stored struct {
	id, project int64
	text, terms string
}

// chunks makes the chunks of a row what they should be. One whose text has not changed stays the same chunk, with its vectors.
func (w *writer) chunks(s *session, row string, now []memory.Chunk) error {
	have := map[int]stored{}
	err := w.each(`SELECT c.piece, c.chunk_id, c.project, c.chunk_text, t.terms FROM ltm_chunks c JOIN ltm_terms t USING (chunk_id) WHERE c.row_id = ?`,
		[]any{row}, func(r *sqlite3.Stmt) error {
			have[r.ColumnInt(0)] = stored{r.ColumnInt64(1), r.ColumnInt64(2), r.ColumnText(3), r.ColumnText(4)}
			return nil
		})
	if err != nil {
		return err
	}
	for _, c := range now {
		terms := joinTerms(c.Terms)
		if old, there := have[c.Piece]; there && old.text == c.Text && old.terms == terms {
			delete(have, c.Piece)
			err := w.exec("UPDATE ltm_chunks SET role = ?, ts = ?, tool = ?, status = ?, tags = ?, command = ? WHERE chunk_id = ?",
				c.Role, nano(c.Time), c.Tool, c.Status, joinTags(c.Tags), c.Command, old.id)
			if err != nil {
				return err
			}
			continue
		} else if there {
			if err := w.removeChunk(old); err != nil {
				return err
			}
			delete(have, c.Piece)
		}
		if err := w.addChunk(s, row, c, terms); err != nil {
			return err
		}
	}
	for _, old := range have {
		if err := w.removeChunk(old); err != nil {
			return err
		}
	}
	return nil
}

func (w *writer) addChunk(s *session, row string, c memory.Chunk, terms string) error {
	err := w.exec(`INSERT INTO ltm_chunks (session, project, row_id, piece, role, ts, tool, status, tags, command, chunk_text)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`, s.number, s.project, row, c.Piece, c.Role, nano(c.Time), c.Tool, c.Status, joinTags(c.Tags), c.Command, c.Text)
	if err != nil {
		return err
	}
	id := w.db.LastInsertRowID()
	if err := w.exec("INSERT INTO ltm_terms (chunk_id, terms) VALUES (?, ?)", id, terms); err != nil {
		return err
	}
	w.added[s.project]++
	return w.exec("INSERT INTO ltm_index (rowid, tokens) VALUES (?, ?)", id, tokens(s.project, splitTerms(terms)))
}

func (w *writer) removeChunk(old stored) error {
	w.added[old.project]--
	err := w.exec("INSERT INTO ltm_index (ltm_index, rowid, tokens) VALUES ('delete', ?, ?)", old.id, tokens(old.project, splitTerms(old.terms)))
	if err != nil {
		return err
	}
	if err := w.exec("DELETE FROM ltm_terms WHERE chunk_id = ?", old.id); err != nil {
		return err
	}
	if err := w.removeVectors(old); err != nil {
		return err
	}
	return w.exec("DELETE FROM ltm_chunks WHERE chunk_id = ?", old.id)
}

// removeChunks removes those of a condition.
func (w *writer) removeChunks(cond string, args ...any) error {
	var gone []stored
	err := w.each("SELECT c.chunk_id, c.project, t.terms FROM ltm_chunks c JOIN ltm_terms t USING (chunk_id) WHERE c."+cond, args, func(r *sqlite3.Stmt) error {
		gone = append(gone, stored{id: r.ColumnInt64(0), project: r.ColumnInt64(1), terms: r.ColumnText(2)})
		return nil
	})
	for i := 0; err == nil && i < len(gone); i++ {
		err = w.removeChunk(gone[i])
	}
	return err
}

// moveChunks gives the chunks of a session to another project.
func (w *writer) moveChunks(session, from, to int64) error {
	var moved []stored
	err := w.each("SELECT c.chunk_id, t.terms FROM ltm_chunks c JOIN ltm_terms t USING (chunk_id) WHERE c.session = ?", []any{session}, func(r *sqlite3.Stmt) error {
		moved = append(moved, stored{id: r.ColumnInt64(0), project: from, terms: r.ColumnText(1)})
		return nil
	})
	for i := 0; err == nil && i < len(moved); i++ {
		m := moved[i]
		terms := splitTerms(m.terms)
		err = w.exec("INSERT INTO ltm_index (ltm_index, rowid, tokens) VALUES ('delete', ?, ?)", m.id, tokens(from, terms))
		if err == nil {
			err = w.exec("INSERT INTO ltm_index (rowid, tokens) VALUES (?, ?)", m.id, tokens(to, terms))
		}
		if err == nil {
			err = w.moveVectors(m.id, from, to)
		}
	}
	if err != nil {
		return err
	}
	w.added[from] -= int64(len(moved))
	w.added[to] += int64(len(moved))
	return w.exec("UPDATE ltm_chunks SET project = ? WHERE session = ?", to, session)
}
