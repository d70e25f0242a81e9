package main

import (
	"bytes"
	"io"
	"path/filepath"
	"testing"
	"time"

	"github.com/boathook/boathook/internal/memory"
	"github.com/boathook/boathook/internal/memory/project"
	"github.com/boathook/boathook/internal/memory/sqlite"
	"github.com/boathook/boathook/itest/build"
)

// TestCorpus: the shares that the figures name are those of what memory is filled with.
func TestCorpus(t *testing.T) {
	c := newCorpus(1, 10_000, time.Now())
	projects, tools := map[string]int{}, map[string]int{}
	for range 100 {
		b := c.batch()
		projects[b.Sessions[0].Project] += len(b.Messages) + len(b.ToolCalls)
		for _, call := range b.ToolCalls {
			tools[call.Tool]++
		}
	}
	for name, want := range map[string]int{askedOne: 100, askedSix: 600, askedHalf: 5000} {
		if got := projects[project.Named(name).Key]; got != want {
			t.Errorf("project %s has %d rows, not %d", name, got, want)
		}
		if tools[name] != want {
			t.Errorf("tool %s has %d rows, not %d", name, tools[name], want)
		}
	}
	if len(projects) != 7 || len(c.said) == 0 {
		t.Errorf("%d projects, and %d questions", len(projects), len(c.said))
	}
}

// TestPrompts: with ten thousand chunks every prompt that asks for one of them is told something, and none is by a hook without memory.
func TestPrompts(t *testing.T) {
	t.Cleanup(build.Cleanup)
	tb := &bench{}
	t.Cleanup(tb.cleanup)
	off, offDir := memoryLab(tb)
	on, onDir := memoryLab(tb)
	c := newCorpus(1, 10_000, time.Now())
	if _, size, err := fillSQLite(filepath.Join(on.Data, sqlite.FileName), c, 10_000); err != nil || size == 0 {
		t.Fatal(size, err)
	}
	remembers(on, onDir, "[memory.retrieval]\ndeadlineMs = 5000\n")
	const rounds = 8
	askers := []asker{greeter(off.Environ()), hookOf(off, offDir, "off", 0, false), hookOf(on, onDir, "on", 0, true)}
	all, err := prompts(askers, c, rounds)
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []int{0, 0, rounds} {
		if all[i].told != want || len(all[i].samples) != rounds {
			t.Errorf("%s: %d of %d prompts were told something, not %d", askers[i].name, all[i].told, len(all[i].samples), want)
		}
	}
	var table bytes.Buffer
	if err := reportAsked(&table, askers, all); err != nil || bytes.Count(table.Bytes(), []byte("\n")) < len(askers)+1 {
		t.Errorf("%v, %s", err, &table)
	}
}

// TestMemoryVerdicts: a hook that is late, one that tells nothing, a slow store, and vectors that are not found are faults.
func TestMemoryVerdicts(t *testing.T) {
	quick, slow := sample{wall: time.Millisecond}, sample{wall: time.Second}
	a := asker{limit: time.Millisecond, tells: true}
	for what, row := range map[string]struct {
		all   asked
		fails bool
	}{
		"quick": {asked{[]sample{quick, quick}, 2}, false}, "slow": {asked{[]sample{slow, slow}, 2}, true}, "silent": {asked{[]sample{quick, quick}, 1}, true},
	} {
		if err := judgeAsked(io.Discard, a, row.all); (err != nil) != row.fails {
			t.Errorf("%s: %v", what, err)
		}
	}
	if judgeStored(io.Discard, "", 500, 500) != nil || judgeStored(io.Discard, "", 499, 500) == nil {
		t.Error("500 rows/s are enough, 499 are not")
	}
	e := newExact(newField(1, 2), 1)
	for id := range 30 {
		e.add(memory.Chunk{ID: int64(id), Tool: askedHalf}, newField(uint64(id), 0).draw())
	}
	for i, want := range []int{0, 0, 0, 0, 0, nearestFew, nearestFew} {
		best := e.best[i][0]
		if len(best) != want {
			t.Errorf("%s: %d are the nearest, not %d", e.filters[i].name, len(best), want)
		}
		for n := 1; n < len(best); n++ {
			if best[n].is > best[n-1].is {
				t.Errorf("%s: they are not in the order of their distances", e.filters[i].name)
			}
		}
	}
}
