package spool

import (
	"errors"
	"io/fs"
	"os"
	"sync"
	"testing"
)

func totals(t testing.TB, s Spool) Totals {
	t.Helper()
	n, err := s.Totals()
	if err != nil {
		t.Fatal(err)
	}
	return n
}

func TestAppendRefusesWhatReadWould(t *testing.T) {
	s := newSpool(t)
	name := mustAppend(t, s, 1, string(make([]byte, MaxRecord)))
	if _, err := s.Read(name); err != nil {
		t.Fatal(err)
	}
	if err := s.Append(id(2), make([]byte, MaxRecord+1)); !errors.Is(err, ErrTooBig) {
		t.Fatalf("append: %v", err)
	}
	if got := pending(t, s); len(got) != 1 {
		t.Fatalf("pending %v", got)
	}
}

func TestCountFailed(t *testing.T) {
	s := newSpool(t)
	if _, err := s.Totals(); !errors.Is(err, fs.ErrNotExist) {
		t.Fatalf("totals of no spool: %v", err)
	}
	var wg sync.WaitGroup
	for range 40 { // the first of them make the directories
		wg.Go(func() {
			if err := s.CountFailed(); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	if n := totals(t, s); n != (Totals{Failed: 40}) {
		t.Fatalf("counted %+v", n)
	}
	path := s.path("", failedName)
	before, err := os.Stat(path)
	if err != nil || before.Size() != totalSize {
		t.Fatalf("%v, %v", before, err)
	}
	for text, want := range map[string]int64{"": 1, "rubbish": 1, "12": 13, "-4\n": 1, "00000000000000000x1\n and more": 1} {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := s.CountFailed(); err != nil {
			t.Fatal(err)
		}
		if n := totals(t, s); n.Failed != want {
			t.Errorf("after %q: %d, want %d", text, n.Failed, want)
		}
	}
}

func TestQuarantineCounts(t *testing.T) {
	s := newSpool(t)
	for range 3 {
		if err := s.Quarantine(mustAppend(t, s, 1, "x"), "r"); err != nil {
			t.Fatal(err)
		}
	}
	if n := totals(t, s); n != (Totals{Quarantined: 3}) {
		t.Fatalf("counted %+v", n)
	}
}

func TestAppendMakesTheFilesThatAFullDiskNeeds(t *testing.T) {
	s := newSpool(t)
	mustAppend(t, s, 1, "x")
	for _, name := range []string{failedName, lockName} {
		if _, err := os.Stat(s.path("", name)); err != nil {
			t.Error(err)
		}
	}
}
