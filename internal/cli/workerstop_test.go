package cli

import (
	"bytes"
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
	var out bytes.Buffer
	env := testEnv(home)
	env.Stdout, env.Stderr = &out, &out
	looks := 0
	env.Now = func() time.Time { // it takes the lock after the first look, by a clock at which it has just started
		if looks++; looks == 2 {
			l, err := lock.TryLock(filepath.Join(dir, wake.LockFile))
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { _ = l.Unlock() })
		}
		return now
	}
	// The worker is this process, which nobody asks to end.
	if code := Run(t.Context(), env, []string{"worker", "stop", "--wait", "50ms"}); code != exitFailed || looks < 2 {
		t.Errorf("exit %d after %d looks: %s", code, looks, &out)
	}
}
