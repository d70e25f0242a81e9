package telemetry_test

import (
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/boathook/boathook/itest/canary"
	"github.com/boathook/boathook/itest/hooklab"
	"github.com/boathook/boathook/itest/mockguard"
)

// keyed is the value of a header, a token or a password in the settings.
const keyed = "canary5d41402abc4b2a76b9719d911017c592"

// outputs are what people may paste somewhere: the commands that say how boathook is, and all that it wrote for people.
func outputs(t *testing.T, l *hooklab.Lab) map[string]string {
	t.Helper()
	texts := map[string]string{}
	for _, command := range []string{
		"status", "status --json", "doctor", "doctor --json", "telemetry status", "telemetry status --json", "telemetry test",
		"telemetry test --json", "verify report", "verify report --json", "log", "log --json", "worker drain --wait 1s",
		"telemetry resend --since 1h --dry-run",
	} {
		r := l.Run(strings.Fields(command)...)
		texts[command] = r.Stdout + r.Stderr
		if strings.Contains(r.Stderr, "unknown") || texts[command] == "" {
			t.Errorf("boathook %s: %s", command, r.Stderr)
		}
	}
	err := filepath.WalkDir(l.Data, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		b, err := os.ReadFile(path)
		texts[filepath.Base(path)] += string(b)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return texts
}

func checkSilent(t *testing.T, texts map[string]string) {
	t.Helper()
	for _, where := range slices.Sorted(maps.Keys(texts)) {
		for _, kind := range canary.Found(texts[where]) {
			t.Errorf("%s has a secret in clear (%s)", where, kind)
		}
		if i := strings.Index(texts[where], keyed); i >= 0 {
			t.Errorf("%s has a key of the settings: …%s…", where, texts[where][max(0, i-100):min(len(texts[where]), i+60)])
		}
	}
}

// TestCanaries plants every type of secret in every place of payloads, and keys in all settings that have one, and looks for
// them in everything that the collector received and in all that boathook wrote and says.
func TestCanaries(t *testing.T) {
	recorder, c := listen(t)
	guard := mockguard.Start(t, func(r mockguard.Request) mockguard.Verdict {
		said := "no: " + r.Input.RawTextFields["toolInput"] // a guard that repeats what it was asked
		return mockguard.Verdict{Decision: mockguard.Deny, Reason: said, UserMessage: said, MatchedRule: "repeat"}
	})
	l := hooklab.New(t, settings(c)+fmt.Sprintf(`headers = { Authorization = "Bearer %s" }
api_key = %q
[guard]
endpoint = %q
token = %q
timeout_ms = 15000
[audit]
enabled = true
`, keyed, keyed, guard.URL(), keyed))
	hooks := 0
	for _, c := range canary.All() {
		for where, payload := range canary.Places(c.Text) {
			words := strings.Fields(where)
			l.Hook(words[0], words[1], payload)
			hooks++
		}
	}
	l.Must("worker", "drain", "--wait", "100s")
	texts := outputs(t, l)
	texts["what was sent"] = recorder.Text()
	if n := len(recorder.Spans()); n < hooks || len(recorder.Metrics()) == 0 {
		t.Errorf("%d spans and %d metrics of %d hooks", n, len(recorder.Metrics()), hooks)
	}
	if n := strings.Count(texts["invocations.jsonl"]+texts["invocations.jsonl.old"], "\n"); n != hooks {
		t.Errorf("the audit log has %d lines of %d hooks", n, hooks)
	}
	for _, where := range []string{"what was sent", "invocations.jsonl", "log --json"} {
		if !strings.Contains(texts[where], "[REDACTED") {
			t.Errorf("%s has nothing that was masked: the secrets did not get there", where)
		}
	}
	checkSilent(t, texts)
}

// TestCanariesInErrors has destinations that repeat the headers in what they refuse with, and settings with passwords in URLs
// and in files that are none.
func TestCanariesInErrors(t *testing.T) {
	for _, status := range []int{http.StatusFound, http.StatusBadRequest, http.StatusUnauthorized, http.StatusServiceUnavailable} {
		t.Run(http.StatusText(status), func(t *testing.T) {
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				_, _ = io.Copy(io.Discard, r.Body)
				w.Header().Set("Location", "http://"+keyed+".invalid/?"+keyed)
				w.WriteHeader(status)
				_ = r.Header.Write(w) // the worker hung up: nothing to tell it
			}))
			defer server.Close()
			repeated(t, server.URL+"/v1/traces?key="+keyed)
		})
	}
	for name, endpoint := range map[string]string{
		"nobody there": "http://me:" + keyed + "@127.0.0.1:1/v1/traces?key=" + keyed,
		"no URL":       "http://me:" + keyed + "@[::1/v1/traces",
		"no scheme":    keyed + ":4318/" + keyed,
	} {
		t.Run(name, func(t *testing.T) { repeated(t, endpoint) })
	}
}

// repeated sends to an endpoint that takes nothing.
func repeated(t *testing.T, endpoint string) {
	t.Helper()
	l := hooklab.New(t, fmt.Sprintf("[telemetry]\nendpoint = %q\nheaders = { Authorization = \"Bearer %s\", X-Key = %q }\napi_key = %q\n"+
		"[guard]\nendpoint = \"http://me:%s@127.0.0.1:1/\"\ntoken = %q\n", endpoint, keyed, keyed, keyed, keyed, keyed))
	for range 3 {
		l.Hook("gemini", "BeforeTool", `{"session_id":"s","tool_name":"x","tool_input":{}}`)
	}
	l.Run("worker", "drain", "--wait", "3s")
	checkSilent(t, outputs(t, l))
}
