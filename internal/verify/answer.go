package verify

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/boathook/boathook/internal/agentrun"
	"github.com/boathook/boathook/internal/host"
)

// disturbed is what an agent would take amiss of a hook that answers on standard output.
func disturbed(got host.Reply) []string {
	return agentrun.Result{Stderr: string(got.Stderr), Exit: got.Exit}.Faults()
}

// exitCode tells whether an answer of the contract is an exit code.
func exitCode(want json.RawMessage) (code int, ok bool) {
	var process struct {
		Exit *int `json:"$exit"`
	}
	if json.Unmarshal(want, &process) != nil || process.Exit == nil {
		return 0, false
	}
	return *process.Exit, true
}

// checkExit looks at an answer that is an exit code, with the reason on standard error. Standard output says nothing to the
// agent.
func checkExit(code int, got host.Reply) (reason string, faults []string) {
	reason = strings.TrimSuffix(string(got.Stderr), "\n")
	if got.Exit != code {
		faults = append(faults, fmt.Sprintf("exit code %d, and %d is the answer", got.Exit, code))
	}
	if reason == "" {
		faults = append(faults, "no reason on standard error")
	}
	return reason, faults
}

// compareAnswer compares a text with the JSON that is wanted, and takes out what is said.
func compareAnswer(s *said, ev host.Event, want json.RawMessage, text []byte) string {
	dec := json.NewDecoder(bytes.NewReader(text))
	var got map[string]any
	if err := dec.Decode(&got); err != nil || got == nil {
		return "the answer is no JSON object"
	}
	if _, err := dec.Token(); err != io.EOF {
		return "the answer is more than one JSON object"
	}
	var tree map[string]any
	_ = json.Unmarshal(want, &tree) // a test holds that it can be read
	c := comparison{said: s, event: ev.Name}
	c.object("", tree, got)
	if len(c.wrong) > 0 {
		return "the answer is not what the agent takes: " + strings.Join(c.wrong, ", ")
	}
	return ""
}

type comparison struct {
	said  *said
	event string
	wrong []string
}

func (c *comparison) object(prefix string, want, got map[string]any) {
	for _, name := range slices.Sorted(maps.Keys(want)) {
		c.value(prefix+name, want[name], got[name])
	}
	for _, name := range slices.Sorted(maps.Keys(got)) {
		if _, ok := want[name]; !ok {
			c.wrong = append(c.wrong, "it has a member "+fieldName(prefix+name))
		}
	}
}

func (c *comparison) value(name string, want, got any) {
	switch want := want.(type) {
	case map[string]any:
		below, ok := got.(map[string]any)
		if !ok {
			c.wrong = append(c.wrong, name+" is missing or no object")
			return
		}
		c.object(name+".", want, below)
	case string:
		c.text(name, want, got)
	default:
		if want != got {
			c.wrong = append(c.wrong, fmt.Sprintf("%s is not %v", name, want))
		}
	}
}

// text compares a text, or takes what stands where the contract leaves it open.
func (c *comparison) text(name, want string, got any) {
	if want == "$input" {
		if _, ok := got.(map[string]any); !ok {
			c.wrong = append(c.wrong, name+" is missing or no object")
		}
		text, _ := json.Marshal(got) // it was read from JSON
		c.said.input = string(text)
		return
	}
	text, ok := got.(string)
	open := map[string]*string{"$reason": &c.said.reason, "$context": &c.said.context}[want]
	switch {
	case !ok:
		c.wrong = append(c.wrong, name+" is missing or no text")
	case want == "$event" && text != c.event:
		c.wrong = append(c.wrong, name+" is not the event")
	case want == "$event":
	case open == nil && text != want:
		c.wrong = append(c.wrong, fmt.Sprintf("%s is not %q", name, want))
	case open == nil:
	case text == "":
		c.wrong = append(c.wrong, name+" is empty")
	case *open != "" && *open != text:
		c.wrong = append(c.wrong, name+" is another text than the "+want[1:])
	default:
		*open = text
	}
}
