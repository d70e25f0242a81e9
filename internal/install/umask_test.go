//go:build unix

package install

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

// Directories are the user's alone to write to, and usable for him, whatever the umask.
func TestUmask(t *testing.T) {
	for _, mask := range []int{0, 0o022, 0o077, 0o777} {
		env := world(t)
		old := syscall.Umask(mask)
		before, err := os.ReadDir(env.Home)
		p, failed := PlanInstall(env, both)
		if failed == nil {
			_, failed = Install(env, both, p)
		}
		syscall.Umask(old)
		if err != nil || failed != nil || len(before) > 0 {
			t.Fatalf("%#o: %v %v", mask, err, failed)
		}
		err = filepath.WalkDir(env.Home, func(path string, d os.DirEntry, err error) error {
			if err != nil || path == env.Home {
				return err
			}
			info, err := d.Info()
			if err == nil && (info.Mode().Perm()&0o022 != 0 || info.Mode().Perm()&0o600 != 0o600) {
				t.Errorf("%#o: %s has mode %v", mask, path, info.Mode())
			}
			return err
		})
		if err != nil {
			t.Error(err)
		}
	}
}
