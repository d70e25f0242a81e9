// Package agents brings the real agents that the integration tests drive: package-lock.json in this folder pins them,
// npm installs them beside it once. It imports only the standard library.
package agents

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"syscall"
	"testing"

	"github.com/boathook/boathook/itest/build"
)

// Gemini is the entry script of the pinned Gemini CLI, to be run by node.
func Gemini(tb testing.TB) string {
	tb.Helper()
	dir, err := installed()
	if err != nil {
		tb.Fatalf("the integration tests drive the real agents: %v", err)
	}
	return filepath.Join(dir, "node_modules", "@google", "gemini-cli", "bundle", "gemini.js")
}

var installed = sync.OnceValues(func() (string, error) {
	for _, name := range []string{"node", "npm", "bash"} {
		if _, err := exec.LookPath(name); err != nil {
			return "", fmt.Errorf("%s is needed (Node.js 20 or newer brings node and npm): %w", name, err)
		}
	}
	root, err := build.Root()
	if err != nil {
		return "", err
	}
	dir := filepath.Join(root, "itest", "agents")
	unlock, err := lockFile(filepath.Join(dir, "package-lock.json"))
	if err != nil {
		return "", err
	}
	defer unlock()
	return dir, install(dir)
})

// install runs npm unless the tree that it leaves is already that of the lock file.
func install(dir string) error {
	want, err := os.ReadFile(filepath.Join(dir, "package-lock.json"))
	if err != nil {
		return fmt.Errorf("read pinned agents: %w", err)
	}
	stamp := filepath.Join(dir, "node_modules", ".boathook-lock.json")
	if have, err := os.ReadFile(stamp); err == nil && string(have) == string(want) {
		return nil
	}
	cmd := exec.Command("npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund")
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("npm ci in %s: %w\n%s", dir, err, out)
	}
	return os.WriteFile(stamp, want, 0o644)
}

// lockFile holds an advisory lock on a file, so that test binaries that run side by side install once.
func lockFile(path string) (unlock func(), err error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("open lock: %w", err)
	}
	if err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX); err != nil {
		return nil, errors.Join(fmt.Errorf("lock %s: %w", path, err), f.Close())
	}
	return func() { _ = f.Close() }, nil // closing releases the lock
}
