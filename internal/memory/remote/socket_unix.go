//go:build unix

package remote

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"time"

	"github.com/boathook/boathook/internal/lock"
	"github.com/boathook/boathook/internal/ownfile"
)

// maxSocketPath is what fits into a sockaddr_un of every system, the final zero included.
const maxSocketPath = 104

var errLongPath = errors.New("the data directory's path is too long for a socket")

// detach has a child outlive no signal meant for the terminal's foreground: it ends with its stdin.
func detach(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

// connect connects to the socket of a data directory, if that and whoever serves there are this user's.
func connect(ctx context.Context, dataDir string) (net.Conn, error) {
	path := filepath.Join(dataDir, SocketFile)
	if err := ours(path); err != nil {
		return nil, err
	}
	conn, err := (&net.Dialer{}).DialContext(ctx, "unix", path)
	if err != nil {
		return nil, err
	}
	if err := checkPeer(conn); err != nil {
		_ = conn.Close()
		return nil, err
	}
	return conn, nil
}

// ours tells whether a path is a socket of this user, and no link to one.
func ours(path string) error {
	info, err := os.Lstat(path)
	if err != nil {
		return err
	}
	st, ok := info.Sys().(*syscall.Stat_t)
	if info.Mode().Type() != fs.ModeSocket || !ok || int(st.Uid) != os.Geteuid() {
		return &os.PathError{Op: "connect to", Path: path, Err: ownfile.ErrForeign}
	}
	return nil
}

// socket is one that is listened on, and the lock that keeps others from it.
type socket struct {
	net.Listener
	path string
	made os.FileInfo
	lock *lock.Lock
}

// listen makes the socket of a data directory. It returns lock.ErrHeld while another process serves there. What a process left that
// was killed is replaced; what is no socket of this user stays, and is an error.
func listen(dataDir string) (*socket, error) {
	path, made := filepath.Join(dataDir, SocketFile), filepath.Join(dataDir, newSocket)
	if len(made) >= maxSocketPath {
		return nil, fmt.Errorf("listen: %w (%d bytes, and %d fit)", errLongPath, len(path), maxSocketPath-2)
	}
	l, err := lock.TryLock(filepath.Join(dataDir, LockFile))
	if err != nil {
		return nil, err
	}
	s, err := bind(path, made)
	if err != nil {
		_ = l.Unlock()
		return nil, fmt.Errorf("listen: %w", err)
	}
	s.lock = l
	return s, nil
}

// bind makes the socket aside, since its mode is the umask's at first, and moves it to its place.
func bind(path, aside string) (*socket, error) {
	for _, p := range []string{path, aside} {
		if err := ours(p); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, err
		}
	}
	_ = os.Remove(aside) // else Listen says what is in the way
	in, err := net.ListenUnix("unix", &net.UnixAddr{Name: aside, Net: "unix"})
	if err != nil {
		return nil, err
	}
	in.SetUnlinkOnClose(false)
	s := &socket{Listener: in, path: path}
	if err = os.Chmod(aside, 0o600); err == nil {
		if s.made, err = os.Lstat(aside); err == nil {
			err = os.Rename(aside, path)
		}
	}
	if err != nil {
		_ = in.Close()
		_ = os.Remove(aside)
		return nil, err
	}
	return s, nil
}

// current tells whether the socket is still where others find it.
func (s *socket) current() bool {
	there, err := os.Lstat(s.path)
	return err == nil && os.SameFile(there, s.made) && s.lock.Current()
}

// Close ends listening; the socket goes, if it is still the one that was made.
func (s *socket) Close() error {
	err := s.Listener.Close()
	if there, lerr := os.Lstat(s.path); lerr == nil && os.SameFile(there, s.made) {
		_ = os.Remove(s.path)
	}
	return errors.Join(err, s.lock.Unlock())
}

// accept is the next connection of this user.
func (s *socket) accept() (net.Conn, error) {
	for {
		conn, err := s.Accept()
		if err != nil {
			var busy interface{ Temporary() bool }
			if errors.As(err, &busy) && busy.Temporary() { // no descriptors are left, for now
				time.Sleep(10 * time.Millisecond)
				continue
			}
			return nil, err
		}
		if checkPeer(conn) == nil {
			return conn, nil
		}
		_ = conn.Close()
	}
}
