//go:build unix

package install

import (
	"path/filepath"
	"testing"
)

// A config that the user wrote gets its bytes back, by uninstall and by purge; one that was edited since keeps the edits.
func TestAUsersOwnConfigComesBack(t *testing.T) {
	const own = "# mine\n[guard]\nendpoint = \"http://old/\" # keep\nfail = \"closed\"\n"
	for name, purge := range map[string]bool{"uninstall": false, "purge": true} {
		t.Run(name, func(t *testing.T) {
			env := world(t)
			path := filepath.Join(env.Home, ".config", "boathook", "config.toml")
			put(t, path, own, 0o600)
			before := tree(t, env.Home)
			for _, endpoint := range []string{"http://new/", "http://newer/"} {
				install(t, with(env, map[string]string{"PINTA_GUARD_ENDPOINT": endpoint}), both)
				if got := text(t, path); got != "# mine\n[guard]\nendpoint = \""+endpoint+"\" # keep\nfail = \"closed\"\n" {
					t.Errorf("after install:\n%s", got)
				}
			}
			uninstall(t, env, Request{Purge: purge})
			if got := text(t, path); got != own {
				t.Errorf("after %s:\n%s", name, got)
			}
			if purge {
				same(t, before, tree(t, env.Home))
			}
		})
	}
	t.Run("edited since", func(t *testing.T) {
		env := world(t)
		path := filepath.Join(env.Home, ".config", "boathook", "config.toml")
		put(t, path, own, 0o600)
		install(t, with(env, map[string]string{"PINTA_GUARD_ENDPOINT": "http://new/"}), both)
		edit(t, path, "# mine", "# mine still")
		uninstall(t, env, Request{Purge: true})
		if got := text(t, path); got != "# mine still\n[guard]\nendpoint = \"http://new/\" # keep\nfail = \"closed\"\n" {
			t.Errorf("got:\n%s", got)
		}
	})
}
