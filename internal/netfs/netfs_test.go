package netfs

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// on says that what is below one of these directories is on a network filesystem.
func on(dirs ...string) asked {
	return asked{look: func(dir string) bool {
		for _, d := range dirs {
			if strings.HasPrefix(dir+"/", d+"/") {
				return true
			}
		}
		return false
	}}
}

func TestPlace(t *testing.T) {
	base := t.TempDir()
	for _, tc := range []struct {
		name, dir, base string
		network         asked
		moved           bool
	}{
		{"a disk of this machine", "/home/u/data", base, on(), false},
		{"a network home", "/home/u/data", base, on("/home"), true},
		{"a machine without a disk", "/home/u/data", base, on("/"), false},
		{"no directory", "", base, on("/"), false},
		{"no place", "/home/u/data", "", on("/home"), false},
	} {
		got, _, moved := place("", tc.dir, tc.base, tc.network)
		if moved != tc.moved || moved == (got == tc.dir) {
			t.Errorf("%s: %s, %v", tc.name, got, moved)
		}
		if moved && filepath.Dir(got) != base {
			t.Errorf("%s: %s", tc.name, got)
		}
	}
	one, _, _ := place("", "/home/u/data", base, on("/home"))
	again, _, _ := place("", "/home/u/data/", base, on("/home"))
	other, _, _ := place("", "/home/u/other", base, on("/home"))
	if one != again || one == other {
		t.Errorf("%s, %s, %s", one, again, other)
	}
}

// TestALocalPlaceOfAnothers: what somebody else put there is not taken.
func TestALocalPlaceOfAnothers(t *testing.T) {
	base := t.TempDir()
	at, _, moved := place("", "/home/u/data", base, on("/home"))
	if !moved {
		t.Fatal("not moved")
	}
	for name, plant := range map[string]func() error{
		"a file":           func() error { return os.WriteFile(at, nil, 0o600) },
		"a link":           func() error { return os.Symlink(t.TempDir(), at) },
		"open to all":      func() error { return os.Mkdir(at, 0o755) },
		"of somebody else": func() error { return givenAway(t, at) },
	} {
		must(t, plant())
		if got, _, moved := place("", "/home/u/data", base, on("/home")); moved || got != "/home/u/data" {
			t.Errorf("%s: %s, %v", name, got, moved)
		}
		must(t, os.RemoveAll(at))
	}
	if got, moved, err := makePlace("", "/home/u/data", base, on("/home")); got != at || !moved || err != nil {
		t.Errorf("made: %s, %v, %v", got, moved, err)
	}
	if got, _, moved := place("", "/home/u/data", base, on("/home")); !moved || got != at {
		t.Errorf("its own: %s, %v", got, moved)
	}
}

func givenAway(t *testing.T, at string) error {
	t.Helper()
	if err := os.Mkdir(at, 0o700); err != nil {
		return err
	}
	if err := os.Chown(at, os.Geteuid()+1, -1); err != nil {
		t.Logf("SKIPPED LOUDLY: can't give a directory away: %v", err)
		return os.Chmod(at, 0o755)
	}
	return nil
}

// TestThisMachinesOwnDisk: what the tests run on is one, as far as anybody can tell.
func TestThisMachinesOwnDisk(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "not", "there", "yet")
	if Remote(dir) {
		t.Skipf("SKIPPED LOUDLY: %s is on a network filesystem", dir)
	}
	if got, moved, err := ReadMounts().Make("", dir); got != dir || moved || err != nil {
		t.Errorf("%s, %v, %v", got, moved, err)
	}
}

func TestIsLocal(t *testing.T) {
	if base() == "" {
		t.Skip("SKIPPED LOUDLY: there is no local place on this system")
	}
	for path, want := range map[string]bool{
		filepath.Join(base(), "boathook-0-0123456789ab"): true, filepath.Join(base(), "other"): false,
		filepath.Join(base(), "boathook-0-1", "x"): false, "/elsewhere/boathook-0-1": false,
	} {
		if IsLocal(path) != want {
			t.Errorf("%s: %v", path, !want)
		}
	}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
