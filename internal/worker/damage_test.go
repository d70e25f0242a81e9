package worker

import (
	"bytes"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/boathook/boathook/internal/lock"
	"github.com/boathook/boathook/internal/store"
)

func TestCorruptStoreIsMovedAside(t *testing.T) {
	for name, damage := range map[string]func(t *testing.T, path string){
		"not a database": func(t *testing.T, path string) {
			must(t, os.WriteFile(path, bytes.Repeat([]byte("rubbish "), 1024), 0o600))
		},
		"damaged pages": func(t *testing.T, path string) {
			b, err := os.ReadFile(path)
			must(t, err)
			for i := 200; i < len(b); i++ {
				b[i] ^= 0x5a
			}
			must(t, os.WriteFile(path, b, 0o600))
		},
		"directory": func(t *testing.T, path string) {
			must(t, os.Remove(path))
			must(t, os.Mkdir(path, 0o700))
		},
		"link": func(t *testing.T, path string) {
			target := filepath.Join(t.TempDir(), "precious")
			must(t, os.Rename(path, target))
			link(t, target, path)
			before, err := os.ReadFile(target)
			must(t, err)
			t.Cleanup(func() {
				if after, err := os.ReadFile(target); err != nil || !bytes.Equal(before, after) {
					t.Errorf("the target was written: %v", err)
				}
			})
		},
		"dangling link": func(t *testing.T, path string) {
			must(t, os.Remove(path))
			target := filepath.Join(t.TempDir(), "nowhere")
			link(t, target, path)
			t.Cleanup(func() {
				if _, err := os.Lstat(target); err == nil {
					t.Error("the target was made")
				}
			})
		},
	} {
		t.Run(name, func(t *testing.T) {
			o := options(t)
			spoolEvents(t, o, 0, 50)
			must(t, Run(t.Context(), o))
			damage(t, StorePath(o.DataDir))
			spoolEvents(t, o, 50, 60)
			must(t, Run(t.Context(), o))
			if diff := cmp.Diff(ids(50, 60), stored(t, o.DataDir)); diff != "" {
				t.Fatal(diff)
			}
			kept, err := filepath.Glob(StorePath(o.DataDir) + ".corrupt-*Z")
			if err != nil || len(kept) != 1 {
				t.Fatalf("kept %v, %v", kept, err)
			}
			if got := counters(t, o.DataDir)[CounterCorrupt]; got != 1 {
				t.Fatalf("counted %d", got)
			}
		})
	}
}

// A store of a newer version is not corrupt: nothing is moved, nothing taken out of the spool.
func TestNewerStoreIsLeftAlone(t *testing.T) {
	o := options(t)
	spoolEvents(t, o, 0, 1)
	must(t, Run(t.Context(), o))
	version := setVersion(t, StorePath(o.DataDir), 99)
	spoolEvents(t, o, 1, 3)
	if err := Run(t.Context(), o); !errors.Is(err, store.ErrNewer) {
		t.Fatal(err)
	}
	wantPending(t, o.Spool, 2)
	setVersion(t, StorePath(o.DataDir), version)
	must(t, Run(t.Context(), o))
	if diff := cmp.Diff(ids(0, 3), stored(t, o.DataDir)); diff != "" {
		t.Fatal(diff)
	}
}

// Somebody removes the store under a running worker: what is inserted into the unlinked file doesn't count.
func TestRemovedStoreIsMadeAgain(t *testing.T) {
	o := options(t)
	w := &worker{Options: o.withDefaults()}
	var err error
	w.lock, err = lock.TryLock(o.lockPath())
	must(t, err)
	for n := range 3 {
		spoolEvents(t, o, n, n+1)
		s, err := w.pass(t.Context())
		must(t, err)
		if s.Stored != 1 {
			t.Fatalf("round %d: %+v", n, s)
		}
		if diff := cmp.Diff(ids(n, n+1), stored(t, o.DataDir)); diff != "" {
			t.Fatal(diff)
		}
		for _, suffix := range []string{"", "-wal", "-shm"} {
			_ = os.Remove(StorePath(o.DataDir) + suffix)
		}
	}
	_ = w.closeStore()
	must(t, w.lock.Unlock())
}

func TestExitsWhenTheDataDirectoryVanishes(t *testing.T) {
	o := options(t)
	o.Idle = time.Hour
	o.DataDir = filepath.Join(o.DataDir, "data")
	o.Spool = spoolOf(o.DataDir)
	must(t, os.Mkdir(o.DataDir, 0o700))
	spoolEvents(t, o, 0, 1)
	done := make(chan error)
	go func() { done <- Run(t.Context(), o) }()
	waitFor(t, func() bool { names, _ := o.Spool.Pending(); return len(names) == 0 && lock.Held(o.lockPath()) })
	must(t, os.Rename(o.DataDir, o.DataDir+".gone"))
	if err := <-done; err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(o.DataDir); !errors.Is(err, os.ErrNotExist) {
		t.Fatalf("worker made its directory again: %v", err)
	}
}

func TestGivesUpAndKeepsTheSpool(t *testing.T) {
	o := options(t)
	o.GiveUp = 50 * time.Millisecond
	spoolEvents(t, o, 0, 3)
	must(t, os.WriteFile(StorePath(o.DataDir), nil, 0o600))
	if err := os.Chown(StorePath(o.DataDir), os.Geteuid()+1, -1); err != nil {
		must(t, os.Chmod(StorePath(o.DataDir), 0o400)) // only root can give a file away
	}
	if err := Run(t.Context(), o); err == nil {
		t.Fatal("stored in a file that isn't ours to write")
	}
	wantPending(t, o.Spool, 3)
	must(t, os.Remove(StorePath(o.DataDir)))
	must(t, Run(t.Context(), o))
	if diff := cmp.Diff(ids(0, 3), stored(t, o.DataDir)); diff != "" {
		t.Fatal(diff)
	}
}

// setVersion makes the store look as if another version of the program had migrated it.
func setVersion(t testing.TB, path string, version int) (before int) {
	t.Helper()
	db, err := sql.Open("sqlite3", path)
	must(t, err)
	defer db.Close()
	must(t, db.QueryRow("PRAGMA user_version").Scan(&before))
	_, err = db.Exec(fmt.Sprintf("PRAGMA user_version = %d", version))
	must(t, err)
	return before
}

func link(t testing.TB, target, path string) {
	t.Helper()
	if err := os.Symlink(target, path); err != nil {
		t.Skipf("no symbolic links here: %v", err)
	}
}
