package sqlite

import (
	"cmp"
	"context"
	"errors"
	"math"
	"slices"

	"github.com/ncruces/go-sqlite3"

	"github.com/boathook/boathook/internal/memory"
	"github.com/boathook/boathook/internal/memory/rank"
)

// What a search may cost, whatever was asked and however much there is.
const (
	// A term that stands in more than one of commonPart chunks is common, but not one that stands in less than rare: of a common one only
	// the newest chunks are looked at.
	commonPart, rare = 20, 200
	// maxPostings is how many chunks of a term are looked at, the newest; of a question that also asks for something else than
	// projects and a time since when it is more.
	maxPostings, morePostings = 5_000, 200_000
)

var errBoth = errors.New("terms and a vector are two questions")

// Find looks for chunks in the filter's projects: by terms those that have the rarest of them, by a vector the nearest.
func (s *Store) Find(ctx context.Context, q memory.Query) (found memory.Found, err error) {
	if len(q.Terms) > 0 && len(q.Vector) > 0 {
		return found, errBoth
	}
	err = s.reading(ctx, "search", func(c *conn) error {
		in, err := c.scope(q.Filter)
		if err != nil {
			return err
		}
		for _, n := range in.chunks {
			found.Documents += int(n)
		}
		l := newLoader(c, in, q)
		if found.Documents == 0 || q.Limit <= 0 {
			return nil
		}
		if len(q.Vector) > 0 {
			found.Hits, err = l.nearest(q)
			return err
		}
		postings, err := c.postings(in, q)
		if err != nil {
			return err
		}
		found.Frequency = make(map[string]int, len(postings))
		for _, p := range postings {
			found.Frequency[p.term] = p.frequency
		}
		if found.Hits, err = l.load(candidates(postings, found.Frequency, found.Documents), q.Limit); err != nil {
			return err
		}
		found.Hits, err = l.beside(found.Hits)
		return err
	})
	return found, err
}

// posting are the chunks that a term stands in, the newest first.
type posting struct {
	term      string
	chunks    []int64
	frequency int
}

// postings reads where each term stands.
func (c *conn) postings(in scope, q memory.Query) ([]posting, error) {
	if err := c.searching(); err != nil {
		return nil, err
	}
	most := maxPostings
	if f := q.Filter; f.Role != "" || f.Tool != "" || f.Status != "" || f.Tag != "" || f.Agent != "" || !f.Until.IsZero() {
		most = morePostings
	}
	low, high := int64(0), int64(math.MaxInt64)
	if q.Session != "" {
		err := c.each("SELECT min(chunk_id), max(chunk_id) FROM ltm_chunks WHERE session = (SELECT session FROM ltm_sessions WHERE session_id = ?)",
			[]any{q.Session}, func(s *sqlite3.Stmt) error {
				low, high = s.ColumnInt64(0), s.ColumnInt64(1)
				return nil
			})
		if err != nil {
			return nil, err
		}
	}
	out := make([]posting, 0, len(q.Terms))
	for _, term := range q.Terms {
		p := posting{term: term}
		for _, project := range in.order {
			limit := most
			if most == maxPostings {
				limit = min(max(int(in.chunks[project])/commonPart, rare), maxPostings)
			}
			if err := c.posting(&p, project, in.chunks[project], low, high, limit); err != nil {
				return nil, err
			}
		}
		out = append(out, p)
	}
	return out, nil
}

// posting reads where a term stands in one project. Of a common term only the newest chunks are read: how many there are is
// reckoned from how far back those reach.
func (c *conn) posting(p *posting, project, chunks, low, high int64, limit int) error {
	before := len(p.chunks)
	err := c.each("SELECT rowid FROM ltm_index WHERE ltm_index MATCH ? AND rowid BETWEEN ? AND ? ORDER BY rowid DESC LIMIT ?",
		[]any{token(project, p.term), low, high, limit}, func(s *sqlite3.Stmt) error {
			p.chunks = append(p.chunks, s.ColumnInt64(0))
			return nil
		})
	n := len(p.chunks) - before
	if err != nil || n < limit {
		p.frequency += n
		return err
	}
	first, last, err := c.span(project)
	if err != nil {
		return err
	}
	reach := float64(last-p.chunks[len(p.chunks)-1]+1) / float64(max(last-first+1, 1))
	p.frequency += min(max(int(float64(n)/min(reach, 1)), n), int(chunks))
	return nil
}

// span are the first and the last chunk of a project, nearly: those of its first and its last session.
func (c *conn) span(project int64) (first, last int64, err error) {
	err = c.each(`SELECT (SELECT min(chunk_id) FROM ltm_chunks WHERE session = (SELECT min(session) FROM ltm_sessions WHERE project = ?1)),
(SELECT max(chunk_id) FROM ltm_chunks WHERE session = (SELECT max(session) FROM ltm_sessions WHERE project = ?1))`, []any{project},
		func(s *sqlite3.Stmt) error {
			first, last = s.ColumnInt64(0), s.ColumnInt64(1)
			return nil
		})
	return first, last, err
}

// candidate is a chunk that may be a hit.
type candidate struct {
	chunk int64
	score float64
}

// candidates are the chunks in which the terms stand that rank.Prune selects, the best first.
func candidates(postings []posting, frequency map[string]int, documents int) []candidate {
	of := make(map[string][]int64, len(postings))
	terms := make([]string, len(postings))
	for i, p := range postings {
		terms[i], of[p.term] = p.term, p.chunks
	}
	scores := map[int64]float64{}
	for _, term := range rank.Prune(terms, frequency, documents) {
		weight := rank.IDF(frequency[term], documents)
		for _, id := range of[term] {
			scores[id] += weight
		}
	}
	out := make([]candidate, 0, len(scores))
	for id, score := range scores {
		out = append(out, candidate{id, score})
	}
	slices.SortFunc(out, func(a, b candidate) int {
		return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(b.chunk, a.chunk))
	})
	return out
}
