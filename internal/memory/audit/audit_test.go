package audit

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/boathook/boathook/internal/memory"
)

func TestAdd(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "data")
	l := Log{Dir: dir}
	e := Entry{
		Time: time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC), Action: Search, Via: "cli", Who: "me (1000)", Query: "<포트> in use",
		Filter: &memory.Filter{Projects: []string{"p1"}, Tool: "bash"}, Count: 3,
	}
	long := e
	long.Query = strings.Repeat("가", maxQuery)
	for _, e := range []Entry{e, long} {
		if err := l.Add(e); err != nil {
			t.Fatal(err)
		}
	}
	got, err := l.Read(9)
	if err != nil || len(got) != 2 {
		t.Fatal(got, err)
	}
	if diff := cmp.Diff(e, got[0]); diff != "" {
		t.Error(diff)
	}
	if q := got[1].Query; len(q) > maxQuery+len("…") || strings.Trim(q, "가") != "…" {
		t.Errorf("%d bytes: %q", len(q), q[len(q)-9:])
	}
	if runtime.GOOS == "windows" {
		return
	}
	for path, mode := range map[string]os.FileMode{dir: 0o700, filepath.Join(dir, File): 0o600} {
		if info, err := os.Stat(path); err != nil || info.Mode().Perm() != mode {
			t.Errorf("%s: %v, %v", path, info.Mode(), err)
		}
	}
}

// TestRotates: the log never takes more than twice what it may, and what is written while it is put aside is not lost.
func TestRotates(t *testing.T) {
	l := Log{Dir: t.TempDir(), Most: 64 << 10}
	var wait sync.WaitGroup
	for w := range 4 {
		wait.Go(func() {
			for n := range 100 {
				if err := l.Add(Entry{Action: Search, Query: fmt.Sprintf("%d-%d %s", w, n, strings.Repeat("x", 100))}); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wait.Wait()
	got, err := l.Read(1000)
	if err != nil || len(got) != 400 {
		t.Errorf("%d entries, %v", len(got), err)
	}
	for n := range 1000 {
		if err := l.Add(Entry{Action: Forget, Count: n, Query: strings.Repeat("y", 100)}); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{File, File + ".old"} {
		if info, err := os.Stat(filepath.Join(l.Dir, name)); err != nil || info.Size() > l.Most {
			t.Errorf("%s: %d bytes, %v", name, info.Size(), err)
		}
	}
	got, err = l.Read(1)
	if err != nil || len(got) != 1 || got[0].Count != 999 {
		t.Errorf("%+v, %v", got, err)
	}
}

func TestATornLineEndsFirst(t *testing.T) {
	l := Log{Dir: t.TempDir()}
	if err := os.WriteFile(filepath.Join(l.Dir, File), []byte(`{"time":"2026-03-`), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := l.Add(Entry{Action: Export, Count: 1}); err != nil {
		t.Fatal(err)
	}
	if got, err := l.Read(9); err != nil || len(got) != 1 || got[0].Action != Export {
		t.Errorf("%+v, %v", got, err)
	}
}

func TestThroughALinkNothingIsWritten(t *testing.T) {
	dir, other := t.TempDir(), filepath.Join(t.TempDir(), "other")
	if err := os.Symlink(other, filepath.Join(dir, File)); err != nil {
		t.Skip(err)
	}
	if err := (Log{Dir: dir}).Add(Entry{Action: Search}); err == nil {
		t.Error("a link was followed")
	}
	if _, err := os.Stat(other); err == nil {
		t.Error("it was made")
	}
}
