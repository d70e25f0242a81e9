package hook

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"slices"

	"github.com/boathook/boathook/internal/host"
	"github.com/boathook/boathook/internal/host/registry"
	"github.com/boathook/boathook/internal/lenient"
)

// Decode turns what an agent gave its hook into the canonical event. agent is boathook's id of the agent, event the
// agent's own name of the event. A payload that is no sound JSON object is read as far as it goes, and that is an error, too:
// a hook that guards something should deny then.
func Decode(agent, event string, payload []byte) (Event, error) {
	h, ev, err := find(agent, event)
	if err != nil {
		return Event{}, err
	}
	e, sound := decode(h, ev, payload)
	if !sound {
		return e, fmt.Errorf("decode %s of %s: the payload is not one sound JSON object", event, agent)
	}
	return e, nil
}

// Encode gives what the agent's hook has to print and its exit code, for a decision on an event. What the agent has no word
// for becomes the stricter decision that it has.
func Encode(agent, event string, d Decision) (stdout, stderr []byte, exit int, err error) {
	h, ev, err := find(agent, event)
	if err != nil {
		return nil, nil, 0, err
	}
	if err := d.Check(); err != nil {
		return nil, nil, 0, err
	}
	r := reply(h, ev, d)
	return r.Stdout, r.Stderr, r.Exit, nil
}

func find(agent, event string) (*host.Host, host.Event, error) {
	h, ok := registry.Lookup(agent)
	if !ok {
		return nil, host.Event{}, fmt.Errorf("find agent %q: there is none of that name", agent)
	}
	ev, ok := h.Event(event)
	if !ok {
		return nil, host.Event{}, fmt.Errorf("find event %q: %s has none of that name", event, h.Title)
	}
	return h, ev, nil
}

func decode(h *host.Host, ev host.Event, text []byte) (Event, bool) {
	p := lenient.Parse(text)
	dir, _ := os.Getwd()
	e := h.Decode(ev, p.Value, host.Env{Dir: dir})
	stamp(&e)
	return e, p.Sound()
}

func reply(h *host.Host, ev host.Event, d Decision) host.Reply {
	said, _ := h.Express(ev, d)
	return h.Encode(ev, said)
}

// errOther says that a text is no canonical event.
var errOther = errors.New("read the event: it is no canonical event")

// canonical reads the event that boathook gives its hooks. No agent has all of these members.
func canonical(text []byte) (Event, error) {
	var e Event
	if err := json.Unmarshal(text, &e); err != nil {
		return Event{}, fmt.Errorf("read the event: %w", err)
	}
	if len(e.ID) != idLength || e.Agent == "" || e.SpanID == "" || !slices.Contains(kinds(), e.Event) {
		return Event{}, errOther
	}
	return e, nil
}
