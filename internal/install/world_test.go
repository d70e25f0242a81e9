//go:build unix

package install

import (
	"crypto/sha256"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// world is a home of its own with a program in it.
func world(t *testing.T) Env {
	t.Helper()
	return worldIn(t, t.TempDir())
}

func worldIn(t *testing.T, home string) Env {
	t.Helper()
	exe := filepath.Join(t.TempDir(), "boathook")
	put(t, exe, "#!/bin/sh\n", 0o755)
	return Env{
		Home: home, Exe: exe, Version: "v1.0.0", UID: os.Getuid(), GOOS: "linux",
		Lookup: func(string) (string, bool) { return "", false },
	}
}

func with(env Env, vars map[string]string) Env {
	env.Lookup = func(name string) (string, bool) { v, ok := vars[name]; return v, ok }
	return env
}

func put(t *testing.T, path, text string, perm fs.FileMode) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), perm); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(path, perm); err != nil {
		t.Fatal(err)
	}
}

func text(t *testing.T, path string) string {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// tree lists everything below a directory with modes, contents and links.
func tree(t *testing.T, root string) map[string]string {
	t.Helper()
	out := map[string]string{}
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		rest := ""
		switch {
		case info.Mode()&fs.ModeSymlink != 0:
			rest, err = os.Readlink(path)
		case info.Mode().IsRegular():
			var b []byte
			b, err = os.ReadFile(path)
			rest = fmt.Sprintf("%x", sha256.Sum256(b))
		}
		name, _ := filepath.Rel(root, path)
		out[name] = info.Mode().String() + " " + rest
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func same(t *testing.T, want, got map[string]string) {
	t.Helper()
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("the tree differs (-want +got):\n%s", diff)
	}
}

func install(t *testing.T, env Env, req Request) *Plan {
	t.Helper()
	p, err := PlanInstall(env, req)
	if err != nil {
		t.Fatalf("plan install: %v", err)
	}
	if p, err = Install(env, req, p); err != nil {
		t.Fatalf("install: %v", err)
	}
	return p
}

func uninstall(t *testing.T, env Env, req Request) *Plan {
	t.Helper()
	p, err := PlanUninstall(env, req)
	if err != nil {
		t.Fatalf("plan uninstall: %v", err)
	}
	if p, err = Uninstall(env, req, p); err != nil {
		t.Fatalf("uninstall: %v", err)
	}
	return p
}

var both = Request{Agents: []string{"gemini", "antigravity"}}

func hooksFile(env Env) string { return filepath.Join(env.Home, ".gemini", "config", "hooks.json") }

const otherHook = "{\n\t\"mine\": {\n\t\t\"Stop\": [ {\"type\": \"command\", \"command\": \"true\"} ]\n\t}\n}"

func edit(t *testing.T, path, old, new string) {
	t.Helper()
	was := text(t, path)
	now := strings.Replace(was, old, new, 1)
	if was == now {
		t.Fatalf("%q is not in %s", old, was)
	}
	put(t, path, now, 0o644)
}
