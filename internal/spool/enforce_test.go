package spool

import (
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/boathook/boathook/internal/lock"
)

func enforce(t testing.TB, s Spool) int {
	t.Helper()
	n, err := s.Enforce()
	if err != nil {
		t.Fatal(err)
	}
	return n
}

func take(t testing.TB, s Spool) Dropped {
	t.Helper()
	d, err := s.TakeDropped()
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func TestEnforceDropsTheOldest(t *testing.T) {
	s := newSpool(t)
	for n := range 5 {
		mustAppend(t, s, n, strings.Repeat("x", 10))
	}
	s.MaxBytes = 50
	if n := enforce(t, s); n != 0 {
		t.Fatalf("dropped %d at the cap", n)
	}
	s.MaxBytes = 25
	if n := enforce(t, s); n != 3 {
		t.Fatalf("dropped %d, want 3", n)
	}
	if diff := cmp.Diff([]string{id(3) + ".json", id(4) + ".json"}, pending(t, s)); diff != "" {
		t.Fatal(diff)
	}
	if d := take(t, s); d.Count != 3 || d.Bytes != 30 || d.Token == "" {
		t.Fatalf("took %+v", d)
	}
}

func TestEnforceWithoutSpoolOrCap(t *testing.T) {
	s := newSpool(t)
	if n := enforce(t, s); n != 0 {
		t.Fatal(n)
	}
	if d := take(t, s); d.Token != "" {
		t.Fatalf("took %+v", d)
	}
	mustAppend(t, s, 1, "x")
	if n := enforce(t, s); n != 0 {
		t.Fatal("no cap, yet something was dropped")
	}
}

func TestDroppedComesAgainUntilForgotten(t *testing.T) {
	s := newSpool(t)
	s.MaxBytes = 1
	mustAppend(t, s, 1, "one")
	enforce(t, s)
	first := take(t, s)
	// The taker crashed; meanwhile more is dropped.
	mustAppend(t, s, 2, "two")
	enforce(t, s)
	if diff := cmp.Diff(first, take(t, s)); diff != "" {
		t.Fatal(diff)
	}
	for range 2 {
		if err := s.ForgetDropped(first); err != nil {
			t.Fatal(err)
		}
	}
	second := take(t, s)
	if second.Count != 1 || second.Token == first.Token {
		t.Fatalf("took %+v after %+v", second, first)
	}
	if err := s.ForgetDropped(second); err != nil {
		t.Fatal(err)
	}
	if d := take(t, s); d.Token != "" {
		t.Fatalf("took %+v", d)
	}
}

// An Enforce that is killed between its line and its removal has dropped nothing yet.
func TestDroppedSkipsWhatIsStillThere(t *testing.T) {
	s := newSpool(t)
	mustAppend(t, s, 1, "still here")
	lines := id(1) + " 10\n" + id(2) + " 7\n" + id(2) + " 7\nrubbish\n" + id(3) + " -1\n" + id(4)
	if err := os.WriteFile(s.path("", droppedName), []byte(lines), 0o600); err != nil {
		t.Fatal(err)
	}
	if d := take(t, s); d.Count != 1 || d.Bytes != 7 {
		t.Fatalf("took %+v, want 1 event of 7 bytes", d)
	}
}

func TestOneEnforcesAtATime(t *testing.T) {
	s := newSpool(t)
	s.MaxBytes = 1
	mustAppend(t, s, 1, "one")
	l, err := lock.TryLock(s.path("", lockName))
	if err != nil {
		t.Fatal(err)
	}
	if n := enforce(t, s); n != 0 {
		t.Fatal("two enforced at once")
	}
	if d := take(t, s); d.Token != "" {
		t.Fatalf("took %+v under an Enforce", d)
	}
	if err := l.Unlock(); err != nil {
		t.Fatal(err)
	}
	if n := enforce(t, s); n != 1 {
		t.Fatalf("dropped %d", n)
	}
}

func TestFileThatTheWorkerTookIsNotCounted(t *testing.T) {
	s := newSpool(t)
	mustAppend(t, s, 1, "one")
	dropped, err := s.drop(entry{name: id(2) + ".json", size: 9})
	if err != nil || dropped {
		t.Fatalf("dropped %v, %v", dropped, err)
	}
	if d := take(t, s); d.Count != 0 {
		t.Fatalf("took %+v", d)
	}
}
