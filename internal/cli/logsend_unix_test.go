//go:build unix

package cli

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// What a look at the log takes from the spool has to be sent as well: a worker is started where there is a destination.
func TestLogStartsAWorkerToSend(t *testing.T) {
	for _, endpoint := range []string{"", "http://127.0.0.1:1/v1/traces"} {
		home := configured(t, endpoint)
		exe := filepath.Join(home, "program")
		if err := os.WriteFile(exe, []byte("#!/bin/sh\necho \"$@\" > '"+home+"/started.tmp' && mv '"+home+"/started.tmp' '"+home+"/started'\n"), 0o700); err != nil {
			t.Fatal(err)
		}
		spoolEvents(t, home, 0, 1, nil)
		env := testEnv(home)
		env.Stdout, env.Stderr, env.Exe, env.Now = &bytes.Buffer{}, &bytes.Buffer{}, exe, time.Now
		if code := Run(t.Context(), env, []string{"log"}); code != exitOK {
			t.Fatalf("exit %d", code)
		}
		if endpoint == "" {
			if _, err := os.Stat(filepath.Join(home, ".local", "share", "boathook", "worker.stamp")); err == nil {
				t.Error("a worker is started with nowhere to send to")
			}
			continue
		}
		waitFor(t, func() bool { _, err := os.Stat(filepath.Join(home, "started")); return err == nil })
		args, err := os.ReadFile(filepath.Join(home, "started"))
		if err != nil || !strings.HasPrefix(string(args), "worker --data ") || !strings.Contains(string(args), "config.toml") {
			t.Errorf("%v: %s", err, args)
		}
	}
}
