package eval_test

import (
	"cmp"
	"context"
	"slices"

	"github.com/boathook/boathook/internal/memory"
	"github.com/boathook/boathook/internal/memory/rank"
	"github.com/boathook/boathook/internal/memory/terms"
)

// model is a store in memory that reads everything: what the real ones' first stages are held against.
type model struct {
	memory.Store
	projects map[string]string
	sessions map[string][]memory.Chunk
}

func newModel() *model {
	return &model{projects: map[string]string{}, sessions: map[string][]memory.Chunk{}}
}

func (m *model) Write(_ context.Context, b memory.Batch) (memory.Written, error) {
	for _, s := range b.Sessions {
		m.projects[s.ID] = s.Project
	}
	for _, one := range b.Messages {
		m.sessions[one.Session] = append(m.sessions[one.Session], memory.Chunk{
			Session: one.Session, Project: m.projects[one.Session], Message: one.Origin, Role: one.Role, Text: one.Text, Time: one.Time,
			Terms: terms.Of(one.Text),
		})
	}
	return memory.Written{New: len(b.Messages)}, nil
}

func (m *model) Find(_ context.Context, q memory.Query) (memory.Found, error) {
	f := memory.Found{Frequency: map[string]int{}}
	for id, chunks := range m.sessions {
		if !slices.Contains(q.Projects, m.projects[id]) {
			continue
		}
		f.Documents += len(chunks)
		for _, c := range chunks {
			for _, t := range q.Terms {
				if slices.Contains(c.Terms, t) {
					f.Frequency[t]++
				}
			}
		}
	}
	look := rank.Prune(q.Terms, f.Frequency, f.Documents)
	weight := map[string]float64{}
	for id, chunks := range m.sessions {
		if !slices.Contains(q.Projects, m.projects[id]) {
			continue
		}
		for n, c := range chunks {
			w := 0.0
			for _, t := range look {
				if slices.Contains(c.Terms, t) {
					w += rank.IDF(f.Frequency[t], f.Documents)
				}
			}
			if w == 0 {
				continue
			}
			h := memory.Hit{Chunk: c}
			if n > 0 {
				h.Before = chunks[n-1].Terms
			}
			if n+1 < len(chunks) {
				h.After = chunks[n+1].Terms
			}
			weight[c.Message] = w
			f.Hits = append(f.Hits, h)
		}
	}
	slices.SortFunc(f.Hits, func(a, b memory.Hit) int {
		return cmp.Or(cmp.Compare(weight[b.Message], weight[a.Message]), cmp.Compare(a.Message, b.Message))
	})
	f.Hits = f.Hits[:min(len(f.Hits), q.Limit)]
	have := map[string]bool{}
	for _, h := range f.Hits {
		have[h.Message] = true
	}
	for _, h := range f.Hits[:min(memory.AroundHits, len(f.Hits))] {
		chunks := m.sessions[h.Session]
		at := slices.IndexFunc(chunks, func(c memory.Chunk) bool { return c.Message == h.Message })
		for n := max(0, at-q.Around); n <= min(len(chunks)-1, at+q.Around); n++ {
			if c := chunks[n]; !have[c.Message] {
				have[c.Message] = true
				o := memory.Hit{Chunk: c}
				if n > 0 {
					o.Before = chunks[n-1].Terms
				}
				if n+1 < len(chunks) {
					o.After = chunks[n+1].Terms
				}
				f.Hits = append(f.Hits, o)
			}
		}
	}
	return f, nil
}
