//go:build unix && !linux && !darwin

package remote

import "net"

// checkPeer goes by the mode of the socket and of its directory.
func checkPeer(net.Conn) error { return nil }
