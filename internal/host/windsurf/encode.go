package windsurf

import (
	"github.com/boathook/boathook/hook/canon"
	"github.com/boathook/boathook/internal/host"
)

// encode: the exit code 2 is a deny, and the reason is read from standard error. On standard output it tells the installed
// command line that this 2 was meant, and is not that of a program that crashed.
func encode(ev host.Event, d canon.Decision) host.Reply {
	if d.Action.Strictness() == 0 || !ev.Can.Deny {
		return host.Reply{}
	}
	reason := d.Reason
	if reason == "" {
		reason = "denied by boathook"
	}
	return host.Reply{Stdout: []byte(reason + "\n"), Stderr: []byte(reason + "\n"), Exit: 2}
}
