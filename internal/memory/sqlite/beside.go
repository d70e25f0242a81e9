package sqlite

import (
	"slices"

	"github.com/ncruces/go-sqlite3"

	"github.com/boathook/boathook/internal/memory"
)

// The chunks before and after a place in a session, the nearest first.
const (
	chunksBefore = `SELECT chunk_id FROM ltm_chunks WHERE session = (SELECT session FROM ltm_sessions WHERE session_id = ?1) AND (ts, row_id, piece) < (?2, ?3, ?4)
ORDER BY ts DESC, row_id DESC, piece DESC LIMIT ?5`
	chunksAfter = `SELECT chunk_id FROM ltm_chunks WHERE session = (SELECT session FROM ltm_sessions WHERE session_id = ?1) AND (ts, row_id, piece) > (?2, ?3, ?4)
ORDER BY ts, row_id, piece LIMIT ?5`
)

// beside adds to the hits the chunks that stand around the first of them, as far as they aren't there already.
func (l *loader) beside(hits []memory.Hit) ([]memory.Hit, error) {
	if l.q.Around <= 0 {
		return hits, nil
	}
	have := make(map[int64]bool, len(hits))
	for _, h := range hits {
		have[h.ID] = true
	}
	for _, h := range slices.Clone(hits[:min(len(hits), memory.AroundHits)]) {
		for _, query := range []string{chunksBefore, chunksAfter} {
			var ids []int64
			place := []any{h.Session, nano(h.Time), h.Message + h.Call, h.Piece, l.q.Around}
			err := l.each(query, place, func(s *sqlite3.Stmt) error {
				ids = append(ids, s.ColumnInt64(0))
				return nil
			})
			if err != nil {
				return nil, err
			}
			for _, id := range ids {
				if have[id] {
					continue
				}
				have[id] = true
				other, ok, err := l.hit(id)
				if err != nil {
					return nil, err
				}
				if ok {
					hits = append(hits, other)
				}
			}
		}
	}
	return hits, nil
}
