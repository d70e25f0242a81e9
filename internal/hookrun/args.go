package hookrun

import "strings"

// arguments are what install baked into the command line. They alone say which agent and event a payload belongs to.
type arguments struct {
	agent, event, config string
	unknown              []string
}

// parseArgs never fails: a hook answers whatever it was called with.
func parseArgs(args []string) arguments {
	var a arguments
	into := map[string]*string{"--agent": &a.agent, "--event": &a.event, "--config": &a.config}
	for i := 0; i < len(args); i++ {
		name, value, joined := strings.Cut(args[i], "=")
		target := into[name]
		switch {
		case target == nil:
			a.unknown = append(a.unknown, args[i])
		case joined:
			*target = value
		case i+1 < len(args):
			i++
			*target = args[i]
		}
	}
	return a
}
