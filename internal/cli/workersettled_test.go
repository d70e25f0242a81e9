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
	env.Now = time.Now
	p := &place{config: path}
	for _, half := range []string{"", "[telemetry]\nendpoint = \"http://127.0.0.1"} {
		rewrite(t, home, half)
		written := make(chan error, 1)
		go func() {
			time.Sleep(quiet / 3)
			written <- os.WriteFile(path, whole, 0o600)
		}()
		_, s, err := p.settled(t.Context(), env, false)
		if werr := <-written; err != nil || werr != nil || s.Telemetry.Endpoint != "http://127.0.0.1:1/v1/traces" {
			t.Errorf("%q: endpoint %q, %v, %v", half, s.Telemetry.Endpoint, err, werr)
		}
	}
	// By a clock at which the file is always new.
	looks := 0
	env.Now = func() time.Time {
		looks++
		info, err := os.Stat(path)
		if err != nil {
			t.Fatal(err)
		}
		return info.ModTime()
	}
	if _, s, err := p.settled(t.Context(), env, true); err != nil || s.Telemetry.Endpoint == "" || looks == 0 {
		t.Errorf("%d looks: %v", looks, err)
	}
}
