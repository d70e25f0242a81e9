package config

import (
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// TestTelemetryVariables: the signal's own variable before the one for all signals, pinta's before both.
func TestTelemetryVariables(t *testing.T) {
	for name, get := range map[string]func(Telemetry) string{
		"HEADERS":            func(c Telemetry) string { return c.Headers["who"] },
		"TIMEOUT":            func(c Telemetry) string { return c.Timeout.String() },
		"PROTOCOL":           func(c Telemetry) string { return map[bool]string{true: "http/json", false: "http/protobuf"}[c.JSON] },
		"COMPRESSION":        func(c Telemetry) string { return map[bool]string{true: "gzip", false: "none"}[c.Gzip] },
		"CERTIFICATE":        func(c Telemetry) string { return c.CA },
		"CLIENT_CERTIFICATE": func(c Telemetry) string { return c.ClientCert },
		"CLIENT_KEY":         func(c Telemetry) string { return c.ClientKey },
	} {
		own := map[string][2]string{
			"HEADERS": {"who=traces", "traces"}, "TIMEOUT": {"700", "700ms"}, "PROTOCOL": {"http/json", "http/json"}, "COMPRESSION": {"none", "none"},
		}[name]
		all := map[string][2]string{
			"HEADERS": {"who=all", "all"}, "TIMEOUT": {"900", "900ms"}, "PROTOCOL": {"http/protobuf", "http/protobuf"}, "COMPRESSION": {"gzip", "gzip"},
		}[name]
		if own[0] == "" {
			own, all = [2]string{"/traces.pem", "/traces.pem"}, [2]string{"/all.pem", "/all.pem"}
		}
		p := newPlace(t, nil, map[string]string{"OTEL_EXPORTER_OTLP_TRACES_" + name: own[0], "OTEL_EXPORTER_OTLP_" + name: all[0]})
		if got := get(p.load(false).Telemetry); got != own[1] {
			t.Errorf("%s: %q, want that of the traces, %q", name, got, own[1])
		}
		delete(p.vars, "OTEL_EXPORTER_OTLP_TRACES_"+name)
		if got := get(p.load(false).Telemetry); got != all[1] {
			t.Errorf("%s: %q, want that of all signals, %q", name, got, all[1])
		}
	}
	p := newPlace(t, nil, map[string]string{
		"GEMINI_PLUGIN_OPTION_HEADERS": "who=pinta", "OTEL_EXPORTER_OTLP_TRACES_HEADERS": "who=traces", "OTEL_EXPORTER_OTLP_HEADERS": "who=all",
	})
	if got := p.load(false).Telemetry.Headers["who"]; got != "pinta" {
		t.Errorf("headers of %s, want pinta's", got)
	}
}

func TestMetricsEndpoint(t *testing.T) {
	for _, tc := range []struct {
		name string
		vars map[string]string
		want string
	}{
		{"nothing", nil, ""},
		{"beside the traces", map[string]string{"OTEL_EXPORTER_OTLP_TRACES_ENDPOINT": "http://a:4318/x/v1/traces"}, "http://a:4318/x/v1/metrics"},
		{"traces elsewhere", map[string]string{"OTEL_EXPORTER_OTLP_TRACES_ENDPOINT": "http://a:4318/spans"}, ""},
		{"with a query", map[string]string{"OTEL_EXPORTER_OTLP_TRACES_ENDPOINT": "http://a/v1/traces?api_key=x/v1/traces"}, "http://a/v1/metrics?api_key=x/v1/traces"},
		{"a base with a query", map[string]string{"OTEL_EXPORTER_OTLP_ENDPOINT": "http://a:4318/?k=v/"}, "http://a:4318/v1/metrics?k=v/"},
		{"the base", map[string]string{"OTEL_EXPORTER_OTLP_ENDPOINT": "http://a:4318/"}, "http://a:4318/v1/metrics"},
		{"its own", map[string]string{"OTEL_EXPORTER_OTLP_ENDPOINT": "http://a", "OTEL_EXPORTER_OTLP_METRICS_ENDPOINT": "http://b/m"}, "http://b/m"},
		{"pinta's for the traces alone", map[string]string{"OTEL_EXPORTER_OTLP_ENDPOINT": "http://a", "GEMINI_PLUGIN_OPTION_ENDPOINT": "http://p/v1/traces"}, "http://a/v1/metrics"},
		{"its own is no URL", map[string]string{"OTEL_EXPORTER_OTLP_METRICS_ENDPOINT": "b:4318"}, ""},
	} {
		if got := newPlace(t, nil, tc.vars).load(false).Telemetry.MetricsEndpoint; got != tc.want {
			t.Errorf("%s: %q, want %q", tc.name, got, tc.want)
		}
	}
}

// TestWhatCannotBeSentTo: the problem names file and line and the cure, and quotes no value.
func TestWhatCannotBeSentTo(t *testing.T) {
	for _, value := range []string{"localhost:4318", "grpc://SECRET@host:4317", "ftp://host", "http://", "http://[", "/v1/traces"} {
		s := newPlace(t, map[string]string{configFile: "[telemetry]\n\nendpoint = \"" + value + "\"\n"}, nil).load(true)
		if s.Telemetry.Endpoint != "" || s.Telemetry.MetricsEndpoint != "" {
			t.Errorf("%s is sent to", value)
		}
		if len(s.Problems) != 1 || !strings.Contains(s.Problems[0], "config.toml:3: telemetry.endpoint ") ||
			!strings.Contains(s.Problems[0], "http://HOST:4318/v1/traces") || strings.Contains(s.Problems[0], "SECRET") {
			t.Errorf("%s: problems %q", value, s.Problems)
		}
	}
}

func TestGRPCIsNamed(t *testing.T) {
	s := newPlace(t, nil, map[string]string{"OTEL_EXPORTER_OTLP_PROTOCOL": "grpc"}).load(false)
	if len(s.Problems) == 1 && strings.Contains(s.Problems[0], "; it is ignored") {
		t.Errorf("says twice that it is ignored: %s", s.Problems[0])
	}
	if s.Telemetry.JSON || len(s.Problems) != 1 || !strings.Contains(s.Problems[0], "http/protobuf") || !strings.Contains(s.Problems[0], "4318") {
		t.Errorf("JSON %v, problems %q", s.Telemetry.JSON, s.Problems)
	}
}

func TestCertificatesAreAbsolute(t *testing.T) {
	p := newPlace(t, map[string]string{configFile: "[telemetry]\ncertificate = \"ca.pem\"\nclient_certificate = \"~/c.pem\"\nclient_key = \"/k/../k.pem\"\n"}, nil)
	s := p.load(true)
	if c := s.Telemetry; c.CA != "" || c.ClientCert != filepath.Join(p.home, "c.pem") || c.ClientKey != "/k.pem" {
		t.Errorf("%+v", c)
	}
	if len(s.Problems) != 1 || !strings.Contains(s.Problems[0], "config.toml:2: telemetry.certificate is not an absolute path") {
		t.Errorf("problems %q", s.Problems)
	}
}

// TestBoundsOfTheNumbers: the bounds count, one beyond each does not.
func TestBoundsOfTheNumbers(t *testing.T) {
	for key, want := range map[string][2]int64{
		"hook.flush_ms": {0, 10_000}, "retention.body_days": {0, 36_500}, "retention.metadata_days": {0, 36_500}, "telemetry.timeout_ms": {1, 120_000},
		"telemetry.metrics_interval_s": {1, 86_400}, "telemetry.abandon_min": {1, 10_080}, "audit.max_mb": {1, 1 << 20},
	} {
		k := known().keys[key]
		for _, n := range want {
			if _, err := convert(k, n); err != nil {
				t.Errorf("%s = %d: %v", key, n, err)
			}
		}
		for _, n := range []int64{want[0] - 1, want[1] + 1} {
			if _, err := convert(k, n); err == nil {
				t.Errorf("%s = %d is taken", key, n)
			}
		}
	}
}

// TestStrictOfTheNewChoices: who writes content = "no" does not want contents sent.
func TestStrictOfTheNewChoices(t *testing.T) {
	s := newPlace(t, map[string]string{configFile: "[telemetry]\ncontent = \"no\"\nprotocol = \"json\"\n[off]\nswitch = \"never\"\n"}, nil).load(true)
	if s.Telemetry.Content || s.Off.Allowed || s.Telemetry.JSON {
		t.Errorf("%+v %+v", s.Telemetry, s.Off)
	}
	if len(s.Problems) != 3 {
		t.Errorf("problems %q", s.Problems)
	}
}

func TestOffAuditFlush(t *testing.T) {
	p := newPlace(t, map[string]string{
		configFile: "[off]\nprojects = [\"~/private\", \"/srv/x/\", \"here\"]\n[audit]\nmax_mb = 1\n[hook]\nflush_ms = 1500\n",
		ownEnv:     "PINTA_GEMINI_DEBUG=1\n",
	}, map[string]string{"PINTA_GEMINI_DEBUG": "0"})
	s := p.load(true)
	if diff := cmp.Diff([]string{filepath.Join(p.home, "private"), "/srv/x"}, s.Off.Projects); diff != "" {
		t.Error(diff)
	}
	if len(s.Problems) != 1 || !strings.Contains(s.Problems[0], "config.toml:2: off.projects has a path that is not absolute") {
		t.Errorf("problems %q", s.Problems)
	}
	if !s.Audit.Enabled || s.Audit.MaxBytes != 1<<20 || s.Flush != 1500*time.Millisecond {
		t.Errorf("%+v %v", s.Audit, s.Flush)
	}
	if own := p.load(false); own.Audit.Enabled {
		t.Error("without --config the environment comes first, and says 0")
	}
}
