package store

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/boathook/boathook/hook/canon"
	"github.com/boathook/boathook/internal/record"
)

// TestRetentionKeepsWhatUnsentSpansAreMadeOf: a span that is sent again has the same bytes, so that the events stay, with
// their contents, that a call's end or a turn names. They go when these are sent.
func TestRetentionKeepsWhatUnsentSpansAreMadeOf(t *testing.T) {
	s := newStore(t)
	tool := &canon.Tool{Name: "bash", HostName: "run", InputHash: "x"}
	for n, of := range []struct {
		kind    canon.Kind
		session string
		tool    *canon.Tool
	}{
		{canon.PromptSubmit, "a", nil}, // 1: first of a turn that is not sent
		{canon.ToolBefore, "a", tool},  // 2: begin of a call whose end is not sent
		{canon.Notified, "a", nil},     // 3: of the turn, and neither its first nor its last
		{canon.PromptSubmit, "b", nil}, // 4: first of an open turn
		{canon.ModelAfter, "b", nil},   // 5: of that
		{canon.ModelAfter, "b", nil},   // 6: last of it
		{canon.Notified, "", nil},      // 7: belongs to nothing
		{canon.ToolAfter, "a", tool},   // 8: not sent
		{canon.AgentStop, "a", nil},    // 9: not sent, last of the turn
	} {
		insert(t, s, row(t, n, func(r *record.Record) {
			r.Event.Event, r.SessionID, r.Tool, r.Prompt = of.kind, of.session, of.tool, secret
		}))
	}
	must(t, s.SetCursor(t.Context(), nil, Cursor{Name: "a", Event: 7}))
	old := at(1000)
	if done := retainAll(t, s, Retain{Body: old}); done.Expired != 3 {
		t.Errorf("%+v", done)
	}
	retainAll(t, s, Retain{Metadata: old})
	if diff := cmp.Diff(ids(0, 1, 3, 5, 7, 8), each(t, s, Filter{})); diff != "" {
		t.Error(diff)
	}
	if _, turns := placesOf(t, s); len(turns) != 1 {
		t.Errorf("%d turns", len(turns))
	}
	must(t, s.SetCursor(t.Context(), nil, Cursor{Name: "a", Event: 9, Turn: 1}))
	if done := retainAll(t, s, Retain{Metadata: old}); done.Events != 4 || done.Turns != 1 {
		t.Errorf("sent: %+v", done)
	}
}

// TestTurnStaysUntilItIsSent: also where all its events have gone.
func TestTurnStaysUntilItIsSent(t *testing.T) {
	s := newStore(t)
	insert(t, s, full(t, 0, "s"), full(t, 1, "s"))
	must(t, s.SetCursor(t.Context(), nil, Cursor{Name: "a", Event: 2}))
	_, err := s.db.ExecContext(t.Context(), "UPDATE turns SET json = '{}'")
	must(t, err)
	_, err = s.db.ExecContext(t.Context(), "UPDATE events SET turn_id = ''")
	must(t, err)
	if done := retainAll(t, s, Retain{Metadata: at(1000)}); done.Events != 1 || done.Turns != 0 {
		t.Fatalf("%+v", done)
	}
	if _, turns := placesOf(t, s); len(turns) != 1 {
		t.Fatalf("%d turns", len(turns))
	}
}
