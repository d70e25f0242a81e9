package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"net"
	"net/http"
	"slices"
	"sync"
	"text/tabwriter"
	"time"

	"github.com/boathook/boathook/internal/memory"
	"github.com/boathook/boathook/internal/memory/project"
)

const (
	vectorWidth = 1536
	vectorModel = "bench"
	// leastRecall is how much of the ten nearest has to be found.
	leastRecall = 0.95
	nearestFew  = 10
	// unfiltered is shown and not judged.
	unfiltered = "all"
)

// field draws vectors: around centres, as those of texts stand around what they are about, or without any, in all directions alike.
type field struct {
	r       *rand.Rand
	centres [][]float32
}

func newField(seed uint64, centres int) *field {
	f := &field{r: rand.New(rand.NewPCG(seed, 2))}
	for range centres {
		f.centres = append(f.centres, f.noise(1))
	}
	return f
}

func (f *field) noise(scale float64) []float32 {
	v := make([]float32, vectorWidth)
	for i := range v {
		v[i] = float32(scale * f.r.NormFloat64())
	}
	return v
}

// draw is a vector of length one.
func (f *field) draw() []float32 {
	v := f.noise(0.7)
	if len(f.centres) > 0 {
		for i, x := range f.centres[f.r.IntN(len(f.centres))] {
			v[i] += x
		}
	}
	length := float32(math.Sqrt(dot(v, v)))
	for i := range v {
		v[i] /= length
	}
	return v
}

func dot(a, b []float32) float64 {
	var s0, s1, s2, s3 float32
	for i := 0; i+3 < len(a); i += 4 {
		s0 += a[i] * b[i]
		s1 += a[i+1] * b[i+1]
		s2 += a[i+2] * b[i+2]
		s3 += a[i+3] * b[i+3]
	}
	return float64(s0) + float64(s1) + float64(s2) + float64(s3)
}

// embedder is an API of a model, as OpenAI's. It knows nothing of texts: what it gives are vectors of the field in turns, which were
// written beforehand, so that it costs the hook the network and the reading alone.
func embedder(tb *bench, f *field) (base string) {
	var answers [][]byte
	for range 64 {
		answers = append(answers, vectorJSON(f.draw()))
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		tb.Fatal(err)
	}
	var mu sync.Mutex
	n := 0
	s := &http.Server{ReadHeaderTimeout: time.Minute, Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var q struct{ Input []string }
		if err := json.NewDecoder(http.MaxBytesReader(w, r.Body, 64<<20)).Decode(&q); err != nil {
			http.Error(w, "no JSON", http.StatusBadRequest)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		_, _ = io.WriteString(w, `{"object":"list","data":[`)
		for i := range q.Input {
			mu.Lock()
			n++
			v := answers[n%len(answers)]
			mu.Unlock()
			if i > 0 {
				_, _ = io.WriteString(w, ",")
			}
			_, _ = fmt.Fprintf(w, `{"object":"embedding","index":%d,"embedding":%s}`, i, v)
		}
		_, _ = io.WriteString(w, "]}") // who is gone reads nothing
	})}
	go func() { _ = s.Serve(l) }()
	tb.Cleanup(func() { _ = s.Close() })
	return "http://" + l.Addr().String() + "/v1"
}

func vectorJSON(v []float32) []byte {
	text, err := json.Marshal(v)
	if err != nil {
		panic(err) // numbers always marshal
	}
	return text
}

// selection is a filter, by the share of the chunks that it selects.
type selection struct {
	name   string
	filter memory.Filter
	takes  func(memory.Chunk) bool
}

func selections() []selection {
	var out []selection
	for _, s := range []struct{ share, name string }{{"1 %", askedOne}, {"6 %", askedSix}, {"50 %", askedHalf}} {
		key := project.Named(s.name).Key
		out = append(out,
			selection{s.share + " by project", memory.Filter{Projects: []string{key}}, func(c memory.Chunk) bool { return c.Project == key }},
			selection{s.share + " by tool", memory.Filter{AllProjects: true, Tool: s.name}, func(c memory.Chunk) bool { return c.Tool == s.name }})
	}
	return append(out, selection{unfiltered, memory.Filter{AllProjects: true}, func(memory.Chunk) bool { return true }})
}

// near is a chunk and how near it is.
type near struct {
	chunk int64
	is    float64
}

// exact keeps the nearest of each question in each selection, by comparing all vectors while they are stored.
type exact struct {
	questions [][]float32
	filters   []selection
	best      [][][]near
}

func newExact(f *field, questions int) *exact {
	e := &exact{filters: selections()}
	for range questions {
		e.questions = append(e.questions, f.draw())
	}
	e.best = make([][][]near, len(e.filters))
	for i := range e.best {
		e.best[i] = make([][]near, questions)
	}
	return e
}

func (e *exact) add(c memory.Chunk, v []float32) {
	for q, question := range e.questions {
		is := dot(question, v)
		for i, s := range e.filters {
			if best := e.best[i][q]; (len(best) < nearestFew || is > best[len(best)-1].is) && s.takes(c) {
				at, _ := slices.BinarySearchFunc(best, is, func(n near, is float64) int {
					if n.is > is {
						return -1
					}
					return 1
				})
				best = slices.Insert(best, at, near{c.ID, is})
				e.best[i][q] = best[:min(len(best), nearestFew)]
			}
		}
	}
}

// judge asks the store the same, and judges how much of the nearest it finds.
func (e *exact) judge(ctx context.Context, w io.Writer, s memory.Store, what, model string, limit int) error {
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	// As the store has it (internal/memory/postgres, vectors.go).
	fmt.Fprintf(w, "up to 8,000 chunks are all compared; of more hnsw.ef_search = %d, iterative_scan = relaxed_order, max_scan_tuples = 40000, scan_mem_multiplier = 4\n", max(2*limit, 200))
	fmt.Fprintf(table, "%s\trecall@%d\tmin ms\tp50 ms\tp95 ms\t\n", what, nearestFew)
	var worst error
	for i, sel := range e.filters {
		found, all := 0, 0
		var took []sample
		for q, question := range e.questions {
			start := time.Now()
			got, err := s.Find(ctx, memory.Query{Filter: sel.filter, Vector: question, Model: model, Limit: limit})
			if err != nil {
				return fmt.Errorf("look for vectors: %w", err)
			}
			took = append(took, sample{wall: time.Since(start)})
			all += len(e.best[i][q])
			for _, h := range got.Hits[:min(nearestFew, len(got.Hits))] {
				if slices.ContainsFunc(e.best[i][q], func(n near) bool { return n.chunk == h.ID }) {
					found++
				}
			}
		}
		recall := float64(found) / float64(max(all, 1))
		if recall < leastRecall && worst == nil && sel.name != unfiltered {
			worst = fmt.Errorf("%s, %s: recall@%d is %.3f, at least %.2f", what, sel.name, nearestFew, recall, leastRecall)
		}
		fmt.Fprintf(table, "%s\t%.3f\t%.1f\t%.1f\t%.1f\t\n", sel.name, recall,
			ms(quantile(took, wall, 0)), ms(quantile(took, wall, 0.5)), ms(quantile(took, wall, 0.95)))
	}
	if err := table.Flush(); err != nil {
		return fmt.Errorf("print the table: %w", err)
	}
	return worst
}
