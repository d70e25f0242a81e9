package sqlite

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/boathook/boathook/internal/memory"
	"github.com/boathook/boathook/internal/memory/rank"
	"github.com/boathook/boathook/internal/memory/terms"
)

var (
	benchChunks = flag.Int("chunks", 10_000, "how many `chunks` the benchmarks' store has")
	benchDir    = flag.String("benchdir", "", "a `directory` in which the benchmarks' stores are kept from run to run")
)

// benchProjects: the first has half of all chunks.
const benchProjects = 20

// vocabulary draws words as texts do: a few often, most seldom.
type vocabulary struct {
	r    *rand.Rand
	zipf *rand.Zipf
}

func newVocabulary(seed uint64) vocabulary {
	r := rand.New(rand.NewPCG(seed, 7))
	return vocabulary{r, rand.NewZipf(r, 1.07, 4, 200_000)}
}

func (v vocabulary) word() string {
	n := v.zipf.Uint64()
	const letters = "bcdfghklmnprstvz"
	var out []byte
	for n += 20; n > 0; n /= 16 * 5 {
		out = append(out, letters[n%16], "aeiou"[n/16%5])
	}
	return string(out) + "k"
}

func (v vocabulary) sentence(n int) string {
	words := make([]string, n)
	for i := range words {
		words[i] = v.word()
	}
	return strings.Join(words, " ")
}

// filled is a store of so many chunks, which is closed.
func filled(b *testing.B, n int) string {
	b.Helper()
	dir := *benchDir
	if dir == "" {
		dir = b.TempDir()
	}
	path := filepath.Join(dir, fmt.Sprintf("bench-%d.db", n))
	if _, err := os.Stat(path); err == nil {
		return path
	}
	s, err := Open(b.Context(), path+".part")
	if err != nil {
		b.Fatal(err)
	}
	v := newVocabulary(1)
	began := time.Now()
	for i := 0; i < n; i += 100 {
		if _, err := s.Write(b.Context(), benchBatch(v, i)); err != nil {
			b.Fatal(err)
		}
	}
	b.Logf("filled with %d chunks in %v: %.0f a second", n, time.Since(began), float64(n)/time.Since(began).Seconds())
	if err := s.Close(); err != nil {
		b.Fatal(err)
	}
	if err := os.Rename(path+".part", path); err != nil {
		b.Fatal(err)
	}
	return path
}

// benchBatch is a session of a hundred messages and calls.
func benchBatch(v vocabulary, i int) memory.Batch {
	project := 0
	if i/100%2 == 1 {
		project = 1 + v.r.IntN(benchProjects-1)
	}
	id := fmt.Sprintf("claude/%d", i)
	at := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC).Add(time.Duration(i) * time.Minute)
	out := memory.Batch{Sessions: []memory.Session{{ID: id, Agent: "claude", Project: fmt.Sprintf("project%d", project), Started: at, Ended: at.Add(time.Hour)}}}
	for j := range 100 {
		at := at.Add(time.Duration(j) * time.Second)
		if j%2 == 0 {
			out.Messages = append(out.Messages, memory.Message{
				Session: id, Role: "user", Text: v.sentence(10 + v.r.IntN(60)), Time: at, Source: memory.FromHook, Origin: fmt.Sprint(j),
			})
			continue
		}
		command := v.sentence(6)
		out.ToolCalls = append(out.ToolCalls, memory.ToolCall{
			Session: id, Tool: "bash", Command: command, Args: fmt.Appendf(nil, `{"command":%q}`, command), Output: v.sentence(20 + v.r.IntN(60)),
			Status: "success", Time: at, Source: memory.FromHook, Origin: fmt.Sprint(j),
		})
	}
	return out
}

// BenchmarkFind is what a hook pays: it opens the file, asks once and ends. It asks in the project that has half of all.
func BenchmarkFind(b *testing.B) {
	path := filled(b, *benchChunks)
	for _, words := range []int{8, 20} {
		b.Run(fmt.Sprintf("%dwords", words), func(b *testing.B) {
			v := newVocabulary(99)
			var took []time.Duration
			hits := 0
			for b.Loop() {
				q := memory.Query{Filter: memory.Filter{Projects: []string{"project0"}, NotSession: "claude/100"}, Terms: terms.Query(v.sentence(words)),
					Limit: rank.Candidates, Around: rank.Around}
				began := time.Now()
				s, err := OpenReadOnly(b.Context(), path)
				if err != nil {
					b.Fatal(err)
				}
				found, err := s.Find(b.Context(), q)
				if err != nil {
					b.Fatal(err)
				}
				hits += len(found.Hits)
				s.Close()
				took = append(took, time.Since(began))
			}
			slices.Sort(took)
			b.ReportMetric(float64(took[len(took)/2].Microseconds())/1000, "p50-ms")
			b.ReportMetric(float64(took[len(took)*95/100].Microseconds())/1000, "p95-ms")
			b.ReportMetric(float64(took[0].Microseconds())/1000, "min-ms")
			b.ReportMetric(float64(hits)/float64(len(took)), "hits")
		})
	}
}

// BenchmarkOpen is the part of it that opens and closes.
func BenchmarkOpen(b *testing.B) {
	path := filled(b, *benchChunks)
	for b.Loop() {
		s, err := OpenReadOnly(b.Context(), path)
		if err != nil {
			b.Fatal(err)
		}
		s.Close()
	}
}

// BenchmarkWrite stores sessions of a hundred rows.
func BenchmarkWrite(b *testing.B) {
	s := open(b)
	defer s.Close()
	v := newVocabulary(3)
	rows := 0
	for b.Loop() {
		if _, err := s.Write(b.Context(), benchBatch(v, rows)); err != nil {
			b.Fatal(err)
		}
		rows += 100
	}
	b.ReportMetric(float64(rows)/b.Elapsed().Seconds(), "rows/s")
}

// BenchmarkNearest is BenchmarkFind by a vector of 1,536 numbers.
func BenchmarkNearest(b *testing.B) {
	const width = 1536
	path := filled(b, *benchChunks)
	r := rand.New(rand.NewPCG(5, 5))
	draw := func() []float32 {
		out := make([]float32, width)
		for i := range out {
			out[i] = float32(r.NormFloat64())
		}
		return out
	}
	s, err := Open(b.Context(), path)
	if err != nil {
		b.Fatal(err)
	}
	for {
		some, err := s.Unembedded(b.Context(), "bench", width, 500)
		if err != nil {
			b.Fatal(err)
		}
		if len(some) == 0 {
			break
		}
		vectors := make([]memory.Embedding, len(some))
		for i, c := range some {
			vectors[i] = memory.Embedding{Chunk: c.ID, Vector: draw()}
		}
		if err := s.Embed(b.Context(), "bench", width, vectors); err != nil {
			b.Fatal(err)
		}
	}
	s.Close()
	for b.Loop() {
		s, err := OpenReadOnly(b.Context(), path)
		if err != nil {
			b.Fatal(err)
		}
		q := memory.Query{Filter: memory.Filter{Projects: []string{"project0"}}, Vector: draw(), Model: "bench", Limit: 200}
		if found, err := s.Find(b.Context(), q); err != nil || len(found.Hits) != q.Limit {
			b.Fatal(len(found.Hits), err)
		}
		s.Close()
	}
}
