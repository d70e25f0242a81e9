package userhook

import "syscall"

// attributes has the kernel kill the program when this process is killed: nobody else would end one that hangs.
func attributes() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
}
