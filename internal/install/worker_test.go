//go:build unix

package install

import (
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strconv"
	"syscall"
	"testing"
	"time"

	"github.com/boathook/boathook/internal/lock"
	"github.com/boathook/boathook/internal/wake"
)

// TestMain lets the test binary play a worker that holds its lock until it is asked to end.
func TestMain(m *testing.M) {
	if path := os.Getenv("PLAY_WORKER"); path != "" {
		asked := make(chan os.Signal, 1)
		signal.Notify(asked, syscall.SIGTERM)
		l, err := lock.TryLock(path)
		if err != nil {
			os.Exit(1)
		}
		<-asked
		time.Sleep(50 * time.Millisecond)
		_ = os.WriteFile(filepath.Join(filepath.Dir(path), "worker.log"), nil, 0o600)
		_ = l.Unlock()
		os.Exit(0)
	}
	lookPause = time.Millisecond
	os.Exit(m.Run())
}

func TestPurgeStopsTheWorker(t *testing.T) {
	env := world(t)
	before := tree(t, env.Home)
	install(t, env, both)
	path := filepath.Join(env.Home, ".local", "share", "boathook", wake.LockFile)
	worker := exec.Command(os.Args[0])
	worker.Env = append(os.Environ(), "PLAY_WORKER="+path)
	if err := worker.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- worker.Wait() }()
	for !lock.Held(path) {
		time.Sleep(5 * time.Millisecond)
	}
	uninstall(t, env, Request{Purge: true})
	select {
	case err := <-ended:
		if err != nil {
			t.Errorf("the worker ended with %v", err)
		}
	case <-time.After(30 * time.Second):
		t.Error("the worker still runs")
		_ = worker.Process.Kill()
	}
	same(t, before, tree(t, env.Home))
}

// A process id in a lock that nobody holds belongs to somebody else by now.
func TestPurgeLeavesStrangersAlone(t *testing.T) {
	env := world(t)
	install(t, env, both)
	stranger := exec.Command("sleep", "60")
	if err := stranger.Start(); err != nil {
		t.Skipf("SKIPPED: %v", err)
	}
	defer func() { _ = stranger.Process.Kill(); _ = stranger.Wait() }()
	path := filepath.Join(env.Home, ".local", "share", "boathook", wake.LockFile)
	put(t, path, strconv.Itoa(stranger.Process.Pid)+"\n", 0o600)
	uninstall(t, env, Request{Purge: true})
	if err := stranger.Process.Signal(syscall.Signal(0)); err != nil {
		t.Errorf("%v", err)
	}
}
