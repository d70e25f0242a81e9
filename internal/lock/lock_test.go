package lock

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"
)

// TestMain lets the test binary play another process: "hold PATH" takes the lock and keeps it until its stdin ends.
func TestMain(m *testing.M) {
	if len(os.Args) == 3 && os.Args[1] == "hold" {
		os.Exit(hold(os.Args[2]))
	}
	os.Exit(m.Run())
}

func hold(path string) int {
	_, err := TryLock(path)
	fmt.Println(err)
	_, _ = io.Copy(io.Discard, os.Stdin)
	return 0
}

func TestLock(t *testing.T) {
	path := filepath.Join(t.TempDir(), "lock")
	if Held(path) {
		t.Fatal("a missing file is held")
	}
	l, err := TryLock(path)
	if err != nil {
		t.Fatal(err)
	}
	if !Held(path) || !l.Current() {
		t.Fatal("held lock isn't seen")
	}
	if pid, err := Holder(path); pid != os.Getpid() || err != nil {
		t.Fatalf("holder %d, %v", pid, err)
	}
	if _, err := TryLock(path); !errors.Is(err, ErrHeld) {
		t.Fatalf("second lock: %v", err)
	}
	if err := l.Unlock(); err != nil {
		t.Fatal(err)
	}
	if Held(path) {
		t.Fatal("held after unlock")
	}
	if pid, err := Holder(path); pid != 0 || err != nil {
		t.Fatalf("holder %d, %v after unlock", pid, err)
	}
	if l, err = TryLock(path); err != nil {
		t.Fatal(err)
	}
	_ = l.Unlock()
}

func TestLockOfAKilledProcessIsFree(t *testing.T) {
	path := filepath.Join(t.TempDir(), "lock")
	cmd := exec.Command(os.Args[0], "hold", path)
	stdin, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	defer stdin.Close()
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	if line, err := bufio.NewReader(stdout).ReadString('\n'); err != nil || line != "<nil>\n" {
		t.Fatalf("holder says %q, %v", line, err)
	}
	if pid, _ := Holder(path); !Held(path) || pid != cmd.Process.Pid {
		t.Fatalf("held %v by %d, want %d", Held(path), pid, cmd.Process.Pid)
	}
	if _, err := TryLock(path); !errors.Is(err, ErrHeld) {
		t.Fatalf("lock of another process: %v", err)
	}
	_ = cmd.Process.Kill()
	_ = cmd.Wait()
	if Held(path) {
		t.Fatal("held by a dead process")
	}
	l, err := TryLock(path)
	if err != nil {
		t.Fatal(err)
	}
	_ = l.Unlock()
}

// A probe must not make a contender believe that the lock is held: the worker would go away and leave events behind.
func TestProbesDontKeepTheLockAway(t *testing.T) {
	path := filepath.Join(t.TempDir(), "lock")
	var stop atomic.Bool
	var probes sync.WaitGroup
	for range 4 {
		probes.Go(func() {
			for !stop.Load() {
				Held(path)
			}
		})
	}
	for range 200 {
		l, err := TryLock(path)
		if err != nil {
			t.Error(err)
			break
		}
		_ = l.Unlock()
	}
	stop.Store(true)
	probes.Wait()
}

func TestExactlyOneOfManyHolds(t *testing.T) {
	path := filepath.Join(t.TempDir(), "lock")
	for range 20 {
		var won atomic.Int32
		var wg sync.WaitGroup
		locks := make([]*Lock, 16)
		for i := range locks {
			wg.Go(func() {
				l, err := TryLock(path)
				if err == nil {
					won.Add(1)
				} else if !errors.Is(err, ErrHeld) {
					t.Error(err)
				}
				locks[i] = l
			})
		}
		wg.Wait()
		if won.Load() != 1 {
			t.Fatalf("%d hold the lock", won.Load())
		}
		for _, l := range locks {
			if l != nil {
				_ = l.Unlock()
			}
		}
	}
}

func TestCurrentAfterTheFileIsReplaced(t *testing.T) {
	path := filepath.Join(t.TempDir(), "lock")
	l, err := TryLock(path)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = l.Unlock() }()
	if err := os.Remove(path); err != nil {
		t.Skipf("can't remove an open file here: %v", err)
	}
	if l.Current() {
		t.Fatal("current without a file")
	}
	other, err := TryLock(path)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = other.Unlock() }()
	if l.Current() || !other.Current() {
		t.Fatalf("first current %v, second %v", l.Current(), other.Current())
	}
}

func TestLockErrors(t *testing.T) {
	dir := t.TempDir()
	if _, err := TryLock(filepath.Join(dir, "no", "lock")); !errors.Is(err, os.ErrNotExist) {
		t.Fatalf("lock in a missing directory: %v", err)
	}
	if _, err := TryLock(dir); err == nil || errors.Is(err, ErrHeld) {
		t.Fatalf("lock on a directory: %v", err)
	}
}
