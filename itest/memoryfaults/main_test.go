// Package memoryfaults_test holds memory to its promise when its store fails: while fifty sessions of several agents write through real
// hook processes, the real worker and boathook-memory, no hook waits past its deadline or answers anything but its host's neutral
// answer, and afterwards every message is in the store exactly once.
package memoryfaults_test

import (
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/boathook/boathook/itest/build"
	"github.com/boathook/boathook/itest/hooklab"
	"github.com/boathook/boathook/itest/postgres"
)

var soak = flag.Bool("soak", false, "ten times as many rounds of each fault")

// longer is how much of something there is to be.
func longer(n int) int {
	if *soak {
		return 10 * n
	}
	return n
}

func TestMain(m *testing.M) {
	code := m.Run()
	build.Cleanup()
	os.Exit(code)
}

// short has folders in whose names a socket's path fits.
type short struct{ *testing.T }

func (s short) TempDir() string {
	s.Helper()
	dir, err := os.MkdirTemp("", "bhf")
	must(s.T, err)
	s.Cleanup(func() {
		if err := os.RemoveAll(dir); err != nil {
			s.Error(err)
		}
	})
	return dir
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// world is a user's boathook with memory on, and what its sessions said.
type world struct {
	*testing.T
	*hooklab.Lab
	crowd *crowd
	// db and net are PostgreSQL's, nil for SQLite.
	db  *postgres.Database
	net *postgres.Network
	// secret may be nowhere but in boathook.env.
	secret string
	stored func() []row
}

// deadline is memory.retrieval.deadlineMs, as it is without a setting.
const deadline = 250

const memoryOn = "[memory]\nenabled = true\ninject = \"on\"\n"

func newWorld(t *testing.T, settings string) *world {
	t.Helper()
	w := &world{T: t, Lab: hooklab.New(short{t}, settings)}
	second, err := os.ReadFile(filepath.Join(filepath.Dir(build.Boathook(t)), "boathook-memory"))
	must(t, err)
	w.Write(w.second(), string(second), 0o700)
	w.crowd = newCrowd(w)
	t.Cleanup(func() {
		if t.Failed() {
			t.Logf("worker.log:\n%s", w.WorkerLog())
		}
	})
	return w
}

// Helper is the test's.
func (w *world) Helper() { w.T.Helper() }

// second is the path of boathook-memory.
func (w *world) second() string { return filepath.Join(filepath.Dir(w.Bin), "boathook-memory") }

// env writes boathook.env.
func (w *world) env(dsn string) {
	w.Helper()
	w.Write(filepath.Join(filepath.Dir(w.Config), "boathook.env"), "BOATHOOK_MEMORY_DSN="+dsn+"\n", 0o600)
}

// state is what `boathook status --json` says of memory.
type state struct {
	Memory struct {
		Behind int64  `json:"behind_events"`
		Tries  int    `json:"failed_tries"`
		Error  string `json:"error"`
	} `json:"memory"`
	Problems []string `json:"problems"`
}

func (w *world) state() (s state) {
	w.Helper()
	r := w.Lab.Run("status", "--json")
	if err := json.Unmarshal([]byte(r.Stdout), &s); err != nil {
		w.Fatalf("status --json: %v: %s%s", err, r.Stdout, r.Stderr)
	}
	return s
}

// waits waits until the sink has noted that it could not write, and returns why.
func (w *world) waits() (why string) {
	w.Helper()
	w.Until("a failure of memory in status", func() bool {
		why = w.state().Memory.Error
		return why != ""
	})
	return why
}

// drain has everything kept.
func (w *world) drain() { w.Helper(); w.Must("worker", "drain", "--wait", "100s") }

// whole holds that everything is kept once and nothing was put aside, and that no hook waited.
func (w *world) whole() {
	w.Helper()
	w.crowd.check(w.stored())
	if b, err := os.ReadFile(filepath.Join(w.Data, "memory-bad.jsonl")); err == nil {
		w.Errorf("rows were put aside: %.2000s", b)
	}
	w.discreet()
}

// discreet holds that the secret is in no file of the user but the one that has it, and in no process's arguments or environment.
func (w *world) discreet() {
	w.Helper()
	if w.secret == "" {
		return
	}
	err := filepath.WalkDir(w.Home, func(path string, d os.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() || filepath.Base(path) == "boathook.env" {
			return nil // what is gone by now
		}
		b, err := os.ReadFile(path)
		if err == nil && strings.Contains(string(b), w.secret) {
			w.Errorf("%s has the password", path)
		}
		return nil
	})
	must(w.T, err)
	for _, kind := range []string{"cmdline", "environ"} {
		files, _ := filepath.Glob("/proc/[0-9]*/" + kind) // the pattern is well-formed
		for _, file := range files {
			if b, err := os.ReadFile(file); err == nil && strings.Contains(string(b), w.secret) {
				w.Errorf("%s of a process has the password", kind)
			}
		}
	}
}
