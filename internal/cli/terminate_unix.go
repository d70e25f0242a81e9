//go:build unix

package cli

import "syscall"

// terminate asks a process to end.
func terminate(pid int) { _ = syscall.Kill(pid, syscall.SIGTERM) } // one that has ended already is as good
