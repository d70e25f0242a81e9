//go:build unix

package spool

import (
	"errors"
	"net"
	"os"
	"path/filepath"
	"testing"

	"golang.org/x/sys/unix"
)

// plant puts something that is no event where an event should be.
var plants = []struct {
	name  string
	plant func(t *testing.T, path string)
	want  error
}{
	{"link to a file", func(t *testing.T, path string) { must(t, os.Symlink(secret(t), path)) }, ErrForeign},
	{"dangling link", func(t *testing.T, path string) { must(t, os.Symlink("nowhere", path)) }, ErrForeign},
	{"directory", func(t *testing.T, path string) { must(t, os.MkdirAll(filepath.Join(path, "sub"), 0o700)) }, ErrForeign},
	{"fifo", func(t *testing.T, path string) { must(t, unix.Mkfifo(path, 0o600)) }, ErrForeign},
	{"socket", func(t *testing.T, path string) {
		l, err := net.Listen("unix", path)
		must(t, err)
		l.(*net.UnixListener).SetUnlinkOnClose(false)
		must(t, l.Close())
	}, ErrForeign},
	{"sparse giant", func(t *testing.T, path string) {
		must(t, os.WriteFile(path, nil, 0o600))
		must(t, os.Truncate(path, MaxRecord+1))
	}, ErrTooBig},
	{"unreadable", func(t *testing.T, path string) {
		if os.Geteuid() == 0 {
			t.Skip("root reads everything")
		}
		must(t, os.WriteFile(path, nil, 0))
	}, ErrUnreadable},
	{"other owner", func(t *testing.T, path string) {
		must(t, os.WriteFile(path, nil, 0o644))
		if err := os.Chown(path, os.Geteuid()+1, -1); err != nil {
			t.Skipf("can't give a file away: %v", err)
		}
	}, ErrForeign},
}

func TestReadRefusesAndQuarantineTakes(t *testing.T) {
	for _, p := range plants {
		t.Run(p.name, func(t *testing.T) {
			// A socket's path is short, t.TempDir()'s isn't.
			dir, err := os.MkdirTemp("", "sp")
			must(t, err)
			t.Cleanup(func() { _ = os.RemoveAll(dir) })
			s := Spool{Dir: dir}
			mustAppend(t, s, 2, "good")
			name := id(1) + ".json"
			p.plant(t, s.path("new", name))
			if _, err := s.Read(name); !errors.Is(err, p.want) {
				t.Fatalf("read: %v, want %v", err, p.want)
			}
			must(t, s.Quarantine(name, p.name))
			bad, err := s.Quarantined()
			if err != nil || len(bad) != 1 || bad[0].Reason != p.name {
				t.Fatalf("quarantined %v, %v", bad, err)
			}
			if got := pending(t, s); len(got) != 1 {
				t.Fatalf("pending %v", got)
			}
		})
	}
}

func TestQuarantineWritesThroughNoLink(t *testing.T) {
	s := newSpool(t)
	name := mustAppend(t, s, 1, "x")
	target := secret(t)
	must(t, os.MkdirAll(s.path("bad", ""), 0o700))
	must(t, os.Symlink(target, s.path("bad", name+reasonSuffix)))
	must(t, os.Symlink(target, s.path("bad", name)))
	must(t, s.Quarantine(name, "poison"))
	if b, err := os.ReadFile(target); err != nil || string(b) != "secret" {
		t.Fatalf("the link's target is %q, %v", b, err)
	}
}

func TestAppendWritesThroughNoLink(t *testing.T) {
	s := newSpool(t)
	mustAppend(t, s, 1, "x")
	target := secret(t)
	must(t, os.Symlink(target, s.path("tmp", id(2)+".json")))
	if err := s.Append(id(2), []byte("evil")); err == nil {
		t.Fatal("append went through a link")
	}
	must(t, os.Symlink(target, s.path("new", id(3)+".json")))
	mustAppend(t, s, 3, "y")
	if b, err := os.ReadFile(target); err != nil || string(b) != "secret" {
		t.Fatalf("the link's target is %q, %v", b, err)
	}
}

func secret(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "secret")
	must(t, os.WriteFile(path, []byte("secret"), 0o600))
	return path
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
