//go:build unix

package worker

import (
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/boathook/boathook/hook/canon"
	"github.com/boathook/boathook/internal/correlate"
	"github.com/boathook/boathook/internal/record"
	"github.com/boathook/boathook/internal/store"
)

// TestKilledWorkersKeepSessionsApart: a thousand sessions come interleaved and workers are killed in the middle; every
// event and turn is where it would be had each session come alone, through one worker.
func TestKilledWorkersKeepSessionsApart(t *testing.T) {
	const sessions, each = 1000, 5
	kinds := []canon.Kind{canon.PromptSubmit, canon.ModelBefore, canon.AgentStop, canon.PromptSubmit, canon.SessionStop}
	rng := rand.New(rand.NewPCG(3, 4))
	next, alone := make([]int, sessions), make([][]store.Row, sessions)
	o := options(t)
	for n := range sessions * each {
		i := rng.IntN(sessions)
		for next[i] == each {
			i = (i + 1) % sessions
		}
		b := eventOf(id(n), fmt.Sprint("session-", i), kinds[next[i]], "any")
		must(t, o.Spool.Append(id(n), b))
		r, err := record.Parse(b)
		must(t, err)
		alone[i] = append(alone[i], store.Row{Record: r, JSON: b})
		next[i]++
	}
	killed := 0
	for range 8 {
		cmd := exec.Command(os.Args[0], "worker", "--data", o.DataDir)
		must(t, cmd.Start())
		time.Sleep(time.Duration(10+rng.IntN(40)) * time.Millisecond)
		if cmd.Process.Signal(syscall.SIGKILL) == nil && cmd.Wait() != nil {
			killed++
		}
	}
	finish(t, o)
	want := options(t)
	s, err := store.Open(t.Context(), StorePath(want.DataDir))
	must(t, err)
	for _, rows := range alone {
		_, err := s.Insert(t.Context(), rows)
		must(t, err)
	}
	must(t, s.Close())
	wantPlaces, wantTurns := places(t, want.DataDir)
	gotPlaces, gotTurns := places(t, o.DataDir)
	if diff := cmp.Diff(wantPlaces, gotPlaces) + cmp.Diff(wantTurns, gotTurns); diff != "" || len(gotPlaces) != sessions*each {
		t.Fatalf("%d places after %d kills: %s", len(gotPlaces), killed, diff[:min(len(diff), 4000)])
	}
}

func places(t *testing.T, dir string) (map[string]correlate.Place, map[string]correlate.Turn) {
	t.Helper()
	s, err := store.OpenReadOnly(t.Context(), StorePath(dir))
	must(t, err)
	defer s.Close()
	places, turns := map[string]correlate.Place{}, map[string]correlate.Turn{}
	events, err := s.After(t.Context(), 0, 1<<20, 1<<30)
	must(t, err)
	for _, p := range events {
		places[p.Record.ID] = p.Place
	}
	ended, err := s.Turns(t.Context(), 0, 1<<20)
	must(t, err)
	for _, e := range ended {
		turns[e.Turn.ID] = e.Turn
	}
	return places, turns
}
