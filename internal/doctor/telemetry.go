package doctor

import (
	"context"
	"errors"
	"io/fs"
	"strings"

	"github.com/boathook/boathook/internal/sink/progress"
)

func telemetryChecks() []Check {
	return []Check{
		{ID: "telemetry.endpoint", Title: "OTLP endpoint", Run: endpoint},
		{ID: "telemetry.metrics", Title: "metrics endpoint", Run: metricsEndpoint},
		{ID: "telemetry.sinks", Title: "sending", Run: sinks},
	}
}

const (
	tracesKey  = "telemetry.endpoint"
	metricsKey = "telemetry.metrics_endpoint"
)

// endpoint goes the way to the collector, and sends it a request without any span.
func endpoint(ctx context.Context, w *World) []Result {
	t := w.telemetry()
	switch {
	case t.url == "" && w.said(t.key) != "":
		return []Result{w.notURL(t.key, "/v1/traces")}
	case t.url == "":
		return info("none is set: nothing is sent, events stay on this machine")
	case w.Offline:
		return info("%s is not asked (--offline)", Address(t.url))
	}
	return w.probed(ctx).results
}

// notURL is an endpoint that settings took for none.
func (w *World) notURL(key, path string) Result {
	return fail("edit "+w.configFile()+": "+key+" = \"http://HOST:4318"+path+"\", or https", "%s is set and is not an http or https URL: nothing is sent there", key)
}

func metricsEndpoint(ctx context.Context, w *World) []Result {
	s := w.Settings.Telemetry
	t := w.telemetry()
	t.url, t.key = s.MetricsEndpoint, metricsKey
	switch {
	case !s.Metrics:
		return nil
	case t.url == "" && w.said(t.key) != "":
		return []Result{w.notURL(t.key, "/v1/metrics")}
	case w.Offline, s.Endpoint == "" && t.url == "":
		return nil
	case t.url == "":
		return info("none: telemetry.endpoint does not end in /v1/traces, and telemetry.metrics_endpoint is not set")
	}
	c, err := w.client()
	if err != nil {
		if s.Endpoint == "" {
			return []Result{w.unusable(err)}
		}
		return nil // said by telemetry.endpoint
	}
	if bad := w.strayed(t); bad != nil {
		return []Result{*bad}
	}
	if _, bad := w.dial(ctx, t); bad != nil {
		if sameHost(s.Endpoint, t.url) {
			return nil // said by telemetry.endpoint
		}
		return []Result{*bad}
	}
	return w.judge(t, c.SendMetrics(ctx, w.noMetrics()))
}

// sinks says how far what is sent is behind what is stored, and why.
func sinks(ctx context.Context, w *World) []Result {
	s, err := w.Open(ctx)
	if err != nil {
		return nothingStored(err)
	}
	defer func() { _ = s.Close() }() // it was only read
	if w.Settings.Telemetry.Endpoint == "" && w.said(tracesKey) != "" {
		return info("nothing is sent: see the endpoint's line above; events stay on this machine")
	}
	all, err := progress.Of(ctx, s, w.Settings)
	if err != nil {
		return storeFailed(w, err)
	}
	if len(all) == 0 {
		return info("nothing is sent anywhere")
	}
	var failing []Result
	var behind []string
	began := false
	for _, k := range all {
		began = began || !k.Success.IsZero()
		k.Error = w.Foreign(k.Error)
		switch {
		case k.Failing():
			failing = append(failing, warn("see the endpoint's line above; nothing is lost, and what is kept is sent once it works", "%s: %s", k.Name, k.Text(w.Now())))
		case k.Behind() || k.Held:
			behind = append(behind, k.Name+": "+k.Text(w.Now()))
		}
	}
	switch {
	case len(failing) > 0:
		return failing
	case len(behind) > 0:
		return info("%s", strings.Join(behind, "; "))
	case !began:
		return info("nothing was sent yet: what is recorded from now on will be")
	}
	return ok("all that is stored is sent")
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
