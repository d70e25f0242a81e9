// Package wrap knows the programs that run another: sudo, env, xargs, find -exec, sh -c, ssh, docker exec and their like.
package wrap

import "github.com/boathook/boathook/internal/shellcmd/word"

// Unwrap gives what a command runs in turn; also what an interpreter is given by its arguments or its input. self says that the
// command does something of its own beside (find deletes, docker removes); plain wrappers do not.
func Unwrap(c word.Command) (inner []word.Inner, self bool) {
	return nil, true
}
