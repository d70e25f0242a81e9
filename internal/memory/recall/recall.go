// Package recall finds what of memory helps with a prompt, and makes of it the text that a model is told. Finding and telling are two
// steps, since between them others decide whether the prompt goes on at all. It keeps track of what a session was told, and of what
// waits for a person's approval, in the data directory. It opens nothing by itself: what it asks is given, so that the hook path links
// no database by it.
package recall

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"time"

	"github.com/boathook/boathook/internal/config"
	"github.com/boathook/boathook/internal/memory"
	"github.com/boathook/boathook/internal/memory/rank"
	"github.com/boathook/boathook/internal/memory/terms"
	"github.com/boathook/boathook/internal/record"
)

// Deps are those that are asked.
type Deps struct {
	// Open opens the store; it is called only where there is something to ask, and what it gives is closed.
	Open func(ctx context.Context) (memory.Store, error)
	// Embed turns a question into a vector; nil where no embedder is configured.
	Embed func(ctx context.Context, text string) (Vector, error)
}

// Vector is a text's embedding by a model.
type Vector struct {
	Model   string
	Numbers []float32
}

// Request is one question.
type Request struct {
	// Prompt is masked.
	Prompt string
	// Project is its key, Session that of the session that asks (memory.SessionID).
	Project, Session string
	// Event is the id of the event: sampling goes by it.
	Event    string
	Now      time.Time
	Settings config.Memory
	// Told says what the session was told before; nil is nothing.
	Told func(id string) bool
	// Mask masks secrets in what was found; nil masks nothing.
	Mask func(string) string
}

// Outcomes of a recall.
const (
	Injected   = "injected"
	Nothing    = "nothing"
	Held       = "held"
	Repeated   = "repeated"
	SampledOut = "sampled_out"
	Late       = "deadline"
	Failed     = "failed"
	Waiting    = "waiting"
)

// The bounds of what is asked and told.
const (
	usualTopK  = 8
	perSession = 3
	// active is how long a session that has not ended counts as going on: what it does is none of another's business yet.
	active = 10 * time.Minute
)

// Find looks for what helps. It returns soon after the context has ended, whatever hangs, with what was found until then. With items the
// outcome is still open and empty; it says nothing of what the model is told.
func Find(ctx context.Context, d Deps, q Request) Found {
	start := time.Now()
	answer := make(chan Found, 1)
	go func() {
		var f Found
		var err error
		defer func() {
			if err != nil {
				f = Found{Recall: record.Recall{Outcome: Failed, Reason: reason(err)}}
			}
			answer <- f
		}()
		defer recovered(&err)
		f = find(ctx, d, q)
	}()
	var f Found
	select {
	case f = <-answer:
	case <-ctx.Done():
		select {
		case f = <-answer:
		case <-time.After(grace):
			f.Recall.Outcome = Late
		}
	}
	f.Recall.TookMS = float64(time.Since(start).Microseconds()) / 1000
	return f
}

// grace is what the parts have to notice that the time is over.
const grace = 20 * time.Millisecond

func find(ctx context.Context, d Deps, q Request) Found {
	f := Found{budget: q.Settings.MaxContextTokens}
	end := func(outcome, reason string) Found {
		f.Recall.Outcome, f.Recall.Reason = outcome, reason
		return f
	}
	if !Sampled(q.Event, q.Settings.Sample) {
		return end(SampledOut, "")
	}
	text := Question(q.Prompt)
	asked := terms.Query(text)
	if len(asked) == 0 || q.Project == "" {
		return end(Nothing, "")
	}
	answers := ask(ctx, d, q, text, asked)
	defer answers.close()
	f.Recall.Embedder = answers.embedder
	switch err := answers.err; {
	case err == nil:
	case errors.Is(err, fs.ErrNotExist): // nothing was stored yet
		return end(Nothing, "")
	case ctx.Err() != nil:
		return end(Late, "")
	default:
		return end(Failed, reason(err))
	}
	f.Recall.Candidates = len(answers.keyword.Hits) + len(answers.vector.Hits)
	if told := choose(ctx, q, &f, asked, answers); len(f.items) > 0 {
		return f
	} else if told > 0 {
		return end(Repeated, "")
	}
	return end(Nothing, "")
}

// choose makes items of what is worth telling; told is how much of that the session was told before.
func choose(ctx context.Context, q Request, f *Found, asked []string, a answers) (told int) {
	topK := q.Settings.TopK
	if topK <= 0 {
		topK = usualTopK
	}
	ranked := rank.Rank(rank.Question{Terms: asked, Now: q.Now, Limit: topK, PerSession: perSession, Floor: rank.Floor}, a.keyword, a.vector)
	if len(ranked) == 0 {
		return 0
	}
	m := maker{q: q, asked: map[string]bool{}, found: f, seen: map[string]bool{}}
	for _, t := range asked {
		m.asked[t] = true
	}
	m.fromHits(ranked)
	hits := len(f.items)
	m.fromSessions(a.about(ctx, q, ranked))
	f.items = mendedFirst(mixed(f.items[:hits:hits], f.items[hits:], topK))
	return m.told
}

// mixed are the items that are told at most, in the order in which they find room: the best that were found, what their sessions did
// next, the others. A quarter of the places is for what the sessions did.
func mixed(hits, next []Item, topK int) []Item {
	next = next[:min(len(next), max(1, topK/4))]
	if len(hits)+len(next) > topK {
		hits = hits[:max(1, topK-len(next))]
		next = next[:min(len(next), topK-len(hits))]
	}
	first := min(len(hits), 2)
	return slices.Concat(hits[:first], next, hits[first:])
}

// reason is an error in few words; what was found is not in it.
func reason(err error) string {
	for _, known := range []error{memory.ErrUnavailable, memory.ErrNewer, memory.ErrOlder, memory.ErrDenied, memory.ErrNoVectors} {
		if errors.Is(err, known) {
			return known.Error()
		}
	}
	return fmt.Sprintf("%.200s", err.Error())
}

// Found is what was found, before anybody decided whether it is told.
type Found struct {
	Recall record.Recall
	items  []Item
	budget int
}

// IDs are those of the items, in their order.
func (f Found) IDs() []string {
	ids := make([]string, len(f.items))
	for i, it := range f.items {
		ids[i] = it.ID
	}
	return ids
}

// Any tells whether there is something to tell.
func (f Found) Any() bool { return len(f.items) > 0 }
