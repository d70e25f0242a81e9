package gemini_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/boathook/boathook/itest/build"
	"github.com/boathook/boathook/itest/geminirun"
)

// entry is what the recorder fixture writes of one hook.
type entry struct {
	Event   string         `json:"event"`
	Payload map[string]any `json:"payload"`
	Env     []string       `json:"env"`
}

// addRecorder installs the recorder for some events as an extension and returns a function that reads what it recorded.
func addRecorder(t *testing.T, l *geminirun.Lab, events ...string) func() []entry {
	t.Helper()
	dir := t.TempDir()
	hooks := map[string]any{}
	for _, event := range events {
		command := fmt.Sprintf("%s %s %s", build.Fixture(t, "record"), dir, event)
		hook := map[string]any{"type": "command", "command": command}
		hooks[event] = []any{map[string]any{"matcher": "*", "hooks": []any{hook}}}
	}
	ext := filepath.Join(l.Home, ".gemini", "extensions", "recorder")
	writeJSON(t, filepath.Join(ext, "gemini-extension.json"), map[string]any{"name": "recorder", "version": "1.0.0"})
	writeJSON(t, filepath.Join(ext, "hooks", "hooks.json"), map[string]any{"hooks": hooks})
	return func() []entry { return readEntries(t, dir) }
}

func readEntries(t *testing.T, dir string) []entry {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "*.json"))
	if err != nil {
		t.Fatal(err)
	}
	var entries []entry
	for _, file := range files {
		b, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var e entry
		if err := json.Unmarshal(b, &e); err != nil {
			t.Fatalf("%s: %v", b, err)
		}
		entries = append(entries, e)
	}
	return entries
}

func writeJSON(t *testing.T, path string, v any) {
	t.Helper()
	b, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, b, 0o644); err != nil {
		t.Fatal(err)
	}
}

func only(entries []entry, event string) []entry {
	return slices.DeleteFunc(slices.Clone(entries), func(e entry) bool { return e.Event != event })
}

// TestHarness shows that the lab is the real thing, so that the tests of boathook prove something: hooks fire, the model gets
// what tools return, and a project's .env reaches hooks.
func TestHarness(t *testing.T) {
	l := geminirun.New(t, "")
	model := l.Model(t, everything())
	recorded := addRecorder(t, l, "SessionStart", "BeforeTool", "AfterTool", "SessionEnd")
	if err := os.WriteFile(filepath.Join(l.Work, ".env"), []byte("PINTA_GUARD_DISABLED=1\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	r := l.Headless(t, geminirun.Relaunch, "please do")
	if r.Code != 0 || !strings.Contains(r.Stdout, "All done.") {
		t.Fatalf("exit code %d\n%s\n%s", r.Code, r.Stdout, r.Stderr)
	}
	entries := recorded()
	for event, want := range map[string]int{"SessionStart": 1, "BeforeTool": 7, "AfterTool": 7, "SessionEnd": 1} {
		if got := len(only(entries, event)); got != want {
			t.Errorf("%s fired %d times, want %d", event, got, want)
		}
	}
	for _, e := range entries {
		if !slices.Contains(e.Env, "PINTA_GUARD_DISABLED=1") {
			t.Errorf("%s did not get the project's .env", e.Event)
		}
	}
	responses := model.ToolResponses()
	if len(responses) != 7 || !strings.Contains(responses[0].Text(), "hi") {
		t.Errorf("the model got %d tool results, want 7: %+v", len(responses), responses)
	}
}

// TestHarnessStrictEnvironment shows what a run in a CI job of GitHub keeps from hooks.
func TestHarnessStrictEnvironment(t *testing.T) {
	l := geminirun.New(t, "")
	l.Model(t, touch())
	recorded := addRecorder(t, l, "BeforeTool")
	r := l.Headless(t, geminirun.Direct, "please do", "GITHUB_SHA=0123456789", "PINTA_RELAY_TOKEN=t", "XDG_DATA_HOME=/nowhere")
	if r.Code != 0 {
		t.Fatalf("exit code %d\n%s", r.Code, r.Stderr)
	}
	entries := recorded()
	if len(entries) != 1 {
		t.Fatalf("the recorder ran %d times, want once", len(entries))
	}
	for _, v := range entries[0].Env {
		if strings.HasPrefix(v, "PINTA_") || strings.HasPrefix(v, "XDG_") {
			t.Errorf("%s reached the hook", v)
		}
	}
}
