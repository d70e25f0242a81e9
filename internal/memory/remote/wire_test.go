package remote

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/boathook/boathook/internal/memory"
)

// Every argument and every result of every call arrives as it was, whatever is in it.
func TestNothingIsLost(t *testing.T) {
	f := &fake{give: map[string]any{
		opWrite: filled[memory.Written](), opFind: filled[memory.Found](), opSessions: filled[[]memory.Session](),
		opEntries: filled[[]memory.Entry](), opGet: filled[[]memory.Entry](), opUnembedded: filled[[]memory.Chunk](),
		opForget: filled[memory.Removed](), opRetain: filled[memory.Removed](), opOccurs: 7, opStats: filled[memory.Stats](),
		"page": memory.Page("next"), "more": true,
	}}
	c, ctx := connectTo(t, f), t.Context()
	filter, page, now := filled[memory.Filter](), memory.Page("at<&>"), filled[time.Time]()
	asked := map[string][]any{
		opWrite: {filled[memory.Batch]()}, opFind: {filled[memory.Query]()}, opSessions: {filter, page, 3}, opEntries: {filter, page, 4},
		opGet: {filter, []string{"a", "b"}}, opUnembedded: {"m", 5, 6}, opEmbed: {"m", 5, filled[[]memory.Embedding]()},
		opForget: {filled[memory.Selection]()}, opRetain: {filled[memory.Retention](), now}, opOccurs: {"text\x00"}, opStats: {filter},
	}
	for op, call := range map[string]func() (any, error){
		opWrite: func() (any, error) { return c.Write(ctx, asked[opWrite][0].(memory.Batch)) },
		opFind:  func() (any, error) { return c.Find(ctx, asked[opFind][0].(memory.Query)) },
		opSessions: func() (any, error) {
			rows, next, err := c.Sessions(ctx, filter, page, 3)
			return rows, errors.Join(err, isNext(next))
		},
		opEntries: func() (any, error) {
			rows, next, err := c.Entries(ctx, filter, page, 4)
			return rows, errors.Join(err, isNext(next))
		},
		opGet:        func() (any, error) { return c.Get(ctx, filter, []string{"a", "b"}) },
		opUnembedded: func() (any, error) { return c.Unembedded(ctx, "m", 5, 6) },
		opEmbed:      func() (any, error) { return nil, c.Embed(ctx, "m", 5, asked[opEmbed][2].([]memory.Embedding)) },
		opForget:     func() (any, error) { return c.Forget(ctx, asked[opForget][0].(memory.Selection)) },
		opRetain: func() (any, error) {
			removed, more, err := c.Retain(ctx, asked[opRetain][0].(memory.Retention), now)
			if !more {
				err = errors.Join(err, errors.New("no more"))
			}
			return removed, err
		},
		opOccurs: func() (any, error) { return c.Occurs(ctx, "text\x00") },
		opStats:  func() (any, error) { return c.Stats(ctx, filter) },
	} {
		got, err := call()
		if err != nil {
			t.Errorf("%s: %v", op, err)
		}
		if diff := cmp.Diff(f.give[op], got); diff != "" {
			t.Errorf("%s gives another result: %s", op, diff)
		}
		if diff := cmp.Diff(asked[op], f.asked[op]); diff != "" {
			t.Errorf("%s is asked another thing: %s", op, diff)
		}
	}
	if n := len(f.asked); n != len(asked) || c.dials() != 1 {
		t.Errorf("%d operations over %d connections", n, c.dials())
	}
}

func isNext(p memory.Page) error {
	if p != "next" {
		return fmt.Errorf("the page is %q", p)
	}
	return nil
}

func TestPackedTerms(t *testing.T) {
	lists := [][]string{nil, {"a"}, {"a", "b", "a"}, {"a b", "c"}, {"", "x"}, {"x", ""}, {"가", "\x00"}, {"a"}}
	var f memory.Found
	for i := range lists {
		f.Hits = append(f.Hits, memory.Hit{
			Chunk: memory.Chunk{ID: int64(i), Terms: lists[i]}, Before: lists[(i+1)%len(lists)], After: lists[(i+2)%len(lists)],
		})
	}
	packed := pack(f)
	if n := len(packed.Lists); n != 3 {
		t.Errorf("%d lists go over the wire, and three can be texts: %q", n, packed.Lists)
	}
	got, err := packed.unpack()
	if diff := cmp.Diff(f, got); diff != "" || err != nil {
		t.Errorf("%v: %s", err, diff)
	}
	for _, at := range []int{-1, 4, 1 << 40} {
		packed.Hits[1].AfterAt = at
		if _, err := packed.unpack(); !errors.Is(err, errFrame) {
			t.Errorf("list %d: %v", at, err)
		}
	}
}

// BenchmarkFound is what the answer to a search costs on both sides together.
func BenchmarkFound(b *testing.B) {
	words := strings.Fields(strings.Repeat("upstream checkout deploy socket reload drain 502 error retry queue ", 8))
	var f memory.Found
	for i := range 260 {
		list := append(slices.Clone(words), fmt.Sprint("w", i))
		f.Hits = append(f.Hits, memory.Hit{Chunk: memory.Chunk{
			ID: int64(i), Session: "gemini/s", Message: fmt.Sprint("m", i), Role: memory.RoleAssistant, Text: strings.Repeat("some \"text\" of a message\n", 30),
			Terms: list, Tags: []string{"git", "go"}, Time: time.Unix(int64(i), 0),
		}})
		if i > 0 {
			f.Hits[i].Before, f.Hits[i-1].After = f.Hits[i-1].Terms, list
		}
	}
	c := connectTo(b, &fake{give: map[string]any{opFind: f}})
	for b.Loop() {
		if _, err := c.Find(b.Context(), memory.Query{}); err != nil {
			b.Fatal(err)
		}
	}
}

// Errors are on this side what they were on the other, and tell no secret.
func TestErrors(t *testing.T) {
	f := &fake{}
	c := connectTo(t, f)
	c.server.Hide = func(text string) string { return strings.ReplaceAll(text, "s3cret", "[hidden]") }
	for _, class := range classes() {
		f.fail = fmt.Errorf("write to postgres://u:s3cret@h/d: %w", class.err)
		_, err := c.Write(t.Context(), memory.Batch{})
		if !errors.Is(err, class.err) || strings.Contains(fmt.Sprint(err), "s3cret") || !strings.Contains(fmt.Sprint(err), "[hidden]") {
			t.Errorf("%s: %v", class.name, err)
		}
		for _, other := range classes() {
			if errors.Is(err, other.err) != errors.Is(class.err, other.err) {
				t.Errorf("%s is %s, or is not", class.name, other.name)
			}
		}
	}
	f.fail = errors.Join(memory.ErrPoison, memory.ErrDenied)
	if _, err := c.Stats(t.Context(), memory.Filter{}); !errors.Is(err, memory.ErrPoison) || !errors.Is(err, memory.ErrDenied) {
		t.Errorf("of two classes: %v", err)
	}
	f.fail = errors.New(strings.Repeat("long ", 10_000))
	if _, err := c.Stats(t.Context(), memory.Filter{}); err == nil || len(err.Error()) > maxErrorText+10 || errors.Is(err, memory.ErrUnavailable) {
		t.Errorf("a long error has %d bytes", len(fmt.Sprint(err)))
	}
}

// A call ends with its context, and the store hears of it; calls run beside one another.
func TestDeadlinesAndCancellation(t *testing.T) {
	f := &fake{hold: make(chan struct{}), begun: make(chan string, 100)}
	c := connectTo(t, f)
	ctx, cancel := context.WithCancel(t.Context())
	go func() { <-f.begun; cancel() }()
	if _, err := c.Find(ctx, memory.Query{}); !errors.Is(err, context.Canceled) || errors.Is(err, memory.ErrUnavailable) {
		t.Errorf("cancelled: %v", err)
	}
	for len(f.begun) == 0 { // until one has come so far
		ctx, cancel := context.WithTimeout(t.Context(), 10*time.Millisecond)
		if _, err := c.Find(ctx, memory.Query{}); !errors.Is(err, context.DeadlineExceeded) || errors.Is(err, memory.ErrUnavailable) {
			t.Errorf("too late: %v", err)
		}
		cancel()
	}
	eventually(t, "the store hears of both", func() bool { ended, _ := f.state(); return ended >= 2 })
	for len(f.begun) > 0 {
		<-f.begun
	}
	var all sync.WaitGroup
	for range 20 {
		all.Go(func() {
			if _, err := c.Stats(t.Context(), memory.Filter{}); err != nil {
				t.Error(err)
			}
		})
	}
	for range 20 {
		<-f.begun // all are under way at once
	}
	close(f.hold)
	all.Wait()
}

// More questions than a connection may have are refused, not piled up.
func TestTooManyCalls(t *testing.T) {
	f := &fake{hold: make(chan struct{}), begun: make(chan string, 2*maxCalls)}
	c := connectTo(t, f)
	var all sync.WaitGroup
	for range maxCalls {
		all.Go(func() { _, _ = c.Stats(t.Context(), memory.Filter{}) })
	}
	for range maxCalls {
		<-f.begun
	}
	if _, err := c.Stats(t.Context(), memory.Filter{}); !errors.Is(err, memory.ErrUnavailable) {
		t.Errorf("one more: %v", err)
	}
	close(f.hold)
	all.Wait()
	if _, err := c.Stats(t.Context(), memory.Filter{}); err != nil {
		t.Errorf("afterwards: %v", err)
	}
}

// A connection that ended under a question is made anew: for one that changes nothing at once, else for the next.
func TestNewConnections(t *testing.T) {
	f := &fake{begun: make(chan string, 1), hold: make(chan struct{})}
	c := connectTo(t, f)
	go func() { <-f.begun; c.cut(); <-f.begun; close(f.hold) }()
	if _, err := c.Find(t.Context(), memory.Query{}); err != nil || c.dials() != 2 {
		t.Errorf("a search: %v, %d connections", err, c.dials())
	}
	f.mu.Lock()
	f.hold = make(chan struct{})
	f.mu.Unlock()
	go func() { <-f.begun; c.cut() }()
	if _, err := c.Write(t.Context(), memory.Batch{}); !errors.Is(err, memory.ErrUnavailable) || c.dials() != 2 {
		t.Errorf("a write: %v, %d connections", err, c.dials())
	}
	f.mu.Lock()
	f.hold, f.begun = nil, nil
	f.mu.Unlock()
	if _, err := c.Write(t.Context(), memory.Batch{}); err != nil || c.dials() != 3 {
		t.Errorf("the next write: %v, %d connections", err, c.dials())
	}
	must(t, c.Close())
	if _, err := c.Write(t.Context(), memory.Batch{}); !errors.Is(err, errClosed) {
		t.Errorf("after close: %v", err)
	}
	must(t, c.Close())
}

func TestReadOnlyConnection(t *testing.T) {
	f := &fake{}
	c := connectTo(t, f, func(h *hello) { h.ReadOnly = true })
	_, werr := c.Write(t.Context(), memory.Batch{})
	_, ferr := c.Forget(t.Context(), memory.Selection{})
	_, _, rerr := c.Retain(t.Context(), memory.Retention{}, time.Now())
	for _, err := range []error{werr, ferr, rerr, c.Embed(t.Context(), "m", 1, nil)} {
		if !errors.Is(err, memory.ErrDenied) {
			t.Errorf("changes a row: %v", err)
		}
	}
	if _, err := c.Stats(t.Context(), memory.Filter{}); err != nil || len(f.asked) != 1 {
		t.Errorf("reads: %v, of %d calls", err, len(f.asked))
	}
}

// What can't be encoded is the rows' fault and costs no connection; a panic of the store is one answer.
func TestOneBadCall(t *testing.T) {
	c := connectTo(t, panicking{&fake{}})
	bad := memory.Batch{Messages: []memory.Message{{Content: []byte(`{"a":`)}}}
	if _, err := c.Write(t.Context(), bad); !errors.Is(err, memory.ErrPoison) {
		t.Errorf("bad JSON: %v", err)
	}
	if _, err := c.Occurs(t.Context(), strings.Repeat("x", maxFrame)); !errors.Is(err, memory.ErrPoison) {
		t.Errorf("too long: %v", err)
	}
	if _, err := c.Stats(t.Context(), memory.Filter{}); err == nil || strings.Contains(err.Error(), "thrown") || errors.Is(err, memory.ErrUnavailable) {
		t.Errorf("a panic: %v", err)
	}
	if _, err := c.tooMuch(t.Context()); err == nil || !strings.Contains(err.Error(), "too") && !strings.Contains(err.Error(), "most") {
		t.Errorf("a long answer: %v", err)
	}
	if _, err := c.Write(t.Context(), memory.Batch{}); err != nil || c.dials() != 1 {
		t.Errorf("afterwards: %v, %d connections", err, c.dials())
	}
}

type panicking struct{ *fake }

func (panicking) Stats(context.Context, memory.Filter) (memory.Stats, error) { panic("thrown") }

func (panicking) Sessions(context.Context, memory.Filter, memory.Page, int) ([]memory.Session, memory.Page, error) {
	return []memory.Session{{Summary: strings.Repeat("x", maxFrame)}}, "", nil
}

// tooMuch asks for what is longer than a frame.
func (p *pair) tooMuch(ctx context.Context) ([]memory.Session, error) {
	rows, _, err := p.Sessions(ctx, memory.Filter{}, "", 1)
	return rows, err
}
