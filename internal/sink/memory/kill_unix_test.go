//go:build unix

package memory

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/boathook/boathook/internal/store"
)

// killedDir names the directory of TestKilledChild's data.
const killedDir = "BOATHOOK_TEST_KILLED_DIR"

// TestKilledChild is the process that TestKilledProcess kills.
func TestKilledChild(t *testing.T) {
	dir := os.Getenv(killedDir)
	if dir == "" {
		t.Skip("it is started by TestKilledProcess")
	}
	events, err := store.Open(t.Context(), filepath.Join(dir, store.FileName))
	must(t, err)
	defer func() { must(t, events.Close()) }()
	w := &world{t: t, dir: dir, events: events, path: filepath.Join(dir, "memory.db"), now: begin.Add(24 * time.Hour)}
	w.restart()
	if passed := w.pass(); passed.Behind {
		t.Errorf("%+v", passed)
	}
}

// TestKilledProcess: a process that is killed at any instruction, again and again, leaves what the next one makes whole: every row once, and
// counted once.
func TestKilledProcess(t *testing.T) {
	records := many(t, 120)
	whole := newWorld(t, records...)
	whole.now = begin.Add(24 * time.Hour)
	whole.pass()
	want := whole.memory()
	w := newWorld(t, records...)
	exe, err := os.Executable()
	must(t, err)
	kills, done := 0, false
	for wait := 30 * time.Millisecond; !done && kills < 40; wait += wait / 6 {
		cmd := exec.CommandContext(t.Context(), exe, "-test.run=^TestKilledChild$")
		cmd.Env = append(os.Environ(), killedDir+"="+w.dir)
		must(t, cmd.Start())
		ended := make(chan error, 1)
		go func() { ended <- cmd.Wait() }()
		select {
		case err := <-ended:
			must(t, err)
			done = true
		case <-time.After(wait):
			_ = cmd.Process.Kill() // it may just have ended
			if err := <-ended; err == nil {
				done = true
				break
			}
			kills++
		}
	}
	if !done || kills == 0 {
		t.Fatalf("killed %d times, done %t", kills, done)
	}
	if diff := cmp.Diff(want, w.memory()); diff != "" {
		t.Errorf("killed %d times: %s", kills, diff)
	}
	counts, err := w.events.Counters(t.Context())
	must(t, err)
	if counts[CountTaken] != 4*120 || counts[CountRefused] != 0 || w.behind() {
		t.Errorf("killed %d times: %v", kills, counts)
	}
	t.Logf("killed %d times", kills)
}
