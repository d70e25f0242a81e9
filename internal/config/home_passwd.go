//go:build unix && !darwin

package config

import (
	"os"
	"strconv"
	"strings"
)

// accountHome is the home of this user by /etc/passwd; empty where the account is kept elsewhere. Package os/user would
// take HOME then.
func accountHome() string {
	data, err := os.ReadFile("/etc/passwd")
	if err != nil {
		return ""
	}
	return passwdHome(string(data), os.Getuid())
}

func passwdHome(passwd string, uid int) string {
	for line := range strings.Lines(passwd) {
		f := strings.Split(strings.TrimRight(line, "\n"), ":")
		if len(f) == 7 && f[2] == strconv.Itoa(uid) {
			return f[5]
		}
	}
	return ""
}
