package postgres

import (
	"context"
	"fmt"
	"math"
	"strconv"

	"github.com/jackc/pgx/v5"

	"github.com/boathook/boathook/internal/memory"
)

const (
	// columnWidth is the width of the vectors that stand in ltm_chunks itself.
	columnWidth = 1536
	// exactMost is how many chunks the projects of a question may have to be compared with all of them.
	exactMost = 8000
	// widestHalf is up to which width halfvec has an index, widest that of vector.
	widestHalf, widestFull = 4000, 2000
)

// space is where the vectors of one width are.
type space struct {
	*features
	width int
}

// table is the table, from are the chunks c with their vectors v.
func (p space) table() string {
	if p.width == columnWidth {
		return "ltm_chunks"
	}
	return fmt.Sprintf("ltm_vectors_%d", p.width)
}

func (p space) from() string {
	if p.width == columnWidth {
		return "ltm_chunks c"
	}
	return p.table() + " v JOIN ltm_chunks c ON c.chunk_id = v.chunk_id"
}

func (p space) column(name string) string {
	if p.width == columnWidth {
		return "c." + name
	}
	return "v." + name
}

// distance is the cosine distance from a parameter: by all of a vector's numbers, or as the index has it.
func (p space) distance(parameter string, byIndex bool) string {
	kind := "vector"
	if byIndex && p.halfvec {
		kind = "halfvec"
	}
	kind = fmt.Sprintf("%s.%s(%d)", p.vector, kind, p.width)
	column := p.column("embedding")
	if byIndex && p.halfvec {
		column = "(" + column + "::" + kind + ")"
	}
	return fmt.Sprintf("%s OPERATOR(%s.<=>) %s::%s", column, p.vector, parameter, kind)
}

func (p space) indexed() bool {
	return p.width <= widestFull || p.halfvec && p.width <= widestHalf
}

// nearest finds by a vector: among few chunks by comparing all, among many by the index, which is followed until enough of what
// it brings is selected.
func (s *Store) nearest(ctx context.Context, q memory.Query) (found memory.Found, err error) {
	f, err := s.vectors(ctx)
	if err != nil {
		return found, err
	}
	if err := checkVector(q.Vector, len(q.Vector)); err != nil {
		return found, err
	}
	p, k, there := space{f, len(q.Vector)}, known{}, false
	ask := []statement{k.ask(f.tenant, q.Filter), {"SELECT to_regclass($1) IS NOT NULL", []any{p.table()}, func(r pgx.CollectableRow) error {
		return r.Scan(&there)
	}}}
	most := exactMost + 1
	if q.Tool != "" { // an index says how many those of a tool are, so that few of them are not looked for among many
		w := f.in("c").alone(q.Filter)
		ask = append(ask, statement{"SELECT count(*) FROM (SELECT FROM ltm_chunks c WHERE " + w.String() + " LIMIT " + w.arg(most) + ") AS found", w.args,
			func(r pgx.CollectableRow) error { return r.Scan(&most) }})
	}
	err = s.ask(ctx, quick(), ask...)
	found.Documents = k.documents
	if err != nil || !there || found.Documents == 0 || q.Limit <= 0 {
		return found, err
	}
	if min(found.Documents, most) > exactMost && q.Session == "" && p.indexed() {
		found.Hits, err = s.byVector(ctx, p, q, true)
		if err != nil || len(found.Hits) >= q.Limit {
			return found, err
		}
		// The index gave up before there were enough: what is asked for is rare, or there is no more.
	}
	found.Hits, err = s.byVector(ctx, p, q, false)
	return found, err
}

func (s *Store) byVector(ctx context.Context, p space, q memory.Query, byIndex bool) (hits []memory.Hit, err error) {
	w := p.in("c")
	vector := w.arg(literal(q.Vector))
	w.and(p.column("embedding_model")+" = %s", q.Model)
	if p.width == columnWidth {
		w.and("c.embedding IS NOT NULL")
	}
	w.alone(q.Filter)
	limit := q.Limit
	if byIndex {
		limit = q.Limit * 2 // halves are a little less exact: the best of more are compared once again
	}
	distance := p.distance(vector, byIndex)
	sql := `WITH chosen AS MATERIALIZED (SELECT c.chunk_id, ` + distance + ` AS distance FROM ` + p.from() + ` WHERE ` + w.String() +
		` ORDER BY ` + distance + ` LIMIT ` + w.arg(limit) + `),
near AS MATERIALIZED (SELECT chunk_id, distance, row_number() OVER (ORDER BY distance, chunk_id) AS place FROM (`
	if byIndex {
		sql += `SELECT c.chunk_id, ` + p.distance(vector, false) + ` AS distance FROM chosen, ` + p.from() + ` WHERE c.chunk_id = chosen.chunk_id`
		if p.width != columnWidth {
			sql += ` AND v.embedding_model = ` + w.arg(q.Model)
		}
	} else {
		sql += `SELECT chunk_id, distance FROM chosen`
	}
	sql += `) AS all_of_them ORDER BY 2, 1 LIMIT ` + w.arg(q.Limit) + `) SELECT ` + hitColumns + hitJoins
	err = s.ask(ctx, p.settings(byIndex, limit), statement{sql, w.args, collectHits(&hits)})
	return hits, err
}

// settings make the planner do what is meant, in the one transaction alone.
func (p space) settings(byIndex bool, limit int) []setting {
	out := quick()
	if !byIndex {
		return out
	}
	out = append(out, setting{"enable_sort", "off"}, setting{"enable_bitmapscan", "off"}, // the order has to come from the index
		setting{"hnsw.ef_search", strconv.Itoa(min(max(limit, 200), 1000))})
	if p.iterative {
		out = append(out, setting{"hnsw.iterative_scan", "relaxed_order"}, setting{"hnsw.max_scan_tuples", "40000"},
			setting{"hnsw.scan_mem_multiplier", "4"})
	}
	return out
}

// literal is a vector as text.
func literal(v []float32) string {
	out := make([]byte, 0, 12*len(v))
	out = append(out, '[')
	for i, x := range v {
		if i > 0 {
			out = append(out, ',')
		}
		out = strconv.AppendFloat(out, float64(x), 'g', -1, 32)
	}
	return string(append(out, ']'))
}

func checkVector(v []float32, width int) error {
	if len(v) == 0 || len(v) != width || width > 16000 {
		return fmt.Errorf("%w: a vector of %d numbers for a width of %d", memory.ErrPoison, len(v), width)
	}
	for _, x := range v {
		if f := float64(x); math.IsNaN(f) || math.IsInf(f, 0) {
			return fmt.Errorf("%w: a vector with %v in it", memory.ErrPoison, x)
		}
	}
	return nil
}
