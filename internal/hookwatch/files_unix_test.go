//go:build unix

package hookwatch

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/boathook/boathook/internal/config"
	"github.com/boathook/boathook/internal/selfwatch"
	"github.com/boathook/boathook/internal/store"
	"github.com/boathook/boathook/internal/worker"
)

// age makes a file, and the directory that it is in, as old as what nobody has just written.
func age(t *testing.T, path string) {
	t.Helper()
	old := time.Now().Add(-time.Minute)
	_ = os.Chtimes(path, old, old) // it may be gone
	if err := os.Chtimes(filepath.Dir(path), old, old); err != nil {
		t.Fatal(err)
	}
}

func TestChangedFilesAreToldOnce(t *testing.T) {
	w := installed(t, "claude", "codex")
	data := t.TempDir()
	conf := filepath.Join(w.Env.Home, ".config/boathook")
	s := config.Settings{Path: filepath.Join(conf, "config.toml"), DataDir: data}
	s.Files = []config.File{{Path: s.Path}}
	s.Policy.File = filepath.Join(conf, "policy.toml")
	look := func() []string {
		t.Helper()
		changed, told := w.Files(s, data)([]store.LiveSession{{Agent: "claude", Session: "s"}, {Agent: "codex", Session: "older"}})
		if told != nil {
			told()
		}
		if len(changed) == 0 {
			return nil
		}
		if r := changed[0]; len(changed) > 1 || r.HostEvent != worker.FilesChanged || r.Agent != "claude" || r.SessionID != "s" || r.ID == "" {
			t.Errorf("%+v", changed)
		}
		return changed[0].Notes
	}
	says := func(texts ...string) []string {
		for i := range texts {
			texts[i] = selfwatch.Note + texts[i]
		}
		return texts
	}
	if got := look(); got != nil {
		t.Errorf("at first: %q", got)
	}
	for _, tc := range []struct {
		name   string
		change func()
		path   string
		want   []string
	}{
		{"nothing", func() {}, s.Path, nil},
		{"a policy is made", func() { put(t, s.Policy.File, "version = 1\n") }, s.Policy.File, says("~/.config/boathook/policy.toml was made")},
		{"the config is changed", func() { put(t, s.Path, "# other\n") }, s.Path, says("~/.config/boathook/config.toml was changed")},
		{"a policy is removed", func() { _ = os.Remove(s.Policy.File) }, s.Policy.File, says("~/.config/boathook/policy.toml was removed")},
		{"the switch", func() { put(t, filepath.Join(conf, "off"), "{}") }, filepath.Join(conf, "off"), says("~/.config/boathook/off was made")},
		{"hooks", func() { put(t, filepath.Join(w.Env.Home, ".claude/settings.json"), "{}") }, filepath.Join(w.Env.Home, ".claude/settings.json"), says("~/.claude/settings.json was changed")},
		{"trust in a policy", func() { put(t, filepath.Join(data, "policy/trusted"), "x") }, filepath.Join(data, "policy/trusted"), says(filepath.Join(data, "policy/trusted") + " was made")},
	} {
		tc.change()
		if tc.want != nil {
			if got := look(); got != nil {
				t.Errorf("%s: told while it may still be written: %q", tc.name, got)
			}
		}
		age(t, tc.path)
		if diff := cmp.Diff(tc.want, look()); diff != "" {
			t.Errorf("%s: %s", tc.name, diff)
		}
		if got := look(); got != nil {
			t.Errorf("%s: again: %q", tc.name, got)
		}
	}
}
