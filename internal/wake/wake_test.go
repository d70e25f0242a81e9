package wake

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

	"github.com/boathook/boathook/internal/lock"
)

// TestMain lets the test binary play the other processes: "worker --data DIR" is a worker that lives until DIR/stop is
// there, "spawn DIR" a hook that wakes it.
func TestMain(m *testing.M) {
	var err error
	switch {
	case len(os.Args) >= 4 && os.Args[1] == "worker":
		err = playWorker(os.Args[3])
	case len(os.Args) == 3 && os.Args[1] == "spawn":
		err = Start(Options{Exe: os.Args[0], DataDir: os.Args[2]})
	default:
		os.Exit(m.Run())
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// playWorker writes what it was given to DIR/worker.PID before it tries the lock, and DIR/holds.PID once it has it.
func playWorker(dir string) error {
	wd, err := os.Getwd()
	if err != nil {
		return err
	}
	seen := strings.Join(append([]string{wd, strings.Join(os.Args[1:], " ")}, os.Environ()...), "\n")
	if err := os.WriteFile(filepath.Join(dir, fmt.Sprint("worker.", os.Getpid())), []byte(seen), 0o600); err != nil {
		return err
	}
	l, err := lock.TryLock(filepath.Join(dir, LockFile))
	if err != nil {
		return nil // another one works
	}
	if err := os.WriteFile(filepath.Join(dir, fmt.Sprint("holds.", os.Getpid())), nil, 0o600); err != nil {
		return err
	}
	for deadline := time.Now().Add(time.Minute); time.Now().Before(deadline); time.Sleep(2 * time.Millisecond) {
		if _, err := os.Stat(filepath.Join(dir, "stop")); err == nil {
			break
		}
	}
	return l.Unlock()
}

// dataDir is a data directory whose workers are gone before it is.
func dataDir(t *testing.T) string {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	must(t, err)
	t.Cleanup(func() {
		must(t, os.WriteFile(filepath.Join(dir, "stop"), nil, 0o600))
		for lock.Held(filepath.Join(dir, LockFile)) {
			time.Sleep(time.Millisecond)
		}
	})
	return dir
}

func start(t *testing.T, o Options) {
	t.Helper()
	o.Exe = os.Args[0]
	must(t, Start(o))
}

func waitHeld(t *testing.T, dir string) {
	t.Helper()
	for !lock.Held(filepath.Join(dir, LockFile)) {
		time.Sleep(time.Millisecond)
	}
}

func glob(t *testing.T, dir, pattern string) []string {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join(dir, pattern))
	must(t, err)
	return paths
}

func TestManyStartOneWorker(t *testing.T) {
	dir := dataDir(t)
	var wg sync.WaitGroup
	for range 30 {
		wg.Go(func() {
			if err := Start(Options{Exe: os.Args[0], DataDir: dir}); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	waitHeld(t, dir)
	for range 30 {
		start(t, Options{DataDir: dir})
	}
	for len(glob(t, dir, "holds.*")) == 0 {
		time.Sleep(time.Millisecond)
	}
	if holds := glob(t, dir, "holds.*"); len(holds) != 1 {
		t.Fatalf("%d workers", len(holds))
	}
}

func TestWhatTheWorkerIsGiven(t *testing.T) {
	dir := dataDir(t)
	env := map[string]string{"PATH": "/bin", "HOME": "/home/u", "TMPDIR": "", "LD_PRELOAD": "evil.so", "API_KEY": "secret"}
	start(t, Options{DataDir: dir, Config: "/etc/c.toml", Getenv: func(k string) string { return env[k] }})
	waitHeld(t, dir)
	b, err := os.ReadFile(glob(t, dir, "worker.[0-9]*")[0])
	must(t, err)
	want := []string{dir, "worker --data " + dir + " --config /etc/c.toml", "PATH=/bin", "HOME=/home/u"}
	got := strings.Split(string(b), "\n")
	if runtime.GOOS == "windows" {
		got = got[:min(len(got), 2)] // the system adds its own
		want = want[:2]
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Fatal(diff)
	}
}

func TestRateLimit(t *testing.T) {
	now := time.Now()
	for _, tt := range []struct {
		name  string
		stamp time.Duration // before now
		want  bool          // starts
	}{
		{"just now", 0, false},
		{"within the interval", interval - time.Millisecond, false},
		{"after the interval", interval, true},
		{"long ago", 24 * time.Hour, true},
		{"clock went backwards", -time.Hour, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			dir := dataDir(t)
			stamp := filepath.Join(dir, StampFile)
			must(t, os.WriteFile(stamp, nil, 0o600))
			must(t, os.Chtimes(stamp, now.Add(-tt.stamp), now.Add(-tt.stamp)))
			before, err := os.Stat(stamp)
			must(t, err)
			start(t, Options{DataDir: dir, Now: func() time.Time { return now }})
			after, err := os.Stat(stamp)
			must(t, err)
			if tt.want {
				waitHeld(t, dir)
			}
			if started := !after.ModTime().Equal(before.ModTime()); started != tt.want {
				t.Fatalf("started %v", started)
			}
		})
	}
}

// A worker that ended in good order delays nobody.
func TestForget(t *testing.T) {
	dir := dataDir(t)
	now := time.Now()
	must(t, os.WriteFile(filepath.Join(dir, StampFile), nil, 0o600))
	Forget(dir)
	start(t, Options{DataDir: dir, Now: func() time.Time { return now }})
	waitHeld(t, dir)
	Forget(dir)
	Forget(dir)
}

func TestStartErrors(t *testing.T) {
	dir := dataDir(t)
	missing := filepath.Join(dir, "missing")
	now := time.Now()
	clock := func() time.Time { return now }
	if err := Start(Options{Exe: missing, DataDir: dir, Now: clock}); err == nil || !strings.Contains(err.Error(), "start worker "+missing) {
		t.Fatalf("missing program: %v", err)
	}
	if err := Start(Options{Exe: missing, DataDir: dir, Now: clock}); err != nil {
		t.Fatalf("a program that can't be started is tried once per interval: %v", err)
	}
	if err := Start(Options{Exe: os.Args[0], DataDir: missing}); err == nil {
		t.Fatal("started without a data directory")
	}
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
