package verify

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"sync"

	"github.com/boathook/boathook/hook/canon"
	"github.com/boathook/boathook/internal/host"
)

// contract.json has the answers that each agent takes (SPEC §7.3, and what runs of the agents have shown: docs/hosts), by an
// event's name, else its kind, else *; and below that by the word that is said: allow, deny, ask, rewrite or context. null is
// no bytes. $reason, $context and $input stand for what is said, $event for the event's name; a reason is the same wherever
// it is. An answer with $exit is an exit code, with a text on standard error.
//
//go:embed contract.json
var contractText []byte

// vocabulary is what can be said at an event.
type vocabulary map[string]json.RawMessage

var contract = sync.OnceValue(func() map[string]map[string]vocabulary {
	var c map[string]map[string]vocabulary
	_ = json.Unmarshal(contractText, &c) // a test holds that it can be read
	return c
})

// The words of contract.json that are no action.
const (
	rewriteWord = "rewrite"
	contextWord = "context"
)

// golden is the answer that a host takes; ok is false where it takes none.
func golden(h *host.Host, ev host.Event, word string) (want json.RawMessage, ok bool) {
	for _, key := range []string{ev.Name, string(ev.Kind), "*"} {
		if want, ok = contract()[h.ID][key][word]; ok {
			return want, true
		}
	}
	return nil, false
}

// CheckAnswer tells what is wrong with what a hook answered, empty where nothing is. The reason that was given is returned
// too. A silent event wants no bytes at all.
func CheckAnswer(h *host.Host, ev host.Event, action canon.Action, got host.Reply) (reason string, faults []string) {
	said, faults := checkWord(h, ev, string(action), got)
	return said.reason, faults
}

// said is what an answer says.
type said struct{ reason, context, input string }

func checkWord(h *host.Host, ev host.Event, word string, got host.Reply) (s said, faults []string) {
	want, ok := golden(h, ev, word)
	if !ok {
		return s, []string{fmt.Sprintf("%s has no word for %s", h.Title, word)}
	}
	if code, isCode := exitCode(want); isCode {
		s.reason, faults = checkExit(code, got)
		return s, faults
	}
	faults = disturbed(got)
	switch {
	case ev.Silent && len(got.Stdout) > 0:
		return s, append(faults, fmt.Sprintf("%d bytes were answered where any byte changes what the agent does", len(got.Stdout)))
	case ev.Silent:
		return s, faults
	case string(want) == "null" && len(got.Stdout) > 0:
		return s, append(faults, fmt.Sprintf("%d bytes were answered where silence is the answer", len(got.Stdout)))
	case string(want) == "null":
		return s, faults
	}
	fault := compareAnswer(&s, ev, want, got.Stdout)
	if fault != "" {
		faults = append(faults, fault)
	}
	return s, faults
}

// CheckHost compares every answer that this program would give with the contract.
func CheckHost(h *host.Host) []string {
	var out []string
	for _, ev := range h.Events {
		for _, w := range wordsOf(ev) {
			spoken, lost := h.Express(ev, w.decision)
			if lost != "" {
				out = append(out, fmt.Sprintf("%s %s: %s is lost", ev.Name, w.word, lost))
			}
			s, faults := checkWord(h, ev, w.word, h.Encode(ev, spoken))
			for _, fault := range faults {
				out = append(out, fmt.Sprintf("%s %s: %s", ev.Name, w.word, fault))
			}
			if len(faults) == 0 && s != w.said {
				out = append(out, fmt.Sprintf("%s %s: what is said is not what was to be said", ev.Name, w.word))
			}
		}
	}
	return out
}

type wordOf struct {
	word     string
	decision canon.Decision
	said     said
}

// wordsOf are the words that an event's table promises.
func wordsOf(ev host.Event) []wordOf {
	const reason, context, input = "a reason", "a context", `{"a":1}`
	out := []wordOf{{"allow", canon.Decision{Action: canon.Allow}, said{}}}
	if ev.Can.Deny {
		out = append(out, wordOf{"deny", canon.Decision{Action: canon.Deny, Reason: reason}, said{reason: reason}})
	}
	if ev.Can.Ask {
		out = append(out, wordOf{"ask", canon.Decision{Action: canon.Ask, Reason: reason}, said{reason: reason}})
	}
	if ev.Can.Rewrite {
		out = append(out, wordOf{rewriteWord, canon.Decision{Action: canon.Allow, Input: json.RawMessage(input)}, said{input: input}})
	}
	if ev.Can.Context {
		out = append(out, wordOf{contextWord, canon.Decision{Action: canon.Allow, Context: context}, said{context: context}})
	}
	return out
}
