package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/boathook/boathook/internal/collector"
	"github.com/boathook/boathook/internal/otlp"
)

// destination is a collector that a test can make refuse.
type destination struct {
	*httptest.Server
	mu     sync.Mutex
	spans  []collector.Span
	header string
	status int
	answer string
	wait   *slowness
}

// slowness holds the next request up until somebody says go on.
type slowness struct{ begun, goOn chan struct{} }

func (d *destination) slow() *slowness {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.wait = &slowness{make(chan struct{}), make(chan struct{})}
	return d.wait
}

func newDestination(t *testing.T) *destination {
	t.Helper()
	d := &destination{}
	take := collector.Handler(collector.Options{Traces: func(got otlp.Traces) { d.spans = append(d.spans, collector.Spans(got)...) }})
	d.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		d.mu.Lock()
		defer d.mu.Unlock()
		d.header = r.Header.Get("X-Api-Key")
		switch {
		case d.status != 0:
			w.WriteHeader(d.status)
		case d.answer != "":
			w.Header().Set("Content-Type", otlp.JSON)
			_, _ = w.Write([]byte(d.answer))
		default:
			take.ServeHTTP(w, r)
			if wait := d.wait; wait != nil {
				d.wait = nil
				close(wait.begun)
				d.mu.Unlock()
				<-wait.goOn
				d.mu.Lock()
			}
		}
	}))
	t.Cleanup(d.Close)
	return d
}

func (d *destination) got() []collector.Span {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.spans
}

func (d *destination) answers(status int, answer string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.status, d.answer = status, answer
}

// configured writes a config with an endpoint and a secret header.
func configured(t *testing.T, endpoint string) (home string) {
	t.Helper()
	home = t.TempDir()
	dir := filepath.Join(home, ".config", "boathook")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	text := "[telemetry]\nendpoint = \"" + endpoint + "\"\nmetrics = false\nheaders = { x-api-key = \"hunter2secret\" }\n"
	if err := os.WriteFile(filepath.Join(dir, "config.toml"), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return home
}

// live runs a command by the real clock.
func live(t *testing.T, home string, args ...string) (code int, out, errs string) {
	t.Helper()
	var stdout, stderr bytes.Buffer
	env := testEnv(home)
	env.Stdin, env.Stdout, env.Stderr, env.Now = strings.NewReader(""), &stdout, &stderr, time.Now
	code = Run(t.Context(), env, args)
	if text := stdout.String() + stderr.String(); strings.Contains(text, "hunter2secret") {
		t.Errorf("%v tells the header's value: %s", args, text)
	}
	return code, stdout.String(), stderr.String()
}

func TestTelemetryTest(t *testing.T) {
	d := newDestination(t)
	home := configured(t, d.URL+"/v1/traces?key=hunter2secret")
	code, out, errs := live(t, home, "telemetry", "test")
	if code != exitOK || !strings.Contains(out, "took the span: status 200") {
		t.Fatalf("exit %d: %s%s", code, out, errs)
	}
	if got := d.got(); len(got) != 1 || got[0].Name != "boathook.test" || d.header != "hunter2secret" {
		t.Errorf("%+v, header %q", got, d.header)
	}
	tests := []struct {
		name   string
		status int
		answer string
		want   string
	}{
		{"unavailable", 503, "", "takes nothing now (status 503)"},
		{"forbidden", 403, "", "refuses who sends (status 403"},
		{"partial success", 0, `{"partialSuccess":{"rejectedSpans":"1","errorMessage":"no \u001b[31mroom"}}`, "rejected the span"},
	}
	for _, tt := range tests {
		d.answers(tt.status, tt.answer)
		code, out, errs := live(t, home, "telemetry", "test")
		if code != exitFailed || out != "" || !strings.Contains(errs, tt.want) || !strings.Contains(errs, "boathook: → ") || strings.Contains(errs, "\x1b") {
			t.Errorf("%s: exit %d: %s%s", tt.name, code, out, errs)
		}
		code, out, _ = live(t, home, "telemetry", "test", "--json")
		var doc testResult
		if err := json.Unmarshal([]byte(out), &doc); err != nil || doc.OK || code != exitFailed || len(doc.TraceID) != 32 || doc.Code != exitFailed || doc.Error == "" || doc.Cure == "" {
			t.Errorf("%s: exit %d: %v: %s", tt.name, code, err, out)
		}
	}
	d.Close()
	if code, _, errs := live(t, home, "telemetry", "test"); code != exitFailed || !strings.Contains(errs, "nothing listens there") ||
		!strings.Contains(errs, "→ edit "+filepath.Join(home, ".config/boathook/config.toml")+": telemetry.endpoint, or start the server") {
		t.Errorf("nobody there: exit %d: %s", code, errs)
	}
}

func TestTelemetryWithoutAnEndpoint(t *testing.T) {
	home := t.TempDir()
	for _, tt := range []struct {
		args []string
		code int
		want string
	}{
		{[]string{"test"}, exitFailed, "no endpoint is set"},
		{[]string{"resend", "--since", "1h"}, exitFailed, "no endpoint is set"},
		{[]string{"resend"}, exitUsage, "wants --since"},
		{[]string{"resend", "--since", "soon"}, exitUsage, "is no time"},
		{[]string{"status"}, exitOK, "No endpoint is set"},
		{[]string{"statsu"}, exitUsage, `did you mean "status"?`},
		{[]string{}, exitOK, "telemetry resend --since"},
	} {
		code, out, errs := live(t, home, append([]string{"telemetry"}, tt.args...)...)
		if code != tt.code || !strings.Contains(out+errs, tt.want) {
			t.Errorf("%v: exit %d: %s%s", tt.args, code, out, errs)
		}
	}
}

// What waits is stored and sent, what was sent goes again with the same ids, and a destination that is down is no loss.
func TestDrainAndResend(t *testing.T) {
	d := newDestination(t)
	home := configured(t, d.URL+"/v1/traces")
	spoolEvents(t, home, 0, 3, nil)
	if code, out, errs := live(t, home, "worker", "drain"); code != exitOK || out != "all is stored, and sent: traces\n" {
		t.Fatalf("exit %d: %s%s", code, out, errs)
	}
	first := d.got()
	if len(first) != 3 {
		t.Fatalf("%d spans", len(first))
	}

	d.answers(503, "")
	spoolEvents(t, home, 3, 2, nil)
	drainsInVain(t, home, "2 events are not sent (traces to http://", "503")
	code, out, errs := live(t, home, "worker", "drain", "--wait", "10ms", "--json")
	if code != exitFailed || !strings.Contains(out, "drain: not done within 10 ms") || !strings.Contains(out, `"done":false`) || !strings.Contains(out, `"behind_events":2`) || !strings.Contains(out, `"exit_code":1`) {
		t.Errorf("exit %d: %s%s", code, out, errs)
	}
	if code, out, errs = live(t, home, "telemetry", "status"); code != exitOK || !strings.Contains(out, "behind by 2 events") || !strings.Contains(out, "503") {
		t.Errorf("exit %d: %s%s", code, out, errs)
	}
	d.answers(0, "")

	resend := []string{"telemetry", "resend", "--since", "2026-01-01"}
	if code, out, errs = live(t, home, append(resend, "--dry-run")...); code != exitOK || !strings.Contains(out, "3 events and 0 turns") ||
		!strings.Contains(out, "dry run; 2 events are not sent yet") {
		t.Errorf("exit %d: %s%s", code, out, errs)
	}
	if code, _, errs = live(t, home, resend...); code != exitRefused || !strings.Contains(errs, "--yes") {
		t.Errorf("exit %d: %s", code, errs)
	}
	if code, out, errs = live(t, home, append(resend, "--yes", "--json")...); code != exitOK || !strings.Contains(out, `"events":3,"turns":0,"waiting":2,"applied":true`) {
		t.Errorf("exit %d: %s%s", code, out, errs)
	}
	if code, out, errs = live(t, home, "worker", "drain"); code != exitOK {
		t.Fatalf("exit %d: %s%s", code, out, errs)
	}
	all := d.got()
	if len(all) != 8 {
		t.Fatalf("%d spans", len(all))
	}
	for i, again := range all[3:6] {
		if was, _ := json.Marshal(first[i]); true {
			if is, _ := json.Marshal(again); !bytes.Equal(was, is) {
				t.Errorf("sent\n%s\nand again\n%s", was, is)
			}
		}
	}
	if code, out, _ = live(t, home, "telemetry", "resend", "--since", "0s", "--yes"); code != exitOK || !strings.Contains(out, "there is nothing to send again") {
		t.Errorf("exit %d: %s", code, out)
	}
	if code, out, _ = live(t, home, "telemetry", "status", "--json"); code != exitOK || !strings.Contains(out, `"behind_events":0,"behind_turns":0`) || !strings.Contains(out, `"not_stored":0`) {
		t.Errorf("exit %d: %s", code, out)
	}
}

// Settings that can't be used stop nothing: events are stored and kept for later, and the reason is told.
func TestBrokenEndpointKeepsEvents(t *testing.T) {
	home := configured(t, "http://127.0.0.1:1/v1/traces\"\ncertificate = \"/no/such/file.pem")
	spoolEvents(t, home, 0, 2, nil)
	drainsInVain(t, home, "2 events are not sent (traces to ", "/no/such/file.pem")
	log, err := os.ReadFile(filepath.Join(home, ".local", "share", "boathook", "worker.log"))
	if err != nil || !strings.Contains(string(log), "/no/such/file.pem") {
		t.Errorf("worker.log: %v: %s", err, log)
	}
	if _, out, _ := live(t, home, "telemetry", "status"); !strings.Contains(out, "problem") || !strings.Contains(out, "file.pem") {
		t.Error(out)
	}
	if code, out, _ := live(t, home, "log", "--json"); code != exitOK || strings.Count(out, "\n") != 2 {
		t.Errorf("exit %d: %s", code, out)
	}
}

// A backend that takes traces alone is no reason to wait or to fail.
func TestDrainWhereMetricsAreNotTaken(t *testing.T) {
	d := newDestination(t)
	home := configured(t, d.URL+"/v1/traces")
	path := filepath.Join(home, ".config", "boathook", "config.toml")
	text := "[telemetry]\nendpoint = \"" + d.URL + "/v1/traces\"\nmetrics_endpoint = \"" + d.URL + "/nowhere\"\n"
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	spoolEvents(t, home, 0, 2, nil)
	code, out, errs := live(t, home, "worker", "drain", "--wait", "60s")
	if code != exitOK || !strings.Contains(out, "sent: traces\n") || !strings.Contains(errs, "metrics") || len(d.got()) != 2 {
		t.Errorf("exit %d: %s%s: %d spans", code, out, errs, len(d.got()))
	}
}

// A look at the log waits for no collector, and sends nothing.
func TestLogSendsNothing(t *testing.T) {
	d := newDestination(t)
	home := configured(t, d.URL+"/v1/traces")
	spoolEvents(t, home, 0, 2, nil)
	if code, out, errs := live(t, home, "log", "--json"); code != exitOK || strings.Count(out, "\n") != 2 {
		t.Errorf("exit %d: %s%s", code, out, errs)
	}
	if got := d.got(); len(got) != 0 {
		t.Errorf("%d spans", len(got))
	}
	if code, out, _ := live(t, home, "worker", "drain"); code != exitOK || len(d.got()) != 2 {
		t.Errorf("exit %d: %s: %d spans", code, out, len(d.got()))
	}
}

// Settings that may not be those of the data make nothing forget how far a destination is.
func TestUnsureSettingsForgetNothing(t *testing.T) {
	d := newDestination(t)
	home := configured(t, d.URL+"/v1/traces")
	data := filepath.Join(home, ".local", "share", "boathook")
	config := filepath.Join(home, ".config", "boathook", "config.toml")
	spoolEvents(t, home, 0, 1, nil)
	if code, out, errs := live(t, home, "worker", "drain"); code != exitOK {
		t.Fatalf("exit %d: %s%s", code, out, errs)
	}
	good, err := os.ReadFile(config)
	if err != nil {
		t.Fatal(err)
	}
	elsewhere := t.TempDir()
	steps := []struct {
		config string // empty is none
		home   string
		args   []string
	}{
		{string(good), elsewhere, []string{"log", "--data", data}},
		{string(good), elsewhere, []string{"worker", "--once", "--data", data}},
		{string(good), elsewhere, []string{"worker", "drain", "--data", data}},
		{"", home, []string{"worker", "drain", "--data", data, "--config", config}},
		{"[telemetry]\nendpont = \"x\"\n", home, []string{"worker", "drain"}},
	}
	for i, s := range steps {
		spoolEvents(t, home, i+1, 1, nil)
		if err := os.WriteFile(config, []byte(s.config), 0o600); err != nil {
			t.Fatal(err)
		}
		if s.config == "" {
			if err := os.Remove(config); err != nil {
				t.Fatal(err)
			}
		}
		if code, out, errs := live(t, s.home, s.args...); code != exitOK {
			t.Errorf("%v: exit %d: %s%s", s.args, code, out, errs)
		}
	}
	if err := os.WriteFile(config, good, 0o600); err != nil {
		t.Fatal(err)
	}
	if code, out, errs := live(t, home, "worker", "drain"); code != exitOK || len(d.got()) != 1+len(steps) {
		t.Errorf("exit %d: %s%s: %d spans", code, out, errs, len(d.got()))
	}
	// An endpoint that is surely unset is one: what comes meanwhile is not sent later.
	for i, text := range []string{"", string(good)} {
		absentLong(t, home)
		spoolEvents(t, home, 10+i, 1, nil)
		if err := os.WriteFile(config, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if code, out, errs := live(t, home, "worker", "drain"); code != exitOK {
			t.Errorf("exit %d: %s%s", code, out, errs)
		}
	}
	if got := d.got(); len(got) != 2+len(steps) {
		t.Errorf("%d spans", len(got))
	}
}

func TestWorkerForegroundAndStop(t *testing.T) {
	home := configured(t, "")
	data := filepath.Join(home, ".local", "share", "boathook")
	if code, out, _ := live(t, home, "worker", "stop"); code != exitOK || out != "no worker runs\n" {
		t.Errorf("exit %d: %s", code, out)
	}
	spoolEvents(t, home, 0, 1, nil)
	ctx, cancel := context.WithCancel(t.Context())
	var errs syncBuffer
	env := testEnv(home)
	env.Stdout, env.Stderr, env.Now = &bytes.Buffer{}, &errs, time.Now
	code := make(chan int, 1)
	go func() { code <- Run(ctx, env, []string{"worker", "--foreground"}) }()
	waitFor(t, func() bool { return strings.Contains(errs.String(), "worker started") })
	waitFor(t, func() bool {
		names, err := os.ReadDir(filepath.Join(data, "spool", "new"))
		return err == nil && len(names) == 0
	})
	if c, _, text := live(t, home, "worker", "--foreground"); c != exitFailed || !strings.Contains(text, "another one runs already") {
		t.Errorf("exit %d: %s", c, text)
	}
	// This process holds the lock and is not asked to end, so that the wait is over first.
	if c, out, text := live(t, home, "worker", "stop", "--wait", "50ms", "--json"); c != exitFailed || !strings.Contains(out, `"stopped":false`) {
		t.Errorf("exit %d: %s%s", c, out, text)
	}
	cancel()
	if got := <-code; got != exitOK {
		t.Errorf("exit %d: %s", got, errs.String())
	}
}

func TestWorkerFlags(t *testing.T) {
	for _, args := range [][]string{{"--once", "--foreground"}, {"drain", "--wait", "0s"}, {"drain", "--wait", "soon"}, {"stop", "--wait", "-1s"}, {"bogus"}} {
		if code, _, errs := live(t, t.TempDir(), append([]string{"worker"}, args...)...); code != exitUsage {
			t.Errorf("%v: exit %d: %s", args, code, errs)
		}
	}
}
