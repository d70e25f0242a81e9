//go:build unix

package foreign

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

// Whatever a repository puts in the place of a file, reading it ends.
func TestWhatIsNoFileIsNotRead(t *testing.T) {
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, ".agents", name) }
	must(t, os.Mkdir(filepath.Join(dir, ".agents"), 0o700))
	must(t, os.WriteFile(at("plain"), []byte("text"), 0o600))
	must(t, os.WriteFile(at("large"), nil, 0o600))
	must(t, os.Truncate(at("large"), Most+1))
	must(t, os.Mkdir(at("dir"), 0o700))
	must(t, syscall.Mkfifo(at("fifo"), 0o600))
	must(t, os.Symlink("/dev/zero", at("zero")))
	must(t, os.Symlink("plain", at("inside")))
	must(t, os.Symlink(dir, filepath.Join(dir, "up")))
	for name, want := range map[string]struct {
		read string
		// err is Read's error, in that of ReadIn.
		err, in error
	}{
		".agents/plain":    {"text", nil, nil},
		".agents/large":    {"", ErrTooLarge, ErrTooLarge},
		".agents/dir":      {"", errIrregular, errIrregular},
		".agents/fifo":     {"", errIrregular, errIrregular},
		".agents/zero":     {"", errIrregular, ErrLink},
		".agents/inside":   {"text", nil, ErrLink},
		".agents/none":     {"", fs.ErrNotExist, fs.ErrNotExist},
		"up/.agents/plain": {"text", nil, ErrLink},
	} {
		path := filepath.Join(dir, name)
		if got, err := Read(path); string(got) != want.read || !errors.Is(err, want.err) {
			t.Errorf("Read %s: %q, %v", name, got, err)
		}
		got, err := ReadIn(dir, path)
		if want.in != nil {
			want.read = ""
		}
		if string(got) != want.read || !errors.Is(err, want.in) {
			t.Errorf("ReadIn %s: %q, %v", name, got, err)
		}
		if err := ChmodIn(dir, path, 0o755); !errors.Is(want.in, ErrTooLarge) && !errors.Is(err, want.in) {
			t.Errorf("ChmodIn %s: %v", name, err)
		}
	}
	for name, want := range map[string]fs.FileMode{"plain": 0o755, "dir": 0o700} {
		if info, err := os.Stat(at(name)); err != nil || info.Mode().Perm() != want {
			t.Errorf("%s: %v, %v", name, info.Mode(), err)
		}
	}
	if _, err := ReadIn(dir, filepath.Dir(dir)); err == nil {
		t.Error("outside the project")
	}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
