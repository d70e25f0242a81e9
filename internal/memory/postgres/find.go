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

// quick is how a search is planned: for the values that it is asked with, and by indexes.
func quick() []setting {
	return []setting{
		{"plan_cache_mode", "force_custom_plan"}, {"random_page_cost", "1.1"}, {"enable_seqscan", "off"}, {"enable_hashjoin", "off"},
		{"enable_mergejoin", "off"}, {"jit", "off"}, {"max_parallel_workers_per_gather", "0"},
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
	sql := `WITH near AS MATERIALIZED (SELECT h.chunk_id, h.place, 0::float8 AS distance FROM ` + from + ` WITH ORDINALITY AS h(chunk_id, score, place)
JOIN ltm_chunks c ON c.chunk_id = h.chunk_id JOIN ltm_sessions s ON s.tenant_id = c.tenant_id AND s.session_id = c.session_id
WHERE ` + w.String() + ` ORDER BY h.place LIMIT ` + w.arg(q.Limit) + `) SELECT ` + hitColumns + hitJoins
	err = s.ask(ctx, quick(), statement{sql, w.args, collectHits(&hits)})
	return hits, err
}

func collectHits(hits *[]memory.Hit) func(pgx.CollectableRow) error {
	return func(r pgx.CollectableRow) error {
		var h memory.Hit
		err := scanHit(r, &h)
		*hits = append(*hits, h)
		return err
	}
}
