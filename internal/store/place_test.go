package store

import (
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/boathook/boathook/hook/canon"
	"github.com/boathook/boathook/internal/correlate"
	"github.com/boathook/boathook/internal/record"
)

// play is a session's n-th event: prompts, calls that follow one another, overlap, are denied or never end.
func play(t testing.TB, n int, session string, kind canon.Kind, input string) Row {
	return row(t, n, func(r *record.Record) {
		r.SessionID, r.Event.Event = session, kind
		switch {
		case input == "denied":
			r.Decision.Expressed = canon.Deny
			fallthrough
		case input != "":
			r.Tool = &canon.Tool{Name: "bash", HostName: "bash", InputHash: input}
		}
	})
}

var playKinds = []canon.Kind{
	canon.SessionStart, canon.PromptSubmit, canon.ToolBefore, canon.ToolAfter, canon.ToolBefore, canon.ToolAfter, canon.AgentStop,
	canon.SessionStop, canon.ModelBefore,
}

func playRandom(t testing.TB, n int, session string, pick func(int) int) Row {
	kind := playKinds[pick(len(playKinds))]
	input := ""
	if kind == canon.ToolBefore || kind == canon.ToolAfter {
		input = []string{"a", "b", "denied"}[pick(3)]
	}
	return play(t, n, session, kind, input)
}

// placesOf reads every event's place and every turn.
func placesOf(t testing.TB, s *Store) (map[string]correlate.Place, map[string]correlate.Turn) {
	t.Helper()
	places, turns := map[string]correlate.Place{}, map[string]correlate.Turn{}
	for seq := int64(0); ; {
		got, err := s.After(t.Context(), seq, 1000, 1<<20)
		must(t, err)
		if len(got) == 0 {
			break
		}
		for _, p := range got {
			places[p.Record.ID], seq = p.Place, p.Seq
		}
	}
	ended, err := s.Turns(t.Context(), 0, 1<<20)
	must(t, err)
	for _, e := range ended {
		turns[e.Turn.ID] = e.Turn
	}
	return places, turns
}

// TestPlacesDoNotDependOnBatches: however the events are cut into transactions, whatever is inserted again, and wherever
// the store is closed and opened in between.
func TestPlacesDoNotDependOnBatches(t *testing.T) {
	dir, round := t.TempDir(), 0
	rapid.Check(t, func(rt *rapid.T) {
		round++
		path := filepath.Join(dir, fmt.Sprint(round, ".db"))
		rows := make([]Row, rapid.IntRange(1, 40).Draw(rt, "events"))
		for i := range rows {
			session := []string{"one", "two", ""}[rapid.IntRange(0, 2).Draw(rt, "session")]
			rows[i] = playRandom(t, i, session, func(n int) int { return rapid.IntRange(0, n-1).Draw(rt, "pick") })
		}
		whole := newStore(t)
		insert(t, whole, rows...)
		s, err := Open(t.Context(), path)
		must(t, err)
		for done := 0; done < len(rows); {
			from := rapid.IntRange(0, done).Draw(rt, "again from")
			to := rapid.IntRange(done+1, len(rows)).Draw(rt, "to")
			insert(t, s, rows[from:to]...)
			done = to
			if rapid.Bool().Draw(rt, "reopen") {
				must(t, s.Close())
				s, err = Open(t.Context(), path)
				must(t, err)
			}
		}
		wantPlaces, wantTurns := placesOf(t, whole)
		gotPlaces, gotTurns := placesOf(t, s)
		must(t, s.Close())
		if diff := cmp.Diff(wantPlaces, gotPlaces) + cmp.Diff(wantTurns, gotTurns); diff != "" {
			rt.Fatal(diff)
		}
	})
}

// TestSessionsKeepApart: a thousand sessions that come interleaved are placed as if each had come alone.
func TestSessionsKeepApart(t *testing.T) {
	const sessions = 1000
	rng := rand.New(rand.NewPCG(1, 2))
	perSession := make([][]Row, sessions)
	var order []int
	n := 0
	for i := range perSession {
		for range 5 + rng.IntN(10) {
			perSession[i] = append(perSession[i], playRandom(t, n, fmt.Sprint("session-", i), rng.IntN))
			order = append(order, i)
			n++
		}
	}
	rng.Shuffle(len(order), func(i, j int) { order[i], order[j] = order[j], order[i] })
	mixed, next := make([]Row, 0, n), make([]int, sessions)
	for _, i := range order {
		mixed = append(mixed, perSession[i][next[i]])
		next[i]++
	}
	alone, together := newStore(t), newStore(t)
	for _, rows := range perSession {
		insert(t, alone, rows...)
	}
	for len(mixed) > 0 {
		cut := min(len(mixed), 1+rng.IntN(700))
		insert(t, together, mixed[:cut]...)
		mixed = mixed[cut:]
	}
	wantPlaces, wantTurns := placesOf(t, alone)
	gotPlaces, gotTurns := placesOf(t, together)
	if diff := cmp.Diff(wantPlaces, gotPlaces) + cmp.Diff(wantTurns, gotTurns); diff != "" {
		t.Fatal(diff[:min(len(diff), 4000)])
	}
	traces := map[string]string{}
	for i, rows := range perSession {
		for _, r := range rows {
			trace := gotPlaces[r.Record.ID].TraceID
			if owner, ok := traces[trace]; ok && owner != fmt.Sprint(i) {
				t.Fatalf("sessions %s and %d share the trace %s", owner, i, trace)
			}
			traces[trace] = fmt.Sprint(i)
		}
	}
}

// TestDamagedSession: what is remembered of a session may be lost; its events may not.
func TestDamagedSession(t *testing.T) {
	s := newStore(t)
	insert(t, s, play(t, 1, "s", canon.PromptSubmit, ""), play(t, 2, "well", canon.PromptSubmit, ""))
	for _, damage := range []string{"", "rubbish", `{"turn":7}`, "null", `{"turn":{},"calls":[{}],"last":"2023-11-14T22:13:20Z"}`} {
		_, err := s.db.Exec("UPDATE sessions SET json = ?", damage)
		must(t, err)
		if _, err := s.Sweep(t.Context(), time.Unix(1_800_000_000, 0)); err != nil {
			t.Fatalf("%q: %v", damage, err)
		}
	}
	_, err := s.db.Exec("UPDATE sessions SET json = 'rubbish'")
	must(t, err)
	insert(t, s, play(t, 3, "s", canon.PromptSubmit, ""), play(t, 4, "s", canon.AgentStop, ""))
	places, turns := placesOf(t, s)
	want := correlate.Place{TraceID: correlate.TraceID(id(3)), TurnID: id(3)}
	if diff := cmp.Diff(want, places[id(4)]); diff != "" {
		t.Error(diff)
	}
	if turns[id(3)].Outcome != correlate.Completed {
		t.Errorf("turns %v", turns)
	}
	c, err := s.Counters(t.Context())
	must(t, err)
	if c[CounterSessions] == 0 {
		t.Error("not counted")
	}
}

// TestSweep ends what is silent, and nothing else; an ended turn isn't ended again.
func TestSweep(t *testing.T) {
	s := newStore(t)
	insert(t, s, play(t, 1, "old", canon.PromptSubmit, ""), play(t, 2, "over", canon.PromptSubmit, ""),
		play(t, 3, "over", canon.AgentStop, ""), play(t, 100, "new", canon.PromptSubmit, ""))
	var got []int
	for range 2 {
		n, err := s.Sweep(t.Context(), time.Unix(1_700_000_050, 0))
		must(t, err)
		got = append(got, n)
	}
	if !slices.Equal(got, []int{1, 0}) {
		t.Errorf("ended %v", got)
	}
	_, turns := placesOf(t, s)
	if len(turns) != 2 || turns[id(1)].Outcome != correlate.Abandoned {
		t.Errorf("turns %v", turns)
	}
}
