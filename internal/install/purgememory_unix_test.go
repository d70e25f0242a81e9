//go:build unix

package install

import (
	"net"
	"os"
	"path/filepath"
	"testing"
)

// What memory keeps goes with the rest, the socket of its service too; what only has such a name stays.
func TestPurgeTakesMemory(t *testing.T) {
	must := func(t *testing.T, err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	dir, err := os.MkdirTemp("", "bhp") // short enough for a socket
	must(t, err)
	t.Cleanup(func() { os.RemoveAll(dir) })
	must(t, os.MkdirAll(filepath.Join(dir, "recall", "pending"), 0o700))
	for _, name := range []string{
		"memory.db", "memory.db-wal", "memory.db-shm", "memory.lock", "memory-audit.jsonl", "memory-audit.jsonl.old", "memory-bad.jsonl",
		"memory.backfill", "memory.forgotten", "recall/0123.told", "recall/0123.ask", "recall/0123.ask.01234567", "recall/pending/0123-ab.held",
	} {
		must(t, os.WriteFile(filepath.Join(dir, name), nil, 0o600))
	}
	in, err := net.ListenUnix("unix", &net.UnixAddr{Name: filepath.Join(dir, "memory.sock"), Net: "unix"})
	must(t, err)
	in.SetUnlinkOnClose(false)
	must(t, in.Close())
	must(t, os.Mkdir(filepath.Join(dir, ".memory.sock"), 0o700))
	for _, path := range dataFiles(dir) {
		must(t, os.Remove(path))
	}
	left, err := os.ReadDir(dir)
	must(t, err)
	if len(left) != 1 || left[0].Name() != ".memory.sock" {
		t.Errorf("left: %v", left)
	}
}
