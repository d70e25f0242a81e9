package remote

import (
	"net"
	"os"

	"golang.org/x/sys/unix"

	"github.com/boathook/boathook/internal/ownfile"
)

// checkPeer tells whether the process at the other end of a socket is this user's.
func checkPeer(conn net.Conn) error {
	return withDescriptor(conn, func(fd int) error {
		peer, err := unix.GetsockoptXucred(fd, unix.SOL_LOCAL, unix.LOCAL_PEERCRED)
		if err == nil && int(peer.Uid) != os.Geteuid() {
			err = ownfile.ErrForeign
		}
		return err
	})
}
