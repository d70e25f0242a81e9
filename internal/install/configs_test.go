//go:build unix

package install

import (
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestConfigsOfTheHooks: the user's own come first, and a project's files name none that install did not write there.
func TestConfigsOfTheHooks(t *testing.T) {
	env := world(t)
	project, other := t.TempDir(), t.TempDir()
	own, theirs := filepath.Join(other, "own.toml"), filepath.Join(other, "project.toml")
	configs := func() []string {
		places, err := Look(env)
		if err != nil {
			t.Fatal(err)
		}
		return Configs(places)
	}
	if got := configs(); got != nil {
		t.Errorf("without hooks: %v", got)
	}
	install(t, env, Request{Agents: []string{"antigravity"}, Workspace: project, Config: theirs})
	install(t, env, Request{Agents: []string{"gemini"}, Config: own})
	if diff := cmp.Diff([]string{own, theirs}, configs()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	install(t, env, Request{Agents: []string{"antigravity"}, Config: own})
	if diff := cmp.Diff([]string{own, theirs}, configs()); diff != "" {
		t.Errorf("one config twice (-want +got):\n%s", diff)
	}
	script := filepath.Join(project, ".agents", stubName)
	edit(t, script, theirs, filepath.Join(project, "evil.toml"))
	if diff := cmp.Diff([]string{own}, configs()); diff != "" {
		t.Errorf("an edited project (-want +got):\n%s", diff)
	}
}
