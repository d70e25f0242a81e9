//go:build unix

package hookrun

import (
	"os"
	"syscall"
)

// openKey opens nothing that could hang or lead elsewhere: no link, and a pipe without waiting for its writer.
func openKey(path string) (*os.File, error) {
	return os.OpenFile(path, os.O_RDONLY|syscall.O_NOFOLLOW|syscall.O_NONBLOCK, 0)
}
