package doctor

import (
	"context"
	"errors"
	"io/fs"
	"slices"
	"strings"
	"time"

	"github.com/boathook/boathook/internal/duration"
	"github.com/boathook/boathook/internal/sink/metrics"
	spans "github.com/boathook/boathook/internal/sink/otlp"
	"github.com/boathook/boathook/internal/store"
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
	wanted := w.sending()
	if len(wanted) == 0 {
		return info("nothing is sent anywhere")
	}
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
	seen := 0
	for _, c := range cursors {
		if !slices.Contains(wanted, c.Name) {
			continue // of a destination that was taken out; the next worker drops it
		}
		seen++
		if c.Tries > 0 {
			out = append(out, w.stuckSink(c, event-c.Event))
		} else if event > c.Event {
			behind = append(behind, lag(c, event))
		}
	}
	switch {
	case len(out) > 0:
		return out
	case seen == 0:
		return info("nothing was sent yet: what is recorded from now on will be")
	case len(behind) > 0:
		return info("%s still to be sent", strings.Join(behind, ", "))
	}
	return ok("all that is stored is sent")
}

// sending are the names of the sinks that the settings ask for.
func (w *World) sending() []string {
	var out []string
	if w.Settings.Telemetry.Endpoint != "" {
		out = append(out, spans.Name)
	}
	if w.Settings.Telemetry.Metrics && w.Settings.Telemetry.MetricsEndpoint != "" {
		out = append(out, metrics.Name)
	}
	return out
}

func lag(c store.Cursor, head int64) string {
	return Count(head-c.Event, "event") + " (" + c.Name + ")"
}

func (w *World) stuckSink(c store.Cursor, behind int64) Result {
	text := c.Name + " has failed " + Count(int64(c.Tries), "time") + " in a row, " + Count(behind, "event") + " behind: " + w.Foreign(c.Error)
	if next := c.Next.Sub(w.Now()).Round(time.Second); next > 0 {
		text += "; next try in " + duration.Text(next)
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
