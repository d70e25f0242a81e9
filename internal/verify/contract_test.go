package verify

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/boathook/boathook/hook/canon"
	"github.com/boathook/boathook/internal/host"
	"github.com/boathook/boathook/internal/host/registry"
)

// What an event's table promises has an answer in the contract, and the program gives it.
func TestContractKnowsEveryHost(t *testing.T) {
	for _, h := range Hosts() {
		for _, fault := range CheckHost(h) {
			t.Errorf("%s: %s", h.ID, fault)
		}
		names := map[string]bool{"*": true}
		for _, ev := range h.Events {
			names[ev.Name], names[string(ev.Kind)] = true, true
		}
		for name, list := range contract()[h.ID] {
			if !names[name] {
				t.Errorf("%s: there is no event %s", h.ID, name)
			}
			for word, answer := range list {
				var tree map[string]any
				if json.Unmarshal(answer, &tree) != nil || !slices.Contains([]string{"allow", "deny", "ask", rewriteWord, contextWord}, word) {
					t.Errorf("%s %s %s: %s", h.ID, name, word, answer)
				}
			}
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
	claude, _ := registry.Lookup("claude")
	use, _ := claude.Event("PreToolUse")
	cursor, _ := registry.Lookup("cursor")
	prompt, _ := cursor.Event("beforeSubmitPrompt")
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
		{claude, use, canon.Allow, ``, ""},
		{claude, use, canon.Allow, `{}`, "silence is the answer"},
		{claude, use, canon.Deny, `{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"r"}}`, ""},
		{claude, use, canon.Deny, `{"hookSpecificOutput":{"hookEventName":"Other","permissionDecision":"deny","permissionDecisionReason":"r"}}`, "hookEventName is not the event"},
		{claude, use, canon.Deny, `{"hookSpecificOutput":"deny"}`, "hookSpecificOutput is missing or no object"},
		{claude, use, canon.Deny, `{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"r","x":1}}`, "member hookSpecificOutput.x"},
		{cursor, prompt, canon.Deny, `{"continue":false,"user_message":"r"}`, ""},
		{cursor, prompt, canon.Deny, `{"continue":true,"user_message":"r"}`, "continue is not false"},
	}
	for _, tt := range tests {
		reason, faults := CheckAnswer(tt.h, tt.ev, tt.action, host.Reply{Stdout: []byte(tt.answer)})
		fault := strings.Join(faults, "; ")
		if (fault == "") != (tt.want == "") || !strings.Contains(fault, tt.want) {
			t.Errorf("%s %s %s: %q, want %q", tt.ev.Name, tt.action, tt.answer, fault, tt.want)
		}
		if fault == "" && tt.action != canon.Allow && reason != "r" {
			t.Errorf("%s: reason %q", tt.answer, reason)
		}
	}
}

// An exit code is an answer of its own, and disturbs where it is none.
func TestCheckExitCodes(t *testing.T) {
	windsurf, _ := registry.Lookup("windsurf")
	run, _ := windsurf.Event("pre_run_command")
	gemini, _ := registry.Lookup("gemini")
	before, _ := gemini.Event("BeforeTool")
	for _, tt := range []struct {
		h      *host.Host
		ev     host.Event
		action canon.Action
		reply  host.Reply
		want   string
	}{
		{windsurf, run, canon.Deny, host.Reply{Stderr: []byte("r\n"), Exit: 2}, ""},
		{windsurf, run, canon.Deny, host.Reply{Stdout: []byte("r\n"), Stderr: []byte("r\n"), Exit: 2}, ""},
		{windsurf, run, canon.Deny, host.Reply{Stderr: []byte("r\n"), Exit: 1}, "exit code 1, and 2 is the answer"},
		{windsurf, run, canon.Deny, host.Reply{Exit: 2}, "no reason on standard error"},
		{windsurf, run, canon.Allow, host.Reply{}, ""},
		{windsurf, run, canon.Allow, host.Reply{Exit: 2}, "exit code 2"},
		{gemini, before, canon.Allow, host.Reply{Stdout: []byte("{}"), Stderr: []byte("oops")}, "wrote to stderr: oops"},
	} {
		reason, faults := CheckAnswer(tt.h, tt.ev, tt.action, tt.reply)
		if got := strings.Join(faults, "; "); got != tt.want {
			t.Errorf("%+v: %q, want %q", tt.reply, got, tt.want)
		}
		if tt.want == "" && tt.action == canon.Deny && reason != "r" {
			t.Errorf("reason %q", reason)
		}
	}
}
