package cli

import (
	"os"
	"path/filepath"
	"testing"
	"time"
)

// TestHalfWrittenConfig: an editor that writes in place is waited for, and one that never ends is not waited for for ever.
func TestHalfWrittenConfig(t *testing.T) {
	home := configured(t, "http://127.0.0.1:1/v1/traces")
	path := filepath.Join(home, ".config", "boathook", "config.toml")
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	env := testEnv(home)
	p := &place{config: path}
	// By a clock at which the file is always new, and an editor that is done after two looks.
	looks := 0
	env.Now = func() time.Time {
		info, err := os.Stat(path)
		if err != nil {
			t.Fatal(err)
		}
		if looks++; looks == 2 {
			if err := os.WriteFile(path, whole, 0o600); err != nil {
				t.Fatal(err)
			}
		}
		return info.ModTime()
	}
	for _, half := range []string{"", "[telemetry]\nendpoint = \"http://127.0.0.1"} {
		rewrite(t, home, half)
		looks = 0
		if _, s, err := p.settled(t.Context(), env, false); err != nil || s.Telemetry.Endpoint != "http://127.0.0.1:1/v1/traces" || looks != 2 {
			t.Errorf("%q: endpoint %q after %d looks, %v", half, s.Telemetry.Endpoint, looks, err)
		}
	}
	looks = 2
	if _, s, err := p.settled(t.Context(), env, true); err != nil || s.Telemetry.Endpoint == "" || looks == 2 {
		t.Errorf("%d looks: %v", looks, err)
	}
}
