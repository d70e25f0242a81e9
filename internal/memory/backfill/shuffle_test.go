package backfill

import (
	"bytes"
	"encoding/json"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/boathook/boathook/internal/memory"
	"github.com/boathook/boathook/internal/memory/forgotten"
	"github.com/boathook/boathook/internal/memory/ingest"
	"github.com/boathook/boathook/internal/memory/intake"
)

// exported writes what a store has to itself, as 'memory export' and 'memory ingest' do.
func exported(t *testing.T, s memory.Store, data string) {
	t.Helper()
	var lines bytes.Buffer
	enc := json.NewEncoder(&lines)
	for at := memory.Page(""); ; {
		list, next, err := s.Entries(t.Context(), memory.Filter{AllProjects: true}, at, 100)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range list {
			if l, ok := ingest.LineOf(e, ""); ok {
				if err := enc.Encode(l); err != nil {
					t.Fatal(err)
				}
			}
		}
		if at = next; at == "" {
			break
		}
	}
	report, err := ingest.Read(t.Context(), &lines, ingest.Options{Store: s, Intake: testIntake(), Forgotten: forgotten.Open(data), Name: "export"})
	if err != nil || report.Bad > 0 {
		t.Fatalf("%+v, %v", report, err)
	}
}

// TestAnyOrder: the recorded sessions' hooks, their records and exports of both come in any order, some of them again, and make the same rows.
func TestAnyOrder(t *testing.T) {
	home := pastHome(t)
	agents := map[string][]intake.Told{"gemini": geminiHooks(t), "claude": claudeHooks(t), "codex": codexHooks(t)}
	names := []string{"claude", "codex", "gemini"}
	want := ""
	for seed := range uint64(40) {
		chance := rand.New(rand.NewPCG(seed, 6))
		data := t.TempDir()
		s := storeIn(t, data)
		o := options(s, data, home)
		o.Again = true
		var steps []func()
		for _, agent := range names {
			for _, one := range agents[agent] {
				steps = append(steps, func() { writeHooks(t, s, []intake.Told{one}) })
				if chance.IntN(4) == 0 {
					steps = append(steps, func() { writeHooks(t, s, []intake.Told{one}) })
				}
			}
			for range 1 + chance.IntN(2) {
				steps = append(steps, func() {
					of := o
					of.Agent = agent
					run(t, of)
				})
			}
		}
		exports := 0
		if seed > 20 {
			exports = 1 + chance.IntN(3)
		}
		for range exports {
			steps = append(steps, func() { exported(t, s, data) })
		}
		if seed > 0 {
			chance.Shuffle(len(steps), func(i, j int) { steps[i], steps[j] = steps[j], steps[i] })
		}
		for _, do := range steps {
			do()
		}
		got := rowsOf(t, s)
		if want == "" {
			want = got
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatalf("seed %d, %d exports (-in their order, +shuffled):\n%s", seed, exports, diff)
		}
	}
	if !slices.Contains(names, "codex") || len(want) < 1000 {
		t.Error("there is next to nothing to compare")
	}
}
