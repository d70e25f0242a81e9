//go:build unix

package status

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/oklog/ulid/v2"

	"github.com/boathook/boathook/hook/canon"
	"github.com/boathook/boathook/internal/doctor"
	"github.com/boathook/boathook/internal/install"
	"github.com/boathook/boathook/internal/off"
	"github.com/boathook/boathook/internal/record"
	"github.com/boathook/boathook/internal/sink/progress"
	"github.com/boathook/boathook/internal/spool"
	"github.com/boathook/boathook/internal/store"
	"github.com/boathook/boathook/internal/worker"
)

var noon = time.Date(2026, 3, 2, 12, 0, 0, 0, time.UTC)

const secret = "canary-token-4711"

// home has Gemini's hooks installed, with a guard and a config that holds secrets.
func home(t *testing.T) (doctor.Env, string) {
	t.Helper()
	root := t.TempDir()
	exe := filepath.Join(root, "boathook")
	must(t, os.WriteFile(exe, []byte("#!/bin/sh\n"), 0o755))
	home := filepath.Join(root, "home")
	must(t, os.MkdirAll(filepath.Join(home, ".gemini"), 0o700))
	vars := map[string]string{"PINTA_GUARD_ENDPOINT": "https://u:" + secret + "@guard.example/v1", "PINTA_RELAY_TOKEN": secret}
	env := doctor.Env{
		Install: install.Env{
			Home: home, Exe: exe, Version: "v1", UID: os.Getuid(), GOOS: "linux",
			Lookup: func(name string) (string, bool) { v, ok := vars[name]; return v, ok },
		},
		Dir: home, Now: func() time.Time { return noon },
	}
	req := install.Request{Agents: []string{"gemini"}}
	plan, err := install.PlanInstall(env.Install, req)
	must(t, err)
	_, err = install.Install(env.Install, req, plan)
	must(t, err)
	return env, filepath.Join(home, ".local/share/boathook")
}

func insert(t *testing.T, data string, at time.Time, change func(*record.Record)) {
	t.Helper()
	s, err := store.Open(t.Context(), worker.StorePath(data))
	must(t, err)
	defer func() { must(t, s.Close()) }()
	r := record.Record{
		V: record.Version, Event: canon.Event{ID: ulid.Make().String(), Time: at, Agent: "gemini", Event: canon.ToolBefore, HostEvent: "BeforeTool"},
		Decision: record.Decision{Action: canon.Allow, Expressed: canon.Allow, Source: "default"},
	}
	if change != nil {
		change(&r)
	}
	b, err := json.Marshal(r)
	must(t, err)
	_, err = s.Insert(t.Context(), []store.Row{{Record: r, JSON: b}})
	must(t, err)
}

func asked(action canon.Action, outcome string, ms float64) func(*record.Record) {
	return func(r *record.Record) {
		r.Decision = record.Decision{Action: action, Expressed: action, Source: "remote_guard"}
		r.Guard = &record.Guard{Outcome: outcome, DurationMS: ms}
	}
}

func TestGather(t *testing.T) {
	env, data := home(t)
	insert(t, data, noon.Add(-20*time.Hour), nil)
	insert(t, data, noon.Add(-3*time.Hour), asked(canon.Deny, "deny", 4))
	insert(t, data, noon.Add(-time.Minute), asked(canon.Allow, "allow", 8))
	s := gathered(t, env)
	if len(s.Installed) != 1 || s.Installed[0].Events != 8 || s.Installed[0].Since.IsZero() {
		t.Errorf("installed: %+v", s.Installed)
	}
	if diff := cmp.Diff([]Agent{{"gemini", 2, 1, noon.Add(-time.Minute)}}, s.Agents); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(Decisions{"allow": 1, "deny": 1}, s.Decisions); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(&Guard{Endpoint: "https://guard.example/v1", Asked: 2, P50: 8, P95: 8, Budget: 50}, s.Guard); diff != "" {
		t.Error(diff)
	}
	if s.Store == nil || s.Store.Events != 3 || s.Store.Bytes == 0 || s.Store.Body != 14 || !s.Store.Oldest.Equal(noon.Add(-20*time.Hour)) {
		t.Errorf("store: %+v", s.Store)
	}
	if len(s.Problems) > 0 || s.Off != "" || s.Worker.Running {
		t.Errorf("%+v", s)
	}
}

func TestProblemsAreShown(t *testing.T) {
	env, data := home(t)
	endpoint(t, env, "https://u:"+secret+"@otlp.example/v1/traces")
	insert(t, data, noon.Add(-time.Minute), asked(canon.Allow, "timeout", 50))
	s, err := store.Open(t.Context(), worker.StorePath(data))
	must(t, err)
	must(t, s.SetCursor(t.Context(), nil, store.Cursor{Name: "otlp", Tries: 3, Error: "401 for Bearer " + secret, Next: noon.Add(time.Minute)}))
	must(t, s.AddCounter(t.Context(), worker.CounterDropped, 2))
	must(t, s.AddCounter(t.Context(), store.CounterCapped, 5))
	must(t, s.AddCounter(t.Context(), store.CounterUnsent, 3))
	must(t, s.Close())
	id := ulid.Make().String()
	must(t, spool.Spool{Dir: filepath.Join(data, "spool")}.Append(id, []byte("{}")))
	old := noon.Add(-time.Hour)
	must(t, os.Chtimes(filepath.Join(data, "spool/new", id+".json"), old, old))
	must(t, os.Remove(filepath.Join(env.Install.Home, ".gemini/extensions/boathook/hooks/hooks.json")))
	must(t, os.WriteFile(filepath.Join(env.Install.Home, ".gemini/settings.json"), []byte(`{"hooksConfig":{"enabled":false}}`), 0o600))
	clock := off.At(noon)
	span := clock.Begin(time.Hour)
	must(t, off.Save(filepath.Join(env.Install.Home, ".config/boathook/config.toml"), off.State{All: &span}, clock))

	got := gathered(t, env)
	all := strings.Join(got.Problems, "\n")
	for _, want := range []string{"hooks.json: is missing", "hooksConfig.enabled = false", "1 event not stored yet, the oldest for 1 h", "traces: 3 failed tries: 401", "1 of the last 1 questions had no verdict (timeout)"} {
		if !strings.Contains(all, want) {
			t.Errorf("no %q in\n%s", want, all)
		}
	}
	if len(got.Sinks) != 1 || got.Sinks[0].Events != 1 || got.Sinks[0].Tries != 3 || got.Lost != (Lost{Dropped: 2, Capped: 5, Unsent: 3}) || !strings.HasPrefix(got.Off, "until ") {
		t.Errorf("%+v", got)
	}
}

// endpoint adds telemetry to the config.
func endpoint(t *testing.T, env doctor.Env, url string) {
	t.Helper()
	f, err := os.OpenFile(filepath.Join(env.Install.Home, ".config/boathook/config.toml"), os.O_APPEND|os.O_WRONLY, 0)
	must(t, err)
	_, err = f.WriteString("\n[telemetry]\nmetrics = false\nendpoint = \"" + url + "\"\n")
	must(t, err)
	must(t, f.Close())
}

// TestSinksBeforeTheirFirstUse: where telemetry goes is shown before anything is stored, and what is wrong with it.
func TestSinksBeforeTheirFirstUse(t *testing.T) {
	env, _ := home(t)
	endpoint(t, env, "https://u:"+secret+"@otlp.example/v1/traces")
	s := gathered(t, env)
	if diff := cmp.Diff([]progress.Sink{{Name: "traces", Endpoint: "https://otlp.example/v1/traces"}}, s.Sinks); diff != "" || s.Unusable != "" {
		t.Error(diff, s.Unusable)
	}
	env, _ = home(t)
	endpoint(t, env, "otlp.example:4318")
	if s := gathered(t, env); len(s.Sinks) > 0 || !strings.Contains(s.Unusable, "telemetry.endpoint is no http") {
		t.Errorf("%+v: %s", s.Sinks, s.Unusable)
	}
}

// TestOffInAProject: what ends it is the command for that project and no other.
func TestOffInAProject(t *testing.T) {
	env, _ := home(t)
	config := filepath.Join(env.Install.Home, ".config/boathook/config.toml")
	clock := off.At(noon)
	for _, tc := range []struct {
		length    time.Duration
		off, ends string
	}{
		{0, "in " + env.Dir + " until 'boathook on --project " + env.Dir + "'", ""},
		{time.Hour, "in " + env.Dir + " until 2026-03-02 13:00:00 (1 h)", "'boathook on --project " + env.Dir + "' ends it"},
	} {
		must(t, off.Save(config, off.State{Projects: map[string]off.Span{env.Dir: clock.Begin(tc.length)}}, clock))
		if s := gathered(t, env); s.Off != tc.off || s.OffEnds != tc.ends {
			t.Errorf("%q, %q; want %q, %q", s.Off, s.OffEnds, tc.off, tc.ends)
		}
	}
}

// TestOffTwice: what ends the one does not end the other.
func TestOffTwice(t *testing.T) {
	env, _ := home(t)
	clock := off.At(noon)
	all := clock.Begin(time.Hour)
	state := off.State{All: &all, Projects: map[string]off.Span{env.Dir: clock.Begin(0)}}
	must(t, off.Save(filepath.Join(env.Install.Home, ".config/boathook/config.toml"), state, clock))
	want := "until 2026-03-02 13:00:00 (1 h), and in " + env.Dir + " until 'boathook on --project " + env.Dir + "'"
	if s := gathered(t, env); s.Off != want || s.OffEnds != "'boathook on' ends it" {
		t.Errorf("%q, %q", s.Off, s.OffEnds)
	}
}

func TestNothingIsInstalled(t *testing.T) {
	env := doctor.Env{Install: install.Env{Home: t.TempDir(), UID: os.Getuid(), GOOS: "linux"}, Now: func() time.Time { return noon }}
	s := gathered(t, env)
	if len(s.Installed) > 0 || s.Store != nil || len(s.Problems) > 0 {
		t.Errorf("%+v", s)
	}
}

func TestAStoreThatCannotBeReadIsAnError(t *testing.T) {
	env, data := home(t)
	must(t, os.WriteFile(worker.StorePath(data), []byte(strings.Repeat("no database", 500)), 0o600))
	s, err := Gather(t.Context(), env)
	if err == nil || s == nil || len(s.Installed) != 1 {
		t.Errorf("%v: %+v", err, s)
	}
}

func gathered(t *testing.T, env doctor.Env) *Status {
	t.Helper()
	s, err := Gather(t.Context(), env)
	must(t, err)
	text, err := json.Marshal(s)
	must(t, err)
	if strings.Contains(string(text), secret) {
		t.Errorf("a secret is said in %s", text)
	}
	return s
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// TestMemoryRow: off says so; on says how far it is and what it did today.
func TestMemoryRow(t *testing.T) {
	env, data := home(t)
	s, err := Gather(t.Context(), env)
	must(t, err)
	if s.Memory == nil || s.Memory.Enabled || !strings.Contains(s.Memory.Text(), "boathook memory enable") {
		t.Errorf("%+v", s.Memory)
	}
	path := filepath.Join(env.Install.Home, ".config/boathook/config.toml")
	text, err := os.ReadFile(path)
	must(t, err)
	must(t, os.WriteFile(path, []byte(strings.Replace(string(text), "[memory]\n", "[memory]\nenabled = true\ninject = \"on\"\n", 1)), 0o600))
	for n, outcome := range []string{"injected", "nothing", "held"} {
		insert(t, data, noon.Add(time.Duration(-n)*time.Hour), func(r *record.Record) {
			r.Event.Event, r.Recall = canon.PromptSubmit, &record.Recall{Outcome: outcome, TookMS: 7}
		})
	}
	db, err := store.Open(t.Context(), worker.StorePath(data))
	must(t, err)
	must(t, db.SetCursor(t.Context(), nil, store.Cursor{Name: "memory", Event: 2, Tries: 3, Error: "it is down " + secret}))
	must(t, db.Close())
	s, err = Gather(t.Context(), env)
	must(t, err)
	m := s.Memory
	if !m.Enabled || m.Behind != 1 || m.Asked != 3 || m.Injected != 1 || m.Hits != 2 || m.P95 != 7 || m.Tries != 3 || strings.Contains(m.Error, secret) {
		t.Errorf("%+v", m)
	}
	if got, want := m.Text(), "on (sqlite), 1 event not kept yet, the oldest for 2 h; today 3 prompts asked it, 1 answer told"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if !strings.Contains(strings.Join(s.Problems, "\n"), "memory: 3 failed tries: it is down") {
		t.Errorf("%q", s.Problems)
	}
}
