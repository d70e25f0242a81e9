//go:build unix

package netfs

import (
	"io/fs"
	"syscall"
)

// base survives a restart, and belongs to this machine wherever the homes are.
func base() string { return "/var/tmp" }

func private(info fs.FileInfo, uid int) bool {
	st, ok := info.Sys().(*syscall.Stat_t)
	return ok && int(st.Uid) == uid && info.Mode().Perm()&0o077 == 0
}
