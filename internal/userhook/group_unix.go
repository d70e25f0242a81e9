//go:build unix

package userhook

import (
	"os/exec"
	"syscall"
)

// group gives the program a process group of its own, and says how all that is in it is killed.
func group(cmd *exec.Cmd) (kill func() error) {
	cmd.SysProcAttr = attributes()
	return func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
}
