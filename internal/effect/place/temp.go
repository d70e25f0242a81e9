package place

import "strings"

// temps are the temporary directories that systems have.
var temps = [...]string{
	"/tmp", "/var/tmp", "/private/tmp", "/private/var/tmp", "/private/var/folders", "/var/folders", "/dev/shm", "/usr/tmp",
	"C:/Windows/Temp", "C:/Temp", "C:/tmp",
}

func (m *Machine) isTemp(path string) bool {
	for _, t := range temps {
		if rest, in := m.below(path, t); in && rest == "" {
			return true
		}
	}
	for _, t := range m.Temp {
		if rest, in := m.below(path, m.temp(t)); in && rest == "" {
			return true
		}
	}
	return m.isLocalTemp(path, true)
}

func (m *Machine) belowTemp(path string) bool {
	for _, t := range temps {
		if rest, in := m.below(path, t); in && rest != "" {
			return true
		}
	}
	for _, t := range m.Temp {
		if rest, in := m.below(path, m.temp(t)); in && rest != "" {
			return true
		}
	}
	return m.isLocalTemp(path, false)
}

// temp is a further temporary directory, unless it holds the home or the project: then a variable is wrong.
func (m *Machine) temp(dir string) string {
	dir = strings.TrimSuffix(slashed(dir, m.OS), "/")
	if !absolute(dir) || isRoot(dir) {
		return ""
	}
	for _, kept := range [...]string{m.home(), slashed(m.Project, m.OS)} {
		if _, holds := m.below(kept, dir); kept != "" && holds {
			return ""
		}
	}
	return dir
}

// isLocalTemp tells whether a path is a user's own temporary directory on Windows, or below it.
func (m *Machine) isLocalTemp(path string, itself bool) bool {
	if m.OS != "windows" || m.Home == "" {
		return false
	}
	rest, in := m.below(path, m.home()+"/AppData/Local/Temp")
	return in && (rest == "") == itself
}
