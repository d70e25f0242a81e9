package hookrun

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestASessionsStartTellsWhatTheRepositorySwitchesOff(t *testing.T) {
	for name, tt := range map[string]struct {
		event, file, text string
		noted             string
	}{
		"claude":       {"SessionStart", ".claude/settings.json", `{"disableAllHooks":true}`, "repository's .claude/settings.json has disableAllHooks = true, so that claude"},
		"gemini":       {"SessionStart", ".gemini/settings.json", `{"hooksConfig":{"enabled":false}}`, "hooksConfig.enabled = false"},
		"nothing":      {"SessionStart", ".claude/settings.json", `{"hooks":{}}`, ""},
		"other events": {"SessionEnd", ".claude/settings.json", `{"disableAllHooks":true}`, ""},
	} {
		t.Run(name, func(t *testing.T) {
			l := newLab(t, "")
			repo := t.TempDir()
			below := filepath.Join(repo, "below")
			path := filepath.Join(repo, tt.file)
			for _, dir := range []string{below, filepath.Join(repo, ".git"), filepath.Dir(path)} {
				if err := os.MkdirAll(dir, 0o755); err != nil {
					t.Fatal(err)
				}
			}
			if err := os.WriteFile(path, []byte(tt.text), 0o600); err != nil {
				t.Fatal(err)
			}
			l.run("gemini", tt.event, `{"session_id":"s","cwd":"`+below+`","hook_event_name":"`+tt.event+`","source":"startup"}`)
			notes := strings.Join(l.only(t).Notes, "\n")
			if tt.noted == "" && strings.Contains(notes, "switched off") || !strings.Contains(notes, tt.noted) || strings.Contains(notes, repo) {
				t.Errorf("notes: %q", notes)
			}
		})
	}
}
