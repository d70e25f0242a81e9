package place

import (
	"strings"

	"github.com/boathook/boathook/internal/shellcmd/word"
	"github.com/boathook/boathook/policy"
)

// where is the place of an absolute, clean path. Of all that a directory holds it is the directory's.
func (m *Machine) where(path string, glob, all bool) policy.Where {
	if all {
		dir := path[:strings.LastIndexByte(path, '/')]
		if dir == "" || drive(dir) == dir {
			return policy.Root
		}
		if m.isTemp(dir) {
			return policy.Temp
		}
		return m.where(dir, glob && hasPattern(dir), false)
	}
	if isRoot(path) {
		return policy.Root
	}
	if at := firstVague(path, glob); at >= 0 {
		if w, ok := m.vague(path, at); ok {
			return w
		}
	}
	if w, ok := m.ofProject(path); ok {
		return w
	}
	w := m.outside(path)
	if w == policy.Temp || w == policy.Elsewhere {
		if project := m.project(); project != "" {
			if _, holds := m.below(project, path); holds {
				return policy.Project
			}
		}
	}
	return w
}

// vague is where a path leads whose first part that is no fixed name stands high up.
func (m *Machine) vague(path string, at int) (policy.Where, bool) {
	dir := path[:strings.LastIndexByte(path[:at], '/')]
	unknown := strings.HasPrefix(path[len(dir)+1:], word.Unknown)
	switch {
	case dir == "" || drive(dir) == dir:
		if unknown && strings.HasSuffix(path, word.Unknown) {
			return policy.Root, true // it may be nothing
		}
		return policy.System, true
	case dir == "/home" || dir == "/Users":
		return policy.Home, true
	}
	if _, holds := m.below(m.home(), dir); holds && !m.isHome(dir) {
		return policy.Home, true
	}
	return "", false
}

func isRoot(path string) bool {
	return path == "/" || len(path) <= 3 && drive(path) != ""
}

// project is the project's root, where there is one: the home, and what holds it, is none.
func (m *Machine) project() string {
	p := slashed(m.Project, m.OS)
	if p == "" || isRoot(p) {
		return ""
	}
	if _, holds := m.below(m.home(), p); holds {
		return ""
	}
	return p
}

func (m *Machine) home() string { return slashed(m.Home, m.OS) }

func (m *Machine) isHome(path string) bool {
	rest, in := m.below(path, m.home())
	return in && rest == ""
}

func (m *Machine) ofProject(path string) (policy.Where, bool) {
	rest, in := m.below(path, m.project())
	switch {
	case !in:
		return "", false
	case rest == "":
		return policy.Project, true
	case inVCS(rest):
		return policy.VCS, true
	}
	return policy.Inside, true
}

// inVCS tells whether a part of a path is a version control system's own directory.
func inVCS(path string) bool {
	for part := range strings.SplitSeq(path, "/") {
		switch strings.ToLower(part) {
		case ".git", ".hg", ".jj", ".svn", ".bzr":
			return true
		}
	}
	return false
}

func (m *Machine) outside(path string) policy.Where {
	if m.belowTemp(path) && !m.homeInTemp(path) {
		return policy.Temp
	}
	if m.isTemp(path) {
		return policy.System
	}
	if home := m.home(); home != "" {
		rest, in := m.below(path, home)
		if in && rest != "" {
			return policy.User
		}
		if _, holds := m.below(home, path); in || holds {
			return policy.Home
		}
	}
	return m.ofMachine(path)
}

// homeInTemp tells whether a path is in a home that itself lies in a temporary directory, as in a container: a home it is all the same.
func (m *Machine) homeInTemp(path string) bool {
	home := m.home()
	if home == "" || !m.belowTemp(home) {
		return false
	}
	_, in := m.below(path, home)
	_, holds := m.below(home, path)
	return in || holds
}

// ofMachine is the place of a path by what directories systems have.
func (m *Machine) ofMachine(path string) policy.Where {
	if drive(path) != "" {
		return ofDrive(strings.ToLower(path[3:]))
	}
	top, rest, _ := strings.Cut(strings.TrimPrefix(path, "/"), "/")
	if m.folds() {
		top = strings.ToLower(top)
	}
	switch top {
	case "home", "Users", "users":
		if rest == "Shared" || strings.HasPrefix(rest, "Shared/") {
			return policy.Elsewhere
		}
		return policy.Home
	case "root":
		return policy.Home
	case "bin", "sbin", "lib", "lib32", "lib64", "libx32", "usr", "etc", "var", "boot", "efi", "dev", "proc", "sys", "run", "opt", "nix", "snap",
		"System", "Library", "Applications", "private", "cores", "Network", "lost+found",
		"system", "library", "applications", "network":
		return policy.System
	}
	return policy.Elsewhere
}

func ofDrive(path string) policy.Where {
	top, _, _ := strings.Cut(path, "/")
	switch top {
	case "users", "documents and settings":
		return policy.Home
	case "windows", "winnt", "program files", "program files (x86)", "programdata", "system volume information", "boot", "recovery",
		"$recycle.bin", "perflogs":
		return policy.System
	}
	return policy.Elsewhere
}
