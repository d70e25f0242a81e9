package store

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/boathook/boathook/hook/canon"
	"github.com/boathook/boathook/internal/record"
)

// turnRows are those of one turn: a prompt and its end.
func turnRows(t testing.TB, n int) []Row {
	t.Helper()
	kind := func(k canon.Kind, name string) func(*record.Record) {
		return func(r *record.Record) { r.Event.Event, r.HostEvent = k, name }
	}
	return []Row{row(t, n, kind(canon.PromptSubmit, "BeforeAgent")), row(t, n+1, kind(canon.AgentStop, "AfterAgent"))}
}

func lag(t testing.TB, s *Store, c Cursor) [2]int64 {
	t.Helper()
	events, turns, err := s.Lag(t.Context(), c)
	must(t, err)
	behind, err := s.Behind(t.Context(), c)
	must(t, err)
	if behind != (events+turns > 0) {
		t.Errorf("behind %v, by %d and %d", behind, events, turns)
	}
	return [2]int64{events, turns}
}

// TestLag: what is gone is behind nobody.
func TestLag(t *testing.T) {
	s := newStore(t)
	insert(t, s, turnRows(t, 0)...)
	insert(t, s, row(t, 2, func(r *record.Record) { r.SessionID = "other" }), row(t, 3, nil))
	cursor := Cursor{Name: "a", Event: 1}
	if diff := cmp.Diff([2]int64{3, 1}, lag(t, s, cursor)); diff != "" {
		t.Error(diff)
	}
	_, err := s.Purge(t.Context(), PurgeFilter{Session: "other"})
	must(t, err)
	if diff := cmp.Diff([2]int64{2, 1}, lag(t, s, cursor)); diff != "" {
		t.Error("a gap:", diff)
	}
	_, err = s.Purge(t.Context(), PurgeFilter{})
	must(t, err)
	if diff := cmp.Diff([2]int64{}, lag(t, s, cursor)); diff != "" {
		t.Error("after a purge of all:", diff)
	}
	insert(t, s, row(t, 9, nil))
	if diff := cmp.Diff([2]int64{1, 0}, lag(t, s, cursor)); diff != "" {
		t.Error("what came then:", diff)
	}
}

// TestDamagedRowsAreGiven: else no sink would get past those at the end.
func TestDamagedRowsAreGiven(t *testing.T) {
	s := newStore(t)
	insert(t, s, turnRows(t, 0)...)
	insert(t, s, turnRows(t, 2)...)
	for _, damage := range []string{"UPDATE events SET json = '{' WHERE seq IN (1, 4)", "UPDATE turns SET json = 'x' WHERE seq = 1"} {
		_, err := s.db.ExecContext(t.Context(), damage)
		must(t, err)
	}
	events, err := s.After(t.Context(), 0, 10, 1<<20)
	must(t, err)
	var seqs []int64
	for _, p := range events {
		if seqs = append(seqs, p.Seq); p.Damaged != (p.Seq == 1 || p.Seq == 4) || p.Damaged != (p.Record.ID == "") {
			t.Errorf("%+v", p)
		}
	}
	if diff := cmp.Diff([]int64{1, 2, 3, 4}, seqs); diff != "" {
		t.Error(diff)
	}
	turns, err := s.Turns(t.Context(), 0, 10)
	must(t, err)
	if len(turns) != 2 || !turns[0].Damaged || turns[1].Damaged || turns[1].Turn.ID != id(2) {
		t.Errorf("turns %+v", turns)
	}
}
