package cli

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/boathook/boathook/internal/lock"
	"github.com/boathook/boathook/internal/wake"
)

// TestStopMeetsAWorkerThatStarts: a hook has stamped its start, and it takes its lock a little later.
func TestStopMeetsAWorkerThatStarts(t *testing.T) {
	home := configured(t, "")
	dir := filepath.Join(home, ".local/share/boathook")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	stamp := filepath.Join(dir, wake.StampFile)
	if err := os.WriteFile(stamp, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	soon := time.Now().Add(time.Hour) // a clock that is ahead: the stamp is young for as long as the test takes
	if err := os.Chtimes(stamp, soon, soon); err != nil {
		t.Fatal(err)
	}
	if wake.Starting(dir, soon.Add(-time.Second)) || !wake.Starting(dir, soon) || wake.Starting(dir, soon.Add(wake.Interval)) {
		t.Error("when a worker starts")
	}
	now := time.Now()
	if err := os.Chtimes(stamp, now, now); err != nil {
		t.Fatal(err)
	}
	held := make(chan *lock.Lock)
	go func() {
		time.Sleep(100 * time.Millisecond)
		l, err := lock.TryLock(filepath.Join(dir, wake.LockFile))
		if err != nil {
			t.Error(err)
		}
		held <- l
	}()
	// The worker is this process, which nobody asks to end.
	code, out, errs := live(t, home, "worker", "stop", "--wait", "50ms")
	if l := <-held; l != nil {
		defer func() { _ = l.Unlock() }()
	}
	if code != exitFailed {
		t.Errorf("exit %d: %s%s", code, out, errs)
	}
}
