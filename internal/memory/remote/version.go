package remote

import (
	"fmt"
	"strings"

	"github.com/boathook/boathook/internal/memory"
)

// sameVersion compares versions as they are built: whether the checkout had changes that were not committed makes no other.
func sameVersion(a, b string) bool { return clean(a) == clean(b) }

func clean(version string) string {
	for _, mark := range []string{"+dirty", "-dirty"} {
		version = strings.TrimSuffix(version, mark)
	}
	return version
}

// CheckVersion is nil where the two programs are of one version, and else says how they come to be.
func CheckVersion(program, boathook string) error {
	if sameVersion(program, boathook) {
		return nil
	}
	return mismatch(program, boathook)
}

func mismatch(theirs, ours string) error {
	return &classified{
		text: fmt.Sprintf("boathook is %s and %s is %s; %s", plainVersion(ours), Program, plainVersion(theirs), cure),
		is:   []error{memory.ErrUnavailable, ErrVersion},
	}
}

// cure is what brings both programs to one version, side by side.
const cure = "install both at once, in one directory: 'make build', or 'go install github.com/boathook/boathook/...@latest'"

// plainVersion bounds what another program says of itself.
func plainVersion(v string) string {
	v = strings.Map(func(r rune) rune {
		if r < ' ' || r > '~' {
			return -1
		}
		return r
	}, v)
	if v == "" {
		return "of no version"
	}
	return v[:min(len(v), 60)]
}
