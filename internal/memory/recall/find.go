package recall

import (
	"context"
	"sync"
	"time"

	"github.com/boathook/boathook/internal/memory"
	"github.com/boathook/boathook/internal/memory/rank"
)

// answers are what the store found.
type answers struct {
	store           memory.Store
	keyword, vector memory.Found
	embedder        string
	err             error // of the search by words; that by vector may fail
	// busy are those that still ask the store.
	busy *sync.WaitGroup
}

// close closes the store, once nobody asks it any more; who is late is not waited for.
func (a answers) close() {
	if a.store == nil {
		return
	}
	go func() {
		a.busy.Wait()
		_ = a.store.Close() // nothing was written
	}()
}

type result struct {
	found memory.Found
	state string
	err   error
}

// closing is how long before the end the search by vectors is no longer waited for.
const closing = 15 * time.Millisecond

// ask searches by words and, where there is an embedder, by vectors, side by side.
func ask(ctx context.Context, d Deps, q Request, text string, asked []string) answers {
	embedded := embed(ctx, d, q, text) // the network is asked while the store is opened
	store, err := d.Open(ctx)
	if err != nil {
		return answers{err: err, embedder: embedderState(d, "")}
	}
	a := answers{store: store, busy: &sync.WaitGroup{}}
	filter := memory.Filter{Projects: []string{q.Project}, NotSession: q.Session, OpenSince: q.Now.Add(-active)}
	if q.Settings.Recent > 0 {
		filter.Since = q.Now.Add(-q.Settings.Recent)
	}
	byVector := make(chan result, 1)
	if embedded != nil {
		a.busy.Go(func() { byVector <- nearest(ctx, store, filter, embedded) })
	}
	byWord := make(chan result, 1)
	a.busy.Go(func() {
		var r result
		defer func() { byWord <- r }()
		defer recovered(&r.err)
		r.found, r.err = store.Find(ctx, memory.Query{Filter: filter, Terms: asked, Limit: rank.Candidates, Around: rank.Around})
	})
	select {
	case r := <-byWord:
		a.keyword, a.err = r.found, r.err
	case <-ctx.Done():
		a.err = ctx.Err()
	}
	if embedded != nil {
		a.embedder = a.wait(ctx, byVector)
	}
	if a.err != nil && len(a.vector.Hits) > 0 && ctx.Err() == nil {
		a.err = nil
	}
	return a
}

func embedderState(d Deps, state string) string {
	if d.Embed == nil {
		return ""
	}
	if state == "" {
		return "failed"
	}
	return state
}

// wait waits for the search by vectors as long as there is time.
func (a *answers) wait(ctx context.Context, byVector <-chan result) string {
	left := time.Hour
	if at, ok := ctx.Deadline(); ok {
		left = max(0, time.Until(at)-closing)
	}
	timer := time.NewTimer(left)
	defer timer.Stop()
	select {
	case r := <-byVector:
		if r.err == nil {
			a.vector = r.found
		}
		return r.state
	case <-ctx.Done():
	case <-timer.C:
	}
	return "timeout"
}

type embedding struct {
	vector Vector
	state  string
}

// embed asks the embedder, within its own time.
func embed(ctx context.Context, d Deps, q Request, text string) <-chan embedding {
	if d.Embed == nil {
		return nil
	}
	limit := q.Settings.EmbedderDeadline
	if limit <= 0 {
		limit = 120 * time.Millisecond
	}
	out := make(chan embedding, 1)
	ctx, cancel := context.WithTimeout(ctx, limit)
	answer := make(chan embedding, 1)
	go func() {
		var e embedding
		var err error
		defer func() {
			if e.state = "ok"; err != nil || len(e.vector.Numbers) == 0 {
				e.state = "failed"
			}
			answer <- e
		}()
		defer recovered(&err)
		e.vector, err = d.Embed(ctx, text)
	}()
	go func() {
		defer cancel()
		select {
		case e := <-answer:
			if e.state != "ok" && ctx.Err() != nil {
				e.state = "timeout"
			}
			out <- e
		case <-ctx.Done():
			out <- embedding{state: "timeout"}
		}
	}()
	return out
}

func nearest(ctx context.Context, store memory.Store, filter memory.Filter, embedded <-chan embedding) (r result) {
	defer recovered(&r.err)
	e := <-embedded
	if r.state = e.state; e.state != "ok" {
		return r
	}
	r.found, r.err = store.Find(ctx, memory.Query{Filter: filter, Vector: e.vector.Numbers, Model: e.vector.Model, Limit: rank.Nearest})
	if r.err != nil {
		r.state = "failed"
	}
	return r
}

// Of how many sessions more is asked, and of how many of their rows.
const (
	moreSessions = 2
	moreRows     = 60
)

// more is what a session's own rows say of an item that was found.
type more struct {
	session memory.Session
	entries []memory.Entry
}

// ofSession asks for a session and its rows side by side: of a store that is far away each question is a way there and back.
func (a answers) ofSession(ctx context.Context, q Request, s rank.Session) (m more) {
	filter := memory.Filter{Projects: []string{q.Project}, Session: s.ID}
	var session memory.Session
	var asked sync.WaitGroup
	asked.Go(func() {
		var err error
		defer recovered(&err)
		if list, _, err := a.store.Sessions(ctx, filter, "", 1); err == nil && len(list) == 1 && list[0].ID == s.ID {
			session = list[0]
		}
	})
	m.entries = a.rows(ctx, filter, s.Items[0].Time.Add(-time.Minute))
	asked.Wait()
	m.session = session
	return m
}

func (a answers) rows(ctx context.Context, filter memory.Filter, since time.Time) (out []memory.Entry) {
	var err error
	defer recovered(&err)
	filter.Since = since
	if out, _, err = a.store.Entries(ctx, filter, "", moreRows); err != nil {
		return nil
	}
	return out
}

// about asks for the sessions that the best items are of. What is not there in time is left out.
func (a answers) about(ctx context.Context, q Request, items []rank.Item) []more {
	var out []more
	done := make(chan more, moreSessions)
	n := 0
	for _, s := range rank.Group(items) {
		if n == moreSessions || ctx.Err() != nil {
			break
		}
		n++
		a.busy.Go(func() { done <- a.ofSession(ctx, q, s) })
	}
	for range n {
		select {
		case m := <-done:
			out = append(out, m)
		case <-ctx.Done():
			return out
		}
	}
	return out
}
