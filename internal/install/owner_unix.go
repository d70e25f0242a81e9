//go:build unix

package install

import (
	"io/fs"
	"syscall"
)

// owner is the user id that a file belongs to.
func owner(info fs.FileInfo) (int, bool) {
	st, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return 0, false
	}
	return int(st.Uid), true
}

// terminate asks a process to end.
func terminate(pid int) error {
	return syscall.Kill(pid, syscall.SIGTERM)
}
