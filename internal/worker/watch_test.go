package worker

import (
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/boathook/boathook/hook/canon"
	"github.com/boathook/boathook/internal/record"
	"github.com/boathook/boathook/internal/store"
)

// lostOf is what a watcher says of a session.
func lostOf(s store.LiveSession, n int) record.Record {
	return record.Record{
		V:        record.Version,
		Event:    canon.Event{ID: id(n), Time: time.Unix(1_700_000_000, 0).UTC(), Agent: s.Agent, Event: canon.Notified, HostEvent: HooksLost, SessionID: s.Session},
		Decision: record.Decision{Action: canon.Allow, Expressed: canon.Allow, Source: "default"},
		Notes:    []string{"hooks lost: x"},
	}
}

func lost(t *testing.T, dir string) (out []string) {
	t.Helper()
	s, err := store.OpenReadOnly(t.Context(), StorePath(dir))
	must(t, err)
	defer s.Close()
	must(t, s.Each(t.Context(), store.Filter{}, func(_ int64, b []byte) error {
		r, err := record.Parse(b)
		if r.HostEvent == HooksLost {
			out = append(out, r.SessionID)
		}
		return err
	}))
	return out
}

// A session is told of once, whichever worker looks; one that has ended is not.
func TestLostHooksAreRecordedOnce(t *testing.T) {
	o := options(t)
	o.Idle, o.WatchEvery = 300*time.Millisecond, time.Millisecond
	o.Now = func() time.Time { return time.Unix(1_700_000_060, 0) }
	var n atomic.Int64
	o.Watch = func(live []store.LiveSession) []record.Record {
		var out []record.Record
		for _, s := range live {
			out = append(out, lostOf(s, int(1000+n.Add(1))))
		}
		return out
	}
	must(t, o.Spool.Append(id(0), eventOf(id(0), "goes on", canon.ToolBefore, "BeforeTool")))
	must(t, o.Spool.Append(id(1), eventOf(id(1), "ended", canon.SessionStart, "SessionStart")))
	must(t, o.Spool.Append(id(2), eventOf(id(2), "ended", canon.SessionStop, "SessionEnd")))
	for range 2 {
		must(t, Run(t.Context(), o))
	}
	if diff := cmp.Diff([]string{"goes on"}, lost(t, o.DataDir)); diff != "" {
		t.Error(diff)
	}
	o.Now = func() time.Time { return time.Unix(1_700_000_000, 0).Add(liveFor + time.Minute) }
	must(t, o.Spool.Append(id(3), eventOf(id(3), "long silent", canon.ToolBefore, "BeforeTool")))
	must(t, Run(t.Context(), o))
	if got := lost(t, o.DataDir); len(got) != 1 {
		t.Errorf("of a session that has been silent for long: %q", got)
	}
}

// A disk that hangs keeps the watcher, not the worker.
func TestAWatcherThatHangsKeepsNobody(t *testing.T) {
	o := options(t)
	o.WatchEvery = time.Millisecond
	o.Now = func() time.Time { return time.Unix(1_700_000_060, 0) }
	release := make(chan struct{})
	defer close(release)
	o.Watch = func([]store.LiveSession) []record.Record { <-release; return nil }
	spoolEvents(t, o, 0, 3)
	must(t, Run(t.Context(), o))
	if diff := cmp.Diff(ids(0, 3), stored(t, o.DataDir)); diff != "" {
		t.Error(diff)
	}
}
