package memoryfaults_test

import (
	"database/sql"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	_ "github.com/ncruces/go-sqlite3/driver" // reads what was written
)

// alone is a world whose memory is SQLite's.
func alone(t *testing.T) *world {
	t.Helper()
	w := newWorld(t, memoryOn)
	w.stored = w.sqliteRows
	return w
}

func (w *world) database() string { return filepath.Join(w.Data, "memory.db") }

func (w *world) opened() *sql.DB {
	w.Helper()
	db, err := sql.Open("sqlite3", "file:"+w.database()+"?_pragma=busy_timeout(10000)")
	must(w.T, err)
	return db
}

// sqliteRows are the rows of the file.
func (w *world) sqliteRows() (out []row) {
	w.Helper()
	for line := range strings.Lines(w.Must("memory", "export", "--all-projects")) {
		var l struct{ Session, Agent, Role, Text, Command string }
		if err := json.Unmarshal([]byte(line), &l); err != nil {
			w.Fatalf("memory export: %v in %.200q", err, line)
		}
		r := row{l.Role, l.Session, l.Text}
		if l.Role == "tool" {
			r = row{"call", l.Session, l.Command}
		}
		if !strings.Contains(r.Session, "/") {
			r.Session = l.Agent + "/" + r.Session
		}
		out = append(out, r)
	}
	return out
}

// lock has another process's transaction in the file for so long.
func (w *world) lock(hold time.Duration) (release func()) {
	w.Helper()
	db := w.opened()
	db.SetMaxOpenConns(1)
	_, err := db.Exec("BEGIN IMMEDIATE")
	must(w.T, err)
	began := time.Now()
	return func() {
		time.Sleep(time.Until(began.Add(hold)))
		_, err := db.Exec("ROLLBACK")
		must(w.T, errors.Join(err, db.Close()))
	}
}

// TestSQLite: the same sessions over the faults of a file.
func TestSQLite(t *testing.T) {
	w := alone(t)
	must(t, os.MkdirAll(w.Data, 0o700))
	w.mount()
	w.crowd.seed()
	w.Worker()
	w.crowd.speak(nil)
	w.drain()
	w.whole()
	for _, fault := range []struct {
		name string
		do   func(t *testing.T, w *world)
	}{
		{"locked", func(_ *testing.T, w *world) {
			release := w.lock(10 * time.Second)
			w.crowd.speak(nil)
			release()
		}},
		{"read-only", func(t *testing.T, w *world) {
			must(t, syscall.Mount(w.database(), w.database(), "", syscall.MS_BIND, ""))
			must(t, syscall.Mount("", w.database(), "", syscall.MS_BIND|syscall.MS_REMOUNT|syscall.MS_RDONLY, ""))
			w.Must("worker", "stop")
			w.crowd.speak(nil)
			why := w.waits()
			t.Log(why)
			text, cure := w.doctor()
			t.Logf("doctor: %s → %s", text, cure)
			w.Must("worker", "stop")
			must(t, syscall.Unmount(w.database(), syscall.MNT_DETACH))
		}},
		{"full", fullDisk},
		{"worker killed", workerKilled},
	} {
		if !t.Run(fault.name, func(t *testing.T) {
			for range longer(1) {
				fault.do(t, w)
				w.drain()
				w.whole()
			}
		}) {
			t.FailNow()
		}
	}
	if outcomes := w.crowd.patient(); outcomes["injected"] == 0 {
		t.Errorf("the outcomes are %v: memory told nothing", outcomes)
	}
}

// mount gives the data directory a small disk of its own.
func (w *world) mount() {
	w.Helper()
	if err := syscall.Mount("tmpfs", w.Data, "tmpfs", 0, "size=96m,mode=0700"); err != nil {
		w.Skipf("SKIPPED LOUDLY: a disk that gets full has to be mounted, which needs privileges that are missing: %v", err)
	}
	w.T.Cleanup(func() {
		_ = syscall.Unmount(w.database(), syscall.MNT_DETACH) // where a test ended with it
		if err := syscall.Unmount(w.Data, syscall.MNT_DETACH); err != nil {
			w.Errorf("unmount: %v", err)
		}
	})
}

// fullDisk has no room left once the hooks have spooled what they were told: what doesn't reach the spool is nobody's to keep.
func fullDisk(t *testing.T, w *world) {
	w.Must("worker", "stop")
	release := w.Hold()
	w.crowd.speak(nil)
	fill := filepath.Join(w.Data, "fill")
	f, err := os.Create(fill)
	must(t, err)
	for size := 1 << 20; size >= 512; size /= 2 {
		for block := make([]byte, size); ; {
			if _, err := f.Write(block); err != nil {
				break
			}
		}
	}
	f.Close()
	release()
	worker := w.Worker()
	time.Sleep(3 * time.Second) // tries that fail
	if b, err := os.ReadFile(filepath.Join(w.Data, "memory-bad.jsonl")); err == nil {
		t.Errorf("rows were put aside: %.300s", b)
	}
	worker.Kill()
	must(t, os.Remove(fill))
}
