//go:build !unix || darwin

package config

import "os/user"

// accountHome is the home of this user as the system's directory has it.
func accountHome() string {
	u, err := user.Current()
	if err != nil {
		return ""
	}
	return u.HomeDir
}
