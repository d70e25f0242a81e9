package otlp

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/boathook/boathook/hook/canon"
	"github.com/boathook/boathook/internal/record"
)

func TestAgents(t *testing.T) {
	want := map[string]agent{
		"gemini": {"gemini", "gemini-cli", "gcp.gen_ai"}, "antigravity": {"antigravity", "antigravity", "gcp.gen_ai"},
		"claude": {"claude", "claude-code", "anthropic"}, "codex": {"codex", "codex", "openai"},
		"copilot": {"copilot", "copilot-cli", ""}, "cursor": {"cursor", "cursor", ""}, "windsurf": {"windsurf", "windsurf", ""},
		"cline": {"cline", "cline", ""}, "qwen": {"qwen", "qwen-code", ""}, "amp": {"amp", "amp", ""},
		"opencode": {"opencode", "opencode", ""}, "later": {"later", "later", ""}, "no name": {other, other, ""},
	}
	for id, a := range want {
		if got := agentOf(id); got != a {
			t.Errorf("%s is %+v, want %+v", id, got, a)
		}
	}
}

// An agent that runs the models of many providers has none in its spans.
func TestProvider(t *testing.T) {
	for id, want := range map[string]any{"claude": "anthropic", "codex": "openai", "qwen": nil, "later": nil} {
		var a attrs
		mapper{}.operation(&a, "execute_tool", id, "", "s", "")
		var got any
		for _, x := range a.list {
			if x.Key == "gen_ai.provider.name" {
				got = x.Value
			}
		}
		if got != want {
			t.Errorf("%s: %v, want %v", id, got, want)
		}
	}
}

func TestExitCodes(t *testing.T) {
	for text, want := range map[string]int64{"exit code 3": 3, "exit status 4": 4, "Exit code 5\nout\nerr": 5, "Exit code x": -1, "no exit code 3": -1} {
		got, ok := exitCode(text)
		if !ok {
			got = -1
		}
		if got != want {
			t.Errorf("%q: %d, want %d", text, got, want)
		}
	}
}

// A record without its payload has the host's names all the same.
func TestBareOfClaude(t *testing.T) {
	r := record.Record{Event: canon.Event{
		Agent: "codex", Event: canon.ToolError, SessionID: "s", TurnID: "t", SubagentID: "a", CallID: "c", CWD: "/w", Model: "m",
		TranscriptPath: "/t", Response: "r", Reason: "why", Source: "manual", Prompt: "p",
		Notification: &canon.Notification{Type: "n", Message: "text"},
		Tool:         &canon.Tool{HostName: "Bash", Input: []byte(`{"command":"x"}`), Output: []byte(`"out"`), Error: "e"},
	}}
	want := map[string]any{
		"session_id": "s", "turn_id": "t", "agent_id": "a", "tool_use_id": "c", "cwd": "/w", "model": "m", "transcript_path": "/t",
		"last_assistant_message": "r", "reason": "why", "source": "manual", "prompt": "p", "notification_type": "n", "message": "text",
		"tool_name": "Bash", "tool_input": map[string]any{"command": "x"}, "tool_response": "out", "error": "e",
	}
	check := func() {
		t.Helper()
		var got map[string]any
		must(t, json.Unmarshal(bare(&r), &got))
		if diff := cmp.Diff(want, got); diff != "" {
			t.Error(diff)
		}
	}
	check()
	r.Agent, r.Event.Event = "claude", canon.CompactAfter
	want["prompt_id"], want["trigger"] = "t", "manual"
	delete(want, "turn_id")
	delete(want, "source")
	check()
}
