// Package version says which boathook this is. The hook writes it into every record. It imports only the standard
// library, and does nothing until it is asked.
package version

import (
	"runtime/debug"
	"sync"
)

// Version is set by the linker: -ldflags "-X github.com/boathook/boathook/internal/version.Version=v1.2.3".
var Version string

// String is the version: the linker's, else the module's as `go install` stamped it, else "devel" with the revision.
func String() string {
	if Version != "" {
		return Version
	}
	return built()
}

var built = sync.OnceValue(func() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return devel
	}
	return fromBuild(info)
})

const devel = "devel"

func fromBuild(info *debug.BuildInfo) string {
	if v := info.Main.Version; v != "" && v != "(devel)" {
		return v
	}
	revision := setting(info, "vcs.revision")
	if len(revision) > 12 {
		revision = revision[:12]
	}
	if revision == "" {
		return devel
	}
	return devel + "+" + revision
}

func setting(info *debug.BuildInfo, key string) string {
	for _, s := range info.Settings {
		if s.Key == key {
			return s.Value
		}
	}
	return ""
}
