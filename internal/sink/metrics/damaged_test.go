package metrics

import (
	"testing"

	"github.com/boathook/boathook/internal/otlp"
	"github.com/boathook/boathook/internal/store"
)

// TestPastDamagedRows: an event that can't be read is passed, also where it is the last.
func TestPastDamagedRows(t *testing.T) {
	l := newLab(t)
	l.events(2)
	_, err := l.store.Insert(t.Context(), []store.Row{{Record: made(l.n), JSON: []byte("{")}})
	must(t, err)
	if p := l.pass(); p.Events != 3 {
		t.Errorf("passed %+v", p)
	}
	if behind, err := l.store.Behind(t.Context(), l.cursor()); err != nil || behind || l.decided() != 2 {
		t.Errorf("behind %v, %v; %d decisions", behind, err, l.decided())
	}
}

// TestMovedIsTheLastSuccess: what is only counted was taken by nobody.
func TestMovedIsTheLastSuccess(t *testing.T) {
	l := newLab(t)
	l.answer = otlp.Result{Outcome: otlp.Retry, Message: "nobody listens"}
	l.events(2)
	l.pass()
	if c := l.cursor(); c.Event != 2 || c.Tries != 1 || !c.Moved.IsZero() {
		t.Errorf("cursor %+v", c)
	}
	l.answer = otlp.Result{Outcome: otlp.Accepted}
	l.now = l.now.Add(maxWait)
	l.pass()
	if c := l.cursor(); c.Tries != 0 || !c.Moved.Equal(l.now) {
		t.Errorf("cursor %+v", c)
	}
}

// TestLagOfWhatIsGone: the gauge counts what is stored.
func TestLagOfWhatIsGone(t *testing.T) {
	l := newLab(t)
	must(t, l.store.SetCursor(t.Context(), nil, store.Cursor{Name: "other"}))
	l.events(3)
	_, err := l.store.Purge(t.Context(), store.PurgeFilter{})
	must(t, err)
	l.events(1)
	l.pass()
	for _, p := range l.last()["boathook.sink.lag"].Gauge {
		if want := map[any]int64{"other": 1, Name: 0}[p.Attrs[0].Value]; p.Value != want {
			t.Errorf("%v: %v behind, want %d", p.Attrs[0].Value, p.Value, want)
		}
	}
}
