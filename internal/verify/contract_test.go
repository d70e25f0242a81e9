package verify

import (
	"strings"
	"testing"

	"github.com/boathook/boathook/hook"
	"github.com/boathook/boathook/internal/host"
	"github.com/boathook/boathook/internal/host/registry"
)

func TestContractKnowsEveryHost(t *testing.T) {
	for _, h := range registry.Hosts() {
		for _, word := range []string{"allow", "deny", "other"} {
			if _, ok := contract()[h.ID][word]; !ok {
				t.Errorf("%s has no answer for %s", h.ID, word)
			}
		}
		if _, ok := contract()[h.ID]["ask"]; ok != h.CanAsk {
			t.Errorf("%s: an answer for ask: %t, it can ask: %t", h.ID, ok, h.CanAsk)
		}
	}
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
		action hook.Action
		answer string
		want   string
	}{
		{gemini, before, hook.Allow, "{}\n", ""},
		{gemini, before, hook.Allow, `{"decision":"allow"}`, "member decision"},
		{gemini, before, hook.Deny, `{"decision":"deny","reason":"r","systemMessage":"r"}`, ""},
		{gemini, before, hook.Deny, `{"decision":"deny","reason":"r"}`, "systemMessage is missing"},
		{gemini, before, hook.Deny, `{"decision":"deny","reason":"r","systemMessage":"s"}`, "another text"},
		{gemini, before, hook.Deny, `{"decision":"block","reason":"r","systemMessage":"r"}`, `decision is not "deny"`},
		{gemini, before, hook.Deny, `{}`, "decision is missing"},
		{gemini, before, hook.Ask, `{}`, "no word for ask"},
		{gemini, start, hook.Allow, ``, "no JSON object"},
		{gemini, start, hook.Allow, `{} {}`, "more than one"},
		{gemini, start, hook.Allow, `log line {}`, "no JSON object"},
		{gemini, silent, hook.Allow, ``, ""},
		{gemini, silent, hook.Allow, `{}`, "any byte"},
		{agy, pre, hook.Allow, `{"decision":"allow"}`, ""},
		{agy, pre, hook.Allow, `{}`, "decision is missing"},
		{agy, pre, hook.Deny, `{"decision":"deny","reason":"r"}`, ""},
		{agy, pre, hook.Deny, `{"decision":"deny","reason":""}`, "reason is empty"},
		{agy, pre, hook.Deny, `{"decision":"deny","reason":"r","systemMessage":"r"}`, "member systemMessage"},
		{agy, pre, hook.Ask, `{"decision":"ask","reason":"r"}`, ""},
	}
	for _, tt := range tests {
		reason, fault := CheckAnswer(tt.h, tt.ev, tt.action, []byte(tt.answer))
		if (fault == "") != (tt.want == "") || !strings.Contains(fault, tt.want) {
			t.Errorf("%s %s %s: %q, want %q", tt.ev.Name, tt.action, tt.answer, fault, tt.want)
		}
		if fault == "" && tt.action != hook.Allow && reason != "r" {
			t.Errorf("%s: reason %q", tt.answer, reason)
		}
	}
}
