//go:build unix

package install

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestGeminiShape(t *testing.T) {
	env := world(t)
	install(t, env, Request{Agents: []string{"gemini"}, Events: []string{"default", "BeforeToolSelection"}})
	var got struct {
		Hooks map[string][]struct {
			Matcher *string
			Hooks   []struct {
				Type, Name, Command string
				Timeout             int
			}
		}
	}
	if err := json.Unmarshal([]byte(text(t, filepath.Join(geminiExtension(env), "hooks", "hooks.json"))), &got); err != nil {
		t.Fatal(err)
	}
	if len(got.Hooks) != 9 {
		t.Errorf("%d events", len(got.Hooks))
	}
	for event, groups := range got.Hooks {
		tool := event == "BeforeTool" || event == "AfterTool"
		h := groups[0].Hooks[0]
		if len(groups) != 1 || len(groups[0].Hooks) != 1 || (groups[0].Matcher != nil) != tool || h.Type != "command" || h.Timeout != 60000 || h.Name != "boathook" {
			t.Errorf("%s: %+v", event, groups)
		}
		if !strings.Contains(h.Command, " --event "+event+" ") || strings.Contains(h.Command, "\\u") {
			t.Errorf("%s: %s", event, h.Command)
		}
	}
}

func TestAntigravityShape(t *testing.T) {
	env := world(t)
	install(t, env, Request{Agents: []string{"agy"}})
	type handler struct {
		Type, Command string
		Timeout       int
	}
	var got map[string]map[string][]struct {
		handler
		Matcher *string
		Hooks   []handler
	}
	if err := json.Unmarshal([]byte(text(t, hooksFile(env))), &got); err != nil {
		t.Fatal(err)
	}
	events := got["boathook"]
	for _, name := range []string{"PreInvocation", "PreToolUse", "PostToolUse", "PostInvocation", "Stop"} {
		list := events[name]
		if len(list) != 1 {
			t.Fatalf("%s: %v", name, list)
		}
		h := list[0].handler
		if strings.HasSuffix(name, "ToolUse") {
			if list[0].Matcher == nil || *list[0].Matcher != "" || len(list[0].Hooks) != 1 {
				t.Fatalf("%s: %+v", name, list)
			}
			h = list[0].Hooks[0]
		}
		script := filepath.Join(env.Home, ".gemini", "config", "boathook-hook.sh")
		if want := (handler{"command", script + " --agent antigravity --event " + name, 30}); h != want {
			t.Errorf("%+v, want %+v", h, want)
		}
	}
	info, err := os.Stat(filepath.Join(env.Home, ".gemini", "config", "boathook-hook.sh"))
	if err != nil || info.Mode().Perm()&0o700 != 0o700 {
		t.Errorf("%v %v", info, err)
	}
}
