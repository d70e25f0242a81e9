//go:build unix

package install

import (
	"os"
	"path/filepath"
	"testing"
)

// furnished is a home with everything that install replaces or edits.
func furnished(t *testing.T) Env {
	t.Helper()
	env := world(t)
	put(t, hooksFile(env), "{\n  \"a\": {},\n  \"pinta-gemini\": {\"Stop\": []},\n  \"z\": {}\n}\n", 0o640)
	put(t, filepath.Join(env.Home, ".gemini", "extensions", "pinta-gemini", "hooks", "hooks.json"), "{}", 0o600)
	return env
}

// killedAfter makes the first n changes of a plan, as a process does that is killed then. It says whether there were more.
func killedAfter(t *testing.T, p *Plan, err error, n int) bool {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	if n >= len(p.Changes) {
		return false
	}
	if err := run(p.Changes[:n]); err != nil {
		t.Fatal(err)
	}
	// What the next change leaves when it is killed in the middle: a file that is not renamed yet.
	next := p.Changes[n]
	if next.Op == Create || next.Op == Edit {
		put(t, filepath.Join(filepath.Dir(next.Path), "."+filepath.Base(next.Path)+".boathook-0a1b2c3d.tmp"), "half", 0o600)
	}
	return true
}

// Whatever was done of an install or an uninstall, the next one finishes it or takes it back, to the byte.
func TestInterrupted(t *testing.T) {
	begin := map[string]func(t *testing.T, env Env) (*Plan, error){
		"install": func(_ *testing.T, env Env) (*Plan, error) { return PlanInstall(env, both) },
		"upgrade": func(t *testing.T, env Env) (*Plan, error) {
			install(t, env, both)
			env.Version = "v2"
			return PlanInstall(env, Request{Agents: both.Agents, Events: []string{"all"}})
		},
		"uninstall": func(t *testing.T, env Env) (*Plan, error) {
			install(t, env, both)
			return PlanUninstall(env, Request{})
		},
		"purge": func(t *testing.T, env Env) (*Plan, error) {
			install(t, env, both)
			put(t, filepath.Join(env.Home, ".local", "share", "boathook", "events.db"), "x", 0o600)
			return PlanUninstall(env, Request{Purge: true})
		},
	}
	finish := map[string]func(t *testing.T, env Env){
		"purge":             func(t *testing.T, env Env) { uninstall(t, env, Request{Purge: true}) },
		"install and purge": func(t *testing.T, env Env) { install(t, env, both); uninstall(t, env, Request{Purge: true}) },
		"uninstall and purge": func(t *testing.T, env Env) {
			uninstall(t, env, Request{})
			uninstall(t, env, Request{Purge: true})
		},
	}
	for what, start := range begin {
		for how, end := range finish {
			t.Run(what+", then "+how, func(t *testing.T) {
				for n := 0; ; n++ {
					env := furnished(t)
					before := tree(t, env.Home)
					p, err := start(t, env)
					if !killedAfter(t, p, err, n) {
						return
					}
					end(t, env)
					same(t, before, tree(t, env.Home))
				}
			})
		}
	}
}

// The same for entries among those of others, and for scripts.
func TestInterruptedAmongOthers(t *testing.T) {
	req := Request{Agents: []string{"claude", "copilot"}}
	begin := map[string]func(t *testing.T, env Env) (*Plan, error){
		"install": func(_ *testing.T, env Env) (*Plan, error) {
			return PlanInstall(env, Request{Agents: []string{"cursor", "cline"}})
		},
		"fewer events": func(t *testing.T, env Env) (*Plan, error) {
			install(t, env, Request{Agents: req.Agents, Events: []string{"all"}})
			return PlanInstall(env, Request{Agents: req.Agents, Events: []string{"default"}})
		},
		"uninstall": func(t *testing.T, env Env) (*Plan, error) {
			install(t, env, req)
			return PlanUninstall(env, Request{})
		},
	}
	for what, start := range begin {
		for _, again := range []bool{true, false} {
			t.Run(what, func(t *testing.T) {
				for n := 0; ; n++ {
					env := world(t)
					furnish(t, env, homes()["another guard in every agent"])
					before := tree(t, env.Home)
					p, err := start(t, env)
					if !killedAfter(t, p, err, n) {
						return
					}
					if again {
						install(t, env, req)
					}
					uninstall(t, env, Request{Purge: true})
					same(t, before, tree(t, env.Home))
				}
			})
		}
	}
}

// The manifest comes and goes with its directories in one step; what is left of that step is swept.
func TestInterruptedManifest(t *testing.T) {
	for _, left := range []string{".local" + comingSuffix + "/share/boathook/install/manifest.json", ".local" + goingSuffix + "/share/boathook/install/backups/x"} {
		env := furnished(t)
		before := tree(t, env.Home)
		put(t, filepath.Join(env.Home, left), "half", 0o600)
		uninstall(t, env, Request{})
		same(t, before, tree(t, env.Home))
		put(t, filepath.Join(env.Home, left), "half", 0o600)
		install(t, env, both)
		uninstall(t, env, Request{Purge: true})
		same(t, before, tree(t, env.Home))
	}
}

// A lost backup is no reason to keep the hooks in.
func TestBackupsAreGone(t *testing.T) {
	env := world(t)
	put(t, hooksFile(env), otherHook, 0o644)
	install(t, env, both)
	if err := os.RemoveAll(filepath.Join(installDir(env), backupsName)); err != nil {
		t.Fatal(err)
	}
	p := uninstall(t, env, Request{})
	if got := text(t, hooksFile(env)); got != otherHook || len(p.Notes) == 0 {
		t.Errorf("%q %q", got, p.Notes)
	}
}

// When the manifest can't be written, nothing is left; when a later step fails, neither.
func TestFailedChangesAreTakenBack(t *testing.T) {
	env := furnished(t)
	before := tree(t, env.Home)
	p, err := PlanInstall(env, both)
	if err != nil {
		t.Fatal(err)
	}
	for n := range p.Changes {
		broken := append(append([]Change{}, p.Changes[:n]...), Change{Op: "no such", Path: "/"})
		if err := run(broken); err == nil {
			t.Fatal("no error")
		}
		same(t, before, tree(t, env.Home))
		if c := p.Changes[n]; c.Op == Create || c.Op == Edit { // written, and then said to have failed
			_ = run(p.Changes[:n])
			back := c.undo()
			if err := c.do(); err != nil {
				t.Fatal(err)
			}
			if err := back(); err != nil {
				t.Fatal(err)
			}
			uninstall(t, env, Request{Purge: true})
			same(t, before, tree(t, env.Home))
		}
	}
}
