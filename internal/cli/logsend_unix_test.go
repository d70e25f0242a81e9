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

// What a command starts has the settings that the command sees: without a config, or with an environment that is trusted,
// these are in variables.
func TestStartedWorkerHasTheVariables(t *testing.T) {
	for _, config := range []string{"", "environment = \"trusted\"\n"} {
		home := configured(t, "")
		path := filepath.Join(home, ".config", "boathook", "config.toml")
		where := "--config " + path
		if config == "" {
			if err := os.Remove(path); err != nil {
				t.Fatal(err)
			}
			where = "--no-config"
		} else {
			rewrite(t, home, config)
		}
		exe := filepath.Join(home, "program")
		script := "#!/bin/sh\n(echo \"$@\"; env) > '" + home + "/started.tmp' && mv '" + home + "/started.tmp' '" + home + "/started'\n"
		if err := os.WriteFile(exe, []byte(script), 0o700); err != nil {
			t.Fatal(err)
		}
		d := newDestination(t)
		vars := map[string]string{"OTEL_EXPORTER_OTLP_TRACES_ENDPOINT": d.URL + "/v1/traces", "OTHERS": "x", "HOME": home}
		run := func(args ...string) {
			t.Helper()
			var out bytes.Buffer
			env := testEnv(home)
			env.Stdout, env.Stderr, env.Exe, env.Now = &out, &out, exe, time.Now
			env.LookupEnv = func(name string) (string, bool) { v, ok := vars[name]; return v, ok }
			if code := Run(t.Context(), env, args); code != exitOK {
				t.Fatalf("%v: exit %d: %s", args, code, &out)
			}
		}
		spoolEvents(t, home, 0, 1, nil)
		run("worker", "drain")
		if len(d.got()) != 1 {
			t.Fatalf("%d spans", len(d.got()))
		}
		run("telemetry", "resend", "--since", "2026-01-01", "--yes")
		waitFor(t, func() bool { _, err := os.Stat(filepath.Join(home, "started")); return err == nil })
		text, err := os.ReadFile(filepath.Join(home, "started"))
		if err != nil || !strings.Contains(string(text), where+"\n") || !strings.Contains(string(text), "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT="+d.URL) ||
			strings.Contains(string(text), "OTHERS") {
			t.Errorf("%v: %s", err, text)
		}
	}
}
