//go:build unix

package cli

import (
	"fmt"
	"os"
	"syscall"
)

// become has another program go on in this process, which an agent watches and ends.
func become(program string, args []string) error {
	return exitWith(exitFailed, fmt.Errorf("start %s: %w", program, syscall.Exec(program, args, os.Environ())))
}
