package memory

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/boathook/boathook/internal/record"
)

func TestSession(t *testing.T) {
	w := newWorld(t, talk(t, 0, "s1")...)
	passed := w.pass()
	if passed.Behind || passed.Events != 8 || w.behind() {
		t.Errorf("%+v, behind %t", passed, w.behind())
	}
	want := []string{
		"session claude/s1 p-shop ended=true outcome=success: the build of s1 is broken — succeeded: make all — The target is called all.",
		"user: the build of s1 is broken",
		"bash [error] make build  1s",
		"bash [success] make all ok 1s",
		"assistant: The target is called all.",
	}
	if diff := cmp.Diff(want, w.memory()); diff != "" {
		t.Error(diff)
	}
	counts, err := w.events.Counters(t.Context())
	must(t, err)
	if counts[CountTaken] != 4 || counts[CountFailed] != 0 || counts[CountRefused] != 0 {
		t.Errorf("%v", counts)
	}
}

// TestBegins: the first time with what is stored, and after memory was off with what comes.
func TestBegins(t *testing.T) {
	w := newWorld(t, talk(t, 0, "s1")...)
	w.pass()
	if n := count(w.memory(), "s1"); n == 0 {
		t.Fatal("what was stored is not remembered")
	}
	must(t, w.events.DropCursor(t.Context(), Name))
	w.insert(talk(t, 20, "s2")...)
	must(t, w.events.Present(t.Context(), Name, w.now))
	w.insert(talk(t, 40, "s3")...)
	w.pass()
	if lines := w.memory(); count(lines, "s2") != 0 || count(lines, "s3") == 0 {
		t.Errorf("%s", strings.Join(lines, "\n"))
	}
}

// TestSettles: a session is finished a little after its end, or at once where the worker leaves; one that goes silent after a while.
func TestSettles(t *testing.T) {
	all := talk(t, 0, "s1")
	w := newWorld(t, all...)
	w.now = begin.Add(7*time.Second + time.Second/2)
	passed := w.pass()
	if want := begin.Add(7*time.Second + settle); !passed.Behind || !passed.Next.Equal(want) {
		t.Errorf("%+v, want %s", passed, want)
	}
	if n := count(w.memory(), "outcome=success"); n != 0 {
		t.Error("it is finished before it has settled")
	}
	w.now = passed.Next
	if passed := w.pass(); passed.Behind {
		t.Errorf("%+v", passed)
	}
	if n := count(w.memory(), "outcome=success"); n != 1 {
		t.Error("it is not finished")
	}

	silent := newWorld(t, all[:6]...)
	silent.now = begin.Add(usualIdle)
	if passed := silent.pass(); passed.Behind {
		t.Errorf("an idle session holds the worker: %+v", passed)
	}
	if n := count(silent.memory(), "outcome=success"); n != 0 {
		t.Error("it is finished before it is idle")
	}
	silent.now = begin.Add(usualIdle + time.Minute)
	silent.pass()
	if n := count(silent.memory(), "ended=false outcome=success"); n != 1 {
		t.Errorf("%s", strings.Join(silent.memory(), "\n"))
	}
}

// TestUnended: a call whose end nobody told is remembered without one, and gets it when it comes after all.
func TestUnended(t *testing.T) {
	all := talk(t, 0, "s1")
	w := newWorld(t, all[0], all[1], all[2], all[7])
	w.pass()
	if n := count(w.memory(), "bash [] make build"); n != 1 {
		t.Errorf("%s", strings.Join(w.memory(), "\n"))
	}
	w.insert(all[3])
	w.now = w.now.Add(time.Hour)
	w.pass()
	if lines := w.memory(); count(lines, "make build  1s") != 1 || count(lines, "bash [error] make build") != 1 || count(lines, "bash [] ") != 0 {
		t.Errorf("%s", strings.Join(lines, "\n"))
	}
}

// TestResend: from whatever point events come again, the rows are the same.
func TestResend(t *testing.T) {
	records := append(talk(t, 0, "s1"), talk(t, 20, "s2")...)
	w := newWorld(t, records...)
	w.pass()
	want := w.memory()
	for at := range int64(len(records)) {
		c := w.cursor()
		again := c
		again.Event = at
		must(t, w.events.SetCursor(t.Context(), &c, again))
		w.restart()
		w.pass()
		if diff := cmp.Diff(want, w.memory()); diff != "" {
			t.Fatalf("from %d: %s", at, diff)
		}
	}
}

// TestManySessions: what the cursor keeps has a bound; those that were active longest ago are finished then.
func TestManySessions(t *testing.T) {
	var records []record.Record
	for i := range maxSessions + 30 {
		records = append(records, talk(t, 10*i, fmt.Sprintf("s%d", i))[:2]...)
	}
	w := newWorld(t, records...)
	w.restart(func(c *Config) { c.Idle = 24 * time.Hour })
	w.pass()
	state := readState(w.cursor().State)
	if len(state.Sessions) != maxSessions || state.Sessions[hashOf("claude/s29")] != nil || state.Sessions[hashOf("claude/s30")] == nil {
		t.Errorf("%d sessions", len(state.Sessions))
	}
	if lines := w.memory(); count(lines, "outcome=: the build of") != 30 || count(lines, "user: the build of") != maxSessions+30 {
		t.Errorf("%d are finished", count(lines, "outcome=: the build of"))
	}
}
