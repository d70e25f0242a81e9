package conform

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/boathook/boathook/itest/agents"
	"github.com/boathook/boathook/itest/mockmodel"
)

// ampVersion is the version of Amp's program, whose plugin runtime is the real one.
const ampVersion = "0.0.1790142911-g7618fb"

// amp replays Amp's own loop, whose threads live on a server that wants a login. The plugin is loaded by Amp's program into
// Amp's plugin runtime.
func amp() Agent {
	return Agent{
		ID: "amp", Version: ampVersion,
		Model: startReplay,
		Furnish: func(tb testing.TB, l *Lab) {
			if pinned := agents.Version(tb, "amp", "@ampcode/cli-linux-x64"); pinned != ampVersion {
				tb.Fatalf("Amp %s is installed for the tests, and they speak of %s", pinned, ampVersion)
			}
			l.Write(tb, filepath.Join(l.Home, ".config", "amp", "settings.json"), "{\n  \"amp.updates.mode\": \"disabled\"\n}\n")
		},
		Shell: func(_ *Lab, command string) mockmodel.Call {
			return mockmodel.Call{Name: "Bash", Input: map[string]any{"cmd": command}}
		},
		Run: contract{
			start: startAmp,
			events: map[moment][]string{
				atStart: {"session.start"}, atPrompt: {"agent.start"}, atBefore: {"tool.call"}, atAfter: {"tool.result"}, atStop: {"agent.end"},
			},
			payload: ampPayload,
			command: func(input map[string]any) string { return input["cmd"].(string) },
			denied:  func(reason string) string { return "Tool rejected by plugin: " + reason },
		}.run,
		Config: []string{".config/amp/settings.json", ".config/amp/plugins/boathook.ts"},
	}
}

// startAmp loads the plugin, if one is installed.
func startAmp(tb testing.TB, l *Lab) (tell func(event string, payload map[string]any) verdict, stop func()) {
	tb.Helper()
	plugin := filepath.Join(l.Home, ".config", "amp", "plugins", "boathook.ts")
	if _, err := os.Stat(plugin); err != nil {
		return func(string, map[string]any) verdict { return verdict{} }, func() {}
	}
	r := startAmpRuntime(tb, l, plugin)
	return func(event string, payload map[string]any) verdict {
		return ampVerdict(event, payload, r.tell(event, payload))
	}, r.stop
}

func ampPayload(_ *Lab, event string, h happening) map[string]any {
	p := map[string]any{"thread": map[string]any{"id": "T-0b3e4a5c"}}
	switch event {
	case "agent.start":
		p["message"], p["id"] = h.Prompt, 1
	case "agent.end":
		p["message"], p["id"], p["status"] = h.Prompt, 1, "done"
		p["messages"] = []any{map[string]any{
			"role": "assistant", "id": 2, "content": []any{map[string]any{"type": "text", "text": h.Answer}},
		}}
	case "tool.call", "tool.result":
		p["toolUseID"], p["tool"], p["input"] = fmt.Sprintf("toolu_%d", h.Step), h.Call.Name, h.Call.Input
	}
	if event == "tool.result" {
		p["status"], p["output"] = "done", h.Output
		if h.Failed {
			p["status"], p["error"] = "error", "the command failed"
		}
	}
	return p
}

// ampVerdict reads what a handler returned, by the types of the plugin API.
func ampVerdict(event string, payload, result map[string]any) verdict {
	text := func(m map[string]any, key string) string { s, _ := m[key].(string); return s }
	switch event {
	case "tool.call":
		switch text(result, "action") {
		case "allow":
			return verdict{}
		case "modify":
			input, _ := result["input"].(map[string]any)
			return verdict{input: input}
		}
		return verdict{deny: true, reason: text(result, "message")}
	case "agent.start":
		message, _ := result["message"].(map[string]any)
		return verdict{context: text(message, "content")}
	case "tool.result":
		return verdict{context: strings.TrimPrefix(text(result, "output"), text(payload, "output"))}
	case "agent.end":
		return verdict{deny: text(result, "action") == "continue", reason: text(result, "userMessage")}
	}
	return verdict{}
}
