package torture

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

// holdWorker takes the worker's lock, so that no worker runs until release.
func (b *bench) holdWorker(t *testing.T) (release func()) {
	t.Helper()
	b.makeData(t)
	f, err := os.OpenFile(filepath.Join(b.data, "worker.lock"), os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		t.Fatal(err)
	}
	if err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX); err != nil {
		t.Fatal(err)
	}
	return func() { f.Close() }
}
