package otelcol

import (
	"crypto/sha256"
	_ "embed"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"sync"
	"syscall"
)

// builder is the tool that makes a collector out of modules.
const builder = "go.opentelemetry.io/collector/cmd/builder@v0.165.0"

//go:embed builder.yaml
var builderConfig []byte

// Program is the collector's executable. The first call on a machine builds it, which takes minutes; it stays in the user's
// cache folder, under a name that changes with what it is made of.
func Program() (string, error) { return program() }

// Built tells whether Program has nothing to build.
func Built() bool {
	dir, err := cacheDir()
	if err != nil {
		return false
	}
	_, err = os.Stat(filepath.Join(dir, name()))
	return err == nil
}

var program = sync.OnceValues(func() (string, error) {
	dir, err := cacheDir()
	if err != nil {
		return "", err
	}
	unlock, err := lockFile(filepath.Join(dir, "lock"))
	if err != nil {
		return "", err
	}
	defer unlock()
	out := filepath.Join(dir, name())
	if _, err := os.Stat(out); err == nil {
		return out, nil
	}
	return out, compile(dir, out)
})

func cacheDir() (string, error) {
	cache, err := os.UserCacheDir()
	if err != nil {
		return "", fmt.Errorf("find the cache folder: %w", err)
	}
	dir := filepath.Join(cache, "boathook-itest")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return "", fmt.Errorf("make the cache folder: %w", err)
	}
	return dir, nil
}

// name of the executable in the cache: it changes with what it is made of.
func name() string {
	h := sha256.New()
	fmt.Fprintf(h, "%s %s %s %s\n%s", builder, runtime.GOOS, runtime.GOARCH, runtime.Version(), builderConfig)
	return "otelcol-" + hex.EncodeToString(h.Sum(nil)[:8])
}

// compile builds beside the target and renames, so that a build that was stopped leaves no half program.
func compile(dir, out string) error {
	work, err := os.MkdirTemp(dir, "build-")
	if err != nil {
		return fmt.Errorf("make a folder to build in: %w", err)
	}
	defer func() { _ = os.RemoveAll(work) }() // in a cache: what stays there does no harm
	config := filepath.Join(work, "builder.yaml")
	if err := os.WriteFile(config, builderConfig, 0o644); err != nil {
		return fmt.Errorf("write the builder's config: %w", err)
	}
	cmd := exec.Command("go", "run", builder, "--config", config, "--ldflags=-s -w")
	cmd.Dir = work
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0", "GOWORK=off")
	if msg, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("build the collector: %w\n%s", err, msg)
	}
	if err := os.Rename(filepath.Join(work, "out", "otelcol-itest"), out); err != nil {
		return fmt.Errorf("keep the collector: %w", err)
	}
	return nil
}

// lockFile holds an advisory lock, so that test binaries that run side by side build once.
func lockFile(path string) (unlock func(), err error) {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o644)
	if err != nil {
		return nil, fmt.Errorf("open lock: %w", err)
	}
	if err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX); err != nil {
		return nil, errors.Join(fmt.Errorf("lock %s: %w", path, err), f.Close())
	}
	return func() { _ = f.Close() }, nil // closing releases the lock
}
