package otlp

import (
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/boathook/boathook/internal/config"
	wire "github.com/boathook/boathook/internal/otlp"
	"github.com/boathook/boathook/internal/store"
)

// sentTo sends one span by what this environment says, and tells which path it came to and with which headers; nothing
// where the environment names no endpoint. HERE stands for a collector's URL.
func sentTo(t *testing.T, vars map[string]string) (path string, headers http.Header) {
	t.Helper()
	s := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		path, headers = r.URL.Path, r.Header
	}))
	defer s.Close()
	home := t.TempDir()
	settings := config.Load(config.Request{
		Home: home, AccountHome: func() string { return home },
		Env: func(name string) (string, bool) {
			v, ok := vars[name]
			return strings.ReplaceAll(v, "HERE", s.URL), ok
		},
	})
	tel := settings.Telemetry
	if tel.Endpoint == "" {
		return "", nil
	}
	client, err := wire.NewClient(wire.Options{Traces: tel.Endpoint, Headers: tel.Headers, Gzip: tel.Gzip, JSON: tel.JSON})
	must(t, err)
	defer client.Close()
	st := inStore(t, turns(t, 1)[:1]...)
	must(t, st.SetCursor(t.Context(), nil, store.Cursor{Name: Name}))
	c := both(true)
	c.Client = client
	if p, err := New(c).Pass(t.Context(), st); err != nil || p.Events != 1 {
		t.Fatalf("%+v, %v", p, err)
	}
	return path, headers
}

func TestSpec9_1EndpointOrder(t *testing.T) {
	vars := map[string]string{
		"GEMINI_PLUGIN_OPTION_ENDPOINT": "HERE/plugin", "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT": "HERE/traces", "OTEL_EXPORTER_OTLP_ENDPOINT": "HERE/base",
	}
	for _, step := range []struct{ name, want string }{
		{"GEMINI_PLUGIN_OPTION_ENDPOINT", "/plugin"}, {"OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", "/traces"},
		{"OTEL_EXPORTER_OTLP_ENDPOINT", "/base/v1/traces"}, {"", ""},
	} {
		if got, _ := sentTo(t, vars); got != step.want {
			t.Errorf("with %v: %q, want %q", slices.Sorted(maps.Keys(vars)), got, step.want)
		}
		delete(vars, step.name)
	}
}

func TestSpec9_1HeaderOrder(t *testing.T) {
	vars := map[string]string{
		"GEMINI_PLUGIN_OPTION_ENDPOINT": "HERE/v1/traces", "GEMINI_PLUGIN_OPTION_HEADERS": "x-which=plugin", "OTEL_EXPORTER_OTLP_HEADERS": "x-which=otel,x-more=1",
	}
	show := func() map[string]string {
		_, h := sentTo(t, vars)
		return map[string]string{"which": h.Get("x-which"), "more": h.Get("x-more"), "token": h.Get("x-pinta-relay-token")}
	}
	if diff := cmp.Diff(map[string]string{"which": "plugin", "more": "", "token": ""}, show()); diff != "" {
		t.Error(diff)
	}
	delete(vars, "GEMINI_PLUGIN_OPTION_HEADERS")
	vars["GEMINI_PLUGIN_OPTION_API_KEY"] = "key"
	if diff := cmp.Diff(map[string]string{"which": "otel", "more": "1", "token": "key"}, show()); diff != "" {
		t.Error(diff)
	}
}
