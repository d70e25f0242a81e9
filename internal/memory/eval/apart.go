package eval

import (
	"context"
	"fmt"
	"slices"

	"github.com/boathook/boathook/internal/memory"
)

// Apart gives the projects and sessions of a corpus names of their own, so that it can be in a store beside other things. What it is given
// stays as it is.
func Apart(turns []Turn, questions []Question, prefix string) ([]Turn, []Question) {
	turns, questions = slices.Clone(turns), slices.Clone(questions)
	for n := range turns {
		turns[n].Project, turns[n].Session = prefix+turns[n].Project, prefix+turns[n].Session
	}
	for n := range questions {
		questions[n].Project = prefix + questions[n].Project
	}
	return turns, questions
}

// Remove takes a corpus out of a store, whatever else its projects have.
func (l *Loaded) Remove(ctx context.Context, store memory.Store) error {
	var f memory.Filter
	for p := range l.texts {
		f.Projects = append(f.Projects, p)
	}
	slices.Sort(f.Projects)
	if _, err := store.Forget(ctx, memory.Selection{Filter: f}); err != nil {
		return fmt.Errorf("remove the corpus: %w", err)
	}
	return nil
}
