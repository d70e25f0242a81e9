package postgres_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/boathook/boathook/internal/memory"
	store "github.com/boathook/boathook/internal/memory/postgres"
	"github.com/boathook/boathook/itest/postgres"
)

// many is a project with so many chunks that the index is used; BOATHOOK_TEST_CHUNKS makes it larger, for figures.
func many() int {
	if n, err := strconv.Atoi(os.Getenv("BOATHOOK_TEST_CHUNKS")); err == nil && n > 0 {
		return n
	}
	return 9000
}

// field are vectors in clusters, as those of texts are.
type field struct {
	*rand.Rand
	centres [][]float32
}

func newField(width int) *field {
	f := &field{Rand: rand.New(rand.NewPCG(1, 2))}
	for range 100 {
		v := make([]float32, width)
		for i := range v {
			v[i] = float32(f.NormFloat64())
		}
		f.centres = append(f.centres, v)
	}
	return f
}

func (f *field) vector() []float32 {
	v := slices.Clone(f.centres[f.IntN(len(f.centres))])
	for i := range v {
		v[i] += 0.7 * float32(f.NormFloat64())
	}
	return v
}

// fill makes a project of chunks that differ in their tools: 1 %, 6 % and 50 % of them have one.
func fill(t *testing.T, d *postgres.Database, s *store.Store, n, width int) *field {
	t.Helper()
	b := story("a")
	b.Messages, b.ToolCalls = b.Messages[:1], nil
	if _, err := s.Write(t.Context(), b); err != nil {
		t.Fatal(err)
	}
	d.Exec(t, fmt.Sprintf(`INSERT INTO ltm_chunks (tenant_id, project_no, session_id, row_id, row_group, piece, role, tool_name, chunk_text, terms, ts)
		SELECT 'default', s.project_no, s.session_id, 't' || n || '-1', 't' || n, 0, 'tool',
			CASE WHEN n %% 100 = 0 THEN 'one' WHEN n %% 100 <= 6 THEN 'six' WHEN n %% 100 <= 56 THEN 'half' ELSE 'rest' END, repeat('text ', 200), '', now()
		FROM ltm_sessions s, generate_series(1, %d) n;
		UPDATE ltm_projects SET chunks = (SELECT count(*) FROM ltm_chunks)`, n))
	f := newField(width)
	index, column := "idx_ltm_chunks_embedding", "ltm_chunks"
	if width != 1536 {
		d.Exec(t, fmt.Sprintf("SELECT ltm_make_width(%d)", width))
		column = fmt.Sprint("ltm_vectors_", width)
		index = "idx_" + column
	}
	d.Exec(t, "DROP INDEX "+index) // it is made faster of what is there
	for {
		some, err := s.Unembedded(t.Context(), "m", width, 500)
		if err != nil {
			t.Fatal(err)
		}
		if len(some) == 0 {
			d.Exec(t, fmt.Sprintf("SET maintenance_work_mem = '1GB'; CREATE INDEX %s ON %s USING hnsw ((embedding::halfvec(%d)) halfvec_cosine_ops)",
				index, column, width))
			d.Exec(t, "ANALYZE")
			return f
		}
		var out []memory.Embedding
		for _, c := range some {
			out = append(out, memory.Embedding{Chunk: c.ID, Vector: f.vector()})
		}
		if err := s.Embed(t.Context(), "m", width, out); err != nil {
			t.Fatal(err)
		}
	}
}

// TestRecall: of the ten nearest that a filter selects a search finds 95 %, whatever part of the chunks that is.
func TestRecall(t *testing.T) {
	d := postgres.Start(t, postgres.Options{Version: 17, Vector: true})
	s := migrated(t, d.DSN)
	width := 96
	if many() > 9000 {
		width = 1536
	}
	began := time.Now()
	f := fill(t, d, s, many(), width)
	t.Logf("%d vectors of %d numbers stored in %s", many(), width, time.Since(began).Round(time.Second))
	c, err := pgx.Connect(t.Context(), d.DSN)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close(context.Background())
	for _, tool := range []string{"one", "six", "half", ""} {
		in := shop()
		in.Tool = tool
		const questions = 30
		hit := 0
		var took []time.Duration
		for range questions {
			q := f.vector()
			want := exact(t, c, width, tool, q)
			start := time.Now()
			found, err := s.Find(t.Context(), memory.Query{Filter: in, Vector: q, Model: "m", Limit: 50})
			took = append(took, time.Since(start))
			if err != nil {
				t.Fatal(err)
			}
			for i := 1; i < len(found.Hits); i++ {
				if found.Hits[i].Distance < found.Hits[i-1].Distance {
					t.Fatal("they are not in the order of their distances")
				}
			}
			for _, h := range found.Hits[:min(10, len(found.Hits))] {
				if slices.Contains(want, h.ID) {
					hit++
				}
			}
		}
		slices.Sort(took)
		recall := float64(hit) / (10 * questions)
		t.Logf("tool %q: recall@10 %.3f, p50 %s, p95 %s", tool, recall, took[len(took)/2], took[len(took)*95/100])
		if recall < 0.95 {
			t.Errorf("tool %q: recall@10 is %.3f", tool, recall)
		}
	}
}

// exact are the ten nearest by comparing all.
func exact(t *testing.T, c *pgx.Conn, width int, tool string, q []float32) []int64 {
	t.Helper()
	from, column := fmt.Sprintf("ltm_vectors_%d v JOIN ltm_chunks c USING (chunk_id)", width), "v.embedding"
	if width == 1536 {
		from, column = "ltm_chunks c", "c.embedding"
	}
	rows, err := c.Query(t.Context(), "SELECT c.chunk_id FROM "+from+" WHERE ($1 = '' OR c.tool_name = $1) ORDER BY "+column+" <=> $2::text::vector, 1 LIMIT 10",
		tool, vectorText(q))
	if err != nil {
		t.Fatal(err)
	}
	ids, err := pgx.CollectRows(rows, pgx.RowTo[int64])
	if err != nil {
		t.Fatal(err)
	}
	return ids
}

func vectorText(v []float32) string {
	out := []byte{'['}
	for i, x := range v {
		if i > 0 {
			out = append(out, ',')
		}
		out = strconv.AppendFloat(out, float64(x), 'g', -1, 32)
	}
	return string(append(out, ']'))
}
