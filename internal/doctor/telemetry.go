package doctor

import (
	"context"
	"errors"
	"io/fs"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/boathook/boathook/internal/otlp"
	"github.com/boathook/boathook/internal/store"
)

func telemetryChecks() []Check {
	return []Check{
		{ID: "telemetry.endpoint", Title: "OTLP endpoint", Run: endpoint},
		{ID: "telemetry.metrics", Title: "metrics endpoint", Run: metricsEndpoint},
		{ID: "telemetry.sinks", Title: "sending", Run: sinks},
	}
}

func (w *World) telemetry() target {
	t := w.Settings.Telemetry
	return target{
		url: t.Endpoint, proxy: t.Proxy, key: "telemetry.endpoint", ca: t.CA, clientCert: t.ClientCert, clientKey: t.ClientKey, trustEnv: w.Settings.TrustEnv,
	}
}

func (w *World) client() (*otlp.Client, error) {
	t := w.Settings.Telemetry
	return otlp.NewClient(otlp.Options{
		Traces: t.Endpoint, Metrics: t.MetricsEndpoint, Headers: t.Headers, JSON: t.JSON, Gzip: t.Gzip, Timeout: min(t.Timeout, dialLimit), CA: t.CA,
		ClientCert: t.ClientCert, ClientKey: t.ClientKey, Proxy: t.Proxy, TrustEnv: w.Settings.TrustEnv, UserAgent: "boathook/" + w.Install.Version,
	})
}

// endpoint goes the way to the collector, and sends it a request without any span.
func endpoint(ctx context.Context, w *World) []Result {
	t := w.telemetry()
	switch {
	case t.url == "" && w.source(t.key) != "default":
		return []Result{fail("edit "+w.configFile()+": "+t.key, "%s is set and is not an http or https URL: nothing is sent", t.key)}
	case t.url == "":
		if s := w.Settings.Telemetry; s.Metrics && s.MetricsEndpoint != "" {
			return info("none is set: metrics are sent, and no spans")
		}
		return info("none is set: nothing is sent, events stay on this machine")
	case w.Offline:
		return info("%s is not asked (--offline)", Address(t.url))
	}
	if _, bad := w.dial(ctx, t); bad != nil {
		return []Result{*bad}
	}
	return w.empty(t, func(c *otlp.Client) otlp.Result { return c.SendTraces(ctx, otlp.Traces{}) })
}

const metricsKey = "telemetry.metrics_endpoint"

func metricsEndpoint(ctx context.Context, w *World) []Result {
	s := w.Settings.Telemetry
	t := w.telemetry()
	t.url, t.key = s.MetricsEndpoint, metricsKey
	if s.Endpoint == "" && t.url == "" || !s.Metrics || w.Offline {
		return nil
	}
	if t.url == "" {
		return info("none: telemetry.endpoint does not end in /v1/traces, and telemetry.metrics_endpoint is not set")
	}
	if _, bad := w.dial(ctx, t); bad != nil {
		if sameHost(s.Endpoint, t.url) {
			return nil // said by telemetry.endpoint
		}
		return []Result{*bad}
	}
	return w.empty(t, func(c *otlp.Client) otlp.Result { return c.SendMetrics(ctx, otlp.Metrics{}) })
}

func sameHost(a, b string) bool {
	one, err := url.Parse(a)
	other, failed := url.Parse(b)
	return err == nil && failed == nil && one.Scheme == other.Scheme && one.Host == other.Host
}

// empty sends a request without content and says what became of it.
func (w *World) empty(t target, send func(*otlp.Client) otlp.Result) []Result {
	edit := "edit " + w.configFile() + ": "
	c, err := w.client()
	if err != nil {
		return []Result{fail(edit+t.key, "%s can't be used: %s", t.key, w.Foreign(err.Error()))}
	}
	r := send(c)
	at := Address(t.url)
	if r.Outcome == otlp.Accepted {
		return ok("%s takes what is sent", at)
	}
	switch r.Status {
	case http.StatusUnauthorized, http.StatusForbidden:
		return []Result{fail(edit+"telemetry.headers or telemetry.api_key", "%s refuses who sends (status %d)", at, r.Status)}
	case http.StatusNotFound, http.StatusMethodNotAllowed:
		hint := " (an OTLP/HTTP URL usually ends in /v1/traces)"
		if t.key == metricsKey {
			hint = " (it usually ends in /v1/metrics; telemetry.metrics = false where the backend takes none)"
		}
		return []Result{fail(edit+t.key+hint, "%s has nothing there that takes OTLP (status %d)", at, r.Status)}
	case http.StatusTooManyRequests, http.StatusBadGateway, http.StatusServiceUnavailable, http.StatusGatewayTimeout:
		return []Result{warn("nothing here: it is tried again", "%s takes nothing now (status %d); events are kept", at, r.Status)}
	case http.StatusBadRequest, http.StatusUnsupportedMediaType, http.StatusUnprocessableEntity:
		return []Result{fail(edit+"telemetry.protocol", "%s does not understand what is sent (status %d)", at, r.Status)}
	case 0:
		return []Result{fail(edit+t.key+", or mend the server", "%s: %s", at, w.Foreign(r.Message))}
	}
	return []Result{fail(edit+t.key, "%s answers with status %d: %s", at, r.Status, w.Foreign(r.Message))}
}

// sinks says how far what is sent is behind what is stored, and why.
func sinks(ctx context.Context, w *World) []Result {
	s, err := w.Open(ctx)
	if err != nil {
		return nothingStored(err)
	}
	defer func() { _ = s.Close() }() // it was only read
	cursors, err := s.Cursors(ctx)
	if err != nil {
		return storeFailed(w, err)
	}
	event, _, err := s.Head(ctx)
	if err != nil {
		return storeFailed(w, err)
	}
	var out []Result
	var behind []string
	for _, c := range cursors {
		if c.Tries > 0 {
			out = append(out, w.stuckSink(c, event-c.Event))
		} else if event > c.Event {
			behind = append(behind, lag(c, event))
		}
	}
	switch {
	case len(out) > 0:
		return out
	case len(cursors) == 0:
		return info("nothing is sent anywhere")
	case len(behind) > 0:
		return info("%s still to be sent", strings.Join(behind, ", "))
	}
	return ok("all that is stored is sent")
}

func lag(c store.Cursor, head int64) string {
	return Count(head-c.Event, "event") + " (" + c.Name + ")"
}

func (w *World) stuckSink(c store.Cursor, behind int64) Result {
	text := c.Name + " has failed " + Count(int64(c.Tries), "time") + " in a row, " + Count(behind, "event") + " behind: " + w.Foreign(c.Error)
	if next := c.Next.Sub(w.Now()).Round(time.Second); next > 0 {
		text += "; next try in " + next.String()
	}
	return warn("see the endpoint's line above; nothing is lost, and what is kept is sent once it works", "%s", text)
}

// nothingStored is what the store's checks say where there is none, or one that can't be opened: store.integrity says that.
func nothingStored(err error) []Result {
	if errors.Is(err, fs.ErrNotExist) {
		return info("nothing is stored yet")
	}
	return info("can't be told: the store does not open")
}

func storeFailed(w *World, err error) []Result {
	return []Result{fail("boathook doctor --full", "%s", w.Foreign(err.Error()))}
}
