package cli

import "os"

// terminate ends a process: Windows has no way to ask.
func terminate(pid int) {
	if p, err := os.FindProcess(pid); err == nil {
		_ = p.Kill()
	}
}
