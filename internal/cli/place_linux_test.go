package cli

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/boathook/boathook/internal/netfs"
	"github.com/boathook/boathook/internal/netfs/netfstest"
)

// TestWhoIsToldItsDataLooksAtNoOther: a worker of data that were moved does not ask the server that they were moved from.
func TestWhoIsToldItsDataLooksAtNoOther(t *testing.T) {
	home, hung := t.TempDir(), t.TempDir()
	netfstest.Hang(t, hung, "fuse.sshfs")
	config, other := filepath.Join(home, "config.toml"), t.TempDir()
	if err := os.WriteFile(config, []byte("data_dir = '"+hung+"/data'\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	env := testEnv(home)
	told := place{data: other, config: config}
	if dir, s, err := told.find(env); err != nil || dir != other || s.DataDir != hung+"/data" || s.DataDirMoved != "" {
		t.Errorf("told: %s, %q moved from %q, %v", dir, s.DataDir, s.DataDirMoved, err)
	}
	if netfs.Remote("/var/tmp") {
		t.Skip("SKIPPED LOUDLY: this machine has no local place")
	}
	asks := place{config: config}
	if dir, s, err := asks.find(env); err != nil || !netfs.IsLocal(dir) || s.DataDirMoved != hung+"/data" {
		t.Errorf("asks: %s, moved from %q, %v", dir, s.DataDirMoved, err)
	}
}
