package cli

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/boathook/boathook/internal/duration"
)

func rewrite(t *testing.T, home, text string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(home, ".config", "boathook", "config.toml"), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// wants runs a command and fails the test unless it says all that, and nothing of what comes after an empty text.
func wants(t *testing.T, home string, code int, args string, texts ...string) {
	t.Helper()
	got, out, errs := live(t, home, strings.Fields(args)...)
	all, not := out+errs, false
	if got != code {
		t.Errorf("%s: exit %d: %s", args, got, all)
	}
	for _, text := range texts {
		if text == "" {
			not = true
			continue
		}
		if strings.Contains(all, text) == not {
			t.Errorf("%s: %q, not wanted: %v, in\n%s", args, text, not, all)
		}
	}
}

// drainsInVain gives a drain ever more time, until it says all that of what is left: a slow machine needs some even to fail.
func drainsInVain(t *testing.T, home string, texts ...string) {
	t.Helper()
	for wait := 200 * time.Millisecond; ; wait *= 2 {
		code, _, errs := live(t, home, "worker", "drain", "--wait", wait.String())
		if code != exitFailed || !strings.Contains(errs, "drain: not done within "+duration.Text(wait)+": ") {
			t.Fatalf("exit %d: %s", code, errs)
		}
		if !slices.ContainsFunc(texts, func(text string) bool { return !strings.Contains(errs, text) }) {
			return
		}
		if wait > 20*time.Second {
			t.Fatalf("after %s: %s", wait, errs)
		}
	}
}

// TestPurgedIsBehindNobody: what was deleted is not waited for, and what failed with it is no failure.
func TestPurgedIsBehindNobody(t *testing.T) {
	home := configured(t, "http://127.0.0.1:1/v1/traces")
	spoolEvents(t, home, 0, 3, nil)
	drainsInVain(t, home, "3 events are not sent (traces to http://127.0.0.1:1/v1/traces): nothing listens at 127.0.0.1:1")
	wants(t, home, exitOK, "telemetry status", "behind by 3 events", "failed tr") // one or more: it is tried again while drain waits
	wants(t, home, exitOK, "purge --all --yes", "deleted 3 events")
	wants(t, home, exitOK, "telemetry status", "nothing sent yet", "", "behind", "failed")
	wants(t, home, exitOK, "status", "nothing sent yet", "", "behind", "failed", "problem")
	wants(t, home, exitOK, "worker drain", "all is stored")
}

// TestNobodyTook: what nobody has taken is not said to be sent, nor that something was taken.
func TestNobodyTook(t *testing.T) {
	home := configured(t, "")
	rewrite(t, home, "[telemetry]\nendpoint = \"http://127.0.0.1:1/v1/traces\"\n")
	wants(t, home, exitOK, "status", "traces       to http://127.0.0.1:1/v1/traces: nothing sent yet", "metrics      to http://127.0.0.1:1/v1/metrics: nothing sent yet", "guard        no remote guard is set")
	spoolEvents(t, home, 0, 2, nil)
	waitFor(t, func() bool {
		wants(t, home, exitFailed, "worker drain --wait 1s", "drain: not done within 1 s: ")
		_, out, _ := live(t, home, "telemetry", "status")
		return strings.Count(out, "failed tr") == 2 // both were tried
	})
	for _, command := range []string{"status", "telemetry status"} {
		wants(t, home, exitOK, command, "behind by 2 events", "counted, and not taken", "failed tr", "", "all is sent", "up to date", "last taken", "just now")
	}
	for _, command := range []string{"status --json", "telemetry status --json"} {
		_, out, _ := live(t, home, strings.Fields(command)...)
		var doc struct {
			Sinks []map[string]any `json:"sinks"`
		}
		if err := json.Unmarshal([]byte(out), &doc); err != nil || len(doc.Sinks) != 2 {
			t.Fatalf("%s: %v: %s", command, err, out)
		}
		for i, name := range []string{"traces", "metrics"} {
			s := doc.Sinks[i]
			if s["name"] != name || s["failed_tries"] == float64(0) || s["last_success"] != nil || s["error"] == nil || s["behind_turns"] != float64(0) {
				t.Errorf("%s: %v", command, s)
			}
		}
	}
}

// TestUnusableEndpoint: one that is set is not said to be unset.
func TestUnusableEndpoint(t *testing.T) {
	home := configured(t, "localhost:4318")
	const why = "config.toml:2: telemetry.endpoint is no http or https URL"
	wants(t, home, exitFailed, "telemetry test", "the endpoint that is set can't be used", why, "", "no endpoint is set")
	wants(t, home, exitFailed, "telemetry resend --since 1h", "the endpoint that is set can't be used", why, "", "no endpoint is set")
	wants(t, home, exitOK, "telemetry status", "An endpoint is set and can't be used", why, "", "No endpoint")
	wants(t, home, exitOK, "status", "an endpoint is set and can't be used", why, "", "no endpoint is set")
	if _, out, errs := live(t, home, "telemetry", "status"); strings.Count(out+errs, why) != 1 {
		t.Errorf("%s%s", out, errs)
	}
}

// TestConfigThatCannotBeRead: nothing works on other data instead.
func TestConfigThatCannotBeRead(t *testing.T) {
	home := configured(t, "")
	spoolEvents(t, home, 0, 1, nil)
	dir, gone := filepath.Join(home, "config-dir"), filepath.Join(home, "gone.toml")
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	for _, command := range []string{
		"status", "telemetry status", "telemetry test", "telemetry resend --since 1h", "worker drain", "worker --once", "worker stop", "log", "purge --all --yes",
	} {
		for _, path := range []string{dir, gone} {
			args := append(strings.Fields(command), "--config", path)
			code, out, errs := live(t, home, args...)
			if code != exitFailed || !strings.Contains(errs, path) || out != "" {
				t.Errorf("%v: exit %d: %s%s", args, code, out, errs)
			}
			if command == "log" || command == "worker --once" {
				continue
			}
			_, out, _ = live(t, home, append(args, "--json")...)
			var doc struct {
				Error string `json:"error"`
				Code  int    `json:"exit_code"`
			}
			if err := json.Unmarshal([]byte(out), &doc); err != nil || doc.Code != exitFailed || !strings.Contains(doc.Error, path) {
				t.Errorf("%v --json: %v: %s", args, err, out)
			}
		}
	}
	wants(t, home, exitFailed, "worker drain --data "+gone, "drain: no such data directory: "+gone)
}

// TestForgottenByACommandThatStores: what comes while no endpoint is set for long is not sent later, whoever stores it.
func TestForgottenByACommandThatStores(t *testing.T) {
	d := newDestination(t)
	home := configured(t, d.URL+"/v1/traces")
	spoolEvents(t, home, 0, 1, nil)
	wants(t, home, exitOK, "worker drain", "sent: traces")
	rewrite(t, home, "[telemetry]\n")
	spoolEvents(t, home, 1, 2, nil)
	wants(t, home, exitOK, "log", "command 2")
	absentLong(t, home)
	rewrite(t, home, "[telemetry]\nmetrics = false\nendpoint = \""+d.URL+"/v1/traces\"\n")
	spoolEvents(t, home, 3, 1, nil)
	wants(t, home, exitOK, "worker drain", "sent: traces")
	if got := d.got(); len(got) != 2 {
		t.Errorf("%d spans", len(got))
	}
	wants(t, home, exitOK, "telemetry resend --since 2030-01-01", "there is nothing to send again: 2030-01-01 00:00:00 is in the future")
}

// TestRemovalTellsWhatIsNotSent: before anything is asked.
func TestRemovalTellsWhatIsNotSent(t *testing.T) {
	home := configured(t, "http://127.0.0.1:1/v1/traces")
	if err := os.Mkdir(filepath.Join(home, ".gemini"), 0o700); err != nil {
		t.Fatal(err)
	}
	spoolEvents(t, home, 0, 3, nil)
	drainsInVain(t, home, "3 events are not sent")
	spoolEvents(t, home, 3, 1, nil)
	wants(t, home, exitOK, "uninstall --purge --dry-run", "4 events not sent yet (traces to http://127.0.0.1:1/v1/traces), and never will be")
	wants(t, home, exitOK, "uninstall --dry-run", "", "not sent yet")
	wants(t, home, exitOK, "purge --all --dry-run", "4 not sent yet (traces), and never will be")
}
