package shellcmd

import (
	"strings"

	"github.com/boathook/boathook/internal/shellcmd/word"
)

// windowsDir is where a command of PowerShell's or cmd's goes to, and that of before where it goes nowhere. A place that is not known
// counts as the one before.
func windowsDir(c word.Command, dir string) string {
	if len(c.Argv) < 2 {
		return dir
	}
	switch strings.ToLower(c.Name()) {
	case "set-location", "push-location", "cd", "chdir", "pushd":
	default:
		return dir
	}
	for _, a := range c.Argv[1:] {
		t := a.Text
		if t == "" || strings.HasPrefix(t, "-") || strings.EqualFold(t, "/d") || !a.Known() {
			continue
		}
		if strings.ContainsAny(t[:1], `/\~$%`) || len(t) > 1 && t[1] == ':' {
			return t
		}
		if dir != "" {
			return dir + "/" + t
		}
	}
	return dir
}
