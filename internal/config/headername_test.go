package config

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestHeaderName: what is written in the wrong form has the secret in the name.
func TestHeaderName(t *testing.T) {
	const none = "(not a header name)"
	for name, tc := range map[string]struct{ value, want string }{
		"x-team":                       {"blue", "x-team"},
		"Authorization":                {"Bearer x", "Authorization"},
		"Authorization: Bearer SECRET": {"=", none},
		"SECRET":                       {"=", none},
		"":                             {"x", none},
		"größe":                        {"x", none},
		strings.Repeat("x", 41):        {"x", none},
	} {
		if got := HeaderName(name, tc.value); got != tc.want {
			t.Errorf("%q: %q", name, got)
		}
	}
}

func TestValuesShowNoHeaderThatIsNone(t *testing.T) {
	vars := map[string]string{"OTEL_EXPORTER_OTLP_HEADERS": "x-team=blue,Authorization: Bearer SECRET==", "OTEL_RESOURCE_ATTRIBUTES": "a b=c"}
	s := Load(Request{Env: func(name string) (string, bool) { v, ok := vars[name]; return v, ok }})
	got := map[string]string{}
	for _, v := range s.Values {
		if v.Key == "telemetry.headers" || v.Key == "telemetry.resource" {
			got[v.Key] = v.Value
		}
	}
	if diff := cmp.Diff(map[string]string{"telemetry.headers": "(not a header name),x-team", "telemetry.resource": "a b"}, got); diff != "" {
		t.Error(diff)
	}
}
