package progress

import (
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/oklog/ulid/v2"

	"github.com/boathook/boathook/hook/canon"
	"github.com/boathook/boathook/internal/config"
	"github.com/boathook/boathook/internal/record"
	"github.com/boathook/boathook/internal/sink/metrics"
	spans "github.com/boathook/boathook/internal/sink/otlp"
	"github.com/boathook/boathook/internal/store"
)

var now = time.Date(2026, 3, 2, 12, 0, 0, 0, time.UTC)

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func TestText(t *testing.T) {
	const why = "nothing listens there"
	for _, tt := range []struct {
		want string
		sink Sink
	}{
		{"nothing sent yet", Sink{Name: Traces}},
		{"all is sent, last taken 5 s ago", Sink{Name: Traces, Success: now.Add(-5 * time.Second)}},
		{"behind by 1 event", Sink{Name: Traces, Events: 1}},
		{"behind by 2 turns", Sink{Name: Traces, Turns: 2}},
		{
			"behind by 2 events and 1 turn, last taken 1 h ago; 3 failed tries: nothing listens there; next try in 40 s",
			Sink{Name: Traces, Events: 2, Turns: 1, Success: now.Add(-time.Hour), Tries: 3, Error: why, Next: now.Add(40 * time.Second)},
		},
		{
			"behind by 1 event; 1 failed try: nothing listens there",
			Sink{Name: Traces, Events: 1, Tries: 1, Error: why, Next: now.Add(365 * 24 * time.Hour)},
		},
		{"nothing sent yet", Sink{Name: Metrics}},
		{"counted, next export in 40 s, last taken 20 s ago", Sink{Name: Metrics, Held: true, Export: now.Add(40 * time.Second), Success: now.Add(-20 * time.Second)}},
		{"counted, next export at once", Sink{Name: Metrics, Events: 16}},
		{"counted, and not taken; 1 failed try: nothing listens there", Sink{Name: Metrics, Tries: 1, Error: why, Held: true, Next: now}},
		{"all is sent, last taken just now", Sink{Name: Metrics, Success: now}},
	} {
		if got := tt.sink.Text(now); got != tt.want {
			t.Errorf("%q, want %q", got, tt.want)
		}
	}
}

func settings(s config.Settings) config.Settings {
	s.Telemetry.Endpoint, s.Telemetry.Metrics = "https://u:pw@otlp.example/v1/traces?key=pw", true
	s.Telemetry.MetricsEndpoint, s.Telemetry.MetricsInterval = "https://otlp.example/v1/metrics", time.Minute
	return s
}

// TestOf: what is counted was taken by nobody, what is gone is behind nobody, and a sink is there before its first event.
func TestOf(t *testing.T) {
	traces := Sink{Name: Traces, Endpoint: "https://otlp.example/v1/traces"}
	counts := Sink{Name: Metrics, Endpoint: "https://otlp.example/v1/metrics"}
	look := func(s *store.Store) []Sink {
		t.Helper()
		got, err := Of(t.Context(), s, settings(config.Settings{}))
		must(t, err)
		return got
	}
	if diff := cmp.Diff([]Sink{traces, counts}, look(nil)); diff != "" {
		t.Error("no store:", diff)
	}
	s, err := store.Open(t.Context(), filepath.Join(t.TempDir(), store.FileName))
	must(t, err)
	t.Cleanup(func() { must(t, s.Close()) })
	if diff := cmp.Diff([]Sink{traces, counts}, look(s)); diff != "" {
		t.Error("no cursors:", diff)
	}
	r := record.Record{V: record.Version, Event: canon.Event{ID: ulid.Make().String(), Time: now, Agent: "gemini", Event: canon.ToolBefore, SessionID: "s"}}
	text, err := json.Marshal(r)
	must(t, err)
	_, err = s.Insert(t.Context(), []store.Row{{Record: r, JSON: text}})
	must(t, err)
	failed := store.Cursor{Name: spans.Name, Tries: 2, Error: "no", Next: now.Add(time.Minute)}
	must(t, s.SetCursor(t.Context(), nil, failed))
	sent, wait := now.Add(-20*time.Second), now.Add(time.Hour)
	state, err := json.Marshal(map[string]any{"v": 1, "instance": "x", "start": 1, "sent": sent.UnixNano(), "dirty": true, "wait": wait.UnixNano()})
	must(t, err)
	must(t, s.SetCursor(t.Context(), nil, store.Cursor{Name: metrics.Name, Event: 1, Moved: sent, State: state, Tries: 1, Error: "no"}))
	traces.Events, traces.Tries, traces.Error, traces.Next = 1, 2, "no", failed.Next
	counts.Held, counts.Success, counts.Export, counts.Tries, counts.Error, counts.Next = true, sent, sent.Add(time.Minute), 1, "no", wait
	if diff := cmp.Diff([]Sink{traces, counts}, look(s)); diff != "" {
		t.Error("failing:", diff)
	}
	_, err = s.Purge(t.Context(), store.PurgeFilter{})
	must(t, err)
	traces.Events, traces.Tries, traces.Error, traces.Next = 0, 0, "", time.Time{}
	if diff := cmp.Diff([]Sink{traces, counts}, look(s)); diff != "" {
		t.Error("purged:", diff)
	}
}

func TestUnusable(t *testing.T) {
	const problem = "/c.toml:2: telemetry.endpoint is no http or https URL"
	set := []config.Value{{Key: "telemetry.endpoint", Value: "localhost:4318"}}
	for name, tt := range map[string]struct {
		s    config.Settings
		want string
	}{
		"nothing is set": {config.Settings{Values: []config.Value{{Key: "telemetry.endpoint"}}}, ""},
		"all is well":    {settings(config.Settings{Values: set}), ""},
		"no URL":         {config.Settings{Values: set, Problems: []string{"other", problem}}, problem},
		"for no reason":  {config.Settings{Values: set}, "is set and can't be used"},
	} {
		if got := Unusable(tt.s); !strings.Contains(got, tt.want) || (got == "") != (tt.want == "") {
			t.Errorf("%s: %q", name, got)
		}
	}
}
