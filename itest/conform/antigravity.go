package conform

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/boathook/boathook/itest/agentlab"
	"github.com/boathook/boathook/itest/mockmodel"
)

// antigravity replays what is published of agy 1.1.26: it is closed and wants a login. Package antigravity_test starts its hooks in
// more ways.
func antigravity() Agent {
	return Agent{
		ID: "antigravity", Version: "1.1.26",
		Model: startReplay,
		Furnish: func(tb testing.TB, l *Lab) {
			l.Write(tb, filepath.Join(l.Home, ".gemini", "config", "hooks.json"), "{\n  \"mine\": {}\n}\n")
		},
		Shell: func(l *Lab, command string) mockmodel.Call {
			return mockmodel.Call{Name: "run_command", Input: map[string]any{"CommandLine": command, "Cwd": l.Work}}
		},
		Run: contract{
			hooks: antigravityHooks,
			events: map[moment][]string{
				atModel: {"PreInvocation"}, atAnswered: {"PostInvocation"}, atBefore: {"PreToolUse"}, atAfter: {"PostToolUse"}, atStop: {"Stop"},
			},
			payload: antigravityPayload,
			verdict: antigravityVerdict,
			command: func(input map[string]any) string { return input["CommandLine"].(string) },
			denied:  func(reason string) string { return "Tool call denied by pre-tool hook: " + reason },
		}.run,
		Config: []string{".gemini/config/hooks.json"},
	}
}

// antigravityHooks reads the file as strictly as agy does: tool events have groups with a matcher, the others a flat list.
func antigravityHooks(tb testing.TB, l *Lab) map[string][]string {
	tb.Helper()
	type handler struct {
		Type    string `json:"type"`
		Command string `json:"command"`
		Timeout int32  `json:"timeout"`
	}
	b, err := os.ReadFile(filepath.Join(l.Home, ".gemini", "config", "hooks.json"))
	agentlab.Must(tb, err)
	var named map[string]map[string]json.RawMessage
	agentlab.Must(tb, json.Unmarshal(b, &named))
	hooks := map[string][]string{}
	for _, events := range named {
		for event, raw := range events {
			var handlers []handler
			if strings.HasSuffix(event, "ToolUse") {
				var groups []struct {
					Matcher string    `json:"matcher"`
					Hooks   []handler `json:"hooks"`
				}
				agentlab.Must(tb, json.Unmarshal(raw, &groups))
				for _, g := range groups {
					handlers = append(handlers, g.Hooks...)
				}
			} else {
				agentlab.Must(tb, json.Unmarshal(raw, &handlers))
			}
			for _, h := range handlers {
				hooks[event] = append(hooks[event], h.Command)
			}
		}
	}
	return hooks
}

func antigravityPayload(l *Lab, event string, h happening) map[string]any {
	p := map[string]any{
		"artifactDirectoryPath": l.Home + "/.gemini/antigravity-cli/brain/c1", "conversationId": "c1", "modelName": "gemini-pro-agent",
		"transcriptPath": l.Home + "/.gemini/antigravity-cli/brain/c1/.system_generated/logs/transcript_full.jsonl", "workspacePaths": []string{l.Work},
	}
	switch event {
	case "PreInvocation", "PostInvocation":
		p["initialNumSteps"], p["invocationNum"] = 1, h.Turn
	case "Stop":
		p["executionNum"], p["fullyIdle"], p["terminationReason"], p["error"] = h.Turn, true, "NO_TOOL_CALL", ""
	default:
		p["stepIdx"], p["toolCall"] = h.Step, map[string]any{"name": h.Call.Name, "args": h.Call.Input}
		if event == "PostToolUse" {
			p["error"] = ""
			if h.Failed {
				p["error"] = h.Output
			}
		}
	}
	return p
}

// antigravityVerdict: what is no decision before a tool refuses it.
func antigravityVerdict(event string, r agentlab.Result) verdict {
	if event != "PreToolUse" {
		return verdict{}
	}
	var answer struct {
		Decision string `json:"decision"`
		Reason   string `json:"reason"`
	}
	dec := json.NewDecoder(bytes.NewReader([]byte(r.Stdout)))
	if err := dec.Decode(&answer); err != nil || r.Code != 0 {
		return verdict{deny: true, reason: "the hook gave no decision"}
	}
	return verdict{
		deny: answer.Decision == "deny", ask: answer.Decision == "ask" || answer.Decision == "force_ask", reason: answer.Reason,
	}
}
