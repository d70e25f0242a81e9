package execrun

import (
	"strconv"
	"strings"
	"time"
)

// defaultTimeout and maxTimeout are those of [[hooks]].
const (
	defaultTimeout = 5 * time.Second
	maxTimeout     = 15 * time.Second
)

type arguments struct {
	agent, event string
	timeout      time.Duration
	closed       bool
	trusted      bool // the agent's environment
	command      []string
}

// parse never fails: an agent waits, however it was wired. What is no option begins the program's command line, and so does
// what stands behind --. A value of --fail that is neither is closed, as it is in a config, and so is an option that there is
// not: it may have been to say so. An environment that is not called trusted is not.
func parse(args []string) arguments {
	a := arguments{timeout: defaultTimeout}
	for len(args) > 0 {
		arg := args[0]
		if arg == "--" {
			a.command = args[1:]
			break
		}
		name, value, joined := strings.Cut(arg, "=")
		if !strings.HasPrefix(arg, "-") || arg == "-" {
			a.command = args
			break
		}
		args = args[1:]
		if !joined && len(args) > 0 && args[0] != "--" {
			value, args = args[0], args[1:]
		}
		switch "--" + strings.TrimLeft(name, "-") {
		case "--agent":
			a.agent = value
		case "--event":
			a.event = value
		case "--fail":
			a.closed = value != "open"
		case "--environment":
			a.trusted = value == "trusted"
		case "--timeout":
			if ms, err := strconv.ParseInt(value, 10, 64); err == nil && ms > 0 {
				a.timeout = min(time.Duration(ms)*time.Millisecond, maxTimeout)
			}
		default:
			a.closed = true
		}
	}
	return a
}

// AsksForHelp tells whether a person wants to know what the command is. Behind another word -h may be the program's.
func AsksForHelp(args []string) bool {
	return len(args) > 0 && (args[0] == "--help" || args[0] == "-h")
}
