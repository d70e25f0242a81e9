//go:build unix && !darwin

package paths

import (
	"os"
	"strconv"
	"strings"
)

// AccountHome is the home of this user, whatever the environment says, by /etc/passwd; empty where the account is kept elsewhere. Package os/user would
// take HOME then.
func AccountHome() string {
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
