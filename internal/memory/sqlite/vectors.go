package sqlite

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"math"
	"math/bits"
	"slices"

	"github.com/ncruces/go-sqlite3"

	"github.com/boathook/boathook/internal/memory"
)

// model is where the vectors of one model and width are. They are never mixed with others.
type model struct {
	number int64
	width  int
	done   int64
}

func (m model) bits() string    { return fmt.Sprintf("ltm_bits_%d", m.number) }
func (m model) vectors() string { return fmt.Sprintf("ltm_vectors_%d", m.number) }

// models are all of them.
func (c *conn) models() (names []string, out []model, err error) {
	err = c.each("SELECT number, model, width, done FROM ltm_models ORDER BY number", nil, func(s *sqlite3.Stmt) error {
		names = append(names, s.ColumnText(1))
		out = append(out, model{s.ColumnInt64(0), s.ColumnInt(2), s.ColumnInt64(3)})
		return nil
	})
	return names, out, err
}

// model is the one of a name and a width; its number is 0 where it has no vectors.
func (c *conn) model(name string, width int) (m model, err error) {
	names, all, err := c.models()
	for i, n := range names {
		if n == name && all[i].width == width {
			m = all[i]
		}
	}
	return m, err
}

// exact is of how many vectors no preselection is made.
const exact = 1000

// nearest finds the chunks whose vectors are the nearest: first by their signs alone, then by all of the best.
func (l *loader) nearest(q memory.Query) ([]memory.Hit, error) {
	if err := checkVector(q.Vector); err != nil {
		return nil, err
	}
	m, err := l.model(q.Model, len(q.Vector))
	if err != nil || m.number == 0 {
		return nil, err
	}
	all, err := l.bySigns(m, q.Vector)
	if err != nil {
		return nil, err
	}
	keep := max(4*q.Limit, exact)
	unit := normalize(q.Vector)
	var hits []memory.Hit
	for len(all) > 0 && len(hits) < q.Limit {
		some := all[:min(keep, len(all))]
		all = all[len(some):]
		if err := l.rescore(m, unit, some); err != nil {
			return nil, err
		}
		nearestFirst(some)
		for _, c := range some {
			if len(hits) == q.Limit {
				break
			}
			hit, ok, err := l.hit(c.chunk)
			if err != nil {
				return nil, err
			}
			if ok {
				hit.Distance = c.score
				hits = append(hits, hit)
			}
		}
	}
	return hits, nil
}

// bySigns are all chunks of the projects that have a vector, by how many of its signs are others than the question's.
func (l *loader) bySigns(m model, v []float32) (all []candidate, err error) {
	want := signs(v)
	by := make([][]int64, 64*len(want)+1) // their distances are small numbers
	for _, project := range l.in.order {
		err := l.each("SELECT chunk_id, bits FROM "+m.bits()+" WHERE project = ?", []any{project}, func(s *sqlite3.Stmt) error {
			if raw := s.ColumnRawBlob(1); len(raw) == 8*len(want) {
				d := hamming(want, raw)
				by[d] = append(by[d], s.ColumnInt64(0))
			}
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	for d, chunks := range by {
		for _, id := range chunks {
			all = append(all, candidate{id, float64(d)})
		}
	}
	return all, nil
}

func nearestFirst(all []candidate) {
	slices.SortFunc(all, func(a, b candidate) int {
		return cmp.Or(cmp.Compare(a.score, b.score), cmp.Compare(b.chunk, a.chunk))
	})
}

// rescore gives candidates their cosine distance.
func (l *loader) rescore(m model, unit []float32, some []candidate) error {
	query := "SELECT vector FROM " + m.vectors() + " WHERE chunk_id = ?"
	for i := range some {
		some[i].score = math.Inf(1)
		err := l.each(query, []any{some[i].chunk}, func(s *sqlite3.Stmt) error {
			if raw := s.ColumnRawBlob(0); len(raw) == 2*len(unit) {
				some[i].score = 1 - dot(unit, raw)
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}

func checkVector(v []float32) error {
	if len(v) == 0 {
		return fmt.Errorf("%w: a vector of no numbers", memory.ErrPoison)
	}
	for _, x := range v {
		if f := float64(x); math.IsNaN(f) || math.IsInf(f, 0) {
			return fmt.Errorf("%w: a vector with %v in it", memory.ErrPoison, x)
		}
	}
	return nil
}

// normalize makes a vector's length 1; one without a length stays as it is.
func normalize(v []float32) []float32 {
	var sum float64
	for _, x := range v {
		sum += float64(x) * float64(x)
	}
	out := slices.Clone(v)
	if sum == 0 {
		return out
	}
	scale := 1 / math.Sqrt(sum)
	for i := range out {
		out[i] = float32(float64(v[i]) * scale)
	}
	return out
}

func signWords(width int) int { return (width + 63) / 64 }

func signs(v []float32) []uint64 {
	out := make([]uint64, signWords(len(v)))
	for i, x := range v {
		if x > 0 {
			out[i/64] |= 1 << (i % 64)
		}
	}
	return out
}

func hamming(want []uint64, raw []byte) (n int) {
	for i, w := range want {
		n += bits.OnesCount64(w ^ binary.LittleEndian.Uint64(raw[8*i:]))
	}
	return n
}
