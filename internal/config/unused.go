package config

import (
	"slices"
	"strings"

	"github.com/boathook/boathook/internal/paths"
)

// Unused says which of OpenTelemetry's own variables are set that boathook does not know, though they ask something of it,
// and what does it here. No value is in the texts. Hooks never ask this.
func Unused(env paths.Lookup) []string {
	if env == nil {
		return nil
	}
	var out []string
	for _, v := range foreignVariables() {
		value, ok := env(v.name)
		if value = strings.ToLower(strings.TrimSpace(value)); ok && value != "" && !slices.Contains(v.same, value) {
			out = append(out, v.name+" is not used by boathook: "+v.instead)
		}
	}
	return out
}

// foreignVariable is one variable; same are the values, in small letters, that ask for what boathook does anyway.
type foreignVariable struct {
	name, instead string
	same          []string
}

func foreignVariables() []foreignVariable {
	out := []foreignVariable{
		{"OTEL_SDK_DISABLED", "it sends where telemetry.endpoint says, and nothing where that is empty", []string{"false"}},
		{"OTEL_TRACES_EXPORTER", "it sends OTLP where telemetry.endpoint says, and nothing where that is empty", []string{"otlp"}},
		{"OTEL_METRICS_EXPORTER", "telemetry.metrics = false sends no metrics", []string{"otlp"}},
		{"OTEL_SERVICE_NAME", `telemetry.resource = { "service.name" = "…" } names the service`, nil},
		{"OTEL_TRACES_SAMPLER", "every span is sent", []string{"always_on", "parentbased_always_on"}},
		{"OTEL_METRIC_EXPORT_INTERVAL", "telemetry.metrics_interval_s is the seconds between two exports", nil},
	}
	for _, name := range []string{"HEADERS", "PROTOCOL", "COMPRESSION", "TIMEOUT", "CERTIFICATE", "CLIENT_CERTIFICATE", "CLIENT_KEY"} {
		out = append(out, foreignVariable{"OTEL_EXPORTER_OTLP_METRICS_" + name, "metrics are sent with what is set for the traces", nil})
	}
	return out
}
