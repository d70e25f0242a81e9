package atomicfile

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
)

func TestWrite(t *testing.T) {
	for name, write := range map[string]func(string, []byte, os.FileMode) error{"Write": Write, "WriteSync": WriteSync} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "f")
			for _, want := range []string{"first", "", "third, longer"} {
				if err := write(path, []byte(want), 0o644); err != nil {
					t.Fatal(err)
				}
				wantFile(t, path, want)
			}
			wantAlone(t, path)
		})
	}
}

func TestWriteKeepsTheMode(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("access lists instead of modes")
	}
	path := filepath.Join(t.TempDir(), "f")
	must(t, Write(path, nil, 0o600))
	wantMode(t, path, 0o600)
	for _, mode := range []os.FileMode{0o640, 0o444, 0o755} {
		must(t, os.Chmod(path, mode))
		must(t, Write(path, []byte("x"), 0o600))
		wantMode(t, path, mode)
	}
}

func TestWriteThroughLinks(t *testing.T) {
	dir := t.TempDir()
	must(t, os.MkdirAll(filepath.Join(dir, "real", "deep"), 0o700))
	target := filepath.Join(dir, "real", "target")
	links := []struct{ link, to string }{
		{"absolute", target},
		{"relative", "real/target"},
		{"chain", "relative"},
		{"dangling", "real/new"},
		{"through", "real/deep"},
		{"real/deep/up", "../target"},
	}
	for _, l := range links {
		if err := os.Symlink(filepath.FromSlash(l.to), filepath.Join(dir, l.link)); err != nil {
			t.Skipf("no symbolic links here: %v", err)
		}
	}
	// "../target" counts from real/deep, not from the link "through" that leads there.
	for _, via := range []string{"absolute", "relative", "chain", "through/up"} {
		must(t, os.WriteFile(target, []byte("old"), 0o600))
		link := filepath.Join(dir, via)
		must(t, Write(link, []byte(via), 0o600))
		wantFile(t, target, via)
		if fi, err := os.Lstat(link); err != nil || fi.Mode()&os.ModeSymlink == 0 {
			t.Errorf("%s is a link no more: %v, %v", via, fi.Mode(), err)
		}
	}
	must(t, Write(filepath.Join(dir, "dangling"), []byte("made"), 0o600))
	wantFile(t, filepath.Join(dir, "real", "new"), "made")
}

func TestWriteRefuses(t *testing.T) {
	dir := t.TempDir()
	must(t, os.Mkdir(filepath.Join(dir, "sub"), 0o700))
	paths := []string{filepath.Join(dir, "sub"), filepath.Join(dir, "missing", "f")}
	if err := os.Symlink("loop", filepath.Join(dir, "loop")); err == nil {
		paths = append(paths, filepath.Join(dir, "loop"))
	}
	for _, path := range paths {
		if err := Write(path, []byte("x"), 0o600); err == nil || !strings.Contains(err.Error(), "write file "+path) {
			t.Errorf("write %s: %v", path, err)
		}
	}
	names, err := filepath.Glob(filepath.Join(dir, ".*"))
	if err != nil || len(names) != 0 {
		t.Fatalf("left behind: %v, %v", names, err)
	}
}

func TestReadersSeeWholeFiles(t *testing.T) {
	path := filepath.Join(t.TempDir(), "f")
	contents := []string{strings.Repeat("a", 1<<16), strings.Repeat("b", 1<<15)}
	must(t, Write(path, []byte(contents[0]), 0o600))
	var wg sync.WaitGroup
	for i := range 4 {
		wg.Go(func() {
			for range 50 {
				if err := Write(path, []byte(contents[i%2]), 0o600); err != nil {
					t.Error(err)
				}
			}
		})
	}
	for range 200 {
		b, err := os.ReadFile(path)
		if err != nil || (string(b) != contents[0] && string(b) != contents[1]) {
			t.Fatalf("read %d bytes, %v", len(b), err)
		}
	}
	wg.Wait()
	wantAlone(t, path)
}

func wantFile(t *testing.T, path, want string) {
	t.Helper()
	if b, err := os.ReadFile(path); err != nil || string(b) != want {
		t.Fatalf("%s is %q, %v, want %q", path, b, err, want)
	}
}

func wantMode(t *testing.T, path string, want os.FileMode) {
	t.Helper()
	if fi, err := os.Stat(path); err != nil || fi.Mode().Perm() != want {
		t.Fatalf("%s has mode %v, %v, want %v", path, fi.Mode(), err, want)
	}
}

// wantAlone checks that no temporary file is left beside path.
func wantAlone(t *testing.T, path string) {
	t.Helper()
	entries, err := os.ReadDir(filepath.Dir(path))
	if err != nil || len(entries) != 1 {
		t.Fatalf("directory holds %v, %v", entries, err)
	}
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
