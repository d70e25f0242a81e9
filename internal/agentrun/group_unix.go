//go:build unix

package agentrun

import (
	"os/exec"
	"syscall"
)

// asGroup gives a command a process group of its own, as agents do, and kills all of it when the time is over or the
// caller interrupted: a hook that outlives its shell would go on writing into a home that is being removed.
func asGroup(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
}
