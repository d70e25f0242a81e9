//go:build unix

package cli

import (
	"os"
	"path/filepath"
	"testing"
)

// TestPurgeTakesNothingThroughALink: what a link in the place of one of the spool's directories leads to is not boathook's.
func TestPurgeTakesNothingThroughALink(t *testing.T) {
	must := func(t *testing.T, err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	for _, at := range []string{"spool/bad", "spool/new", "spool/tmp", "spool"} {
		home := configured(t, "")
		data, elsewhere := filepath.Join(home, ".local/share/boathook"), t.TempDir()
		kept := []string{}
		for _, name := range []string{"f", "bad/f", "01ARZ3NDEKTSV4RRFFQ69G5FAV.json", "new/01ARZ3NDEKTSV4RRFFQ69G5FAV.json"} {
			path := filepath.Join(elsewhere, name)
			must(t, os.MkdirAll(filepath.Dir(path), 0o700))
			must(t, os.WriteFile(path, []byte("{}"), 0o600))
			kept = append(kept, path)
		}
		must(t, os.MkdirAll(filepath.Dir(filepath.Join(data, at)), 0o700))
		must(t, os.RemoveAll(filepath.Join(data, at)))
		must(t, os.Symlink(elsewhere, filepath.Join(data, at)))
		live(t, home, "purge", "--all", "--yes")
		live(t, home, "uninstall", "--purge", "--yes")
		for _, path := range kept {
			if _, err := os.Lstat(path); err != nil {
				t.Errorf("%s is a link: %v", at, err)
			}
		}
	}
}
