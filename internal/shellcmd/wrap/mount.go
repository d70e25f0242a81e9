package wrap

import (
	"strings"

	"github.com/boathook/boathook/internal/shellcmd/word"
)

// OnHost gives a command in a container as it is on this machine, where it touches what is mounted there: its paths are then those
// here and its Host is empty. dir is the directory in which the mounts' own relative sources are.
func OnHost(c word.Command, mounts []word.Mount) word.Command {
	if len(mounts) == 0 || c.Host == "" {
		return c
	}
	touched := false
	out := c
	out.Argv = make([]word.Arg, len(c.Argv))
	for i, a := range c.Argv {
		if p, ok := mapped(a.Text, mounts); ok && (i > 0 || c.Op != "") {
			a.Text, touched = p, true
		}
		out.Argv[i] = a
	}
	out.Redirects = make([]word.Redirect, len(c.Redirects))
	for i, r := range c.Redirects {
		if p, ok := mapped(r.Target.Text, mounts); ok {
			r.Target.Text, touched = p, true
		}
		out.Redirects[i] = r
	}
	if p, ok := mapped(c.Dir.Text, mounts); ok {
		out.Dir.Text = p
		touched = touched || relative(c)
	}
	if !touched {
		return c
	}
	out.Host = ""
	return out
}

// relative tells whether a command has operands that are relative paths, and none that is absolute.
func relative(c word.Command) bool {
	any := false
	for i, a := range c.Argv {
		if i == 0 && c.Op == "" || strings.HasPrefix(a.Text, "-") {
			continue
		}
		if strings.HasPrefix(a.Text, "/") {
			return false
		}
		any = true
	}
	return any
}

// mapped is a container's path on this machine; the longest mount decides.
func mapped(path string, mounts []word.Mount) (string, bool) {
	if !strings.HasPrefix(path, "/") {
		return "", false
	}
	best, found := "", false
	length := -1
	for _, m := range mounts {
		t := strings.TrimRight(m.Target, "/")
		if len(t) <= length || path != t && path != t+"/" && !strings.HasPrefix(path, t+"/") {
			continue
		}
		rest := path[len(t):]
		s := strings.TrimRight(m.Source, "/")
		if rest == "" && s == "" {
			rest = "/"
		}
		best, found, length = s+rest, true, len(t)
	}
	return best, found
}
