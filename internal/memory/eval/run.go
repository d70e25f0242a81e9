package eval

import (
	"context"
	"fmt"
	"slices"
	"time"
	"unicode"

	"github.com/boathook/boathook/internal/memory"
	"github.com/boathook/boathook/internal/memory/rank"
	"github.com/boathook/boathook/internal/memory/terms"
)

// Options say how a run is made.
type Options struct {
	// Clock is what latencies are measured by.
	Clock func() time.Time
	// Progress, which may be nil, is told how many of the questions are asked.
	Progress func(done, of int)
}

// Run asks the questions, each within its project, and counts what comes back. A question whose gold is not in the corpus is an error.
func (l *Loaded) Run(ctx context.Context, store memory.Store, questions []Question, o Options) (Report, error) {
	r := Report{Turns: l.Turns, Sessions: l.Sessions, Kinds: map[string]Scores{}}
	var all, korean tally
	kinds := map[string]*tally{}
	var took []time.Duration
	for n, q := range questions {
		gold, err := l.gold(q)
		if err != nil {
			return Report{}, fmt.Errorf("ask question %d: %w", n+1, err)
		}
		begin := o.Clock()
		items, err := l.Ask(ctx, store, q.Project, q.Question)
		if err != nil {
			return Report{}, fmt.Errorf("ask question %d: %w", n+1, err)
		}
		took = append(took, o.Clock().Sub(begin))
		one := mark(items, gold)
		all.add(one)
		if isKorean(q.Question) {
			korean.add(one)
		}
		if q.Kind != "" {
			if kinds[q.Kind] == nil {
				kinds[q.Kind] = &tally{}
			}
			kinds[q.Kind].add(one)
		}
		if o.Progress != nil {
			o.Progress(n+1, len(questions))
		}
	}
	r.All, r.Korean, r.Latency = all.scores(), korean.scores(), quantiles(took)
	for kind, t := range kinds {
		r.Kinds[kind] = t.scores()
	}
	return r, nil
}

// Ask is one question as memory search asks it, by words alone.
func (l *Loaded) Ask(ctx context.Context, store memory.Store, project, question string) ([]rank.Item, error) {
	q := memory.Query{Filter: memory.Filter{Projects: []string{project}}, Terms: terms.Query(question), Limit: rank.Candidates,
		Around: rank.Around}
	if len(q.Terms) == 0 {
		return nil, nil
	}
	found, err := store.Find(ctx, q)
	if err != nil {
		return nil, err
	}
	return rank.Rank(rank.Question{Terms: q.Terms, Now: l.last, Limit: depth}, found, memory.Found{}), nil
}

func (l *Loaded) gold(q Question) ([]place, error) {
	var out []place
	for _, id := range q.Gold {
		p, ok := l.places[id]
		if !ok {
			return nil, fmt.Errorf("no turn of the corpus has the id %q", id)
		}
		if of := l.projects[p.session]; of != q.Project {
			return nil, fmt.Errorf("the turn %q is of project %s, and %s is asked", id, of, q.Project)
		}
		if !slices.Contains(out, p) {
			out = append(out, p)
		}
	}
	return out, nil
}

func isKorean(s string) bool {
	for _, r := range s {
		if unicode.Is(unicode.Hangul, r) {
			return true
		}
	}
	return false
}
