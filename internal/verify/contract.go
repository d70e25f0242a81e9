package verify

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/boathook/boathook/hook/canon"
	"github.com/boathook/boathook/internal/host"
)

// contract.json has the answer that each agent takes (SPEC §7.3, "ask" of agy 1.1.2): at a gate for each decision, and
// "other" for all other events. $reason stands for a text that is the same wherever it is.
//
//go:embed contract.json
var contractText []byte

var contract = sync.OnceValue(func() map[string]map[string]map[string]string {
	var c map[string]map[string]map[string]string
	_ = json.Unmarshal(contractText, &c) // a test holds that it can be read
	return c
})

// golden is the answer that a host takes; ok is false where it takes none.
func golden(h *host.Host, ev host.Event, action canon.Action) (want map[string]string, ok bool) {
	key := "other"
	if ev.Gate {
		key = string(action)
	}
	want, ok = contract()[h.ID][key]
	return want, ok && !ev.Silent
}

// CheckAnswer tells what is wrong with the bytes that a hook answered with, empty where nothing is. The reason that was
// given is returned too. A silent event wants no bytes at all.
func CheckAnswer(h *host.Host, ev host.Event, action canon.Action, answer []byte) (reason, fault string) {
	if ev.Silent {
		if len(answer) > 0 {
			return "", fmt.Sprintf("%d bytes were answered where any byte changes what the agent does", len(answer))
		}
		return "", ""
	}
	want, ok := golden(h, ev, action)
	if !ok {
		return "", fmt.Sprintf("%s has no word for %s", h.Title, action)
	}
	dec := json.NewDecoder(bytes.NewReader(answer))
	var got map[string]any
	if err := dec.Decode(&got); err != nil || got == nil {
		return "", "the answer is no JSON object"
	}
	if _, err := dec.Token(); err != io.EOF {
		return "", "the answer is more than one JSON object"
	}
	return compareAnswer(want, got)
}

func compareAnswer(want map[string]string, got map[string]any) (reason, fault string) {
	var wrong []string
	for _, name := range slices.Sorted(maps.Keys(want)) {
		text, isText := got[name].(string)
		switch {
		case !isText:
			wrong = append(wrong, name+" is missing or no text")
		case want[name] != "$reason" && text != want[name]:
			wrong = append(wrong, fmt.Sprintf("%s is not %q", name, want[name]))
		case want[name] == "$reason" && text == "":
			wrong = append(wrong, name+" is empty")
		case want[name] == "$reason" && reason != "" && text != reason:
			wrong = append(wrong, name+" is another text than the reason")
		case want[name] == "$reason":
			reason = text
		}
	}
	for _, name := range slices.Sorted(maps.Keys(got)) {
		if _, ok := want[name]; !ok {
			wrong = append(wrong, "it has a member "+fieldName(name))
		}
	}
	if len(wrong) > 0 {
		return reason, "the answer is not what the agent takes: " + strings.Join(wrong, ", ")
	}
	return reason, ""
}

// CheckHost compares every answer that this program would give with the contract.
func CheckHost(h *host.Host) []string {
	var out []string
	for _, ev := range h.Events {
		actions := []canon.Action{canon.Allow}
		if ev.Gate {
			actions = append(actions, canon.Deny)
		}
		if ev.Gate && ev.Can.Ask {
			actions = append(actions, canon.Ask)
		}
		for _, action := range actions {
			answer := h.Encode(ev, canon.Decision{Action: action, Reason: "a reason"}).Stdout
			if _, fault := CheckAnswer(h, ev, action, answer); fault != "" {
				out = append(out, fmt.Sprintf("%s %s: %s", ev.Name, action, fault))
			}
		}
	}
	return out
}
