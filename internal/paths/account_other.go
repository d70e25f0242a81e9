//go:build !unix || darwin

package paths

import "os/user"

// AccountHome is the home of this user as the system's directory has it.
func AccountHome() string {
	u, err := user.Current()
	if err != nil {
		return ""
	}
	return u.HomeDir
}
