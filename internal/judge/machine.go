package judge

import (
	"runtime"

	"github.com/boathook/boathook/internal/effect/place"
)

// Machine is this machine, with a session that works in dir. Who has more to say fills the other fields in.
func Machine(home, dir, project string) *place.Machine {
	return &place.Machine{OS: runtime.GOOS, Home: home, Dir: dir, Project: project}
}
