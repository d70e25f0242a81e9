package registry

import (
	"github.com/boathook/boathook/hook/canon"
	"github.com/boathook/boathook/internal/host"
	"github.com/boathook/boathook/internal/lenient"
)

// UnknownID is the id that a record has where nobody knows whose hook ran.
const UnknownID = "unknown"

// Unknown stands for an agent that could not be told: its payload is kept, and it gets no answer, since whatever one agent
// takes for harmless another may take for a deny.
func Unknown() *host.Host {
	return &host.Host{
		ID: UnknownID, Title: "an unknown agent",
		Calls: func(lenient.Value) ([]lenient.Value, lenient.Value) { return nil, lenient.Value{} },
		Decode: func(ev host.Event, payload lenient.Value, env host.Env) canon.Event {
			m := payload.Members()
			e := canon.Event{
				Agent: UnknownID, Event: ev.Kind, HostEvent: ev.Name, SessionID: m.Text("session_id"), CWD: m.Text("cwd"),
				Raw: host.Raw(payload),
			}
			if e.HostEvent == "" {
				e.HostEvent = m.Text("hook_event_name")
			}
			if e.CWD == "" {
				e.CWD = env.Dir
			}
			return e
		},
		Encode: func(host.Event, canon.Decision) host.Reply { return host.Reply{} },
	}
}
