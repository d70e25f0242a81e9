//go:build unix

package install

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// Who was found and can't be installed is named, and nothing is said of hooks that it does not get.
func TestSkippedAgents(t *testing.T) {
	env := world(t)
	put(t, filepath.Join(env.Home, ".claude", "settings.json"), "{\n// no JSON\n}\n", 0o644)
	p := install(t, env, Request{Agents: []string{"claude", "copilot"}, Found: true})
	if !slices.Equal(p.Skipped, []string{"claude"}) || len(p.Failures) != 1 {
		t.Errorf("skipped %q, failures %q", p.Skipped, p.Failures)
	}
	if notes := strings.Join(p.Notes, "\n"); strings.Contains(notes, "stay silent") {
		t.Error(notes)
	}
}

// Without a home directory nothing of the working directory is taken for the user's.
func TestLookWithoutAHome(t *testing.T) {
	env := world(t)
	install(t, env, Request{Agents: []string{"claude", "codex"}})
	if found, err := Look(env); err != nil || len(found) != 2 {
		t.Fatalf("%d places, %v", len(found), err)
	}
	t.Chdir(env.Home)
	env.Home = ""
	if found, err := Look(env); err != nil || len(found) != 0 {
		t.Errorf("%+v, %v", found, err)
	}
}
