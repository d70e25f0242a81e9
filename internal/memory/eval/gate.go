package eval

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/boathook/boathook/internal/memory"
	"github.com/boathook/boathook/internal/memory/rank"
	"github.com/boathook/boathook/internal/memory/terms"
)

// What every store must reach on the generated corpus, by words alone.
const (
	GateTurnAt10    = 0.75
	GateSessionAt5  = 0.90
	GateMRR         = 0.55
	GateKoreanAt5   = 0.90 // of sessions
	GateDifference  = 0.02 // between two stores, in each of them
	GateLeakQueries = 10_000
)

// T is what Gate needs of a test: *testing.T has it.
type T interface {
	Helper()
	Context() context.Context
	Logf(format string, args ...any)
	Errorf(format string, args ...any)
	Fatalf(format string, args ...any)
}

// Gate writes the generated corpus to an empty store, asks its questions, and fails the test where the answers are not good
// enough, or where one of so many random questions within a project is answered with another's past. It returns the report, for Compare
// with another store's.
func Gate(t T, store memory.Store, leakQueries int, clock func() time.Time) Report {
	t.Helper()
	turns, questions := Generate(Seed)
	l, err := Load(t.Context(), store, turns, nil)
	if err != nil {
		t.Fatalf("%v", err)
	}
	r, err := l.Run(t.Context(), store, questions, Options{Clock: clock})
	if err != nil {
		t.Fatalf("%v", err)
	}
	t.Logf("%d turns, %d sessions, %d questions: turn recall@10 %.3f, session recall@5 %.3f, MRR %.3f; Korean session recall@5 %.3f; p95 %.2f ms",
		r.Turns, r.Sessions, r.All.Questions, r.All.Turn.At10, r.All.Session.At5, r.All.MRR, r.Korean.Session.At5, r.Latency.P95)
	for _, c := range []struct {
		what        string
		is, atLeast float64
	}{
		{"turn recall@10", r.All.Turn.At10, GateTurnAt10},
		{"session recall@5", r.All.Session.At5, GateSessionAt5},
		{"MRR", r.All.MRR, GateMRR},
		{"Korean session recall@5", r.Korean.Session.At5, GateKoreanAt5},
	} {
		if c.is < c.atLeast {
			t.Errorf("%s is %.4f, and must be %.2f", c.what, c.is, c.atLeast)
		}
	}
	leaks, err := l.Leaks(t.Context(), store, leakQueries, Seed)
	if err != nil {
		t.Fatalf("%v", err)
	}
	for _, text := range leaks {
		t.Errorf("%s", text)
	}
	return r
}

// Compare fails the test where two stores' answers to the same questions differ in quality.
func Compare(t T, a, b Report) {
	t.Helper()
	for _, c := range []struct {
		what string
		a, b float64
	}{
		{"turn recall@10", a.All.Turn.At10, b.All.Turn.At10},
		{"session recall@5", a.All.Session.At5, b.All.Session.At5},
		{"MRR", a.All.MRR, b.All.MRR},
		{"Korean session recall@5", a.Korean.Session.At5, b.Korean.Session.At5},
	} {
		if math.Abs(c.a-c.b) > GateDifference {
			t.Errorf("%s is %.4f and %.4f: they may differ by %.2f", c.what, c.a, c.b, GateDifference)
		}
	}
}

// askers is how many random questions are asked at a time.
const askers = 4

// Leaks asks random questions, made of words of all projects, each within one of them, and tells of every hit that is another
// project's: at most ten of them.
func (l *Loaded) Leaks(ctx context.Context, store memory.Store, queries int, seed uint64) ([]string, error) {
	var projects []string
	for p := range l.texts {
		projects = append(projects, p)
	}
	slices.Sort(projects)
	rng := rand.New(rand.NewPCG(seed, 1))
	asked := make([]memory.Query, queries)
	for n := range asked {
		p := projects[rng.IntN(len(projects))]
		asked[n] = memory.Query{Filter: memory.Filter{Projects: []string{p}}, Terms: terms.Query(l.randomWords(rng, projects)), Limit: 20, Around: rank.Around}
	}
	out, errs := make([][]string, askers), make([]error, askers)
	var all sync.WaitGroup
	for a := range askers {
		all.Go(func() {
			for n := a; n < queries && len(out[a]) < 10 && errs[a] == nil; n += askers {
				if text, err := l.leak(ctx, store, asked[n]); err != nil {
					errs[a] = fmt.Errorf("ask random question %d: %w", n+1, err)
				} else if text != "" {
					out[a] = append(out[a], text)
				}
			}
		})
	}
	all.Wait()
	leaks := slices.Concat(out...)
	return leaks[:min(len(leaks), 10)], errors.Join(errs...)
}

// leak asks one question, and tells of a hit that is another project's.
func (l *Loaded) leak(ctx context.Context, store memory.Store, q memory.Query) (string, error) {
	if len(q.Terms) == 0 {
		return "", nil
	}
	found, err := store.Find(ctx, q)
	if err != nil {
		return "", err
	}
	for _, h := range found.Hits {
		if p := q.Projects[0]; h.Project != p || l.projects[h.Session] != p {
			return fmt.Sprintf("a question in %s is answered by %s of %s", p, h.Session, l.projects[h.Session]), nil
		}
	}
	return "", nil
}

func (l *Loaded) randomWords(rng *rand.Rand, projects []string) string {
	var words []string
	for range 1 + rng.IntN(5) {
		texts := l.texts[projects[rng.IntN(len(projects))]]
		fields := strings.Fields(texts[rng.IntN(len(texts))])
		if len(fields) > 0 {
			words = append(words, fields[rng.IntN(len(fields))])
		}
	}
	return strings.Join(words, " ")
}
