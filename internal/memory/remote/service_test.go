package remote

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/boathook/boathook/internal/memory"
	"github.com/boathook/boathook/internal/version"
)

// TestMain lets the test binary play the other processes: a copy of it that is named as the second program serves a fake store, and
// "parent EXE DIR" is a hook that starts one and waits to be killed.
func TestMain(m *testing.M) {
	switch {
	case strings.HasPrefix(filepath.Base(os.Args[0]), Program):
		os.Exit(playProgram())
	case len(os.Args) == 4 && os.Args[1] == "parent":
		os.Exit(playParent(os.Args[2], os.Args[3]))
	}
	os.Exit(m.Run())
}

// playProgram serves a store whose Stats tell who it is. What the connection string says is how it fails.
func playProgram() int {
	service := Service{Version: version.String(), Open: func(_ context.Context, s Settings) (memory.Store, error) {
		if _, err := os.Stat("database-down"); err == nil { // in the data directory
			return nil, fmt.Errorf("%w: the server is away", memory.ErrUnavailable)
		}
		return &fake{give: map[string]any{opStats: memory.Stats{
			Backend: s.DSN, Version: os.Getpid(), Notes: append(os.Args[1:], os.Environ()...),
		}}}, nil
	}}
	if _, err := os.Stat("old-version"); err == nil {
		service.Version = "v0.0.1"
	}
	if _, err := os.Stat("crash"); err == nil {
		fmt.Fprintln(os.Stderr, "cannot run here")
		return 1
	}
	err := service.Run(context.Background(), struct {
		io.Reader
		io.Writer
		io.Closer
	}{os.Stdin, os.Stdout, os.Stdin})
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return 0
}

func playParent(exe, dir string) int {
	c, err := Dial(context.Background(), Place{Exe: exe, DataDir: dir, Settings: Settings{DSN: "dsn"}})
	if err == nil {
		var s memory.Stats
		if s, err = c.Stats(context.Background(), memory.Filter{}); err == nil {
			fmt.Println(s.Version)
			select {}
		}
	}
	fmt.Println(err)
	return 1
}

// programs puts both programs beside one another in a new directory, which is short enough for a socket; exe is the first.
func programs(t *testing.T) (exe, dir string) {
	t.Helper()
	base, err := os.MkdirTemp("", "bhm")
	must(t, err)
	t.Cleanup(func() { os.RemoveAll(base) })
	base, err = filepath.EvalSymlinks(base)
	must(t, err)
	dir = filepath.Join(base, "data")
	must(t, os.Mkdir(dir, 0o700))
	name := Program
	if runtime.GOOS == "windows" {
		name += ".exe"
	}
	exe = filepath.Join(base, "boathook")
	self, err := os.Executable()
	must(t, err)
	must(t, os.WriteFile(exe, nil, 0o700))
	if os.Link(self, filepath.Join(base, name)) != nil {
		text, err := os.ReadFile(self)
		must(t, err)
		must(t, os.WriteFile(filepath.Join(base, name), text, 0o700))
	}
	return exe, dir
}

func place(t *testing.T) Place {
	t.Helper()
	exe, dir := programs(t)
	return Place{Exe: exe, DataDir: dir, Settings: Settings{DSN: "postgres://u:s3cret@h/d"}, patience: time.Minute}
}

func touch(t *testing.T, dir, name string) string {
	t.Helper()
	path := filepath.Join(dir, name)
	must(t, os.WriteFile(path, nil, 0o600))
	return path
}

// served asks who answers.
func served(t *testing.T, c *Client) memory.Stats {
	t.Helper()
	s, err := c.Stats(t.Context(), memory.Filter{})
	must(t, err)
	return s
}

// eventually waits until something is so; the test's own limit bounds it.
func eventually(t *testing.T, what string, so func() bool) {
	t.Helper()
	for tries := 0; !so(); tries++ {
		if tries == 10_000 {
			t.Fatalf("never: %s", what)
		}
		time.Sleep(2 * time.Millisecond)
	}
}

// A service of one's own gets its settings on its stdin alone, and ends with the client.
func TestChild(t *testing.T) {
	p := place(t)
	t.Setenv("PGHOST", "elsewhere")
	t.Setenv("PGSERVICEFILE", "/evil")
	c, err := Dial(t.Context(), p)
	must(t, err)
	s := served(t, c)
	if s.Backend != p.Settings.DSN {
		t.Errorf("serves %s", s.Backend)
	}
	for _, text := range s.Notes {
		if strings.Contains(text, "s3cret") || strings.Contains(text, "PG") {
			t.Errorf("its arguments and environment have %s", text)
		}
	}
	must(t, c.Close())
	eventually(t, "the child has ended", func() bool { return !running(s.Version) })
}

// TestBeforeTheDataDirectory: a service starts though nothing was recorded yet.
func TestBeforeTheDataDirectory(t *testing.T) {
	p := place(t)
	p.DataDir = filepath.Join(p.DataDir, "none", "yet")
	c, err := Dial(t.Context(), p)
	must(t, err)
	served(t, c)
	must(t, c.Close())
}

func TestDialFails(t *testing.T) {
	p := place(t)
	for name, tt := range map[string]struct {
		file string
		want error
		text string
	}{
		"another version": {"old-version", ErrVersion, "v0.0.1; install both"},
		"a crash":         {"crash", memory.ErrUnavailable, "cannot run here"},
	} {
		path := touch(t, p.DataDir, tt.file)
		_, err := Dial(t.Context(), p)
		if !errors.Is(err, tt.want) || !errors.Is(err, memory.ErrUnavailable) || !strings.Contains(err.Error(), tt.text) {
			t.Errorf("%s: %v", name, err)
		}
		must(t, os.Remove(path))
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Dial(ctx, p); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
	p.Exe = touch(t, p.DataDir, "boathook")
	if _, err := Dial(t.Context(), p); !errors.Is(err, ErrMissing) || !errors.Is(err, memory.ErrUnavailable) || !strings.Contains(err.Error(), "make build") {
		t.Errorf("missing: %v", err)
	}
}

// A database that is away when its service starts is met by the calls, and found when it is back.
func TestDatabaseComesLater(t *testing.T) {
	p := place(t)
	down := touch(t, p.DataDir, "database-down")
	c, err := Dial(t.Context(), p)
	must(t, err)
	defer c.Close()
	if _, err := c.Stats(t.Context(), memory.Filter{}); !errors.Is(err, memory.ErrUnavailable) || !strings.Contains(err.Error(), "away") {
		t.Errorf("away: %v", err)
	}
	must(t, os.Remove(down))
	eventually(t, "the database is found", func() bool { _, err := c.Stats(t.Context(), memory.Filter{}); return err == nil })
}

// Opening that hangs holds a question no longer than its context, and ends with the store.
func TestLazyOpening(t *testing.T) {
	ended := make(chan error, 1)
	l := &Lazy{Open: func(ctx context.Context) (memory.Store, error) {
		<-ctx.Done()
		ended <- ctx.Err()
		return nil, ctx.Err()
	}}
	ctx, cancel := context.WithTimeout(t.Context(), time.Millisecond)
	defer cancel()
	if _, err := l.Store(ctx); !errors.Is(err, context.DeadlineExceeded) || !errors.Is(err, memory.ErrUnavailable) {
		t.Errorf("hangs: %v", err)
	}
	must(t, l.Close())
	if err := <-ended; !errors.Is(err, context.Canceled) {
		t.Errorf("the opening ended with %v", err)
	}
	if _, err := l.Store(t.Context()); !errors.Is(err, errClosed) {
		t.Errorf("closed: %v", err)
	}
	f := &fake{}
	l = &Lazy{Open: func(context.Context) (memory.Store, error) { return f, nil }}
	for range 2 {
		s, err := l.Store(t.Context())
		if err != nil || s != memory.Store(f) {
			t.Errorf("opened: %v, %v", s, err)
		}
	}
	must(t, l.Close())
	if _, closed := f.state(); closed != 1 {
		t.Errorf("closed %d times", closed)
	}
}

// keep keeps a service until the test ends, or end is called.
func keep(t *testing.T, p Place) (end func()) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan struct{})
	go func() { defer close(done); Keeper{Place: p, Log: slog.New(slog.DiscardHandler)}.Run(ctx) }()
	end = func() { cancel(); <-done }
	t.Cleanup(end)
	return end
}

func pids(t *testing.T, path string) int {
	t.Helper()
	text, err := os.ReadFile(path)
	must(t, err)
	n, err := strconv.Atoi(strings.TrimSpace(string(text)))
	must(t, err)
	return n
}
