//go:build unix

package foreign

import "syscall"

// nonblock keeps an open from waiting for the other end of a FIFO, and a terminal from becoming this process's.
const nonblock = syscall.O_NONBLOCK | syscall.O_NOCTTY
