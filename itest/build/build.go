// Package build compiles what the integration tests run: boathook itself from the repository that holds this folder, and the
// small programs below fixture. Each is built once per test binary. It imports only the standard library.
package build

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
)

// TB is what of a test is needed here; a program that is no test can bring its own.
type TB interface {
	Helper()
	Fatal(args ...any)
}

const rootModule = "module github.com/boathook/boathook\n"

// Root is the repository's root: the nearest directory above the working directory that has the product's go.mod.
func Root() (string, error) {
	dir, err := os.Getwd()
	if err != nil {
		return "", fmt.Errorf("find the repository: %w", err)
	}
	for {
		b, err := os.ReadFile(filepath.Join(dir, "go.mod"))
		if err == nil && strings.Contains(string(b), rootModule) {
			return dir, nil
		}
		if parent := filepath.Dir(dir); parent != dir {
			dir = parent
			continue
		}
		return "", fmt.Errorf("find the repository: no go.mod of boathook above the working directory")
	}
}

// Boathook is the product, built as it is released: its second program is beside it.
func Boathook(tb TB) string {
	tb.Helper()
	return program(tb, key{pkg: "."})
}

// Fixture is one of the programs in itest/fixture.
func Fixture(tb TB, name string) string {
	tb.Helper()
	return program(tb, key{fixture: true, pkg: "./fixture/" + name})
}

// Example is one of the programs in examples, as somebody who writes a hook builds it.
func Example(tb TB, name string) string {
	tb.Helper()
	return program(tb, key{pkg: "./examples/" + name})
}

// Foreign is a fixture built for a processor that this machine is not.
func Foreign(tb TB, name string) string {
	tb.Helper()
	arch := "arm64"
	if runtime.GOARCH == arch {
		arch = "amd64"
	}
	return program(tb, key{fixture: true, pkg: "./fixture/" + name, arch: arch})
}

// Cleanup removes what was built. TestMain calls it last; or a test that alone in its package builds something.
func Cleanup() {
	built.Lock()
	defer built.Unlock()
	if built.dir != "" {
		_ = os.RemoveAll(built.dir) // in the system's temporary folder: nothing depends on it
		built.dir, built.done = "", nil
	}
}

type key struct {
	fixture   bool
	pkg, arch string
}

type result struct {
	path string
	err  error
}

var built struct {
	sync.Mutex
	dir  string
	done map[key]result
}

func program(tb TB, k key) string {
	tb.Helper()
	built.Lock()
	defer built.Unlock()
	r, ok := built.done[k]
	if !ok {
		r.path, r.err = compile(k)
		if built.done == nil {
			built.done = map[key]result{}
		}
		built.done[k] = r
	}
	if r.err != nil {
		tb.Fatal(r.err)
	}
	return r.path
}

// compile runs with built locked.
func compile(k key) (string, error) {
	root, err := Root()
	if err != nil {
		return "", err
	}
	if built.dir == "" {
		if built.dir, err = os.MkdirTemp("", "boathook-itest-"); err != nil {
			return "", fmt.Errorf("make a folder for programs: %w", err)
		}
	}
	dir, name := root, "boathook"
	if k.pkg != "." {
		name = "example-" + filepath.Base(k.pkg)
	}
	if k.fixture {
		dir, name = filepath.Join(root, "itest"), filepath.Base(k.pkg)+k.arch
	}
	out := filepath.Join(built.dir, name)
	args := []string{"build", "-trimpath", "-ldflags=-s -w", "-o"}
	if k.pkg == "." {
		args = append(args, built.dir, ".", "./cmd/boathook-memory") // at once, so that both are of one version
	} else {
		args = append(args, out, k.pkg)
	}
	cmd := exec.Command("go", args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0", "GOWORK=off")
	if k.arch != "" {
		cmd.Env = append(cmd.Env, "GOARCH="+k.arch)
	}
	if msg, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("build %s: %w\n%s", k.pkg, err, msg)
	}
	return out, nil
}
