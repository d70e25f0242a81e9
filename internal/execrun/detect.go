package execrun

import "github.com/boathook/boathook/internal/host"

// detect finds the agent in the environment and the payload.
func detect(Env, []byte) (*host.Host, host.Event, bool) { return nil, host.Event{}, false }
