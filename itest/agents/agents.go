// Package agents brings the real agents that the integration tests drive. Each has a folder here whose package-lock.json
// pins it; npm installs it beside that once, when a test first asks for it. It imports only the standard library.
package agents

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"sync"
	"syscall"
	"testing"

	"github.com/boathook/boathook/itest/build"
)

// Gemini is the entry script of the pinned Gemini CLI, to be run by node.
func Gemini(tb testing.TB) string {
	tb.Helper()
	return filepath.Join(Modules(tb, "gemini"), "@google", "gemini-cli", "bundle", "gemini.js")
}

// Modules is the folder node_modules of an agent, installed as its lock file says.
func Modules(tb testing.TB, agent string) string {
	tb.Helper()
	install, _ := installers.LoadOrStore(agent, sync.OnceValues(func() (string, error) { return installed(agent) }))
	dir, err := install.(func() (string, error))()
	if err != nil {
		tb.Fatalf("the integration tests drive the real agents: %v", err)
	}
	return filepath.Join(dir, "node_modules")
}

// Version is the version to which a package of an agent is pinned.
func Version(tb testing.TB, agent, pkg string) string {
	tb.Helper()
	dir, err := folder(agent)
	if err != nil {
		tb.Fatal(err)
	}
	var pins struct {
		Dependencies         map[string]string `json:"dependencies"`
		OptionalDependencies map[string]string `json:"optionalDependencies"` // a program for one platform
	}
	b, err := os.ReadFile(filepath.Join(dir, "package.json"))
	if err == nil {
		err = json.Unmarshal(b, &pins)
	}
	version := cmp.Or(pins.Dependencies[pkg], pins.OptionalDependencies[pkg])
	if err != nil || version == "" {
		tb.Fatalf("find the version of %s that the tests drive: %v", pkg, err)
	}
	return version
}

// Platform is this machine as npm packages of programs name it: linux-x64, darwin-arm64.
func Platform() string {
	arch := runtime.GOARCH
	if arch == "amd64" {
		arch = "x64"
	}
	return runtime.GOOS + "-" + arch
}

// installers has one func() (string, error) for each agent.
var installers sync.Map

func folder(agent string) (string, error) {
	root, err := build.Root()
	if err != nil {
		return "", err
	}
	return filepath.Join(root, "itest", "agents", agent), nil
}

func installed(agent string) (string, error) {
	for _, name := range []string{"node", "npm", "bash"} {
		if _, err := exec.LookPath(name); err != nil {
			return "", fmt.Errorf("%s is needed (Node.js 20 or newer brings node and npm): %w", name, err)
		}
	}
	dir, err := folder(agent)
	if err != nil {
		return "", err
	}
	unlock, err := lockFile(filepath.Join(dir, "package-lock.json"))
	if err != nil {
		return "", err
	}
	defer unlock()
	return dir, install(dir)
}

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
