package install

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/sys/unix"
)

// tmpfs mounts a file system of its own, which only root can.
func tmpfs(t *testing.T, dir, options string) {
	t.Helper()
	if err := unix.Mount("tmpfs", dir, "tmpfs", 0, options); err != nil {
		t.Skipf("SKIPPED: can't mount a file system: %v", err)
	}
	t.Cleanup(func() { _ = unix.Unmount(dir, unix.MNT_DETACH) })
}

func TestFailureOnReadOnlyMount(t *testing.T) {
	env := brokenHome(t, func(t *testing.T, dir string) {
		tmpfs(t, dir, "")
		if err := unix.Mount("", dir, "", unix.MS_REMOUNT|unix.MS_RDONLY, ""); err != nil {
			t.Fatal(err)
		}
	})
	wantRolledBack(t, env, "read-only")
}

func TestFailureOnFullDisk(t *testing.T) {
	env := brokenHome(t, func(t *testing.T, dir string) {
		tmpfs(t, dir, "size=8k")
		if err := os.WriteFile(filepath.Join(dir, "fill"), []byte(strings.Repeat("x", 4096)), 0o600); err != nil {
			t.Fatal(err)
		}
	})
	wantRolledBack(t, env, "free some disk space")
}

// The data may be on another file system; a replaced extension stays on its own.
func TestDataOnAnotherFileSystem(t *testing.T) {
	env := world(t)
	data := filepath.Join(env.Home, ".local", "share", "boathook")
	if err := os.MkdirAll(data, 0o700); err != nil {
		t.Fatal(err)
	}
	tmpfs(t, data, "")
	extension := filepath.Join(env.Home, ".gemini", "extensions", "pinta-gemini")
	put(t, filepath.Join(extension, "hooks", "hooks.json"), "{}", 0o640)
	before := tree(t, filepath.Join(env.Home, ".gemini"))
	install(t, env, Request{Agents: []string{"gemini"}})
	if exists(extension) {
		t.Error("it was not moved")
	}
	uninstall(t, env, Request{})
	same(t, before, tree(t, filepath.Join(env.Home, ".gemini")))
}

// One of the agents that were found can't be written: the others are installed all the same, and the reason is given.
func TestFoundOnReadOnlyMount(t *testing.T) {
	env := world(t)
	dir := filepath.Join(env.Home, ".cursor")
	if err := os.Mkdir(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	tmpfs(t, dir, "")
	if err := unix.Mount("", dir, "", unix.MS_REMOUNT|unix.MS_RDONLY, ""); err != nil {
		t.Fatal(err)
	}
	before := tree(t, env.Home)
	p := install(t, env, Request{Agents: []string{"cursor", "claude"}, Found: true})
	if len(p.Failures) != 1 || !strings.Contains(p.Failures[0], filepath.Join(dir, "hooks.json")) || !strings.Contains(p.Failures[0], "read-only") {
		t.Errorf("%q", p.Failures)
	}
	if !exists(filepath.Join(env.Home, ".claude", "settings.json")) {
		t.Error("Claude Code has no hooks")
	}
	uninstall(t, env, Request{Purge: true})
	same(t, before, tree(t, env.Home))
}

// A file that is mounted by itself can't be replaced.
func TestFailureOnMountedFile(t *testing.T) {
	env := world(t)
	put(t, hooksFile(env), "{}", 0o644)
	if err := unix.Mount(hooksFile(env), hooksFile(env), "", unix.MS_BIND, ""); err != nil {
		t.Skipf("SKIPPED: can't mount a file: %v", err)
	}
	t.Cleanup(func() { _ = unix.Unmount(hooksFile(env), unix.MNT_DETACH) })
	wantRolledBack(t, env, "mount its directory")
}

// What can't be written can't be undone: it stays, and the others are undone.
func TestUninstallOnReadOnlyMount(t *testing.T) {
	env := world(t)
	dir := filepath.Join(env.Home, ".cursor")
	if err := os.Mkdir(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	tmpfs(t, dir, "")
	before := tree(t, env.Home)
	install(t, env, Request{Agents: []string{"cursor", "claude"}})
	installed := text(t, filepath.Join(dir, "hooks.json"))
	if err := unix.Mount("", dir, "", unix.MS_REMOUNT|unix.MS_RDONLY, ""); err != nil {
		t.Fatal(err)
	}
	p := uninstall(t, env, Request{})
	if len(p.Failures) != 1 || !strings.Contains(p.Failures[0], filepath.Join(dir, "hooks.json")) || !strings.Contains(p.Failures[0], "read-only") {
		t.Errorf("%q", p.Failures)
	}
	if got := text(t, filepath.Join(dir, "hooks.json")); got != installed || exists(filepath.Join(env.Home, ".claude", "settings.json")) {
		t.Errorf("Claude Code has hooks, or Cursor has %s", got)
	}
	if err := unix.Mount("", dir, "", unix.MS_REMOUNT, ""); err != nil {
		t.Fatal(err)
	}
	uninstall(t, env, Request{Purge: true})
	same(t, before, tree(t, env.Home))
}
