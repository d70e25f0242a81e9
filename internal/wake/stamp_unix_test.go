//go:build unix

package wake

import (
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
	"time"
)

// A stamp that root left in a user's data keeps no worker from that user.
func TestAStampOfRoots(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("SKIPPED LOUDLY: to leave something of root's takes root")
	}
	dir, err := os.MkdirTemp("", "boathook-wake-") // the test's own directory is closed to others
	must(t, err)
	defer os.RemoveAll(dir)
	data, exe := filepath.Join(dir, "data"), filepath.Join(dir, "boathook")
	text, err := os.ReadFile(os.Args[0])
	must(t, err)
	must(t, os.WriteFile(exe, text, 0o755))
	must(t, os.Mkdir(data, 0o755))
	stamp, old := filepath.Join(data, StampFile), time.Now().Add(-time.Hour)
	must(t, os.WriteFile(stamp, nil, 0o600))
	must(t, os.Chtimes(stamp, old, old))
	must(t, os.Chmod(dir, 0o755))
	must(t, os.Chown(data, 65534, 65534))

	cmd := exec.Command(exe, "spawn", data)
	cmd.Dir, cmd.Env = data, []string{"PATH=" + os.Getenv("PATH")}
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: 65534, Gid: 65534}}
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	info, err := os.Stat(stamp)
	must(t, err)
	if st, ok := info.Sys().(*syscall.Stat_t); !ok || st.Uid != 65534 || time.Since(info.ModTime()) > time.Minute {
		t.Errorf("the stamp is uid %d's, of %s", st.Uid, info.ModTime())
	}
	must(t, os.WriteFile(filepath.Join(data, "stop"), nil, 0o644)) // the worker ends
	for range 5000 {
		if names, _ := filepath.Glob(filepath.Join(data, "holds.*")); len(names) > 0 {
			return
		}
		time.Sleep(2 * time.Millisecond)
	}
	t.Error("no worker came")
}
