package off

import (
	"os"
	"path/filepath"
)

// maxDepth bounds the way up from a directory.
const maxDepth = 256

// Below tells by the names alone whether a directory is a project, or lies in it.
func Below(dir, project string) bool {
	if !filepath.IsAbs(dir) || !filepath.IsAbs(project) {
		return false
	}
	rel, err := filepath.Rel(project, dir)
	return err == nil && filepath.IsLocal(rel)
}

// In finds the project that a directory is, or lies in. The file system says what is the same directory: it knows links,
// and whether Work and work are two. A directory that cannot be looked at lies in no project.
func In(dir string, projects []string) (project string, ok bool) {
	if len(projects) == 0 || !filepath.IsAbs(dir) {
		return "", false
	}
	at, err := filepath.EvalSymlinks(dir)
	if err != nil {
		return "", false
	}
	infos := make([]os.FileInfo, len(projects))
	for i, p := range projects {
		if filepath.IsAbs(p) {
			infos[i], _ = os.Stat(p) // one that is gone is no project
		}
	}
	for range maxDepth {
		here, err := os.Stat(at)
		if err != nil {
			return "", false
		}
		for i, info := range infos {
			if info != nil && os.SameFile(here, info) {
				return projects[i], true
			}
		}
		up := filepath.Dir(at)
		if up == at {
			break
		}
		at = up
	}
	return "", false
}
