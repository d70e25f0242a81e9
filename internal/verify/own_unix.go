//go:build unix

package verify

import (
	"os"
	"syscall"
)

// ownDir tells whether a path is a directory, and no link to one, of this user.
func ownDir(path string) bool {
	fi, err := os.Lstat(path)
	if err != nil || !fi.IsDir() {
		return false
	}
	st, ok := fi.Sys().(*syscall.Stat_t)
	return ok && int(st.Uid) == os.Getuid()
}

// terminate asks a process to end; one that has ended already is as good.
func terminate(pid int) { _ = syscall.Kill(pid, syscall.SIGTERM) }
