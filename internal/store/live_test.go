package store

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/oklog/ulid/v2"

	"github.com/boathook/boathook/hook/canon"
	"github.com/boathook/boathook/internal/record"
)

func TestLive(t *testing.T) {
	s, err := Open(t.Context(), t.TempDir()+"/events.db")
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	now := time.Unix(1_800_000_000, 0).UTC()
	insert := func(session, name string, kind canon.Kind, at time.Time, cwd string) {
		t.Helper()
		r := record.Record{
			V: record.Version,
			Event: canon.Event{
				ID: ulid.Make().String(), Time: at, Agent: "claude", Event: kind, HostEvent: name, SessionID: session, CWD: cwd, Project: cwd,
			},
			Decision: record.Decision{Action: canon.Allow, Expressed: canon.Allow, Source: "default"},
		}
		b, err := json.Marshal(r)
		if err == nil {
			_, err = s.Insert(t.Context(), []Row{{Record: r, JSON: b}})
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	insert("old", "Stop", canon.AgentStop, now.Add(-time.Hour), "/o")
	insert("on", "SessionStart", canon.SessionStart, now, "/a")
	insert("on", "PreToolUse", canon.ToolBefore, now, "/b")
	insert("ended", "SessionEnd", canon.SessionStop, now, "/c")
	insert("ended", "Lost", canon.Notified, now, "/c")
	insert("again", "SessionEnd", canon.SessionStop, now, "/d")
	insert("again", "SessionStart", canon.SessionStart, now, "/d")
	insert("again", "Lost", canon.Notified, now, "/d")
	insert("", "PreToolUse", canon.ToolBefore, now, "/e")
	got, err := s.Live(t.Context(), now.Add(-time.Minute), "Lost", "Changed")
	want := []LiveSession{
		{Agent: "claude", Session: "again", CWD: "/d", Project: "/d", Noted: true}, {Agent: "claude", Session: "on", CWD: "/b", Project: "/b"},
	}
	if diff := cmp.Diff(want, got); diff != "" || err != nil {
		t.Error(err, diff)
	}
	named, err := s.Named(t.Context(), "Lost", now.Add(-time.Minute))
	if err != nil || len(named) != 2 {
		t.Errorf("%d events, %v", len(named), err)
	}
	if later, err := s.Named(t.Context(), "Lost", now.Add(time.Minute)); err != nil || len(later) > 0 {
		t.Errorf("%d events, %v", len(later), err)
	}
}
