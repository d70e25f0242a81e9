package store

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/boathook/boathook/hook/canon"
	"github.com/boathook/boathook/internal/record"
)

const secret = "CONTENT-THAT-GOES"

// full is an event with contents in every field that may have some.
func full(t testing.TB, n int, session string) Row {
	return row(t, n, func(r *record.Record) {
		text, value := fmt.Sprint(secret, n), json.RawMessage(fmt.Sprintf(`{"a":"%s%d"}`, secret, n))
		r.SessionID, r.Event.Event, r.Project = session, canon.PromptSubmit, "/home/user/"+session
		r.Prompt, r.Response, r.TranscriptPath, r.Raw = text, text, text, value
		r.Decision.Reason, r.Notes = text, []string{text}
		r.Guard = &record.Guard{Outcome: "allow", Reason: text, DurationMS: float64(n)}
		r.Policy = &record.Policy{Action: "allow", Effects: []record.Effect{{Kind: "delete", Target: text}}, Problems: []string{text}}
		r.Notification = &canon.Notification{Type: "t", Message: text, Details: value}
		r.Tool = &canon.Tool{
			Name: "bash", Input: value, Output: value, Error: text, Command: text, Paths: []string{text}, URLs: []string{text},
		}
	})
}

func retainAll(t testing.TB, s *Store, r Retain) (all Retained) {
	t.Helper()
	for more := true; more; {
		done, err := s.RetainStep(t.Context(), r)
		must(t, err)
		all.Expired += done.Expired
		all.Events += done.Events
		all.Turns += done.Turns
		all.Sessions += done.Sessions
		more = done.More
	}
	return all
}

func at(n int) time.Time { return time.Unix(int64(1_700_000_000+n), 0) }

// noSecret looks for contents in the store's files.
func noSecret(t testing.TB, s *Store, text string) {
	t.Helper()
	for _, suffix := range []string{"", "-wal"} {
		if b, err := os.ReadFile(s.path + suffix); err == nil && bytes.Contains(b, []byte(text)) {
			t.Errorf("%s still has %s", s.path+suffix, text)
		}
	}
}

func TestContentsExpire(t *testing.T) {
	s := newStore(t)
	var rows []Row
	for n := range 2*removeRows + 10 {
		rows = append(rows, full(t, n, "s"))
	}
	insert(t, s, rows...)
	if done := retainAll(t, s, Retain{Body: at(2*removeRows + 5)}); done != (Retained{Expired: 2*removeRows + 5}) {
		t.Fatalf("%+v", done)
	}
	if done := retainAll(t, s, Retain{Body: at(2*removeRows + 5)}); done != (Retained{}) {
		t.Fatalf("again %+v", done)
	}
	p, ok, err := s.Event(t.Context(), id(7))
	must(t, err)
	e := p.Record
	want := record.Record{
		V: 1, Event: canon.Event{
			ID: id(7), Time: at(7).UTC(), Agent: "gemini", Event: canon.PromptSubmit, HostEvent: "BeforeTool", SessionID: "s",
			Project: "/home/user/s", Tool: &canon.Tool{Name: "bash"}, Notification: &canon.Notification{Type: "t"},
		},
		Decision: record.Decision{Action: canon.Allow, Expressed: canon.Allow, Source: "default"},
		Guard:    &record.Guard{Outcome: "allow", DurationMS: 7}, Hook: record.Hook{Privacy: PrivacyExpired},
		Policy: &record.Policy{Action: "allow", Effects: []record.Effect{{Kind: "delete"}}},
	}
	if diff := cmp.Diff(want, e); diff != "" || !ok || p.Place.TurnID != id(7) {
		t.Fatal(diff)
	}
	if p, _, err := s.Event(t.Context(), id(2*removeRows+5)); err != nil || !strings.Contains(p.Record.Prompt, secret) {
		t.Fatalf("%+v %v", p, err)
	}
	_, err = s.shrink(t.Context())
	must(t, err)
	noSecret(t, s, secret+"7\"")
}

func TestRowsExpire(t *testing.T) {
	s := newStore(t)
	var rows []Row
	for n := range removeRows + 10 {
		rows = append(rows, full(t, n, fmt.Sprint("s", n%3)))
	}
	insert(t, s, rows...)
	_, err := s.Sweep(t.Context(), at(1<<20))
	must(t, err)
	done := retainAll(t, s, Retain{Metadata: at(removeRows + 8)})
	if done.Events != removeRows+8 || done.Turns != removeRows+8 || done.Sessions != 1 {
		t.Fatalf("%+v", done)
	}
	if diff := cmp.Diff(ids(removeRows+8, removeRows+9), each(t, s, Filter{})); diff != "" {
		t.Fatal(diff)
	}
	must(t, s.Integrity(t.Context()))
}

// TestNothingIsRemovedBeforeASinkHasIt: neither contents nor rows nor turns. Of the four events that both have, two began
// turns that one has still to take.
func TestNothingIsRemovedBeforeASinkHasIt(t *testing.T) {
	s := newStore(t)
	for n := range 10 {
		insert(t, s, full(t, n, "s"))
	}
	must(t, s.SetCursor(t.Context(), nil, Cursor{Name: "fast", Event: 10, Turn: 9}))
	must(t, s.SetCursor(t.Context(), nil, Cursor{Name: "slow", Event: 4, Turn: 2}))
	if done := retainAll(t, s, Retain{Body: at(6)}); done.Expired != 2 {
		t.Fatalf("%+v", done)
	}
	done := retainAll(t, s, Retain{Metadata: at(1000)})
	_, turns := placesOf(t, s)
	if got := each(t, s, Filter{}); done.Events != 2 || done.Turns != 2 || len(got) != 8 || len(turns) != 7 {
		t.Fatalf("%+v, left %d events, %d turns", done, len(got), len(turns))
	}
}

func TestPurge(t *testing.T) {
	for name, tc := range map[string]struct {
		f    PurgeFilter
		want []int
		done Purged
	}{
		"all":                 {PurgeFilter{}, nil, Purged{Events: 6, Turns: 3, Sessions: 3}},
		"session":             {PurgeFilter{Session: "a"}, []int{1, 2, 4, 5}, Purged{Events: 2, Turns: 1, Sessions: 1}},
		"project":             {PurgeFilter{Project: "/home/user/b"}, []int{0, 2, 3, 5}, Purged{Events: 2, Turns: 1, Sessions: 1}},
		"before":              {PurgeFilter{Before: at(4)}, []int{4, 5}, Purged{Events: 4, Turns: 3, Sessions: 1}},
		"agent":               {PurgeFilter{Agent: "gemini"}, nil, Purged{Events: 6, Turns: 3, Sessions: 3}},
		"no such agent":       {PurgeFilter{Agent: "other"}, []int{0, 1, 2, 3, 4, 5}, Purged{}},
		"session, and before": {PurgeFilter{Session: "a", Before: at(1)}, []int{1, 2, 3, 4, 5}, Purged{Events: 1, Turns: 1}},
	} {
		t.Run(name, func(t *testing.T) {
			s := newStore(t)
			for n := range 6 {
				insert(t, s, full(t, n, string("abc"[n%3])))
			}
			done, err := s.Purge(t.Context(), tc.f)
			must(t, err)
			if diff := cmp.Diff(tc.done, done); diff != "" {
				t.Error(diff)
			}
			if diff := cmp.Diff(ids(tc.want...), each(t, s, Filter{})); diff != "" {
				t.Error(diff)
			}
			for n := range 6 {
				if match := tc.f.Matches(full(t, n, string("abc"[n%3])).JSON); match == contains(tc.want, n) {
					t.Errorf("event %d matches: %v", n, match)
				}
			}
			if tc.want == nil {
				noSecret(t, s, secret)
			}
			must(t, s.Integrity(t.Context()))
		})
	}
}

func contains(ns []int, n int) bool {
	for _, m := range ns {
		if m == n {
			return true
		}
	}
	return false
}

// TestPurgeBesideAWriter: neither fails for the other.
func TestPurgeBesideAWriter(t *testing.T) {
	s := newStore(t)
	other, err := Open(t.Context(), s.path)
	must(t, err)
	defer other.Close()
	done := make(chan error)
	go func() {
		var err error
		for n := 0; n < 100 && err == nil; n++ {
			_, err = s.Insert(t.Context(), []Row{full(t, 2*n, "goes"), full(t, 2*n+1, "stays")})
		}
		done <- err
	}()
	for running := true; running; {
		_, err := other.Purge(t.Context(), PurgeFilter{Session: "goes"})
		must(t, err)
		select {
		case err := <-done:
			must(t, err)
			running = false
		default:
		}
	}
	_, err = other.Purge(t.Context(), PurgeFilter{Session: "goes"})
	must(t, err)
	if got := each(t, s, Filter{}); len(got) != 100 {
		t.Fatalf("%d events", len(got))
	}
}

func TestStats(t *testing.T) {
	s := newStore(t)
	if st, err := s.Stats(t.Context()); err != nil || st.Events != 0 || !st.Oldest.IsZero() || st.Bytes == 0 {
		t.Fatalf("empty: %+v %v", st, err)
	}
	for n := 1; n <= 100; n++ {
		r := full(t, n, "s")
		insert(t, s, row(t, n, func(to *record.Record) {
			*to = r.Record
			to.Hook.LatencyMS = float64(n)
			if n > 50 {
				to.Decision.Source, to.Agent = "remote_guard", "antigravity"
			}
		}))
	}
	st, err := s.Stats(t.Context())
	must(t, err)
	if st.Events != 100 || !st.Oldest.Equal(at(1)) || !st.Newest.Equal(at(100)) {
		t.Errorf("%+v", st)
	}
	seen, err := s.Seen(t.Context(), at(41))
	must(t, err)
	want := []Seen{{"antigravity", "BeforeTool", 50, at(100).UTC()}, {"gemini", "BeforeTool", 10, at(50).UTC()}}
	if diff := cmp.Diff(want, seen); diff != "" {
		t.Error(diff)
	}
	last, err := s.LastByAgent(t.Context())
	must(t, err)
	if diff := cmp.Diff(map[string]time.Time{"antigravity": at(100).UTC(), "gemini": at(50).UTC()}, last); diff != "" {
		t.Error(diff)
	}
	hooks, err := s.HookLatency(t.Context(), time.Time{})
	must(t, err)
	guard, err := s.GuardLatency(t.Context(), at(91))
	must(t, err)
	if diff := cmp.Diff([]Latency{{100, 50, 95, 99, 100}, {10, 95, 100, 100, 100}}, []Latency{hooks, guard}); diff != "" {
		t.Error(diff)
	}
}
