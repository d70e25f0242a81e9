//go:build unix

package install

import (
	"os"
	"path/filepath"
	"testing"
)

// What users' agents can't get at would be installed for nobody, without a word.
func TestManagedIsForEverybody(t *testing.T) {
	for name, tt := range map[string]struct {
		path string
		mode os.FileMode
		says string
	}{
		"program":              {"usr/bin/boathook", 0o700, "usr/bin/boathook for everybody: users have no right to it (mode 0700)"},
		"program's directory":  {"usr/bin", 0o700, "users can't get into"},
		"directory above":      {"usr", 0o750, "users can't get into"},
		"file of hooks":        {"etc/cursor/hooks.json", 0o600, "etc/cursor/hooks.json for everybody: users have no right to it (mode 0600)"},
		"directory of hooks":   {"etc/cursor", 0o700, "users can't get into"},
		"administrator's file": {"etc/boathook/config.toml", 0o600, "config.toml for everybody: users have no right to it"},
	} {
		t.Run(name, func(t *testing.T) {
			env := machine(t)
			put(t, filepath.Join(env.Root, "etc/cursor/hooks.json"), `{"version":1,"hooks":{}}`, 0o644)
			put(t, env.Managed, "", 0o644)
			if err := os.Chmod(filepath.Join(env.Root, tt.path), tt.mode); err != nil {
				t.Fatal(err)
			}
			before := tree(t, env.Root)
			_, err := PlanInstall(env, everybody)
			wantRefused(t, err, tt.says)
			same(t, before, tree(t, env.Root))
		})
	}
}
