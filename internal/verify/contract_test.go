package verify

import (
	"slices"
	"strings"
	"testing"

	"github.com/boathook/boathook/hook/canon"
	"github.com/boathook/boathook/internal/host"
	"github.com/boathook/boathook/internal/host/registry"
)

func TestContractKnowsEveryHost(t *testing.T) {
	for _, h := range Hosts() {
		for _, word := range []string{"allow", "deny", "other"} {
			if _, ok := contract()[h.ID][word]; !ok {
				t.Errorf("%s has no answer for %s", h.ID, word)
			}
		}
		if _, ok := contract()[h.ID]["ask"]; ok != canAsk(h) {
			t.Errorf("%s: an answer for ask: %t, it can ask: %t", h.ID, ok, canAsk(h))
		}
	}
}

func canAsk(h *host.Host) bool {
	return slices.ContainsFunc(h.Events, func(e host.Event) bool { return e.Gate && e.Can.Ask })
}

// SPEC §7.3, and what else of an answer an agent would choke on.
func TestCheckAnswer(t *testing.T) {
	gemini, _ := registry.Lookup("gemini")
	agy, _ := registry.Lookup("antigravity")
	before, _ := gemini.Event("BeforeTool")
	silent, _ := gemini.Event("BeforeToolSelection")
	start, _ := gemini.Event("SessionStart")
	pre, _ := agy.Event("PreToolUse")
	tests := []struct {
		h      *host.Host
		ev     host.Event
		action canon.Action
		answer string
		want   string
	}{
		{gemini, before, canon.Allow, "{}\n", ""},
		{gemini, before, canon.Allow, `{"decision":"allow"}`, "member decision"},
		{gemini, before, canon.Deny, `{"decision":"deny","reason":"r","systemMessage":"r"}`, ""},
		{gemini, before, canon.Deny, `{"decision":"deny","reason":"r"}`, "systemMessage is missing"},
		{gemini, before, canon.Deny, `{"decision":"deny","reason":"r","systemMessage":"s"}`, "another text"},
		{gemini, before, canon.Deny, `{"decision":"block","reason":"r","systemMessage":"r"}`, `decision is not "deny"`},
		{gemini, before, canon.Deny, `{}`, "decision is missing"},
		{gemini, before, canon.Ask, `{}`, "no word for ask"},
		{gemini, start, canon.Allow, ``, "no JSON object"},
		{gemini, start, canon.Allow, `{} {}`, "more than one"},
		{gemini, start, canon.Allow, `log line {}`, "no JSON object"},
		{gemini, silent, canon.Allow, ``, ""},
		{gemini, silent, canon.Allow, `{}`, "any byte"},
		{agy, pre, canon.Allow, `{"decision":"allow"}`, ""},
		{agy, pre, canon.Allow, `{}`, "decision is missing"},
		{agy, pre, canon.Deny, `{"decision":"deny","reason":"r"}`, ""},
		{agy, pre, canon.Deny, `{"decision":"deny","reason":""}`, "reason is empty"},
		{agy, pre, canon.Deny, `{"decision":"deny","reason":"r","systemMessage":"r"}`, "member systemMessage"},
		{agy, pre, canon.Ask, `{"decision":"ask","reason":"r"}`, ""},
	}
	for _, tt := range tests {
		reason, fault := CheckAnswer(tt.h, tt.ev, tt.action, []byte(tt.answer))
		if (fault == "") != (tt.want == "") || !strings.Contains(fault, tt.want) {
			t.Errorf("%s %s %s: %q, want %q", tt.ev.Name, tt.action, tt.answer, fault, tt.want)
		}
		if fault == "" && tt.action != canon.Allow && reason != "r" {
			t.Errorf("%s: reason %q", tt.answer, reason)
		}
	}
}
