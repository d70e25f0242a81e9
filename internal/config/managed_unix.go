//go:build unix

package config

import (
	"os"
	"syscall"
)

// ManagedPath is where an administrator puts settings that users cannot weaken.
func ManagedPath() string { return "/etc/boathook/config.toml" }

// rootOnly tells whether root owns the file and nobody else may write it. No reason means that there is no file.
func rootOnly(path string) (bool, string) {
	info, err := os.Lstat(path)
	if err != nil {
		return false, ""
	}
	st, ok := info.Sys().(*syscall.Stat_t)
	if !ok || !info.Mode().IsRegular() {
		return false, "not a regular file"
	}
	if st.Uid != 0 || info.Mode().Perm()&0o022 != 0 {
		return false, "must belong to root and be writable by root alone"
	}
	return true, ""
}
