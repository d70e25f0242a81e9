package otlp

import (
	"context"
	"database/sql"
	"log/slog"
	"net/http"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	wire "github.com/boathook/boathook/internal/otlp"
	"github.com/boathook/boathook/internal/record"
	"github.com/boathook/boathook/internal/store"
	"github.com/boathook/boathook/internal/worker"
)

// brokenRig is a rig whose cursor can be made one that no write moves.
func brokenRig(t *testing.T, records ...record.Record) (r *rig, exec func(string)) {
	t.Helper()
	path := filepath.Join(t.TempDir(), store.FileName)
	s, err := store.Open(t.Context(), path)
	must(t, err)
	t.Cleanup(func() { must(t, s.Close()) })
	insert(t, s, records...)
	db, err := sql.Open("sqlite3", "file:"+path)
	must(t, err)
	t.Cleanup(func() { must(t, db.Close()) })
	return newRig(t, s), func(query string) {
		t.Helper()
		_, err := db.ExecContext(t.Context(), query)
		must(t, err)
	}
}

const (
	diskIsFull = "CREATE TRIGGER broken BEFORE UPDATE ON cursors BEGIN SELECT RAISE(FAIL, 'disk is full'); END"
	isIgnored  = "CREATE TRIGGER broken BEFORE UPDATE ON cursors BEGIN SELECT RAISE(IGNORE); END"
	mended     = "DROP TRIGGER broken"
)

// TestAcceptedAndNotWritten: what was taken does not go again while it can't be noted, and is counted once.
func TestAcceptedAndNotWritten(t *testing.T) {
	for _, fault := range []string{diskIsFull, isIgnored} {
		r, exec := brokenRig(t, turns(t, 2)...)
		r.to.answer = func(n int, _ []wire.Span) reply { return reply{rejected: 3} }
		exec(fault)
		for range 4 {
			if _, err := r.sink.Pass(t.Context(), r.store); err == nil {
				t.Error("no error")
			}
		}
		if n, _ := r.to.count(); n != 1 || r.counter(countRejected) != 0 {
			t.Errorf("%d requests, %d counted", n, r.counter(countRejected))
		}
		insert(t, r.store, made(t, 600, "gemini", "SessionEnd", `{"session_id":"s"}`))
		exec(mended)
		r.to.answer = nil
		if diff := cmp.Diff(worker.Passed{Events: 1}, r.pass()); diff != "" {
			t.Error(diff)
		}
		r.atHead()
		if n, _ := r.to.count(); n != 2 || r.counter(countRejected) != 3 {
			t.Errorf("%d requests, %d counted", n, r.counter(countRejected))
		}
	}
}

// TestRetryAfterThatIsNotWritten: a destination that asked for quiet gets it.
func TestRetryAfterThatIsNotWritten(t *testing.T) {
	r, exec := brokenRig(t, turns(t, 1)...)
	r.to.answer = func(n int, _ []wire.Span) reply {
		return reply{status: http.StatusServiceUnavailable, retryAfter: 70}
	}
	exec(diskIsFull)
	for range 3 {
		if _, err := r.sink.Pass(t.Context(), r.store); err == nil {
			t.Error("no error")
		}
	}
	exec(mended)
	if p, c := r.pass(), r.cursor(); !p.Behind || !p.Next.Equal(c.Next) || c.Next.Before(begin.Add(70*time.Second)) || c.Tries != 1 {
		t.Errorf("%+v, cursor %+v", p, c)
	}
	if n, _ := r.to.count(); n != 1 {
		t.Errorf("%d requests", n)
	}
	r.now, r.to.answer = r.cursor().Next, nil
	r.pass()
	r.atHead()
}

// TestAskedForAgainMeanwhile: what somebody wants to have sent again is sent, whatever was owed.
func TestAskedForAgainMeanwhile(t *testing.T) {
	r, exec := brokenRig(t, turns(t, 2)...)
	r.sink.limit = 1
	r.pass()
	insert(t, r.store, made(t, 600, "gemini", "SessionEnd", `{"session_id":"s"}`))
	exec(diskIsFull)
	if _, err := r.sink.Pass(t.Context(), r.store); err == nil {
		t.Error("no error")
	}
	exec(mended)
	must(t, r.store.SetCursor(t.Context(), nil, store.Cursor{Name: Name}))
	r.pass()
	r.atHead()
	if _, spans := r.to.count(); spans != 2*(2*spansOfTurn+1) {
		t.Errorf("%d spans", spans)
	}
}

// TestPurgedIsNotSent: neither from what the sink remembers, nor from what it has read and not sent yet.
func TestPurgedIsNotSent(t *testing.T) {
	in := `{"session_id":"s","tool_name":"run_shell_command","tool_input":{"command":"CANARY"}`
	prompt := made(t, 0, "gemini", "BeforeAgent", `{"session_id":"s","prompt":"CANARY"}`)
	before := made(t, 1, "gemini", "BeforeTool", in+"}")
	after := made(t, 2, "gemini", "AfterTool", in+`,"tool_response":{"llmContent":"x"}}`, func(r *record.Record) {
		r.Raw = nil
		r.Tool.Input = nil
	})
	stop := made(t, 3, "gemini", "AfterAgent", `{"session_id":"s","prompt_response":"done"}`)
	r := newRig(t, inStore(t, prompt, before))
	r.pass()
	r.to.taken = map[[8]byte][]string{}
	purge := func() {
		_, err := r.store.Purge(t.Context(), store.PurgeFilter{Before: begin.Add(1500 * time.Millisecond)})
		must(t, err)
	}
	purge()
	insert(t, r.store, after, stop)
	r.pass()
	r.atHead()
	notSent(t, r)
	// A batch is read, and something is purged while its first request is under way.
	r = newRig(t, inStore(t, made(t, 0, "gemini", "SessionStart", `{"session_id":"s"}`, func(r *record.Record) { r.Time = begin.Add(time.Hour) }), prompt, before))
	r.sink.limit = 1
	r.to.answer = func(n int, _ []wire.Span) reply {
		if n == 1 {
			purge()
		}
		return reply{}
	}
	if p := r.pass(); !p.Behind {
		t.Errorf("%+v", p)
	}
	r.pass()
	notSent(t, r)
}

func notSent(t *testing.T, r *rig) {
	t.Helper()
	if len(r.to.taken) == 0 {
		t.Error("nothing was sent")
	}
	for _, all := range r.to.taken {
		if strings.Contains(all[0], "CANARY") {
			t.Errorf("%q", all[0])
		}
	}
}

// TestRemark: what a destination says with a success is logged once, until it says something else.
func TestRemark(t *testing.T) {
	r := newRig(t, inStore(t))
	var log strings.Builder
	r.sink.Log = slog.New(slog.NewTextHandler(&log, nil))
	said := []string{"attribute too long", "attribute too long", "", "attribute too long", "quota"}
	client := &remarks{said: said}
	r.sink.Client = client
	for n := range said {
		insert(t, r.store, made(t, n, "gemini", "Notification", `{"session_id":"s"}`))
		r.pass()
	}
	if client.n != len(said) || strings.Count(log.String(), "attribute too long") != 2 || strings.Count(log.String(), "quota") != 1 {
		t.Errorf("%d requests: %s", client.n, log.String())
	}
}

// remarks takes all, and has something to say.
type remarks struct {
	said []string
	n    int
}

func (c *remarks) SendTraces(context.Context, wire.Traces) wire.Result {
	c.n++
	return wire.Result{Outcome: wire.Accepted, Status: 200, Message: c.said[c.n-1]}
}
