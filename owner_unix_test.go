//go:build unix

package main

import (
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/boathook/boathook/internal/wake"
)

// TestRootLeavesNothingOfItsOwn: what hook, worker and commands of root's write into a user's data and settings belongs to
// that user.
func TestRootLeavesNothingOfItsOwn(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("SKIPPED LOUDLY: to act as somebody else takes root")
	}
	const nobody = 65534
	home := t.TempDir()
	for dir := home; dir != os.TempDir() && dir != "/"; dir = filepath.Dir(dir) {
		must(t, os.Chmod(dir, 0o755))
	}
	exe := filepath.Join(t.TempDir(), "boathook") // under this name the test binary is the program
	must(t, os.Chmod(filepath.Dir(filepath.Dir(exe)), 0o755))
	must(t, os.Chmod(filepath.Dir(exe), 0o755))
	text, err := os.ReadFile(os.Args[0])
	must(t, err)
	must(t, os.WriteFile(exe, text, 0o755))
	config, data := filepath.Join(home, ".config", "boathook", "config.toml"), filepath.Join(home, "data")
	must(t, os.MkdirAll(filepath.Dir(config), 0o755))
	must(t, os.WriteFile(config, []byte("data_dir = '"+data+"'\nworker.idle_s = 1\n"), 0o600))
	for _, path := range []string{home, filepath.Join(home, ".config"), filepath.Dir(config), config} {
		must(t, os.Chown(path, nobody, nobody))
	}
	defer stopWorker(filepath.Join(data, wake.LockFile))
	for _, args := range []string{
		"hook --agent gemini --event SessionStart --config " + config, "worker --once --config " + config, "log --config " + config,
		"off --for 1h --config " + config, "hook --agent gemini --event SessionEnd --config " + config,
	} {
		cmd := exec.Command(exe, strings.Fields(args)...)
		cmd.Env = []string{"HOME=/root", "PATH=" + os.Getenv("PATH")}
		cmd.Stdin = strings.NewReader("{}")
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Errorf("%s: %v: %s", args, err, out)
		}
	}
	files := map[string]bool{}
	must(t, filepath.WalkDir(home, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return nil // the worker took it
		}
		if st := info.Sys().(*syscall.Stat_t); st.Uid != nobody {
			t.Errorf("%s belongs to user %d", path, st.Uid)
		}
		files[filepath.Base(path)] = true
		return nil
	}))
	if !files["key"] || !files["events.db"] || !files["off"] {
		t.Errorf("files %v", files)
	}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
