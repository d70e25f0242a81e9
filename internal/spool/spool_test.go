package spool

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/oklog/ulid/v2"
)

// id makes the n-th of a row of ids that sort like n.
func id(n int) string {
	var u ulid.ULID
	_ = u.SetTime(uint64(1_700_000_000_000 + n))
	return u.String()
}

func newSpool(t testing.TB) Spool {
	t.Helper()
	return Spool{Dir: filepath.Join(t.TempDir(), "spool")}
}

func mustAppend(t testing.TB, s Spool, n int, data string) string {
	t.Helper()
	if err := s.Append(id(n), []byte(data)); err != nil {
		t.Fatal(err)
	}
	return id(n) + ".json"
}

func pending(t testing.TB, s Spool) []string {
	t.Helper()
	names, err := s.Pending()
	if err != nil {
		t.Fatal(err)
	}
	return names
}

func TestAppendReadDone(t *testing.T) {
	s := newSpool(t)
	if got := pending(t, s); got != nil {
		t.Fatalf("pending in a missing spool: %v", got)
	}
	b, a := mustAppend(t, s, 2, "second"), mustAppend(t, s, 1, "first")
	if diff := cmp.Diff([]string{a, b}, pending(t, s)); diff != "" {
		t.Fatal(diff)
	}
	got, err := s.Read(a)
	if err != nil || string(got) != "first" {
		t.Fatalf("read %q, %v", got, err)
	}
	files, size, oldest, err := s.Usage()
	if err != nil || files != 2 || size != int64(len("firstsecond")) || oldest.IsZero() {
		t.Fatalf("usage %d %d %v %v", files, size, oldest, err)
	}
	for range 2 { // the second time it is gone already
		if err := s.Done(a); err != nil {
			t.Fatal(err)
		}
	}
	if diff := cmp.Diff([]string{b}, pending(t, s)); diff != "" {
		t.Fatal(diff)
	}
}

func TestNamesThatAreNoEvents(t *testing.T) {
	s := newSpool(t)
	mustAppend(t, s, 1, "x")
	for _, name := range []string{
		"", "x", "../../etc/passwd", strings.Repeat("0", 25), strings.Repeat("0", 27), strings.Repeat("8", 26),
		strings.ToLower(id(1)), strings.Repeat("I", 26), "01ARZ3NDEKTSV4RRFFQ69G5FA/", "01ARZ3NDEKTSV4RRFFQ69G5FA\x00",
	} {
		if err := s.Append(name, nil); !errors.Is(err, ErrID) {
			t.Errorf("append %q: %v", name, err)
		}
		if _, err := s.Read(name + ".json"); !errors.Is(err, ErrID) {
			t.Errorf("read %q: %v", name, err)
		}
		if err := s.Done(name + ".json"); !errors.Is(err, ErrID) {
			t.Errorf("done %q: %v", name, err)
		}
		if err := s.Quarantine(name+".json", "r"); !errors.Is(err, ErrID) {
			t.Errorf("quarantine %q: %v", name, err)
		}
	}
	for _, name := range []string{"README", ".hidden.json", "x.json", id(7) + ".json.tmp"} {
		if err := os.WriteFile(filepath.Join(s.Dir, "new", name), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if diff := cmp.Diff([]string{id(1) + ".json"}, pending(t, s)); diff != "" {
		t.Fatal(diff)
	}
}

func TestModes(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("access lists instead of modes")
	}
	s := newSpool(t)
	name := mustAppend(t, s, 1, "x")
	for path, want := range map[string]os.FileMode{
		s.Dir: 0o700, s.path("new", ""): 0o700, s.path("tmp", ""): 0o700, s.path("new", name): 0o600,
	} {
		fi, err := os.Stat(path)
		if err != nil || fi.Mode().Perm() != want {
			t.Errorf("%s: %v, %v", path, fi.Mode(), err)
		}
	}
}

func TestAppendMakesWhatWasCleanedUp(t *testing.T) {
	s := newSpool(t)
	for n, sub := range []string{"", "tmp", "new"} {
		mustAppend(t, s, 10+n, "x")
		if err := os.RemoveAll(s.path(sub, "")); err != nil {
			t.Fatal(err)
		}
		name := mustAppend(t, s, 20+n, "y")
		if b, err := s.Read(name); err != nil || string(b) != "y" {
			t.Fatalf("after removing %q: %q, %v", sub, b, err)
		}
	}
}

func TestAppendLeavesNothingBehind(t *testing.T) {
	s := newSpool(t)
	mustAppend(t, s, 1, "x")
	// A directory in the way makes the rename fail after the file is written.
	if err := os.MkdirAll(s.path("new", id(2)+".json/sub"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := s.Append(id(2), []byte("y")); err == nil {
		t.Fatal("append over a directory succeeded")
	}
	if names, err := s.list("tmp"); err != nil || len(names) != 0 {
		t.Fatalf("tmp holds %v, %v", names, err)
	}
}

func TestFsync(t *testing.T) {
	s := newSpool(t)
	s.Fsync = true
	name := mustAppend(t, s, 1, "x")
	if b, err := s.Read(name); err != nil || string(b) != "x" {
		t.Fatalf("read %q, %v", b, err)
	}
}

func TestConcurrentAppendsAreWhole(t *testing.T) {
	s := newSpool(t)
	want := bytes.Repeat([]byte("0123456789abcdef"), 4<<10)
	var wg sync.WaitGroup
	for n := range 64 {
		wg.Go(func() {
			if err := s.Append(id(n), want); err != nil {
				t.Error(err)
			}
		})
	}
	done := make(chan struct{})
	go func() { wg.Wait(); close(done) }()
	seen := 0
	for running := true; running || seen < 64; {
		select {
		case <-done:
			running = false
		default:
		}
		for _, name := range pending(t, s) {
			if b, err := s.Read(name); err != nil || !bytes.Equal(b, want) {
				t.Fatalf("%s: %d bytes, %v", name, len(b), err)
			}
			if err := s.Done(name); err != nil {
				t.Fatal(err)
			}
			seen++
		}
		if !running && seen < 64 && len(pending(t, s)) == 0 {
			t.Fatalf("saw %d of 64", seen)
		}
	}
}

func TestQuarantine(t *testing.T) {
	s := newSpool(t)
	for _, reason := range []string{"bad json", "again", strings.Repeat("r", 2*maxReason)} {
		name := mustAppend(t, s, 1, reason)
		if err := s.Quarantine(name, reason); err != nil {
			t.Fatal(err)
		}
	}
	bad, err := s.Quarantined()
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, b := range bad {
		got = append(got, fmt.Sprintf("%s %.8s %d %v", b.Name, b.Reason, b.Size, b.Time.IsZero()))
	}
	name := id(1) + ".json"
	want := []string{
		name + " bad json 8 false", name + ".1 again 5 false", fmt.Sprintf("%s.2 rrrrrrrr %d false", name, 2*maxReason),
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Fatal(diff)
	}
	if got := pending(t, s); len(got) != 0 {
		t.Fatalf("still pending: %v", got)
	}
	if err := s.Quarantine(name, "gone"); err == nil {
		t.Fatal("quarantined a file that isn't there")
	}
	if again, _ := s.Quarantined(); len(again) != len(bad) {
		t.Fatalf("a failed quarantine left %v", again)
	}
}

func TestStaleTemporaryFiles(t *testing.T) {
	s := newSpool(t)
	mustAppend(t, s, 1, "x")
	now := time.Now()
	s.Now = func() time.Time { return now }
	for name, age := range map[string]time.Duration{"old": 2 * time.Hour, "fresh": time.Minute, "future": -2 * time.Hour} {
		path := s.path("tmp", name)
		if err := os.WriteFile(path, nil, 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(path, now.Add(-age), now.Add(-age)); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := s.Enforce(); err != nil {
		t.Fatal(err)
	}
	names, err := s.list("tmp")
	if err != nil || len(names) != 2 {
		t.Fatalf("tmp holds %v, %v", names, err)
	}
}
