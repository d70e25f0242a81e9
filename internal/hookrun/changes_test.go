package hookrun

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/boathook/boathook/internal/selfwatch"
)

func TestASessionsStartTellsOfChangedFiles(t *testing.T) {
	for name, tt := range map[string]struct {
		event, text string
		known       bool
		noted       string
	}{
		"changed":       {"SessionStart", "b", true, selfwatch.Note + "boathook/policy.toml was changed"},
		"the same":      {"SessionStart", "a", true, ""},
		"other events":  {"SessionEnd", "b", true, ""},
		"nothing known": {"SessionStart", "b", false, ""},
	} {
		t.Run(name, func(t *testing.T) {
			l := newLab(t, "")
			path := filepath.Join(t.TempDir(), "boathook", "policy.toml")
			for _, dir := range []string{filepath.Dir(path), l.data} {
				if err := os.MkdirAll(dir, 0o700); err != nil {
					t.Fatal(err)
				}
			}
			write := func(text string) {
				if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			write("a")
			if tt.known {
				book, _ := selfwatch.Read(l.data)
				book.Learn(selfwatch.Look([]string{path}))
				if err := book.Write(l.data); err != nil {
					t.Fatal(err)
				}
			}
			write(tt.text)
			l.run("gemini", tt.event, `{"session_id":"s","cwd":"/","hook_event_name":"`+tt.event+`","source":"startup"}`)
			notes := strings.Join(l.only(t).Notes, "\n")
			if tt.noted == "" && strings.Contains(notes, selfwatch.Note) || !strings.Contains(notes, tt.noted) || strings.Contains(notes, filepath.Dir(filepath.Dir(path))) {
				t.Errorf("notes: %q", notes)
			}
		})
	}
}
