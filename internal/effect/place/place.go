// Package place tells where a path is: in the project, in a temporary directory, in the home, in the system. It looks at the disk only
// through Facts.
package place

// Facts is what may be asked of the disk. Each method returns within the machine's patience and must not be called where that is spent;
// all may be called concurrently.
type Facts interface {
	// Resolve follows the symbolic links of an absolute path as far as it exists; ok is false where the disk does not say.
	Resolve(path string) (real string, ok bool)
	// Exists tells whether something is there; known is false where the disk does not say.
	Exists(path string) (exists, known bool)
	// Ignored tells whether the project's git ignores a path below its root.
	Ignored(root, path string) bool
}

// Machine is what a call's paths are seen against.
type Machine struct {
	// OS is a GOOS. Home, Dir and Project are absolute, or empty where not known.
	OS, Home, Dir, Project string
	// Temp are further temporary directories (TMPDIR).
	Temp []string
	// Guard are boathook's own paths: config, policy, data, program. Agents are the agents' files of hooks and permissions beside those
	// that every machine has.
	Guard, Agents []string
	// Facts is nil where nothing may be asked: paths are then taken as they are written.
	Facts Facts
	// Links are symbolic links that the judged text makes itself.
	Links []Link
}
