package registry

import (
	"github.com/boathook/boathook/internal/host"
	"github.com/boathook/boathook/internal/lenient"
)

// Wired says who asks a hook that a user wired, and about what: by the arguments agent and event, and where they are missing
// or name nothing that there is by the payload. ok is false where that leaves it open; then silence is the answer.
func Wired(agent, event string, lookup func(string) (string, bool), payload lenient.Value) (h *host.Host, ev host.Event, ok bool) {
	h, ok = Lookup(agent)
	if ok && event != "" {
		if ev, known := h.Event(event); known {
			return h, ev, true
		}
	}
	found := Detect(lookup, payload)
	switch {
	case !ok && found.Host == nil:
		return nil, host.Event{}, false
	case !ok:
		h = found.Host
	case found.Host == nil || found.Host.ID != h.ID: // the argument knows better
		found.Event = payload.Members().Text("hook_event_name")
	}
	if _, known := h.Event(event); !known && found.Event != "" {
		event = found.Event // a slip in the arguments must not make of a gate what nothing can stop
	}
	ev, _ = h.Event(event)
	return h, ev, true
}
