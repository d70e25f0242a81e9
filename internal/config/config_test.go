package config

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// place is a home with files, and an environment.
type place struct {
	home string
	vars map[string]string
}

func newPlace(t *testing.T, files map[string]string, vars map[string]string) place {
	t.Helper()
	p := place{t.TempDir(), vars}
	for name, text := range files {
		p.put(t, name, text)
	}
	return p
}

func (p place) put(t testing.TB, name, text string) {
	t.Helper()
	path := filepath.Join(p.home, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

func (p place) env(name string) (string, bool) {
	v, ok := p.vars[name]
	return v, ok
}

func (p place) load(wired bool) Settings {
	r := Request{Home: p.home, Env: p.env}
	if wired {
		r.Path = filepath.Join(p.home, ".config/boathook/config.toml")
	}
	return Load(r)
}

func (s Settings) source(key string) string {
	for _, v := range s.Values {
		if v.Key == key {
			return v.Source
		}
	}
	return ""
}

const (
	configFile = ".config/boathook/config.toml"
	ownEnv     = ".config/boathook/boathook.env"
	pintaEnv   = ".gemini/pinta-gemini.env"
)

func TestDefaults(t *testing.T) {
	p := newPlace(t, nil, nil)
	s := p.load(false)
	want := Settings{
		Path: filepath.Join(p.home, configFile), DataDir: filepath.Join(p.home, ".local/share/boathook"), TrustEnv: true,
		Guard: Guard{Timeout: 50 * time.Millisecond}, Deadline: 5 * time.Second, SpoolMax: 512 << 20, StoreMax: 4096 << 20, WorkerIdle: 30 * time.Second,
		Policy: Policy{Mode: "enforce", File: filepath.Join(p.home, ".config/boathook/policy.toml"), AllowOnce: 10 * time.Minute},
		Telemetry: Telemetry{
			Gzip: true, Timeout: 5 * time.Second, EventSpans: true, GenAISpans: true, Content: true, Metrics: true,
			MetricsInterval: time.Minute, Abandon: 30 * time.Minute,
		},
		Retention: Retention{Body: 14 * 24 * time.Hour, Metadata: 90 * 24 * time.Hour},
		Off:       Off{Allowed: true}, Audit: Audit{MaxBytes: 16 << 20},
		Memory: Memory{
			Provider: "sqlite", DSNEnv: "BOATHOOK_MEMORY_DSN", Inject: "off", Sample: 100, Redact: true, Summary: "extract", TopK: 8, MaxContextTokens: 1200,
			Deadline: 250 * time.Millisecond, EmbedderDeadline: 120 * time.Millisecond, Embedding: Embedding{Provider: "none"},
			Raw: 90 * 24 * time.Hour, Summaries: 365 * 24 * time.Hour,
		},
	}
	s.Values, s.Files = nil, nil
	if diff := cmp.Diff(want, s); diff != "" {
		t.Error(diff)
	}
}

func TestInstalledHookIgnoresTheEnvironment(t *testing.T) {
	p := newPlace(t, map[string]string{
		configFile: "data_dir = \"/data\"\n[guard]\nendpoint = \"http://config\"\ntoken = \"good\"\n",
	}, map[string]string{
		"PINTA_GUARD_ENDPOINT": "http://env", "PINTA_GUARD_DISABLED": "1", "PINTA_RELAY_TOKEN": "env", "PINTA_GUARD_TIMEOUT_MS": "1",
		"GEMINI_PLUGIN_DATA": "/env", "XDG_DATA_HOME": "/xdg", "XDG_CONFIG_HOME": "/xdg", "OTEL_EXPORTER_OTLP_ENDPOINT": "http://env",
		"GEMINI_PLUGIN_OPTION_ENDPOINT": "http://env", "GEMINI_PLUGIN_OPTION_HEADERS": "a=b", "GEMINI_PLUGIN_OPTION_API_KEY": "k",
	})
	s := p.load(true)
	want := Guard{Endpoint: "http://config", Token: "good", Timeout: 50 * time.Millisecond}
	if diff := cmp.Diff(want, s.Guard); diff != "" {
		t.Error(diff)
	}
	if s.DataDir != "/data" || s.Telemetry.Endpoint != "" || s.Telemetry.Headers != nil || s.TrustEnv {
		t.Errorf("got %+v", s)
	}
}

func TestPrecedence(t *testing.T) {
	files := map[string]string{
		configFile: "[guard]\nendpoint = \"http://config\"\n",
		ownEnv:     "PINTA_GUARD_ENDPOINT=http://own\nPINTA_RELAY_TOKEN=own\n",
		pintaEnv:   "PINTA_RELAY_TOKEN=pinta\nGEMINI_PLUGIN_DATA=/pinta\n",
	}
	env := map[string]string{"PINTA_GUARD_ENDPOINT": "http://env"}
	for _, tc := range []struct {
		name, endpoint, source string
		wired, trusted         bool
	}{
		{"installed: the config, then the files", "http://config", configFile, true, false},
		{"installed and trusted: the environment first", "http://env", "environment PINTA_GUARD_ENDPOINT", true, true},
		{"own wiring: the environment first", "http://env", "environment PINTA_GUARD_ENDPOINT", false, false},
	} {
		t.Run(tc.name, func(t *testing.T) {
			all := map[string]string{}
			for k, v := range files {
				all[k] = v
			}
			if tc.trusted {
				all[configFile] = "environment = \"trusted\"\n" + all[configFile]
			}
			s := newPlace(t, all, env).load(tc.wired)
			if s.Guard.Endpoint != tc.endpoint || !strings.HasSuffix(s.source("guard.endpoint"), tc.source) {
				t.Errorf("endpoint %s from %s", s.Guard.Endpoint, s.source("guard.endpoint"))
			}
			if s.Guard.Token != "own" || !strings.HasSuffix(s.source("guard.token"), "boathook.env PINTA_RELAY_TOKEN") {
				t.Errorf("token %s from %s", s.Guard.Token, s.source("guard.token"))
			}
			if s.DataDir != "/pinta" {
				t.Errorf("data directory %s", s.DataDir)
			}
		})
	}
}

func TestTelemetryByRank(t *testing.T) {
	all := map[string]string{
		"GEMINI_PLUGIN_OPTION_ENDPOINT": "http://one", "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT": "http://two", "OTEL_EXPORTER_OTLP_ENDPOINT": "http://three/",
		"GEMINI_PLUGIN_OPTION_HEADERS": "a=1", "OTEL_EXPORTER_OTLP_HEADERS": "b=2,c=x%20y",
	}
	p := newPlace(t, nil, all)
	for _, want := range []string{"http://one", "http://two", "http://three/v1/traces", ""} {
		if got := p.load(false).Telemetry.Endpoint; got != want {
			t.Errorf("endpoint %q, want %q", got, want)
		}
		for _, name := range []string{"GEMINI_PLUGIN_OPTION_ENDPOINT", "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", "OTEL_EXPORTER_OTLP_ENDPOINT"} {
			if _, ok := p.vars[name]; ok {
				delete(p.vars, name)
				break
			}
		}
	}
	if diff := cmp.Diff(map[string]string{"a": "1"}, p.load(false).Telemetry.Headers); diff != "" {
		t.Error(diff)
	}
	delete(p.vars, "GEMINI_PLUGIN_OPTION_HEADERS")
	p.vars["GEMINI_PLUGIN_OPTION_API_KEY"] = "key"
	want := map[string]string{"b": "2", "c": "x y", "x-pinta-relay-token": "key"}
	s := p.load(false)
	if diff := cmp.Diff(want, s.Telemetry.Headers); diff != "" {
		t.Error(diff)
	}
	if s.Guard.Token != "key" {
		t.Errorf("guard token %q, want that of the headers", s.Guard.Token)
	}
}

func TestBrokenFilesLoseOnlyBrokenLines(t *testing.T) {
	for _, tc := range []struct {
		name, text string
		problems   []string
	}{
		{"a line of nonsense", "what is this\n[guard]\nendpoint = \"http://g\"\n", []string{"config.toml:1: "}},
		{"an unclosed text", "[guard]\nendpoint = \"http://g\"\ntoken = \"x\n", []string{"config.toml:3: "}},
		{"a broken table head", "privacy = \"minimal\"\n[guard\nendpoint = \"http://g\"\n", []string{"config.toml:2: "}},
		{"a number as text", "[guard]\nendpoint = \"http://g\"\ntimeout_ms = \"soon\"\n", []string{"config.toml:3: guard.timeout_ms wants a whole number"}},
		{"a number out of bounds", "[guard]\nendpoint = \"http://g\"\ntimeout_ms = 0\n", []string{"config.toml:3: guard.timeout_ms is not between"}},
		{"a value without quotes", "[guard]\nendpoint = http://g\n", []string{"config.toml:2: "}},
		{"a value with one quote", "[guard]\nendpoint = \"http://g # here\n", []string{"config.toml:2: "}},
		{"a key given twice", "[guard]\nendpoint = \"http://h\"\nendpoint = \"http://g\"\n", []string{"config.toml:3: "}},
		{"an unknown key", "[guard]\nendpoint = \"http://g\"\nendpiont = \"x\"\n", []string{"config.toml:3: unknown key guard.endpiont"}},
		{"an unknown table", "[sentry]\na = 1\n[guard]\nendpoint = \"http://g\"\n", []string{"config.toml:1: unknown key sentry"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			s := newPlace(t, map[string]string{configFile: tc.text}, nil).load(true)
			if s.Guard.Endpoint != "http://g" || s.Guard.Timeout != 50*time.Millisecond || s.Guard.FailClosed {
				t.Errorf("got %+v", s.Guard)
			}
			if len(s.Problems) != len(tc.problems) {
				t.Fatalf("problems %q", s.Problems)
			}
			for i, want := range tc.problems {
				if !strings.Contains(s.Problems[i], want) {
					t.Errorf("problem %q, want %q in it", s.Problems[i], want)
				}
			}
		})
	}
}

// TestAChoiceThatIsNoneIsTheStrictOne: who writes fail = "close" does not want open.
func TestAChoiceThatIsNoneIsTheStrictOne(t *testing.T) {
	text := "privacy = \"min\"\nenvironment = \"trust\"\n[guard]\nfail = \"close\"\nreview = aks\non_error = 7\n"
	s := newPlace(t, map[string]string{configFile: text}, nil).load(true)
	if !s.Minimal || s.TrustEnv || !s.Guard.FailClosed || !s.Guard.ReviewAsks || !s.Guard.DenyOnFail {
		t.Errorf("got %+v", s)
	}
	if len(s.Problems) != 5 {
		t.Errorf("problems %q", s.Problems)
	}
}

func TestFilesThatAreNone(t *testing.T) {
	for name, text := range map[string]string{
		"binary": "\x00\x01\xff", "many broken lines": strings.Repeat("?\n", 200), "empty": "",
	} {
		s := newPlace(t, map[string]string{configFile: text}, nil).load(true)
		if s.Missing || s.Guard.Endpoint != "" || (text != "") != (len(s.Problems) > 0) {
			t.Errorf("%s: %+v", name, s)
		}
	}
	p := newPlace(t, map[string]string{configFile + "/file": ""}, nil)
	if s := p.load(true); s.Missing || len(s.Problems) != 1 {
		t.Errorf("a directory: %+v", s.Problems)
	}
	if s := newPlace(t, nil, nil).load(true); !s.Missing || len(s.Problems) != 0 {
		t.Errorf("missing: %v %v", s.Missing, s.Problems)
	}
}

func TestEnvFile(t *testing.T) {
	vars, problems := parseEnv("f", decode([]byte("\ufeff# comment\n\nexport A=1\r\nB = \"two words\"\nC='x'\nD=\nnonsense\n2X=1\nA=again\nE=a=b\n")))
	want := map[string]string{"A": "again", "B": "two words", "C": "x", "D": "", "E": "a=b"}
	if diff := cmp.Diff(want, vars); diff != "" {
		t.Error(diff)
	}
	if !slices.Equal(problems, []string{"f:7: not a KEY=value line, skipped", "f:8: not a KEY=value line, skipped"}) {
		t.Errorf("problems %q", problems)
	}
}

func TestSecretsAreNotShown(t *testing.T) {
	p := newPlace(t, map[string]string{configFile: "[guard]\ntoken = \"topsecret\"\n[telemetry]\nheaders = { a = \"topsecret\" }\n"}, nil)
	for _, v := range p.load(true).Values {
		if strings.Contains(v.Value, "topsecret") {
			t.Errorf("%s shows %s", v.Key, v.Value)
		}
	}
}
