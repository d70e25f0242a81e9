package memory

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/oklog/ulid/v2"

	"github.com/boathook/boathook/hook/canon"
	"github.com/boathook/boathook/internal/host"
	"github.com/boathook/boathook/internal/host/registry"
	"github.com/boathook/boathook/internal/lenient"
	rows "github.com/boathook/boathook/internal/memory"
	"github.com/boathook/boathook/internal/memory/intake"
	"github.com/boathook/boathook/internal/memory/sqlite"
	"github.com/boathook/boathook/internal/record"
	"github.com/boathook/boathook/internal/store"
	"github.com/boathook/boathook/internal/worker"
)

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// begin is when the n-th event of a test is n seconds later than.
var begin = time.Date(2026, 11, 30, 9, 27, 44, 0, time.UTC)

// id makes the n-th of a row of ids that sort like n.
func id(n int) string {
	var u ulid.ULID
	_ = u.SetTime(uint64(begin.UnixMilli() + int64(n)*1000))
	u[14], u[15] = byte(n>>8), byte(n)
	return u.String()
}

// made is the n-th record: what the hook would keep of this payload.
func made(t testing.TB, n int, agent, event, payload string) record.Record {
	t.Helper()
	h, ok := registry.Lookup(agent)
	if !ok {
		t.Fatalf("no agent %s", agent)
	}
	ev, _ := h.Event(event)
	r := record.Record{
		V:        record.Version,
		Event:    h.Decode(ev, lenient.Parse([]byte(payload)).Value, host.Env{}),
		Decision: record.Decision{Action: canon.Allow, Expressed: canon.Allow, Source: "default"},
		Hook:     record.Hook{Version: "1.2.3", LatencyMS: 2.5, PayloadBytes: len(payload)},
	}
	r.ID, r.Time, r.SpanID = id(n), begin.Add(time.Duration(n)*time.Second), fmt.Sprintf("%016x", n+1)
	if r.Tool != nil {
		r.Tool.InputHash = fmt.Sprintf("hash of %s", r.Tool.Input)
	}
	return r
}

// claude is a payload of Claude Code's.
func claude(session string, members string) string {
	return fmt.Sprintf(`{"session_id":%q,"transcript_path":"","cwd":"/home/user/shop","hook_event_name":"x",%s}`, session, members)
}

// talk is a short session: a prompt, a command that fails, one that succeeds, an answer, and the end.
func talk(t testing.TB, n int, session string) []record.Record {
	t.Helper()
	bash := func(id, command string) string {
		return fmt.Sprintf(`"tool_name":"Bash","tool_input":{"command":%q},"tool_use_id":%q`, command, id)
	}
	return []record.Record{
		made(t, n, "claude", "SessionStart", claude(session, `"source":"startup"`)),
		made(t, n+1, "claude", "UserPromptSubmit", claude(session, `"prompt":"the build of `+session+` is broken"`)),
		made(t, n+2, "claude", "PreToolUse", claude(session, bash("t1", "make build"))),
		made(t, n+3, "claude", "PostToolUseFailure", claude(session, bash("t1", "make build")+`,"error":"Exit code 2\nno rule"`)),
		made(t, n+4, "claude", "PreToolUse", claude(session, bash("t2", "make all"))),
		made(t, n+5, "claude", "PostToolUse", claude(session, bash("t2", "make all")+`,"tool_response":{"stdout":"ok","stderr":""}`)),
		made(t, n+6, "claude", "Stop", claude(session, `"last_assistant_message":"The target is called all."`)),
		made(t, n+7, "claude", "SessionEnd", claude(session, `"reason":"other"`)),
	}
}

func encoded(t testing.TB, r record.Record) []byte {
	t.Helper()
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	must(t, e.Encode(r))
	return b.Bytes()
}

// world is an event store, a store of memory, and the sink between them.
type world struct {
	t      testing.TB
	dir    string
	events *store.Store
	path   string
	sink   *Sink
	now    time.Time
	// broken wraps the store of memory.
	broken func(rows.Store) rows.Store
}

func newWorld(t testing.TB, records ...record.Record) *world {
	t.Helper()
	dir := t.TempDir()
	events, err := store.Open(t.Context(), filepath.Join(dir, store.FileName))
	must(t, err)
	t.Cleanup(func() { must(t, events.Close()) })
	w := &world{t: t, dir: dir, events: events, path: filepath.Join(dir, "memory.db"), now: begin.Add(30 * time.Minute)}
	w.restart()
	w.insert(records...)
	must(t, events.Present(t.Context(), Name, w.now))
	return w
}

// restart is what another process would begin with.
func (w *world) restart(change ...func(*Config)) {
	if w.sink != nil {
		w.sink.Close()
	}
	c := Config{
		Open: func(ctx context.Context) (rows.Store, error) {
			s, err := sqlite.Open(ctx, w.path)
			if err != nil {
				return nil, err
			}
			if w.broken != nil {
				return w.broken(s), nil
			}
			return s, nil
		},
		Intake: intake.New(intake.Options{Project: func(dir, _ string) (string, string) { return "p-" + filepath.Base(dir), dir }}),
		Home:   w.dir, DataDir: w.dir, Now: func() time.Time { return w.now },
	}
	for _, f := range change {
		f(&c)
	}
	w.sink = New(c)
	w.t.Cleanup(w.sink.Close)
}

func (w *world) insert(records ...record.Record) {
	w.t.Helper()
	for len(records) > 0 {
		n := min(len(records), 200)
		rows := make([]store.Row, 0, n)
		for _, r := range records[:n] {
			rows = append(rows, store.Row{Record: r, JSON: encoded(w.t, r)})
		}
		_, err := w.events.Insert(w.t.Context(), rows)
		must(w.t, err)
		records = records[n:]
	}
}

func (w *world) pass() worker.Passed {
	w.t.Helper()
	passed, err := w.sink.Pass(w.t.Context(), w.events)
	must(w.t, err)
	return passed
}

func (w *world) cursor() store.Cursor {
	w.t.Helper()
	c, ok, err := w.events.Cursor(w.t.Context(), Name)
	must(w.t, err)
	if !ok {
		w.t.Fatal("no cursor")
	}
	return c
}

func (w *world) behind() bool {
	w.t.Helper()
	behind, err := w.events.Behind(w.t.Context(), w.cursor())
	must(w.t, err)
	return behind
}

// memory reads all that is remembered, one line a row.
func (w *world) memory() []string {
	w.t.Helper()
	w.sink.Close()
	s, err := sqlite.Open(w.t.Context(), w.path)
	must(w.t, err)
	defer func() { must(w.t, s.Close()) }()
	var out []string
	for at := rows.Page(""); ; {
		sessions, next, err := s.Sessions(w.t.Context(), rows.Filter{AllProjects: true}, at, 100)
		must(w.t, err)
		for _, x := range sessions {
			out = append(out, fmt.Sprintf("session %s %s ended=%t outcome=%s: %s", x.ID, x.Project, !x.Ended.IsZero(), x.Outcome, x.Summary))
		}
		if at = next; at == "" {
			break
		}
	}
	for at := rows.Page(""); ; {
		entries, next, err := s.Entries(w.t.Context(), rows.Filter{AllProjects: true}, at, 100)
		must(w.t, err)
		for _, e := range entries {
			switch {
			case e.Message != nil:
				out = append(out, fmt.Sprintf("%s: %s", e.Message.Role, e.Message.Text))
			case e.Call != nil:
				out = append(out, fmt.Sprintf("%s [%s] %s %s %s", e.Call.Tool, e.Call.Status, e.Call.Command, e.Call.Output, e.Call.Duration))
			}
		}
		if at = next; at == "" {
			return out
		}
	}
}

func count(lines []string, part string) (n int) {
	for _, l := range lines {
		if strings.Contains(l, part) {
			n++
		}
	}
	return n
}

func write(t testing.TB, path, text string) {
	t.Helper()
	must(t, os.MkdirAll(filepath.Dir(path), 0o700))
	must(t, os.WriteFile(path, []byte(text), 0o600))
}
