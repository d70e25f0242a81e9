//go:build unix

package install

import (
	"errors"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/boathook/boathook/internal/config"
)

// configured makes the changes as the command does: a plan, and then that plan.
func configured(t *testing.T, env Env, path string, set ...Setting) *Plan {
	t.Helper()
	shown, err := Configure(env, path, set, nil)
	if err != nil {
		t.Fatal(err)
	}
	if shown.Empty() {
		return shown
	}
	p, err := Configure(env, path, set, shown)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

var enabled = []Setting{
	{"memory.enabled", "true"}, {"memory.inject", "review"}, {"memory.retrieval.topK", "3"}, {"memory.projectIds", map[string]string{"/shop": "acme/shop"}},
}

// TestConfigure: a config that install wrote, one of the user's own, and none at all.
func TestConfigure(t *testing.T) {
	for name, text := range map[string]string{
		"none": "", "the user's own": "# mine\n[guard]\nfail = \"closed\" # strict\n\n[memory]\n# a note\ninject = \"off\" # for now\n",
		"dotted": "memory.inject = \"off\"\nguard.fail = \"closed\"\n", "no table": "privacy = \"standard\"",
	} {
		t.Run(name, func(t *testing.T) {
			env := world(t)
			path := filepath.Join(env.Home, ".config", "boathook", "config.toml")
			if text != "" {
				put(t, path, text, 0o600)
			}
			p := configured(t, env, path, enabled...)
			s := config.Load(config.Request{Path: path, Home: env.Home})
			m := s.Memory
			if !m.Enabled || m.Inject != "review" || m.TopK != 3 || m.ProjectIDs["/shop"] != "acme/shop" || len(s.Problems) > 0 {
				t.Errorf("%+v, problems %q, plan %+v", m, s.Problems, p.Changes)
			}
			if strings.Contains(text, "closed") && !s.Guard.FailClosed {
				t.Error("another setting is gone")
			}
			if p := configured(t, env, path, enabled...); !p.Empty() {
				t.Errorf("the second time: %+v", p.Changes)
			}
			configured(t, env, path, Setting{"memory.enabled", "false"})
			if s := config.Load(config.Request{Path: path, Home: env.Home}); s.Memory.Enabled || s.Memory.Inject != "review" {
				t.Errorf("%+v", s.Memory)
			}
		})
	}
}

// TestConfigureIsUndone: a config of the user's own gets its bytes back with the last hooks.
func TestConfigureIsUndone(t *testing.T) {
	env := world(t)
	path := filepath.Join(env.Home, ".config", "boathook", "config.toml")
	const mine = "# mine\n[guard]\nfail = \"closed\"\n"
	put(t, path, mine, 0o600)
	install(t, env, Request{Agents: []string{"claude"}})
	configured(t, env, path, enabled...)
	if text(t, path) == mine {
		t.Fatal("nothing was set")
	}
	p, err := PlanUninstall(env, Request{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Uninstall(env, Request{}, p); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(mine, text(t, path)); diff != "" {
		t.Error(diff)
	}
}

func TestConfigureRefuses(t *testing.T) {
	env := world(t)
	path := filepath.Join(env.Home, ".config", "boathook", "config.toml")
	put(t, path, "[memory]\nenabled = false\n\"\"\"\n", 0o600)
	if _, err := Configure(env, path, enabled, nil); err == nil || !strings.Contains(err.Error(), "set memory.enabled there yourself") {
		t.Error(err)
	}
	put(t, path, "[memory]\nprojectIds = { \"/a\" = \"b\" }\n", 0o600)
	plan, err := Configure(env, path, enabled[:1], nil)
	if err != nil {
		t.Fatal(err)
	}
	put(t, path, "[memory]\n# another hand\n", 0o600)
	if _, err := Configure(env, path, enabled[:1], plan); !errors.Is(err, ErrChanged) {
		t.Errorf("%v", err)
	}
}
