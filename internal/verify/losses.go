package verify

import (
	"slices"
	"strings"

	"github.com/boathook/boathook/internal/host"
	"github.com/boathook/boathook/internal/host/registry"
	"github.com/boathook/boathook/internal/lenient"
	"github.com/boathook/boathook/internal/record"
)

// Losses tells which arguments of the installed command line did not reach the hook as install wrote them (AC2). The
// record says it in its notes, and the payload where it names its own event or has the form of another agent's.
func Losses(h *host.Host, r *record.Record) []string {
	var out []string
	if label := r.Hook.AgentLabel; label != "" || hasNote(r, "agent label ", " is no registered host") {
		if _, known := registry.Lookup(label); !known {
			out = append(out, "--agent did not come, or is no agent's name: the payload was read as "+h.ID+"'s")
		}
	}
	if hasNote(r, "agent: ", "there is no --agent") {
		out = append(out, "--agent did not come: the payload was taken for "+h.ID+"'s")
	}
	if _, known := h.Event(r.HostEvent); !known || hasNote(r, "event: ", "there is no --event") || hasNote(r, "event ", " is not known for ") {
		out = append(out, "--event did not come, or is none of "+h.ID+"'s events")
	}
	if hasNote(r, "argument ", " is not known") {
		out = append(out, "an argument came that is none of boathook's")
	}
	return append(out, betrayed(h, r)...)
}

// namesEvent is the member in which an agent's payloads name their event; empty where they don't, or by another name.
func namesEvent(agent string) string {
	switch agent {
	case "gemini", "claude", "codex", "qwen", "cursor", "copilot":
		return "hook_event_name"
	case "windsurf":
		return "agent_action_name"
	case "amp":
		return "event"
	}
	return ""
}

// betrayed looks at what the payload itself tells of its agent and event. Of an agent only where it has not the form of what
// is known of its own: the agents' payloads are alike, and may change.
func betrayed(h *host.Host, r *record.Record) []string {
	if len(r.Raw) == 0 {
		return nil
	}
	found := registry.Detect(func(string) (string, bool) { return "", false }, lenient.Parse(r.Raw).Value)
	if found.Host != nil && found.Host.ID != h.ID && !fits(h, r) {
		return []string{"--agent was " + h.ID + ", and the payload is " + found.Host.Title + "'s"}
	}
	if name := textAt(r.Raw, namesEvent(h.ID)); name != "" && !strings.EqualFold(name, r.HostEvent) {
		return []string{"--event was another than the event that the payload names"}
	}
	return nil
}

// fits tells whether a payload lacks nothing that is known of the agent.
func fits(h *host.Host, r *record.Record) bool {
	k := KeySetOf(h.ID, "")
	if k == nil {
		return true
	}
	differences, ok := k.known(r.HostEvent, r.Raw)
	return ok && !slices.ContainsFunc(differences, func(d Difference) bool { return d.Kind == Missing })
}

func hasNote(r *record.Record, start, within string) bool {
	for _, n := range r.Notes {
		if strings.HasPrefix(n, start) && strings.Contains(n, within) {
			return true
		}
	}
	return false
}

// Why a payload can't be compared.
const (
	noKeys    = "no fields are known of this event"
	noPayload = "the payload is not, or no longer, kept"
	minimal   = "privacy is minimal: no payload is kept"
	broken    = "the payload was not whole"
)

// Unjudgeable says why a record's payload can't be compared with anything, empty where it can.
func Unjudgeable(r *record.Record) string {
	switch {
	case r.Hook.Privacy == "minimal":
		return minimal
	case len(r.Raw) == 0:
		return noPayload
	case hasNote(r, "payload: ", ""), strings.Contains(string(r.Raw[:min(len(r.Raw), 16)]), `"_payload"`):
		return broken
	}
	return ""
}
