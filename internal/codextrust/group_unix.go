//go:build unix

package codextrust

import (
	"os/exec"
	"syscall"
)

// ownGroup lets the end of the program be that of what it started, too: the one on PATH may be a wrapper.
func ownGroup(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
}
