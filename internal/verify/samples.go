package verify

import (
	"bufio"
	"bytes"
	"embed"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/boathook/boathook/hook/canon"
	"github.com/boathook/boathook/internal/host"
)

// samples are payloads, one per line with its event: those of the recordings in internal/host (of opencode as boathook's
// plugin sends them), and antigravity.jsonl follows published captures of agy 1.1.26. Of an event that no recording has
// (the key set doesn't have it then) only the common fields are there, and those that its kind must have.
//
//go:embed samples/*.jsonl
var samples embed.FS

// sampleHome is the home directory in the recordings.
const sampleHome = "/home/user"

// sample is one payload of an event.
type sample struct {
	Event   string          `json:"event"`
	Payload json.RawMessage `json:"payload"`
	// want is what the guard is made to say, empty where it is not asked.
	want string
}

// The calls with which the guard of package trial is made to allow, deny and want a review.
func cues() map[string]string {
	return map[string]string{"allow": "ls -la", "deny": "rm -rf ./never-run-by-anybody", "review": "git push --force origin main"}
}

// samplesOf reads the samples of an agent for an event, moved to a home. At a gate there is one for each thing that the
// guard can say.
func samplesOf(h *host.Host, ev host.Event, home string) ([]sample, error) {
	text, err := samples.ReadFile("samples/" + h.ID + ".jsonl")
	if err != nil {
		return nil, fmt.Errorf("read samples of %s: %w", h.ID, err)
	}
	inJSON, err := json.Marshal(home)
	if err != nil {
		return nil, fmt.Errorf("read samples of %s: %w", h.ID, err)
	}
	text = bytes.ReplaceAll(text, []byte(sampleHome), inJSON[1:len(inJSON)-1])
	var out []sample
	for lines := bufio.NewScanner(bytes.NewReader(text)); lines.Scan(); {
		var s sample
		if err := json.Unmarshal(lines.Bytes(), &s); err != nil {
			return nil, fmt.Errorf("read samples of %s: %w", h.ID, err)
		}
		if s.Event == ev.Name {
			out = append(out, s)
		}
	}
	if ev.Gate {
		return cued(h, out)
	}
	return out, nil
}

// cued makes of the first sample that has a command line one for each thing that the guard can say; the others are allowed.
func cued(h *host.Host, list []sample) ([]sample, error) {
	var out []sample
	for _, s := range list {
		if s.want = "allow"; slices.ContainsFunc(out, func(o sample) bool { return o.want == "deny" }) {
			out = append(out, s)
			continue
		}
		for _, want := range []string{"allow", "deny", "review"} {
			payload, ok := withCommand(h, s.Payload, cues()[want])
			if !ok {
				out = append(out, s)
				break
			}
			out = append(out, sample{Event: s.Event, Payload: payload, want: want})
		}
	}
	return out, nil
}

// withCommand puts another command line into a payload that has one.
func withCommand(h *host.Host, payload []byte, command string) ([]byte, bool) {
	var tree map[string]any
	if json.Unmarshal(payload, &tree) != nil {
		return nil, false
	}
	for _, args := range inputsIn(h.ID, tree) {
		for _, name := range h.Commands {
			switch args[name].(type) {
			case string:
				args[name] = command
			case []any:
				args[name] = []any{command}
			default:
				continue
			}
			out, err := json.Marshal(tree)
			return out, err == nil
		}
	}
	return nil, false
}

// inputsIn are the objects that may hold a tool's arguments. Cursor's events for one tool have them at the top.
func inputsIn(agent string, tree map[string]any) []map[string]any {
	var out []map[string]any
	for _, place := range [][]string{
		{"tool_input"}, {"toolCall", "args"}, {"toolArgs"}, {"toolInput"}, {"tool_info"}, {"tool_call", "input"}, {"data", "input"}, {"output", "args"},
	} {
		at := any(tree)
		for _, name := range place {
			m, _ := at.(map[string]any)
			at = m[name]
		}
		if m, ok := at.(map[string]any); ok {
			out = append(out, m)
		}
	}
	if _, has := tree["tool_name"]; agent == "cursor" && !has {
		out = append(out, tree)
	}
	return out
}

// decided is what the guard's word becomes: an ask is a deny where the agent can't be made to ask.
func decided(ev host.Event, want string, reviewAsks bool) canon.Action {
	switch {
	case want == "deny":
		return canon.Deny
	case want == "review" && reviewAsks && ev.Can.Ask:
		return canon.Ask
	case want == "review" && reviewAsks:
		return canon.Deny
	}
	return canon.Allow
}
