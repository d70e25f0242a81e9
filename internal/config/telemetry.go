package config

import (
	"net/url"
	"path/filepath"
	"strings"
)

func (l *loader) telemetry() Telemetry {
	headers, _ := l.values["telemetry.headers"].(map[string]string)
	resource, _ := l.values["telemetry.resource"].(map[string]string)
	return Telemetry{
		Endpoint: l.url("telemetry.endpoint", ":4318/v1/traces"), Headers: withKey(headers, l.text("telemetry.api_key")),
		JSON: l.values["telemetry.protocol"] == "http/json", Gzip: l.values["telemetry.compression"] == "gzip",
		Timeout: l.millis("telemetry.timeout_ms"), Proxy: l.text("telemetry.proxy"),
		CA: l.pem("telemetry.certificate"), ClientCert: l.pem("telemetry.client_certificate"), ClientKey: l.pem("telemetry.client_key"),
		EventSpans: l.values["telemetry.event_spans"] == true, GenAISpans: l.values["telemetry.genai_spans"] == true,
		Content: l.values["telemetry.content"] == "redacted", Resource: resource,
		Metrics: l.values["telemetry.metrics"] == true, MetricsEndpoint: l.metricsEndpoint(),
		MetricsInterval: l.seconds("telemetry.metrics_interval_s"), Abandon: l.seconds("telemetry.abandon_min") * 60,
	}
}

// metricsEndpoint is the one that is set, else the traces' with the signal's own path, where it has the usual one.
func (l *loader) metricsEndpoint() string {
	if l.text("telemetry.metrics_endpoint") != "" {
		return l.url("telemetry.metrics_endpoint", ":4318/v1/metrics")
	}
	path, query := cutQuery(l.url("telemetry.endpoint", ":4318/v1/traces"))
	if base, ok := strings.CutSuffix(path, "/v1/traces"); ok {
		return base + "/v1/metrics" + query
	}
	return ""
}

// cutQuery splits a URL before its query or fragment.
func cutQuery(text string) (path, query string) {
	if at := strings.IndexAny(text, "?#"); at >= 0 {
		return text[:at], text[at:]
	}
	return text, ""
}

// url is an endpoint that something can be sent to. One that is none counts as unset, with the cure; the value is not
// quoted, since a URL may hold a password.
func (l *loader) url(key, like string) string {
	text := l.text(key)
	if text == "" {
		return ""
	}
	u, err := url.Parse(text)
	if err == nil && (u.Scheme == "http" || u.Scheme == "https") && u.Host != "" {
		return text
	}
	l.problem(l.said(key) + ": " + key + " is no http or https URL, so that nothing is sent there; write http://HOST" + like + ", or https")
	return ""
}

// pem is the path of a file. A relative one would be looked for in every project.
func (l *loader) pem(key string) string {
	text := l.text(key)
	if text == "" {
		return ""
	}
	_, source := l.find(known().keys[key])
	path, ok := l.absolute(text, source)
	if !ok {
		l.problem(l.said(key) + ": " + key + " is not an absolute path; it is ignored")
		return ""
	}
	return filepath.Clean(path)
}

// projects are the directories of off.projects.
func (l *loader) projects() []string {
	const key = "off.projects"
	v, source := l.find(known().keys[key])
	list, _ := v.([]string)
	var out []string
	for _, path := range list {
		path, ok := l.absolute(path, source)
		if !ok {
			l.problem(l.said(key) + ": " + key + " has a path that is not absolute; it is ignored")
			continue
		}
		out = append(out, filepath.Clean(path))
	}
	return out
}

// said is the place where a key got its value.
func (l *loader) said(key string) string {
	k := known().keys[key]
	_, source := l.find(k)
	return l.where(k, source)
}
