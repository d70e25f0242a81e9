package config

import (
	"strings"
	"testing"
)

// TestUnknownKeysHaveASuggestion: a slip of a letter or two, or the right name in the wrong table.
func TestUnknownKeysHaveASuggestion(t *testing.T) {
	for name, want := range map[string]string{
		"privcy": "privacy", "rpivacy": "privacy", "Privacy2": "privacy", "gard": "guard", "guard.endpiont": "guard.endpoint",
		"telemetry.endpint": "telemetry.endpoint", "telemetry.token": "guard.token", "token": "guard.token", "audit.privcy": "privacy", "guard.evnt_spans": "telemetry.event_spans", "audit.endpint": "",
		"endpoint": "", "sentry": "", "x": "", "no": "", "guard.x": "",
	} {
		s := newPlace(t, map[string]string{configFile: name + " = 1\n"}, nil).load(true)
		if len(s.Problems) != 1 || !strings.Contains(s.Problems[0], ":1: unknown key "+name) {
			t.Fatalf("%s: %q", name, s.Problems)
		}
		_, said, _ := strings.Cut(s.Problems[0], "did you mean ")
		if said, _, _ = strings.Cut(said, "?"); said != want {
			t.Errorf("%s: did you mean %q, want %q", name, said, want)
		}
	}
}

func TestUnusedVariablesAreNamed(t *testing.T) {
	vars := map[string]string{
		"OTEL_SDK_DISABLED": "true", "OTEL_TRACES_EXPORTER": "none", "OTEL_SERVICE_NAME": "canary", "OTEL_METRICS_EXPORTER": "OTLP",
		"OTEL_EXPORTER_OTLP_METRICS_HEADERS": "k=canary", "OTEL_TRACES_SAMPLER": "always_on", "OTEL_EXPORTER_OTLP_ENDPOINT": "http://x",
	}
	got := strings.Join(Unused(func(name string) (string, bool) { v, ok := vars[name]; return v, ok }), "\n")
	for _, want := range []string{"OTEL_SDK_DISABLED is not used", "OTEL_TRACES_EXPORTER is not used", "OTEL_SERVICE_NAME is not used", "OTLP_METRICS_HEADERS is not used"} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is not in\n%s", want, got)
		}
	}
	if strings.Count(got, "\n") != 3 || strings.Contains(got, "canary") {
		t.Errorf("%s", got)
	}
}

// TestDefaultsAreKnownWhoeverSaysThem: what install writes is no choice of somebody's.
func TestDefaultsAreKnownWhoeverSaysThem(t *testing.T) {
	p := newPlace(t, map[string]string{configFile: "privacy = \"standard\"\nguard.timeout_ms = 50\nguard.endpoint = \"\"\nguard.fail = \"closed\"\ntelemetry.metrics = true\n"}, nil)
	s := p.load(true)
	for _, v := range s.Values {
		if got := s.Defaults(v, p.home, nil); got != (v.Key != "guard.fail") {
			t.Errorf("%s = %s (%s): default %t", v.Key, v.Value, v.Source, got)
		}
	}
}
