package postgres

import (
	"context"
	"errors"

	"github.com/jackc/pgx/v5"

	"github.com/boathook/boathook/internal/memory"
	"github.com/boathook/boathook/internal/memory/rank"
)

var errBoth = errors.New("terms and a vector are two questions")

// Find looks for chunks in two round trips: what there is, then the hits.
func (s *Store) Find(ctx context.Context, q memory.Query) (memory.Found, error) {
	const doing = "search PostgreSQL"
	if len(q.Terms) > 0 && len(q.Vector) > 0 {
		return memory.Found{}, errBoth
	}
	var found memory.Found
	var err error
	if len(q.Vector) > 0 {
		found, err = s.nearest(ctx, q)
	} else {
		found, err = s.matching(ctx, q)
	}
	return found, failed(doing, err)
}

// quick is how a search is planned: for the values that it is asked with, by indexes, and in the order in which it is written, which is
// right also where nobody has analysed the tables.
func quick() []setting {
	return []setting{
		{"plan_cache_mode", "force_custom_plan"}, {"random_page_cost", "1.1"}, {"enable_seqscan", "off"}, {"enable_hashjoin", "off"},
		{"enable_mergejoin", "off"}, {"enable_material", "off"}, {"join_collapse_limit", "1"}, {"from_collapse_limit", "1"}, {"jit", "off"}, {"max_parallel_workers_per_gather", "0"},
	}
}

// known are the projects of a filter.
type known struct {
	names     []string
	documents int
}

func (k *known) scan(r pgx.CollectableRow) error {
	var name string
	var n int
	err := r.Scan(&name, &n)
	k.names, k.documents = append(k.names, name), k.documents+n
	return err
}

const countProjects = "SELECT p.project_hash, p.chunks FROM ltm_projects p WHERE p.tenant_id = $1 AND ($2 OR p.project_hash = ANY ($3::text[]))"

func (k *known) ask(tenant string, f memory.Filter) statement {
	return statement{countProjects, []any{tenant, f.AllProjects, f.Projects}, k.scan}
}

// How far terms are counted: to the end in what is small, else until it is clear that a term is a common one.
const countTerms = `SELECT f.token, f.chunks FROM (SELECT coalesce(sum(p.chunks), 0) AS n FROM ltm_projects p
	WHERE p.tenant_id = $1 AND ($2 OR p.project_hash = ANY ($3::text[]))) AS d,
	ltm_frequency($1, $4::bigint[], (CASE WHEN d.n <= 20000 THEN d.n + 1 ELSE d.n / 20 + 1000 END)::integer) AS f`

// matching finds by terms.
func (s *Store) matching(ctx context.Context, q memory.Query) (found memory.Found, err error) {
	f, err := s.ready(ctx)
	if err != nil {
		return found, err
	}
	k := known{}
	projects := q.Projects
	if q.AllProjects { // the tokens of all of them: their names have to be known
		if err := s.ask(ctx, nil, k.ask(f.tenant, q.Filter)); err != nil {
			return found, err
		}
		projects, k = k.names, known{}
	}
	asked := make([]int64, 0, len(projects)*len(q.Terms))
	names := map[int64]string{}
	for _, p := range projects {
		for _, term := range q.Terms {
			t := token(p, term)
			names[t] = term
			asked = append(asked, t)
		}
	}
	found.Frequency = make(map[string]int, len(q.Terms))
	for _, term := range q.Terms {
		found.Frequency[term] = 0
	}
	err = s.ask(ctx, quick(), k.ask(f.tenant, q.Filter),
		statement{countTerms, []any{f.tenant, q.AllProjects, q.Projects, asked}, func(r pgx.CollectableRow) error {
			var t int64
			var n int
			err := r.Scan(&t, &n)
			found.Frequency[names[t]] += n
			return err
		}})
	found.Documents = k.documents
	if err != nil || found.Documents == 0 || q.Limit <= 0 {
		return found, err
	}
	found.Hits, err = s.candidates(ctx, f, q, projects, found)
	return found, err
}

// candidates are the chunks that have the terms which rank chooses, those first whose terms weigh most.
func (s *Store) candidates(ctx context.Context, f *features, q memory.Query, projects []string, found memory.Found) (hits []memory.Hit, err error) {
	var tokens []int64
	var weights []float64
	for _, term := range rank.Prune(q.Terms, found.Frequency, found.Documents) {
		weight := rank.IDF(found.Frequency[term], found.Documents)
		for _, p := range projects {
			tokens, weights = append(tokens, token(p, term)), append(weights, weight)
		}
	}
	if len(tokens) == 0 {
		return nil, nil
	}
	w := f.in("c")
	from := "ltm_candidates($1, " + w.arg(tokens) + "::bigint[], " + w.arg(weights) + "::float8[])"
	w.chunks(q.Filter)
	sql := `WITH found AS MATERIALIZED (SELECT h.chunk_id, h.place, 0::float8 AS distance FROM ` + from + ` WITH ORDINALITY AS h(chunk_id, score, place)` +
		foundChunk + sessionOfChunk + ` WHERE ` + w.String() + ` ORDER BY h.place LIMIT ` + w.arg(q.Limit) + `), near AS MATERIALIZED (SELECT * FROM found` + around(w, q.Around) + `) SELECT ` +
		hitColumns + hitJoins
	err = s.ask(ctx, quick(), statement{sql, w.args, collectHits(&hits)})
	return hits, err
}

// around adds the chunks that stand around the best of those found, as far as the filter selects them.
func around(w *where, places int) string {
	if places <= 0 {
		return ""
	}
	selected := w.String()
	limit, first := w.arg(places), w.arg(memory.AroundHits)
	// Behind all hits: by the hit that they stand around, those before it first, and the nearest first.
	return ` UNION ALL SELECT chunk_id, min(place), 0::float8 FROM (
	SELECT n.chunk_id, 1000000000 + place.n * 1000000 + n.place AS place
	FROM (SELECT f.chunk_id, row_number() OVER (ORDER BY f.place) AS n FROM found f ORDER BY f.place LIMIT ` + first + `) AS place
	CROSS JOIN LATERAL (SELECT * FROM ltm_chunks x WHERE x.chunk_id = place.chunk_id AND x.tenant_id = $1 LIMIT 1) AS h
	CROSS JOIN LATERAL (
		(SELECT b.chunk_id, row_number() OVER (ORDER BY b.ts DESC, b.row_id DESC, b.piece DESC) AS place FROM ltm_chunks b
			WHERE b.tenant_id = h.tenant_id AND b.session_id = h.session_id AND NOT b.gone AND (b.ts, b.row_id, b.piece) < (h.ts, h.row_id, h.piece)
			ORDER BY b.ts DESC, b.row_id DESC, b.piece DESC LIMIT ` + limit + `)
		UNION ALL (SELECT a.chunk_id, 1000 + row_number() OVER (ORDER BY a.ts, a.row_id, a.piece) FROM ltm_chunks a
			WHERE a.tenant_id = h.tenant_id AND a.session_id = h.session_id AND NOT a.gone AND (a.ts, a.row_id, a.piece) > (h.ts, h.row_id, h.piece)
			ORDER BY a.ts, a.row_id, a.piece LIMIT ` + limit + `)) AS n
	CROSS JOIN LATERAL (SELECT * FROM ltm_chunks x WHERE x.chunk_id = n.chunk_id AND x.tenant_id = $1 LIMIT 1) AS c` + sessionOfChunk + `
	WHERE ` + selected + ` AND NOT EXISTS (SELECT FROM found f WHERE f.chunk_id = c.chunk_id)) AS beside GROUP BY chunk_id`
}

func collectHits(hits *[]memory.Hit) func(pgx.CollectableRow) error {
	return func(r pgx.CollectableRow) error {
		var h memory.Hit
		err := scanHit(r, &h)
		*hits = append(*hits, h)
		return err
	}
}
