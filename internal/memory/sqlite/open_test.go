package sqlite

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"testing"
	"time"

	"github.com/boathook/boathook/internal/memory"
)

func TestOpen(t *testing.T) {
	path := filepath.Join(t.TempDir(), FileName)
	if _, err := OpenReadOnly(context.Background(), path); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a missing file: %v", err)
	}
	if err := os.WriteFile(path, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := OpenReadOnly(context.Background(), path); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("an empty file: %v", err)
	}
	for range 2 {
		s, err := Open(context.Background(), path)
		if err != nil {
			t.Fatal(err)
		}
		r, err := OpenReadOnly(context.Background(), path)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := r.Forget(context.Background(), memory.Selection{Filter: memory.Filter{AllProjects: true}}); err == nil {
			t.Error("a reader forgets")
		}
		for _, name := range []string{path, path + "-wal", path + "-shm"} {
			if fi, err := os.Stat(name); err != nil || fi.Mode().Perm() != 0o600 {
				t.Errorf("%s: %v, %v", name, fi, err)
			}
		}
		for range 2 {
			if err := errors.Join(r.Close(), s.Close()); err != nil {
				t.Error(err)
			}
		}
		if _, err := s.Write(context.Background(), memory.Batch{}); err == nil {
			t.Error("a closed store writes")
		}
	}
}

// A file that is no database, a damaged one, a link and a directory are corrupt; what is there is moved aside and a new one begun.
func TestCorrupt(t *testing.T) {
	for name, plant := range map[string]func(path string) error{
		"text":      func(path string) error { return os.WriteFile(path, bytes.Repeat([]byte("no database\n"), 1000), 0o600) },
		"link":      func(path string) error { return os.Symlink("/dev/null", path) },
		"directory": func(path string) error { return os.Mkdir(path, 0o700) },
		"damaged": func(path string) error {
			s, err := Open(t.Context(), path)
			if err != nil {
				return err
			}
			secretive(t, s)
			if err := s.Close(); err != nil {
				return err
			}
			b, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			clear(b[100:4096]) // the schema's first page
			return os.WriteFile(path, b, 0o600)
		},
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), FileName)
			if err := plant(path); err != nil {
				t.Fatal(err)
			}
			if _, err := Open(t.Context(), path); !errors.Is(err, ErrCorrupt) {
				t.Errorf("open: %v", err)
			}
			if _, err := OpenReadOnly(t.Context(), path); !errors.Is(err, ErrCorrupt) {
				t.Errorf("open for reading: %v", err)
			}
			s, aside, err := OpenFresh(t.Context(), path, time.Unix(1, 0))
			if err != nil {
				t.Fatal(err)
			}
			defer s.Close()
			if _, err := os.Lstat(aside); err != nil {
				t.Error(err)
			}
			secretive(t, s)
			if s, aside, err := OpenFresh(t.Context(), path, time.Unix(2, 0)); err != nil || aside != "" {
				t.Errorf("a sound one is moved to %q, %v", aside, err)
			} else {
				s.Close()
			}
		})
	}
}

// A newer version's file is left alone.
func TestNewer(t *testing.T) {
	s := open(t)
	secretive(t, s)
	if err := s.alone(t.Context(), func(c *conn) error { return c.db.Exec("PRAGMA user_version = 1000") }); err != nil {
		t.Fatal(err)
	}
	s.Close()
	before, err := os.ReadFile(s.path)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Open(t.Context(), s.path); !errors.Is(err, memory.ErrNewer) || errors.Is(err, ErrCorrupt) {
		t.Errorf("open: %v", err)
	}
	if _, err := OpenReadOnly(t.Context(), s.path); !errors.Is(err, memory.ErrNewer) {
		t.Errorf("open for reading: %v", err)
	}
	if after, err := os.ReadFile(s.path); err != nil || !bytes.Equal(before, after) {
		t.Errorf("the file has changed, %v", err)
	}
}

// Several that open the same new file at once all succeed, and writers of several connections lose nothing while others read.
func TestManyProcesses(t *testing.T) {
	path := filepath.Join(t.TempDir(), FileName)
	const writers, batches = 4, 15
	var all sync.WaitGroup
	for w := range writers {
		all.Go(func() {
			s, err := Open(t.Context(), path)
			if err != nil {
				t.Error(err)
				return
			}
			defer s.Close()
			for i := range batches {
				m := memory.Message{
					Session: "claude/s", Role: "user", Text: fmt.Sprintf("walrus %d of %d", i, w), Time: time.Unix(int64(1e9+i), 0), Source: memory.FromHook,
					Origin: fmt.Sprint(w, i),
				}
				b := memory.Batch{Sessions: []memory.Session{{ID: "claude/s", Agent: "claude", Project: "p"}}, Messages: []memory.Message{m}}
				if _, err := s.Write(t.Context(), b); err != nil {
					t.Error(err)
				}
				r, err := OpenReadOnly(t.Context(), path)
				if err != nil {
					t.Error(err)
					continue
				}
				if got, err := r.Find(t.Context(), memory.Query{Filter: memory.Filter{Projects: []string{"p"}}, Terms: []string{"walru", "walrus"}, Limit: 100}); err != nil || len(got.Hits) <= i {
					t.Errorf("%d hits, %v", len(got.Hits), err)
				}
				r.Close()
			}
		})
	}
	all.Wait()
	s, err := Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if got, err := s.Stats(t.Context(), memory.Filter{AllProjects: true}); err != nil || got.Messages != writers*batches || got.Sessions != 1 {
		t.Errorf("stats %+v, %v", got, err)
	}
}

// A context that ends in the midst of a write leaves nothing half done, and the connection fit for the next.
func TestContextEndsInTheMidst(t *testing.T) {
	s := open(t)
	defer s.Close()
	v := newVocabulary(1)
	for i := range 30 {
		ctx, cancel := context.WithTimeout(t.Context(), time.Duration(i)*300*time.Microsecond)
		_, err := s.Write(ctx, benchBatch(v, i*100))
		cancel()
		got, serr := s.Stats(t.Context(), memory.Filter{AllProjects: true})
		if serr != nil || (got.Messages+got.ToolCalls)%100 != 0 {
			t.Fatalf("%d: %+v, %v, %v", i, got, err, serr)
		}
	}
	if _, err := s.Write(t.Context(), benchBatch(v, 100)); err != nil {
		t.Error(err)
	}
}

// TestLinksBesideIt: where a link lies in place of the log or its index, what it leads to is left as it is.
func TestLinksBesideIt(t *testing.T) {
	for _, suffix := range []string{"-wal", "-shm"} {
		dir := t.TempDir()
		path, precious := filepath.Join(dir, FileName), filepath.Join(dir, "precious")
		s, err := Open(context.Background(), path)
		if err != nil {
			t.Fatal(err)
		}
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
		for _, other := range []string{"-wal", "-shm"} {
			if err := os.Remove(path + other); err != nil && !errors.Is(err, fs.ErrNotExist) {
				t.Fatal(err)
			}
		}
		if err := os.WriteFile(precious, []byte("precious"), 0o644); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(precious, path+suffix); err != nil {
			t.Fatal(err)
		}
		for _, open := range []func(context.Context, string) (*Store, error){OpenReadOnly, Open} {
			if s, err := open(context.Background(), path); err == nil {
				_ = s.Close()
				t.Errorf("%s: it is opened", suffix)
			}
			fi, err := os.Stat(precious)
			if text, rerr := os.ReadFile(precious); err != nil || rerr != nil || string(text) != "precious" || fi.Mode().Perm() != 0o644 {
				t.Errorf("%s: %q %v %v", suffix, text, fi.Mode(), errors.Join(err, rerr))
			}
		}
	}
}

// TestRemovedWhileOpen: what goes to a file that nobody will find again is not called written.
func TestRemovedWhileOpen(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("an open file can't be removed there")
	}
	batch := memory.Batch{
		Sessions: []memory.Session{{ID: "claude/s", Project: "p", Agent: "claude", Active: time.Now()}},
		Messages: []memory.Message{{Session: "claude/s", Role: memory.RoleUser, Text: "hello", Time: time.Now(), Source: memory.FromHook, Origin: "1"}},
	}
	for name, harm := range map[string]func(path string) error{
		"removed": os.Remove,
		"replaced": func(path string) error {
			other, err := Open(context.Background(), path+".other")
			if err != nil {
				return err
			}
			return errors.Join(other.Close(), os.Rename(path+".other", path))
		},
	} {
		path := filepath.Join(t.TempDir(), FileName)
		s, err := Open(context.Background(), path)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := s.Write(context.Background(), batch); err != nil {
			t.Fatal(err)
		}
		if err := harm(path); err != nil {
			t.Fatal(err)
		}
		if _, err := s.Write(context.Background(), batch); !errors.Is(err, memory.ErrUnavailable) {
			t.Errorf("%s: %v", name, err)
		}
		if err := s.Close(); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		again, err := Open(context.Background(), path)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if _, err := again.Write(context.Background(), batch); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if have, err := again.Stats(context.Background(), memory.Filter{AllProjects: true}); err != nil || have.Messages != 1 {
			t.Errorf("%s: %+v, %v", name, have, err)
		}
		if err := again.Close(); err != nil {
			t.Error(err)
		}
	}
}
