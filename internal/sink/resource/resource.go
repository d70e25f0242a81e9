// Package resource says what boathook's telemetry is about: the same attributes for spans and for metrics. It names the
// machine and the program, and nothing that differs between two processes of one machine (no process id, no start time),
// so that what is sent twice is the same twice.
package resource

import (
	"maps"
	"os"
	"runtime"
	"slices"

	"github.com/boathook/boathook/internal/otlp"
)

// executable is the program's name whatever its file is called, since a renamed copy is the same product.
const executable = "boathook"

// Attrs returns the attributes of a resource: those of the service and the machine, in a fixed order, then the extra ones
// in the order of their keys. An extra attribute takes the place of one that has its key, and removes it when it is empty.
func Attrs(service, version string, extra map[string]string) []otlp.Attr {
	host, _ := os.Hostname() // without a name the attribute is left out
	var out []otlp.Attr
	add := func(key, value string) {
		if _, replaced := extra[key]; !replaced && value != "" {
			out = append(out, otlp.Attr{Key: key, Value: value})
		}
	}
	add("service.name", service)
	add("service.version", version)
	add("host.name", host)
	add("host.arch", arch(runtime.GOARCH))
	add("os.type", osType(runtime.GOOS))
	add("process.executable.name", executable)
	add("process.runtime.name", "go")
	add("process.runtime.version", runtime.Version())
	for _, key := range slices.Sorted(maps.Keys(extra)) {
		if extra[key] != "" {
			out = append(out, otlp.Attr{Key: key, Value: extra[key]})
		}
	}
	return out
}

// arch is Go's name of an architecture in the words of the semantic conventions; amd64, arm64, ppc64 and s390x are theirs
// as well.
func arch(goarch string) string {
	switch goarch {
	case "386":
		return "x86"
	case "arm":
		return "arm32"
	case "ppc64le":
		return "ppc64"
	}
	return goarch
}

// osType is Go's name of a system in the words of the semantic conventions.
func osType(goos string) string {
	switch goos {
	case "dragonfly":
		return "dragonflybsd"
	case "illumos":
		return "solaris"
	}
	return goos
}
