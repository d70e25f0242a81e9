package conform

import (
	"encoding/json"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"

	"github.com/boathook/boathook/itest/agents"
	"github.com/boathook/boathook/itest/mockchat"
	"github.com/boathook/boathook/itest/mockmodel"
)

// opencode drives opencode headless. There a call that needs permission is refused, as nobody can be asked.
func opencode() Agent {
	return Agent{
		ID: "opencode", Package: "opencode-linux-x64",
		Model:   func(tb testing.TB, plays mockmodel.Plays) Model { return mockchat.Start(tb, plays) },
		Furnish: furnishOpencode,
		Shell: func(_ *Lab, command string) mockmodel.Call {
			return mockmodel.Call{Name: "bash", Input: map[string]any{"command": command, "description": "run it"}}
		},
		Run:    runOpencode,
		Config: []string{".config/opencode/opencode.json", ".config/opencode/plugin/boathook.js"},
		Subagent: func(_ *Lab, prompt string) mockmodel.Call {
			return mockmodel.Call{Name: "task", Input: map[string]any{
				"description": "do it", "prompt": prompt, "subagent_type": "general",
			}}
		},
	}
}

// furnishOpencode also makes what opencode would fetch from npm into each directory of its configuration, and wait for where
// a plugin is: it looks no further than into the lock file (1.18.33).
func furnishOpencode(tb testing.TB, l *Lab) {
	tb.Helper()
	dir := filepath.Join(l.Home, ".config", "opencode")
	config, err := json.MarshalIndent(map[string]any{
		"$schema":    "https://opencode.ai/config.json", // else opencode writes it
		"autoupdate": false, "share": "disabled", "model": "mock/mock-model", "small_model": "mock/mock-model",
		"enabled_providers": []string{"mock"},
		"provider": map[string]any{"mock": map[string]any{
			"npm": "@ai-sdk/openai-compatible", "name": "Mock",
			"options": map[string]any{"baseURL": l.Model.URL() + "/v1", "apiKey": "sk-fake"},
			"models": map[string]any{"mock-model": map[string]any{
				"name": "Mock", "tool_call": true, "limit": map[string]any{"context": 100000, "output": 4000},
			}},
		}},
	}, "", "\t")
	if err != nil {
		tb.Fatal(err)
	}
	l.Write(tb, filepath.Join(dir, "opencode.json"), string(config))
	l.Write(tb, filepath.Join(dir, "package-lock.json"),
		`{"packages":{"":{"dependencies":{"@opencode-ai/plugin":"1.18.33"}}}}`)
	l.Write(tb, filepath.Join(dir, "node_modules", ".keep"), "")
}

func runOpencode(tb testing.TB, l *Lab, s Session) Outcome {
	tb.Helper()
	bash := "ask"
	if s.Permit {
		bash = "allow"
	}
	program := filepath.Join(agents.Modules(tb, "opencode"), "opencode-linux-x64", "bin", "opencode")
	env := []string{
		`OPENCODE_PERMISSION={"bash":"` + bash + `"}`, "OPENCODE_DISABLE_AUTOUPDATE=1", "OPENCODE_DISABLE_MODELS_FETCH=1",
		"OPENCODE_DISABLE_LSP_DOWNLOAD=1",
	}
	out := Outcome{Result: l.Lab.Run(tb, l.Work, env, program, "run", s.Prompt)}
	for _, m := range refused().FindAllStringSubmatch(out.Stdout+out.Stderr, -1) {
		out.Asked = append(out.Asked, strings.TrimSpace(m[1]))
	}
	return out
}

// refused finds what opencode says where it would have asked the user.
var refused = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`permission requested: bash \((.*)\); auto-rejecting`)
})
