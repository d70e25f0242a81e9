package resource

import (
	"os"
	"runtime"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/boathook/boathook/internal/otlp"
)

func TestAttrs(t *testing.T) {
	host, err := os.Hostname()
	if err != nil {
		t.Skipf("this machine has no name: %v", err)
	}
	got := Attrs("gemini-cli", "v1.2.3", map[string]string{
		"team": "blue", "host.name": "build-7", "deployment.environment.name": "ci", "process.runtime.name": "",
	})
	want := []otlp.Attr{
		{Key: "service.name", Value: "gemini-cli"},
		{Key: "service.version", Value: "v1.2.3"},
		{Key: "host.arch", Value: arch(runtime.GOARCH)},
		{Key: "os.type", Value: osType(runtime.GOOS)},
		{Key: "process.executable.name", Value: "boathook"},
		{Key: "process.runtime.version", Value: runtime.Version()},
		{Key: "deployment.environment.name", Value: "ci"},
		{Key: "host.name", Value: "build-7"},
		{Key: "team", Value: "blue"},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	var name any
	for _, a := range Attrs("boathook", "", nil) {
		if a.Key == "host.name" {
			name = a.Value
		}
		if a.Key == "service.version" {
			t.Error("an unknown version is stated")
		}
	}
	if name != host {
		t.Errorf("host.name = %v, want %q", name, host)
	}
}

func TestConventionalNames(t *testing.T) {
	for goarch, want := range map[string]string{"amd64": "amd64", "arm64": "arm64", "arm": "arm32", "386": "x86", "ppc64le": "ppc64"} {
		if got := arch(goarch); got != want {
			t.Errorf("arch(%s) = %s, want %s", goarch, got, want)
		}
	}
	for goos, want := range map[string]string{"linux": "linux", "darwin": "darwin", "windows": "windows", "dragonfly": "dragonflybsd"} {
		if got := osType(goos); got != want {
			t.Errorf("osType(%s) = %s, want %s", goos, got, want)
		}
	}
}
