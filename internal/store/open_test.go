package store

import (
	"context"
	"database/sql"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestFiles(t *testing.T) {
	// A path that a URI would misread.
	dir := filepath.Join(t.TempDir(), "a b%20?c#d&e=ü")
	if runtime.GOOS == "windows" {
		dir = filepath.Join(t.TempDir(), "a b%20#d&e=ü")
	}
	must(t, os.Mkdir(dir, 0o700))
	s, err := Open(t.Context(), filepath.Join(dir, FileName))
	must(t, err)
	insert(t, s, row(t, 1, nil))
	for _, name := range []string{FileName, FileName + "-wal", FileName + "-shm"} {
		fi, err := os.Stat(filepath.Join(dir, name))
		must(t, err)
		if runtime.GOOS != "windows" && fi.Mode().Perm() != 0o600 {
			t.Errorf("%s has mode %v", name, fi.Mode())
		}
	}
	must(t, s.Close())
	if names, err := filepath.Glob(strings.ReplaceAll(dir, "?", "*") + "/*"); err != nil || len(names) != 1 {
		t.Fatalf("after close: %v, %v", names, err)
	}
}

// steps is the version of the tables as they are now.
func steps(t *testing.T) int {
	t.Helper()
	names, err := fs.Glob(migrations, "migrations/*.sql")
	must(t, err)
	return len(names)
}

func TestPragmas(t *testing.T) {
	for name, open := range map[string]func(context.Context, string) (*Store, error){"1": Open, "2": OpenDurable} {
		s, err := open(t.Context(), filepath.Join(t.TempDir(), FileName))
		must(t, err)
		for pragma, want := range map[string]string{
			"journal_mode": "wal", "synchronous": name, "busy_timeout": "5000", "user_version": strconv.Itoa(steps(t)),
		} {
			got, err := s.texts(t.Context(), "PRAGMA "+pragma)
			must(t, err)
			if len(got) != 1 || got[0] != want {
				t.Errorf("%s is %v, want %s", pragma, got, want)
			}
		}
		must(t, s.Close())
	}
}

func TestOpenReadOnly(t *testing.T) {
	path := filepath.Join(t.TempDir(), FileName)
	if _, err := OpenReadOnly(t.Context(), path); !errors.Is(err, fs.ErrNotExist) {
		t.Fatalf("missing: %v", err)
	}
	must(t, os.WriteFile(path, nil, 0o600))
	if _, err := OpenReadOnly(t.Context(), path); !errors.Is(err, fs.ErrNotExist) {
		t.Fatalf("without tables: %v", err)
	}
	w, err := Open(t.Context(), path)
	must(t, err)
	defer w.Close()
	insert(t, w, row(t, 1, nil))
	r, err := OpenReadOnly(t.Context(), path)
	must(t, err)
	defer r.Close()
	if _, err := r.Insert(t.Context(), []Row{row(t, 2, nil)}); err == nil {
		t.Fatal("inserted through a read-only store")
	}
	insert(t, w, row(t, 3, nil)) // a reader keeps no writer out
	if diff := cmp.Diff(ids(1, 3), each(t, r, Filter{})); diff != "" {
		t.Fatal(diff)
	}
	must(t, r.Integrity(t.Context()))
}

func TestOpenAtOnce(t *testing.T) {
	path := filepath.Join(t.TempDir(), FileName)
	var wg sync.WaitGroup
	for n := range 8 {
		wg.Go(func() {
			s, err := Open(t.Context(), path)
			if err != nil {
				t.Error(err)
				return
			}
			if _, err := s.Insert(t.Context(), []Row{row(t, n, nil), row(t, 100, nil)}); err != nil {
				t.Error(err)
			}
			if err := s.Close(); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	s, err := Open(t.Context(), path)
	must(t, err)
	defer s.Close()
	if got := each(t, s, Filter{}); len(got) != 9 {
		t.Fatalf("%d events", len(got))
	}
}

func TestNewerVersion(t *testing.T) {
	path := filepath.Join(t.TempDir(), FileName)
	db, err := sql.Open("sqlite3", path)
	must(t, err)
	_, err = db.Exec("PRAGMA user_version = 1000")
	must(t, errors.Join(err, db.Close()))
	for name, open := range map[string]func(context.Context, string) (*Store, error){"open": Open, "read": OpenReadOnly} {
		if _, err := open(t.Context(), path); !errors.Is(err, ErrNewer) || errors.Is(err, ErrCorrupt) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestCorrupt(t *testing.T) {
	path := filepath.Join(t.TempDir(), FileName)
	must(t, os.WriteFile(path, []byte(strings.Repeat("no database ", 1000)), 0o600))
	if _, err := Open(t.Context(), path); !errors.Is(err, ErrCorrupt) {
		t.Fatal(err)
	}
	must(t, os.WriteFile(path+"-wal", []byte("log"), 0o600))
	to, err := MoveAside(path, time.Unix(1_700_000_000, 5))
	must(t, err)
	if want := path + ".corrupt-20231114T221320.000000005Z"; to != want {
		t.Fatalf("moved to %s, want %s", to, want)
	}
	for _, suffix := range []string{"", "-wal"} {
		if _, err := os.Stat(to + suffix); err != nil {
			t.Error(err)
		}
	}
	s, err := Open(t.Context(), path)
	must(t, err)
	must(t, s.Integrity(t.Context()))
	must(t, s.Close())
}

func TestCurrent(t *testing.T) {
	s := newStore(t)
	if !s.Current() {
		t.Fatal("a new store isn't current")
	}
	if err := os.Rename(s.path, s.path+".moved"); err != nil {
		t.Skipf("can't move an open file here: %v", err)
	}
	if s.Current() {
		t.Fatal("a moved store is current")
	}
	must(t, os.WriteFile(s.path, nil, 0o600))
	if s.Current() {
		t.Fatal("a replaced store is current")
	}
}
