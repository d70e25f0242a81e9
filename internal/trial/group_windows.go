package trial

import "os/exec"

// asGroup does nothing: the sessions need a POSIX shell.
func asGroup(*exec.Cmd) {}
