//go:build unix

package doctor

import (
	"io/fs"
	"os/exec"
	"syscall"

	"golang.org/x/sys/unix"
)

// owner is the user that a file belongs to.
func owner(info fs.FileInfo) (int, bool) {
	st, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return 0, false
	}
	return int(st.Uid), true
}

// ownGroup lets a program end with everything that it started.
func ownGroup(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
}

// writable tells whether this user may make files in a directory.
func writable(dir string) error { return unix.Access(dir, unix.W_OK|unix.X_OK) }

// room is what is free for this user on a directory's file system, and how large that is.
func room(dir string) (free, size uint64, ok bool) {
	var st unix.Statfs_t
	if unix.Statfs(dir, &st) != nil {
		return 0, 0, false
	}
	block := uint64(st.Bsize) // of another type on other systems
	return st.Bavail * block, st.Blocks * block, true
}

// terminate asks a process to end.
func terminate(pid int) error { return syscall.Kill(pid, syscall.SIGTERM) }

// hasModes says that modes say who may read a file.
const hasModes = true
