//go:build unix

package remote

import (
	"bufio"
	"context"
	"errors"
	"io/fs"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/boathook/boathook/internal/lock"
	"github.com/boathook/boathook/internal/memory"
	"github.com/boathook/boathook/internal/ownfile"
)

func running(pid int) bool { return syscall.Kill(pid, 0) == nil }

// greeted tells whether the worker's service answers in a data directory for these settings: nil, or why not.
func greeted(ctx context.Context, p Place) error {
	conn, err := connect(ctx, p.DataDir)
	if err != nil {
		return err
	}
	l := newLink(conn)
	defer l.close()
	h := p.hello()
	h.Fingerprint = p.Settings.Fingerprint()
	_, err = l.greet(ctx, h)
	return err
}

// A parent that is killed leaves no service behind.
func TestChildEndsWithAKilledParent(t *testing.T) {
	p := place(t)
	self, err := os.Executable()
	must(t, err)
	parent := exec.Command(self, "parent", p.Exe, p.DataDir)
	out, err := parent.StdoutPipe()
	must(t, err)
	must(t, parent.Start())
	line, err := bufio.NewReader(out).ReadString('\n')
	must(t, err)
	pid, err := strconv.Atoi(strings.TrimSpace(line))
	must(t, err)
	if !running(pid) {
		t.Fatal("the child does not run")
	}
	must(t, parent.Process.Kill())
	_ = parent.Wait()
	eventually(t, "the child has ended", func() bool { return !running(pid) })
}

// While a service is kept, everybody is answered by it; one that is killed is started again; it ends with its keeper.
func TestKeeper(t *testing.T) {
	p := place(t)
	end := keep(t, p)
	socket := filepath.Join(p.DataDir, SocketFile)
	eventually(t, "it answers", func() bool { return greeted(t.Context(), p) == nil })
	info, err := os.Lstat(socket)
	must(t, err)
	if info.Mode() != fs.ModeSocket|0o600 {
		t.Errorf("the socket has mode %v", info.Mode())
	}
	c, err := Dial(t.Context(), p)
	must(t, err)
	defer c.Close()
	first := served(t, c).Version
	if holder := pids(t, filepath.Join(p.DataDir, LockFile)); holder != first {
		t.Errorf("process %d answers, and %d holds the lock", first, holder)
	}
	must(t, syscall.Kill(first, syscall.SIGKILL))
	// The client goes on at once, by a service of its own or by the next.
	if next := served(t, c).Version; next == first {
		t.Error("a killed process answers")
	}
	eventually(t, "it answers again", func() bool { return greeted(t.Context(), p) == nil })
	other, err := Dial(t.Context(), p)
	must(t, err)
	defer other.Close()
	second := served(t, other).Version
	end()
	if running(second) || exists(socket) {
		t.Errorf("afterwards it runs: %v, and its socket is there: %v", running(second), exists(socket))
	}
	if lock.Held(filepath.Join(p.DataDir, LockFile)) {
		t.Error("the lock is held")
	}
}

func exists(path string) bool { _, err := os.Lstat(path); return err == nil }

// Many at once, over one socket.
func TestManyOverTheSocket(t *testing.T) {
	p := place(t)
	keep(t, p)
	eventually(t, "it answers", func() bool { return greeted(t.Context(), p) == nil })
	var all sync.WaitGroup
	var mu sync.Mutex
	seen := map[int]int{}
	for range 50 {
		all.Go(func() {
			c, err := Dial(t.Context(), p)
			if err != nil {
				t.Error(err)
				return
			}
			defer c.Close()
			for range 5 {
				s, err := c.Stats(t.Context(), memory.Filter{})
				if err != nil {
					t.Error(err)
				}
				mu.Lock()
				seen[s.Version]++
				mu.Unlock()
			}
		})
	}
	all.Wait()
	if kept := pids(t, filepath.Join(p.DataDir, LockFile)); seen[kept] != 250 {
		t.Errorf("the kept service %d answered %d of 250: %v", kept, seen[kept], seen)
	}
}

// Nobody is answered for other settings than those that are served.
func TestOtherSettings(t *testing.T) {
	p := place(t)
	keep(t, p)
	eventually(t, "it answers", func() bool { return greeted(t.Context(), p) == nil })
	other := p
	other.Settings.Tenant = "other"
	if err := greeted(t.Context(), other); !errors.Is(err, errOther) {
		t.Errorf("other settings: %v", err)
	}
	c, err := Dial(t.Context(), other)
	must(t, err)
	defer c.Close()
	if served(t, c).Version == pids(t, filepath.Join(p.DataDir, LockFile)) {
		t.Error("the kept service answers for another tenant")
	}
}

// What a killed service left is replaced; what is not ours stays, and nobody connects through it.
func TestWhatIsInTheWay(t *testing.T) {
	for name, plant := range map[string]func(path string) error{
		"file": func(path string) error { return os.WriteFile(path, []byte("mine"), 0o600) },
		"link": func(path string) error { return os.Symlink(path+".target", path) },
		"dir":  func(path string) error { return os.Mkdir(path, 0o700) },
		"fifo": func(path string) error { return syscall.Mkfifo(path, 0o600) },
	} {
		for _, at := range []string{SocketFile, newSocket} {
			_, dir := programs(t)
			path := filepath.Join(dir, at)
			must(t, plant(path))
			before, err := os.Lstat(path)
			must(t, err)
			if _, err := listen(dir); !errors.Is(err, ownfile.ErrForeign) {
				t.Errorf("%s at %s: %v", name, at, err)
			}
			after, err := os.Lstat(path)
			if err != nil || !os.SameFile(before, after) {
				t.Errorf("%s at %s: it was replaced: %v", name, at, err)
			}
			if _, err := connect(t.Context(), dir); err == nil {
				t.Errorf("%s at %s: connected", name, at)
			}
		}
	}
	_, dir := programs(t)
	stale, err := net.ListenUnix("unix", &net.UnixAddr{Name: filepath.Join(dir, SocketFile), Net: "unix"})
	must(t, err)
	stale.SetUnlinkOnClose(false)
	must(t, stale.Close())
	old := syscall.Umask(0o777)
	s, err := listen(dir)
	syscall.Umask(old)
	must(t, err)
	if _, err := listen(dir); !errors.Is(err, lock.ErrHeld) {
		t.Errorf("a second one: %v", err)
	}
	accepted := make(chan error, 1)
	go func() { _, err := s.accept(); accepted <- err }()
	conn, err := connect(t.Context(), dir)
	must(t, err)
	must(t, <-accepted)
	conn.Close()
	if !s.current() {
		t.Error("not in its place")
	}
	must(t, os.Remove(s.path))
	if s.current() {
		t.Error("in its place after it was removed")
	}
	touch(t, dir, SocketFile)
	must(t, s.Close())
	if !exists(s.path) {
		t.Error("another's file was removed")
	}
}

// A link to somebody's socket is not followed, though the same user's process listens there.
func TestConnectThroughALink(t *testing.T) {
	_, dir := programs(t)
	target := filepath.Join(dir, "real.sock")
	in, err := net.Listen("unix", target)
	must(t, err)
	defer in.Close()
	must(t, os.Symlink(target, filepath.Join(dir, SocketFile)))
	if _, err := connect(t.Context(), dir); !errors.Is(err, ownfile.ErrForeign) {
		t.Errorf("connected: %v", err)
	}
}

// A data directory whose path is too long for a socket is served over pipes, and says so.
func TestLongPath(t *testing.T) {
	p := place(t)
	p.DataDir = filepath.Join(p.DataDir, strings.Repeat("long", 30))
	must(t, os.Mkdir(p.DataDir, 0o700))
	h := p.hello()
	h.Settings, h.Listen = &p.Settings, p.DataDir
	program, err := Beside(p.Exe)
	must(t, err)
	c, l, w, err := startAndGreet(t.Context(), program, p.DataDir, h)
	must(t, err)
	defer c.end()
	defer l.close()
	if !strings.Contains(w.Note, "too long") {
		t.Errorf("it says %q", w.Note)
	}
	own, err := Dial(t.Context(), p)
	must(t, err)
	defer own.Close()
	if served(t, own).Backend != p.Settings.DSN {
		t.Error("serves another")
	}
}
