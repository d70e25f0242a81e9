package storetest

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/boathook/boathook/internal/memory"
)

// embedAll gives each chunk a vector that follows from its number.
func (s *suite) embedAll(model string, width int) (n int) {
	s.Helper()
	if !s.o.Vectors {
		return 0
	}
	for range 1000 {
		some, err := s.s.Unembedded(s.ctx(), model, width, 7)
		if err != nil || len(some) > 7 {
			s.Fatalf("unembedded: %d, %v", len(some), err)
		}
		if len(some) == 0 {
			return n
		}
		var vectors []memory.Embedding
		for _, c := range some {
			vectors = append(vectors, memory.Embedding{Chunk: c.ID, Vector: vector(model, c.ID, width)})
			if c.Text == "" || c.Project == "" || c.Session == "" {
				s.Errorf("chunk %+v", c)
			}
		}
		if err := s.s.Embed(s.ctx(), model, width, vectors); err != nil {
			s.Fatalf("embed: %v", err)
		}
		n += len(some)
	}
	s.Fatal("embedding has no end")
	return n
}

func vector(model string, chunk int64, width int) []float32 {
	r := rand.New(rand.NewPCG(uint64(chunk), uint64(len(model)+width)))
	out := make([]float32, width)
	for i := range out {
		out[i] = float32(r.NormFloat64())
	}
	return out
}

func distance(a, b []float32) float64 {
	var ab, aa, bb float64
	for i := range a {
		ab, aa, bb = ab+float64(a[i])*float64(b[i]), aa+float64(a[i])*float64(a[i]), bb+float64(b[i])*float64(b[i])
	}
	return 1 - ab/math.Sqrt(aa*bb)
}

func (s *suite) nearest(f memory.Filter, model string, v []float32, limit int) []memory.Hit {
	s.Helper()
	found, err := s.s.Find(s.ctx(), memory.Query{Filter: f, Vector: v, Model: model, Limit: limit})
	if err != nil {
		s.Fatalf("find: %v", err)
	}
	return found.Hits
}

// testVectors: the nearest are found, in their order, of the filter's rows alone.
func testVectors(s *suite) {
	if !s.o.Vectors {
		s.shop()
		if _, err := s.s.Find(s.ctx(), memory.Query{Filter: of("p"), Vector: []float32{1, 2}, Model: "m", Limit: 5}); !errors.Is(err, memory.ErrNoVectors) {
			s.Errorf("a store without vectors says %v", err)
		}
		return
	}
	const width = 48
	for _, p := range []string{"p", "q"} {
		b := memory.Batch{Sessions: []memory.Session{session(p, p)}}
		for i := range 60 {
			b.Messages = append(b.Messages, say(p, []string{"user", "assistant"}[i%2], fmt.Sprintf("okapi number%d of %s", i, p), i))
		}
		s.write(b)
	}
	if hits := s.nearest(of("p"), "m", vector("m", 0, width), 5); len(hits) != 0 {
		s.Errorf("%d hits before there was a vector", len(hits))
	}
	if n := s.embedAll("m", width); n < 120 {
		s.Fatalf("%d chunks embedded", n)
	}
	role := of("p", "q")
	role.Role = "assistant"
	for i, f := range []memory.Filter{of("p"), of("q"), all(), role} {
		q := vector("question", int64(i), width)
		want := s.find(f, "okapi").Hits
		slices.SortFunc(want, func(a, b memory.Hit) int {
			return int(1e9 * (distance(q, vector("m", a.ID, width)) - distance(q, vector("m", b.ID, width))))
		})
		got := s.nearest(f, "m", q, 10)
		if len(got) != 10 {
			s.Fatalf("%d hits", len(got))
		}
		for j, h := range got {
			if d := distance(q, vector("m", h.ID, width)); math.Abs(d-h.Distance) > .002 {
				s.Errorf("the distance is %f, not %f", d, h.Distance)
			}
			if math.Abs(distance(q, vector("m", want[j].ID, width))-h.Distance) > .004 || h.Text == "" || len(h.Terms) == 0 || h.Session == "" {
				s.Errorf("filter %d: hit %d is %+v, not %d", i, j, h, want[j].ID)
			}
		}
	}
	if hits := s.nearest(memory.Filter{}, "m", vector("m", 0, width), 5); len(hits) != 0 {
		s.Errorf("%d hits in no project", len(hits))
	}
}

// testModels: vectors of another model or width are never among them.
func testModels(s *suite) {
	if !s.o.Vectors {
		s.Skip("no vectors")
	}
	s.shop()
	for _, m := range []string{"a", "b"} {
		if n := s.embedAll(m, 8); n < 6 {
			s.Errorf("%s: %d chunks", m, n)
		}
	}
	s.embedAll("a", 1536)
	for _, m := range []string{"a", "b"} {
		for _, width := range []int{8, 1536} {
			hits := s.nearest(all(), m, vector(m, 3, width), 50)
			if want := m == "a" || width == 8; want != (len(hits) >= 6) {
				s.Errorf("model %s, width %d: %d hits", m, width, len(hits))
			}
		}
	}
	for _, bad := range [][]memory.Embedding{
		{{Chunk: 1, Vector: []float32{1}}}, {{Chunk: 1, Vector: []float32{float32(math.NaN()), 1, 1, 1, 1, 1, 1, 1}}},
		{{Chunk: 1, Vector: []float32{float32(math.Inf(1)), 1, 1, 1, 1, 1, 1, 1}}},
	} {
		if err := s.s.Embed(s.ctx(), "a", 8, bad); !errors.Is(err, memory.ErrPoison) {
			s.Errorf("%v: %v", bad, err)
		}
	}
	if err := s.s.Embed(s.ctx(), "a", 8, []memory.Embedding{{Chunk: 1 << 40, Vector: vector("a", 1, 8)}}); err != nil {
		s.Errorf("a chunk that is gone: %v", err)
	}
	stats, err := s.s.Stats(s.ctx(), all())
	if err != nil || stats.Embedded["b"] < 6 || stats.Embedded["a"] < 6 {
		s.Errorf("stats %+v, %v", stats, err)
	}
	s.forget(memory.Selection{Filter: of("p")})
	if hits := s.nearest(all(), "a", vector("a", 3, 8), 50); len(hits) != 1 || hits[0].Project != "q" {
		s.Errorf("%d hits", len(hits))
	}
}

// testStats: figures are those of the filter's projects.
func testStats(s *suite) {
	if got, err := s.s.Stats(s.ctx(), all()); err != nil || got.Messages != 0 || got.Projects != 0 || !got.Oldest.IsZero() {
		s.Errorf("nothing: %+v, %v", got, err)
	}
	s.shop()
	got, err := s.s.Stats(s.ctx(), all())
	if err != nil || got.Projects != 2 || got.Sessions != 3 || got.Messages != 4 || got.ToolCalls != 2 || got.Chunks < 6 || got.Backend == "" ||
		got.Version < 1 || got.Bytes <= 0 || !got.Oldest.Equal(at(1)) || !got.Newest.Equal(at(20)) || got.Vectors != s.o.Vectors {
		s.Errorf("stats %+v, %v", got, err)
	}
	if got, err := s.s.Stats(s.ctx(), of("q")); err != nil || got.Messages != 1 || got.ToolCalls != 0 || got.Sessions != 1 || got.Projects != 1 {
		s.Errorf("stats of q: %+v, %v", got, err)
	}
	if got, err := s.s.Stats(s.ctx(), memory.Filter{}); err != nil || got.Messages+got.Sessions+got.Chunks != 0 {
		s.Errorf("stats of no project: %+v, %v", got, err)
	}
}
