//go:build unix

package wake

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/boathook/boathook/internal/lock"
)

// An agent that reads its hook's pipes to the end must not wait for the worker: neither stdout and stderr nor pipes that
// it left open for the hook, at any number, live on in the worker.
func TestWorkerHoldsNoPipe(t *testing.T) {
	dir := dataDir(t)
	cmd := exec.Command(os.Args[0], "spawn", dir)
	var readers, writers []*os.File
	for range 5 {
		r, w, err := os.Pipe()
		must(t, err)
		readers, writers = append(readers, r), append(writers, w)
	}
	cmd.Stdout, cmd.Stderr = writers[0], writers[1]
	cmd.ExtraFiles = writers[2:] // 3, 4 and 5 in the hook, not marked close-on-exec
	must(t, cmd.Start())
	for _, w := range writers {
		must(t, w.Close())
	}
	for i, r := range readers {
		b, err := io.ReadAll(r)
		if err != nil || len(b) > 0 {
			t.Errorf("pipe %d: %q, %v", i, b, err)
		}
	}
	must(t, cmd.Wait())
	// The worker is there and stays: what ended the pipes was the hook's exit.
	waitHeld(t, dir)
	if !lock.Held(filepath.Join(dir, LockFile)) {
		t.Fatal("worker is gone")
	}
}

// The worker is a session of its own, so that neither a hang-up nor a kill of the agent's process group reaches it.
func TestWorkerHasItsOwnSession(t *testing.T) {
	dir := dataDir(t)
	start(t, Options{DataDir: dir})
	waitHeld(t, dir)
	var pid int
	for pid == 0 {
		pid, _ = lock.Holder(filepath.Join(dir, LockFile))
	}
	sid, err := unix.Getsid(pid)
	if err != nil || sid != pid {
		t.Fatalf("worker %d is in session %d, %v", pid, sid, err)
	}
}

// Where the kernel can't mark a range, each descriptor is marked.
func TestSealDescriptorsOneByOne(t *testing.T) {
	r, w, err := os.Pipe()
	must(t, err)
	defer r.Close()
	defer w.Close()
	fd := int(w.Fd())
	if _, err := unix.FcntlInt(uintptr(fd), unix.F_SETFD, 0); err != nil {
		t.Fatal(err)
	}
	sealEach()
	if flags, err := unix.FcntlInt(uintptr(fd), unix.F_GETFD, 0); err != nil || flags&unix.FD_CLOEXEC == 0 {
		t.Fatalf("descriptor %d has flags %x, %v", fd, flags, err)
	}
}

func BenchmarkStart(b *testing.B) {
	dir := b.TempDir()
	l, err := lock.TryLock(filepath.Join(dir, LockFile))
	must(b, err)
	defer func() { _ = l.Unlock() }()
	b.Run("worker runs", func(b *testing.B) {
		for b.Loop() {
			must(b, Start(Options{Exe: os.Args[0], DataDir: dir}))
		}
	})
	exe, err := exec.LookPath("true")
	if err != nil {
		b.Skip("no true here")
	}
	b.Run("worker starts", func(b *testing.B) {
		other := b.TempDir()
		for b.Loop() {
			Forget(other)
			must(b, Start(Options{Exe: exe, DataDir: other}))
		}
	})
}

// Nothing of a hook's import list may make it slow to start.
func TestImports(t *testing.T) {
	out, err := exec.Command("go", "list", "-deps", ".").CombinedOutput()
	if err != nil {
		t.Skipf("no go command here: %v", err)
	}
	for _, banned := range []string{"database/sql", "net/http"} {
		if strings.Contains(fmt.Sprintf("\n%s\n", out), "\n"+banned+"\n") {
			t.Errorf("imports %s", banned)
		}
	}
}
