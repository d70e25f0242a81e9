// Package paths says where boathook keeps its files, by the XDG base directory specification, and where the account has its home. Callers pass the lookup, so
// that what may not be trusted (an agent's environment) is simply not asked.
package paths

import "path/filepath"

// Lookup finds a variable, as os.LookupEnv does.
type Lookup func(name string) (string, bool)

// ConfigDir is where config.toml and boathook.env live; empty when there is no home.
func ConfigDir(home string, env Lookup) string {
	return base(home, env, "XDG_CONFIG_HOME", ".config")
}

// DataDir is where the spool, the store and the key live; empty when there is no home.
func DataDir(home string, env Lookup) string {
	return base(home, env, "XDG_DATA_HOME", filepath.Join(".local", "share"))
}

func base(home string, env Lookup, name, below string) string {
	if env != nil {
		// The specification says that a relative path there is to be ignored.
		if dir, ok := env(name); ok && filepath.IsAbs(dir) {
			return filepath.Join(dir, "boathook")
		}
	}
	if !filepath.IsAbs(home) {
		return ""
	}
	return filepath.Join(home, below, "boathook")
}

// Project is the nearest directory at or above dir that holds a .git entry, else dir itself.
// exists tells whether a path is there; it is a parameter so that tests need no disk.
func Project(dir string, exists func(string) bool) string {
	if !filepath.IsAbs(dir) {
		return dir
	}
	for at, steps := filepath.Clean(dir), 0; steps < maxDepth; steps++ {
		if exists(filepath.Join(at, ".git")) {
			return at
		}
		up := filepath.Dir(at)
		if up == at {
			break
		}
		at = up
	}
	return dir
}

// maxDepth bounds the walk upwards: a path deeper than this is no project's root.
const maxDepth = 64
