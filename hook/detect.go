package hook

import "github.com/boathook/boathook/internal/host"

// detect finds the agent in the environment and the payload.
func (p *process) detect([]byte) (*host.Host, host.Event, bool) { return nil, host.Event{}, false }
