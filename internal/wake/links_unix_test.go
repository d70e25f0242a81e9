//go:build unix

package wake

import (
	"os"
	"path/filepath"
	"testing"
	"time"
)

// TestTheStampIsNoLink: the target of a link keeps its time, and that of a dangling one is not made.
func TestTheStampIsNoLink(t *testing.T) {
	for _, dangling := range []bool{false, true} {
		dir := dataDir(t)
		target := filepath.Join(t.TempDir(), "target")
		past := time.Now().Add(-time.Hour).Truncate(time.Second)
		if !dangling {
			must(t, os.WriteFile(target, nil, 0o600))
			must(t, os.Chtimes(target, past, past))
		}
		must(t, os.Symlink(target, filepath.Join(dir, StampFile)))
		_ = Start(Options{Exe: filepath.Join(dir, "none"), DataDir: dir, Now: func() time.Time { return time.Now().Add(time.Minute) }})
		fi, err := os.Stat(target)
		if dangling && err == nil || !dangling && !fi.ModTime().Equal(past) {
			t.Errorf("dangling %v: the target is %v, %v", dangling, fi, err)
		}
	}
}
