package install

import (
	"os"
	"path/filepath"
)

func lookup(env Env, name string) string {
	if env.Lookup == nil {
		return ""
	}
	v, _ := env.Lookup(name)
	return v
}

// onPath tells whether a program is in one of the absolute directories of PATH.
func onPath(env Env, name string) bool {
	for _, dir := range filepath.SplitList(lookup(env, "PATH")) {
		if !filepath.IsAbs(dir) {
			continue
		}
		if info, err := os.Stat(filepath.Join(dir, name)); err == nil && info.Mode().IsRegular() && info.Mode()&0o111 != 0 {
			return true
		}
	}
	return false
}
