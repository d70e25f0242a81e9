//go:build unix

package doctor

import (
	"context"
	"errors"
	"io"
	"log"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/boathook/boathook/internal/config"
	"github.com/boathook/boathook/internal/record"
)

var quiet = log.New(io.Discard, "", 0)

// Whatever a check does, doctor goes on and says so.
func TestAHangingCheckIsLeftBehind(t *testing.T) {
	w := &World{Env: Env{Limit: time.Millisecond}}
	release := make(chan struct{})
	defer close(release)
	got := w.bounded(t.Context(), Check{Run: func(context.Context, *World) []Result { <-release; return nil }})
	if len(got) != 1 || got[0].Status != Fail || !strings.Contains(got[0].Text, "hangs") {
		t.Errorf("%+v", got)
	}
	got = w.bounded(t.Context(), Check{Run: func(context.Context, *World) []Result { panic("secret") }})
	if len(got) != 1 || got[0].Status != Fail || strings.Contains(got[0].Text, "secret") {
		t.Errorf("%+v", got)
	}
}

// What would never end when it is read is not read.
func TestAFIFOInTheWay(t *testing.T) {
	h := healthy(t)
	check(t, os.Remove(h.path(".gemini/config/hooks.json")))
	check(t, syscall.Mkfifo(h.path(".gemini/config/hooks.json"), 0o600))
	if f := h.run().find("hooks.antigravity", Fail); f == nil {
		t.Error("a FIFO in the place of hooks.json is not found")
	}
}

func TestIdsAreUniqueAndTitlesFit(t *testing.T) {
	var ids []string
	for _, c := range Checks() {
		if slices.Contains(ids, c.ID) {
			t.Errorf("%s comes twice", c.ID)
		}
		ids = append(ids, c.ID)
		if len(c.Title) > 22 {
			t.Errorf("title of %s has %d letters", c.ID, len(c.Title))
		}
	}
	if len(ids) < 35 {
		t.Errorf("%d checks", len(ids))
	}
}

func TestOneAgentAlone(t *testing.T) {
	h := healthy(t)
	check(t, os.Remove(h.path(".gemini/config/boathook-hook.sh")))
	h.env.Agents = []string{"gemini"}
	if found := bad(h.run()); len(found) > 0 {
		t.Errorf("%+v", found)
	}
	h.env.Agents = []string{"antigravity"}
	if h.run().find("hooks.antigravity", Fail) == nil {
		t.Error("not found")
	}
}

// Gemini CLI 0.61.0: the last rule that fits counts.
func TestEnabledIn(t *testing.T) {
	tests := []struct {
		rules []string
		want  bool
	}{
		{nil, true},
		{[]string{"!/home/u/*"}, false},
		{[]string{"!/home/u/p/"}, false},
		{[]string{"!/home/u/p/*", "/home/u/p/"}, true},
		{[]string{"!/home/u/"}, true},
		{[]string{"!/home/u/pp/*"}, true},
		{[]string{"!/*"}, false},
		{[]string{"/home/u/*", "!/home/u/p/*"}, false},
	}
	for _, tt := range tests {
		if got := enabledIn(tt.rules, "/home/u/p"); got != tt.want {
			t.Errorf("%v: %t", tt.rules, got)
		}
	}
}

func TestSpace(t *testing.T) {
	for free, want := range map[uint64]Status{1 << 20: Fail, 100 << 20: Warn, 10 << 30: OK} {
		if got := space(free, "/"); got[0].Status != want {
			t.Errorf("%d: %+v", free, got)
		}
	}
}

func TestQuantilesAndFailures(t *testing.T) {
	var asked []record.Guard
	for n := range 100 {
		asked = append(asked, record.Guard{Outcome: "allow", DurationMS: float64(100 - n)})
	}
	p50, p95 := Quantiles(asked)
	if p50 != 51*time.Millisecond || p95 != 96*time.Millisecond {
		t.Errorf("%s, %s", p50, p95)
	}
	asked[3].Outcome, asked[4].Outcome = "timeout", "refused"
	if n, why := Failures(asked); n != 2 || why != "refused, timeout" {
		t.Errorf("%d, %s", n, why)
	}
}

// The settings are shown, and nothing in them that is secret.
func TestSettingsHideSecrets(t *testing.T) {
	h := healthy(t)
	h.endpoint("http://127.0.0.1:1", "proxy = \"http://canary-user-4713:canary-pass-4717@proxy:3128\"")
	h.config("[redact]\nallow = [\"canary-payload-4715\"]")
	h.config("[guard]\nendpoint = \"https://canary-user-4713@guard.example/v1?k=canary-query-4714\"\ntoken = \"canary-token-4711\"")
	h.env.Offline = true
	want := map[string]string{
		"guard.endpoint": "https://guard.example/v1", "guard.token": "(set)", "telemetry.endpoint": "http://127.0.0.1:1/v1/traces",
		"telemetry.headers": "Authorization", "telemetry.api_key": "(set)", "telemetry.proxy": "http://proxy:3128", "redact.allow": "(set)",
	}
	got := map[string]string{}
	r := h.run()
	for _, v := range r.Settings {
		if _, asked := want[v.Key]; asked {
			got[v.Key] = v.Value
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if len(r.Settings) != len(config.Keys()) {
		t.Errorf("%d settings", len(r.Settings))
	}
}

// What install writes is the default still, and is not listed as something else.
func TestDefaultsAreNoChanges(t *testing.T) {
	h := healthy(t)
	if r := h.run(); len(r.Changed) > 0 {
		t.Errorf("%+v", r.Changed)
	}
	h.config("[guard]\nfail = \"open\"\ntimeout_ms = 51")
	if r := h.run(); len(r.Changed) != 1 || r.Changed[0].Key != "guard.timeout_ms" {
		t.Errorf("%+v", r.Changed)
	}
}

// OpenTelemetry's own variables that nothing here asks are named, and are no fault.
func TestUnusedVariables(t *testing.T) {
	h := healthy(t)
	h.vars["OTEL_SDK_DISABLED"] = "true"
	r := h.run()
	if f := r.find("config.environment", Info); f == nil || !strings.Contains(f.Text, "OTEL_SDK_DISABLED is not used") || len(bad(r)) > 0 {
		t.Errorf("%+v %+v", f, bad(r))
	}
}

// A data directory that others use too keeps its mode, and they keep theirs.
func TestOthersFilesKeepTheirModes(t *testing.T) {
	h := healthy(t)
	shared := h.path("shared")
	h.edit(configName, "data_dir = \""+h.path(dataName), "data_dir = \""+shared)
	h.put("shared/theirs.txt", "x", 0o644)
	h.put("shared/worker.log", "", 0o644)
	check(t, os.Chmod(shared, 0o755))
	r := h.run()
	if f := r.find("data.modes", Warn); f == nil || !strings.Contains(f.Text, "worker.log") || strings.Contains(f.Text, "theirs") {
		t.Errorf("%+v", f)
	}
	Mend(t.Context(), h.env, r, false)
	for path, want := range map[string]os.FileMode{shared: 0o755, shared + "/theirs.txt": 0o644, shared + "/worker.log": 0o600} {
		if info, err := os.Stat(path); err != nil || info.Mode().Perm() != want {
			t.Errorf("%s: %v, %v", path, info.Mode(), err)
		}
	}
}

// Root in another's home leaves no file of its own there.
func TestRootOpensNobodysStore(t *testing.T) {
	if os.Getuid() != 0 {
		t.Skip("only root can give files away")
	}
	h := healthy(t)
	check(t, filepath.WalkDir(h.dir, func(path string, _ os.DirEntry, err error) error {
		return errors.Join(err, os.Lchown(path, 4242, 4242))
	}))
	r := h.run()
	if f := r.find("data.dir", Warn); f == nil || !strings.Contains(f.Text, "this is root, and hooks act as uid 4242 here") {
		t.Errorf("%+v", f)
	}
	for _, id := range []string{"data.modes", "config.modes"} {
		if f := r.find(id, OK); f == nil {
			t.Errorf("%s is not ok", id)
		}
	}
	if f := r.find("store.integrity", Info); f == nil {
		t.Error("the store was opened")
	}
	check(t, os.Chown(h.path(dataName+"/events.db"), 4343, 4343))
	if f := h.run().find("data.modes", Fail); f == nil || !strings.Contains(f.Text, "not of uid 4242") || !strings.Contains(f.Cure, "sudo chown 4242 ") {
		t.Errorf("%+v", f)
	}
	check(t, os.Chown(h.path(dataName+"/events.db"), 4242, 4242))
	check(t, filepath.WalkDir(h.dir, func(path string, d os.DirEntry, err error) error {
		if info, serr := d.Info(); serr == nil {
			if uid, _ := owner(info); uid != 4242 {
				t.Errorf("%s is root's", path)
			}
		}
		return err
	}))
}

// docs/doctor.md lists every check.
func TestDocsListEveryCheck(t *testing.T) {
	text, err := os.ReadFile("../../docs/doctor.md")
	check(t, err)
	for _, c := range Checks() {
		if !strings.Contains(string(text), "`"+c.ID+"`") {
			t.Errorf("docs/doctor.md has no %s", c.ID)
		}
	}
}
