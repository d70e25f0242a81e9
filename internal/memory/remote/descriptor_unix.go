//go:build linux || darwin

package remote

import (
	"errors"
	"net"
	"syscall"
)

// withDescriptor calls do with the descriptor of a connection.
func withDescriptor(conn net.Conn, do func(fd int) error) error {
	sc, ok := conn.(syscall.Conn)
	if !ok {
		return errors.New("no socket")
	}
	raw, err := sc.SyscallConn()
	if err != nil {
		return err
	}
	var done error
	if err := raw.Control(func(fd uintptr) { done = do(int(fd)) }); err != nil {
		return err
	}
	return done
}
