//go:build unix

package verify

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/boathook/boathook/internal/lock"
	"github.com/boathook/boathook/internal/wake"
)

func TestTeardown(t *testing.T) {
	tmp, elsewhere := t.TempDir(), t.TempDir()
	write(t, filepath.Join(elsewhere, "precious"), "x")
	write(t, filepath.Join(elsewhere, sandboxMark), "")

	killed := filepath.Join(tmp, sandboxPrefix+"1")
	write(t, filepath.Join(killed, sandboxMark), "999999\n")
	write(t, filepath.Join(killed, "home", "work", "file"), "x")
	if err := os.Symlink(elsewhere, filepath.Join(killed, "home", "link")); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(elsewhere, filepath.Join(tmp, sandboxPrefix+"2")); err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(tmp, sandboxPrefix+"3", "no-mark"), "x")
	write(t, filepath.Join(tmp, "other", sandboxMark), "")
	running, err := newSandbox(tmp)
	if err != nil {
		t.Fatal(err)
	}
	for range 2 { // the second time finds what stays, and does no more
		got, err := Teardown(tmp)
		if err != nil {
			t.Fatal(err)
		}
		for _, l := range got {
			switch filepath.Base(l.Path) {
			case sandboxPrefix + "1":
				if l.Kept != "" {
					t.Errorf("%+v", l)
				}
			case sandboxPrefix + "3":
				if !strings.Contains(l.Kept, "mark") || l.Running {
					t.Errorf("%+v", l)
				}
			case filepath.Base(running.root):
				if !l.Running || l.Kept == "" {
					t.Errorf("%+v", l)
				}
			default:
				t.Errorf("%+v", l)
			}
		}
	}
	if _, err := os.Lstat(killed); !os.IsNotExist(err) {
		t.Errorf("the killed one's is there: %v", err)
	}
	for _, path := range []string{
		filepath.Join(elsewhere, "precious"), filepath.Join(elsewhere, sandboxMark), filepath.Join(tmp, sandboxPrefix+"2"),
		filepath.Join(tmp, sandboxPrefix+"3", "no-mark"), filepath.Join(tmp, "other", sandboxMark), running.work,
	} {
		if _, err := os.Lstat(path); err != nil {
			t.Errorf("%s is gone", path)
		}
	}
	if err := running.close(); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Lstat(running.root); !os.IsNotExist(err) {
		t.Errorf("close left %v", err)
	}
	if _, err := Teardown(filepath.Join(tmp, "none")); err == nil {
		t.Error("no error without a directory")
	}
}

// A worker in a throw-away home is stopped before that goes. Without a lock that is held, nobody is.
func TestTeardownStopsTheWorker(t *testing.T) {
	tmp := t.TempDir()
	killed := filepath.Join(tmp, sandboxPrefix+"1")
	write(t, filepath.Join(killed, sandboxMark), "999999\n")
	write(t, filepath.Join(killed, "home", "file"), "x")
	path := filepath.Join(killed, "data", wake.LockFile)
	if err := os.Mkdir(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	start := func(args ...string) *exec.Cmd {
		cmd := exec.Command(os.Args[0], args...)
		out, err := cmd.StdoutPipe()
		if err == nil {
			err = cmd.Start()
		}
		if err == nil {
			_, err = bufio.NewReader(out).ReadString('\n')
		}
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = cmd.Process.Kill(); _ = cmd.Wait() })
		return cmd
	}
	worker, other := start("hold", path), start("hold", filepath.Join(tmp, "other.lock"))
	killed2 := filepath.Join(tmp, sandboxPrefix+"2")
	write(t, filepath.Join(killed2, sandboxMark), "")
	write(t, filepath.Join(killed2, "data", wake.LockFile), fmt.Sprintln(other.Process.Pid))
	got, err := Teardown(tmp)
	if err != nil || len(got) != 2 || got[0].Kept+got[1].Kept != "" {
		t.Errorf("%v %+v", err, got)
	}
	_ = worker.Wait()
	if status, ok := worker.ProcessState.Sys().(syscall.WaitStatus); !ok || status.Signal() != syscall.SIGTERM {
		t.Errorf("%v", worker.ProcessState)
	}
	if err := syscall.Kill(other.Process.Pid, 0); err != nil || !lock.Held(filepath.Join(tmp, "other.lock")) {
		t.Errorf("who only stands in a file that nobody holds was ended: %v", err)
	}
}

func TestHostVersion(t *testing.T) {
	dir := t.TempDir()
	pkg := filepath.Join(dir, "lib", "node_modules", "@google", "gemini-cli")
	write(t, filepath.Join(pkg, "package.json"), `{"name":"@google/gemini-cli","version":"0.61.0"}`)
	write(t, filepath.Join(pkg, "bundle", "gemini.js"), "")
	bin := filepath.Join(dir, "bin")
	if err := os.Mkdir(bin, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(filepath.Join(pkg, "bundle", "gemini.js"), filepath.Join(bin, "gemini")); err != nil {
		t.Fatal(err)
	}
	path := strings.Join([]string{"relative", filepath.Join(dir, "none"), bin}, string(filepath.ListSeparator))
	cline := filepath.Join(dir, "lib", "node_modules", "cline")
	write(t, filepath.Join(cline, "package.json"), `{"name":"cline","version":"3.0.65"}`)
	write(t, filepath.Join(cline, "bin", "cline"), "")
	if err := os.Symlink(filepath.Join(cline, "bin", "cline"), filepath.Join(bin, "cline")); err != nil {
		t.Fatal(err)
	}
	native := filepath.Join(dir, "share", "claude", "versions", "2.1.332")
	write(t, native, "")
	if err := os.Symlink(native, filepath.Join(bin, "claude")); err != nil {
		t.Fatal(err)
	}
	if got := HostVersion("claude", path); got != "2.1.332" {
		t.Errorf("%q", got)
	}
	if got := HostVersion("cline", path); got != "3.0.65" {
		t.Errorf("%q", got)
	}
	if got := HostVersion("gemini", path); got != "0.61.0" {
		t.Errorf("%q", got)
	}
	write(t, filepath.Join(pkg, "package.json"), `{"name":"@google/gemini-cli","version":"0.61\u001b[2J"}`)
	if got := HostVersion("gemini", path) + HostVersion("gemini", "") + HostVersion("antigravity", path); got != "" {
		t.Errorf("%q", got)
	}
}
