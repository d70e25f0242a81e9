package selfwatch

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// What matters is which hooks run: an agent may write its theme, its models and its permissions.
func TestWhatOfAFileMatters(t *testing.T) {
	for _, tc := range []struct {
		name, file, was, is string
		changed             bool
	}{
		{"a policy's blank", ".config/boathook/policy.toml", "version = 1\n", "version = 1 \n", true},
		{"our config", ".config/boathook/config.toml", "a = 1\n", "a = 2\n", true},
		{"a theme", ".claude/settings.json", `{"hooks":{"Stop":[]},"theme":"dark"}`, "{\n \"theme\": \"light\",\n \"hooks\": {\"Stop\": []}\n}", false},
		{"a hook", ".claude/settings.json", `{"hooks":{"Stop":[1]}}`, `{"hooks":{"Stop":[]}}`, true},
		{"all hooks off", ".claude/settings.json", `{"hooks":{}}`, `{"hooks":{},"disableAllHooks":true}`, true},
		{"no more JSON", ".claude/settings.json", `{"hooks":{}}`, `hooks`, true},
		{"Gemini's switch", ".gemini/settings.json", `{}`, `{"hooksConfig":{"enabled":false}}`, true},
		{"Codex's model", ".codex/config.toml", "model = \"a\"\n", "model = \"b\"\n[projects.x]\ntrust_level = \"trusted\"\n", false},
		{"what Codex may run", ".codex/config.toml", "", "[hooks.state.\"x\"]\ntrusted_hash = \"y\"\n", false},
		{"Codex's switch", ".codex/config.toml", "[features]\nhooks = true\n", "[features]\nhooks = false\n", true},
		{"a list of hooks", ".codex/hooks.json", `{"hooks":{}}`, `{ "hooks":{}}`, true},
	} {
		t.Run(tc.name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), filepath.FromSlash(tc.file))
			must(t, os.MkdirAll(filepath.Dir(path), 0o700))
			must(t, os.WriteFile(path, []byte(tc.was), 0o600))
			was := Look([]string{path})
			must(t, os.WriteFile(path, []byte(tc.is), 0o600))
			if got := len(Changes(was, Look([]string{path}))) > 0; got != tc.changed {
				t.Errorf("changed: %v", got)
			}
		})
	}
}

func TestChanges(t *testing.T) {
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	must(t, os.WriteFile(at("kept"), nil, 0o600))
	must(t, os.WriteFile(at("gone"), nil, 0o600))
	paths := []string{at("kept"), at("gone"), at("new"), at("dir"), "relative", ""}
	was := Look(paths)
	must(t, os.Remove(at("gone")))
	must(t, os.WriteFile(at("new"), nil, 0o600))
	must(t, os.Mkdir(at("dir"), 0o700))
	must(t, os.WriteFile(at("unknown"), nil, 0o600))
	var got []string
	for _, c := range Changes(was, Look(append(paths, at("unknown")))) {
		got = append(got, filepath.Base(c.Path)+" "+c.Text())
	}
	if diff := cmp.Diff([]string{"dir can't be read any more", "gone was removed", "new was made"}, got); diff != "" {
		t.Error(diff)
	}
}

// A command covers for what it did itself, and for nothing that was done before.
func TestACommandCoversForItselfAlone(t *testing.T) {
	b := Book{V: bookVersion, Files: map[string]Sum{"/tampered": "1", "/ours": "1", "/same": "1"}}
	before := map[string]Sum{"/tampered": "2", "/ours": "1", "/same": "1"}
	after := map[string]Sum{"/tampered": "2", "/ours": "3", "/same": "1", "/made": "1"}
	if !b.Expect(before, after) || b.Expect(before, after) {
		t.Error("the first time something changes, the second time nothing")
	}
	want := map[string]Sum{"/tampered": "1", "/ours": "3", "/same": "1", "/made": "1"}
	if diff := cmp.Diff(want, b.Files); diff != "" {
		t.Error(diff)
	}
}

func TestTheListIsKept(t *testing.T) {
	dir := t.TempDir()
	b, err := Read(dir)
	must(t, err)
	if !b.Learn(map[string]Sum{"/a": "1", "/b": Absent}) || b.Learn(map[string]Sum{"/a": "1", "/b": Absent}) {
		t.Error("it learns once")
	}
	must(t, b.Write(dir))
	must(t, b.Write(dir))
	again, err := Read(dir)
	must(t, err)
	if diff := cmp.Diff(b, again); diff != "" {
		t.Error(diff)
	}
	for _, text := range []string{"", "junk", `{"v":2}`} {
		must(t, os.WriteFile(filepath.Join(dir, File), []byte(text), 0o600))
		if b, err := Read(dir); err == nil || len(b.Files) != 0 {
			t.Errorf("%q: %v, %v", text, b, err)
		}
	}
}
