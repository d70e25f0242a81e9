package version

import (
	"runtime/debug"
	"testing"
)

func TestFromBuild(t *testing.T) {
	tests := []struct {
		name string
		info debug.BuildInfo
		want string
	}{
		{"go install stamps the module", debug.BuildInfo{Main: debug.Module{Version: "v1.2.3"}}, "v1.2.3"},
		{"a checkout has its revision", debug.BuildInfo{
			Main:     debug.Module{Version: "(devel)"},
			Settings: []debug.BuildSetting{{Key: "vcs.revision", Value: "0123456789abcdef0123"}},
		}, "devel+0123456789ab"},
		{"nothing known", debug.BuildInfo{}, "devel"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := fromBuild(&tt.info); got != tt.want {
				t.Errorf("fromBuild() = %q, want %q", got, tt.want)
			}
		})
	}
}

func TestLinkerWins(t *testing.T) {
	defer func(old string) { Version = old }(Version)
	Version = "v9.9.9"
	if got := String(); got != "v9.9.9" {
		t.Errorf("String() = %q", got)
	}
}
