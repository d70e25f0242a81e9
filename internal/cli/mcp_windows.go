package cli

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
)

// become runs another program in this one's place: it has the same streams, and its exit code is this one's.
func become(program string, args []string) error {
	cmd := exec.Command(program, args[1:]...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	err := cmd.Run()
	var ended *exec.ExitError
	switch {
	case err == nil:
		return nil
	case errors.As(err, &ended):
		return exitWith(ended.ExitCode(), nil)
	}
	return exitWith(exitFailed, fmt.Errorf("start %s: %w", program, err))
}
