//go:build unix

package worker

import (
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/boathook/boathook/internal/lock"
	"github.com/boathook/boathook/internal/wake"
)

const (
	hooks    = 200
	sessions = 5
	kills    = 10
)

// Two hundred hook processes in five sessions spool and wake, while the worker is killed ten times.
func TestWorkersAreKilled(t *testing.T) {
	o := options(t)
	var all sync.WaitGroup
	slots := make(chan struct{}, 20) // enough to overlap without starving the machine
	for n := range hooks {
		all.Go(func() {
			slots <- struct{}{}
			defer func() { <-slots }()
			cmd := exec.Command(os.Args[0], "hook", o.DataDir, fmt.Sprint("session-", n%sessions), id(n))
			if out, err := cmd.CombinedOutput(); err != nil {
				t.Errorf("hook %d: %v: %s", n, err, out)
			}
		})
	}
	killed := 0
	for ; killed < kills; killed++ {
		pid := runningWorker(t, o)
		time.Sleep(rand.N(20 * time.Millisecond))
		if err := syscall.Kill(pid, syscall.SIGKILL); err != nil {
			killed-- // it was idle and left by itself
			continue
		}
		waitFor(t, func() bool { p, _ := lock.Holder(o.lockPath()); return p != pid || !lock.Held(o.lockPath()) })
	}
	all.Wait()
	finish(t, o)
	got := stored(t, o.DataDir)
	slices.Sort(got)
	if diff := cmp.Diff(ids(0, hooks), got); diff != "" {
		t.Fatalf("after %d kills: %s", killed, diff)
	}
	if bad, err := o.Spool.Quarantined(); err != nil || len(bad) > 0 {
		t.Fatalf("quarantined %v, %v", bad, err)
	}
}

// runningWorker returns the process id of a worker that holds the lock, starting one when a hook hasn't.
func runningWorker(t *testing.T, o Options) int {
	t.Helper()
	for {
		if pid, _ := lock.Holder(o.lockPath()); pid > 0 && pid != os.Getpid() && lock.Held(o.lockPath()) {
			return pid
		}
		startWorker(t, o)
		time.Sleep(time.Millisecond)
	}
}

// startWorker starts one as wake does, without its limit, so that a killed worker is followed at once.
func startWorker(t *testing.T, o Options) {
	t.Helper()
	wake.Forget(o.DataDir)
	if err := wake.Start(wake.Options{Exe: os.Args[0], DataDir: o.DataDir}); err != nil {
		t.Error(err)
	}
	for range 200 {
		if lock.Held(o.lockPath()) {
			return
		}
		time.Sleep(time.Millisecond)
	}
}

// finish waits for the last worker and drains what it left.
func finish(t *testing.T, o Options) {
	t.Helper()
	waitFor(t, func() bool {
		_, err := Drain(t.Context(), o)
		return err == nil
	})
	wantPending(t, o.Spool, 0)
}

// A worker that is asked to terminate finishes its batch and leaves in good order.
func TestTerminate(t *testing.T) {
	for _, sig := range []syscall.Signal{syscall.SIGTERM, syscall.SIGINT} {
		t.Run(sig.String(), func(t *testing.T) {
			o := options(t)
			const events = 3 * batchRows
			spoolEvents(t, o, 0, events)
			cmd := exec.Command(os.Args[0], "worker", "--data", o.DataDir)
			must(t, cmd.Start())
			waitFor(t, func() bool { names, _ := o.Spool.Pending(); return len(names) < events })
			must(t, cmd.Process.Signal(sig))
			must(t, cmd.Wait())
			names, err := o.Spool.Pending()
			must(t, err)
			if got := stored(t, o.DataDir); len(got)+len(names) != events || len(got)%batchRows != 0 {
				t.Fatalf("%d stored, %d wait", len(got), len(names))
			}
			if _, err := os.Stat(StorePath(o.DataDir) + "-wal"); err == nil && len(names) > 0 {
				t.Fatal("the store wasn't closed in order")
			}
		})
	}
}

// strace can stop a process at each system call: the worker is killed at every one that changes a file, in turn.
func TestKilledAtEverySystemCall(t *testing.T) {
	strace, err := exec.LookPath("strace")
	if err != nil {
		t.Skip("strace is not installed: the worker isn't killed at each system call")
	}
	for _, call := range []string{"openat", "write", "pwrite64", "fsync", "fdatasync", "unlinkat", "renameat", "ftruncate", "flock"} {
		t.Run(call, func(t *testing.T) {
			for nth := 1; ; nth += 1 + nth/6 {
				if !killAt(t, strace, call, nth) {
					t.Logf("killed at calls up to the %dth", nth-1)
					return
				}
			}
		})
	}
}

// killAt runs a worker that dies at its nth call and reports whether there was one. Whatever happened, the next worker
// must complete the work.
func killAt(t *testing.T, strace, call string, nth int) bool {
	t.Helper()
	o := options(t)
	spoolEvents(t, o, 0, 5)
	must(t, o.Spool.Append(id(9), []byte("poison")))
	o.Spool.MaxBytes = 1 << 20
	inject := fmt.Sprintf("inject=%s:signal=KILL:when=%d", call, nth)
	cmd := exec.Command(strace, "-f", "-qq", "-o", "/dev/null", "-e", "trace="+call, "-e", inject,
		os.Args[0], "worker", "--data", o.DataDir)
	out, err := cmd.CombinedOutput()
	if err != nil && strings.Contains(string(out), "ptrace") {
		t.Skipf("tracing is not permitted: %s", out)
	}
	finish(t, o)
	if diff := cmp.Diff(ids(0, 5), stored(t, o.DataDir)); diff != "" {
		t.Fatalf("killed at %s %d: %s", call, nth, diff)
	}
	bad, qerr := o.Spool.Quarantined()
	if qerr != nil || len(bad) != 1 {
		t.Fatalf("killed at %s %d: quarantined %v, %v", call, nth, bad, qerr)
	}
	return err != nil
}
