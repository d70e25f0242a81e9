package cli

import (
	"context"
	"fmt"
	"log/slog"
	"time"

	"github.com/boathook/boathook/internal/config"
	"github.com/boathook/boathook/internal/otlp"
	"github.com/boathook/boathook/internal/sink/metrics"
	spans "github.com/boathook/boathook/internal/sink/otlp"
	"github.com/boathook/boathook/internal/spool"
	"github.com/boathook/boathook/internal/store"
	"github.com/boathook/boathook/internal/version"
	"github.com/boathook/boathook/internal/worker"
)

// The names of the sinks, which are those of their cursors.
const (
	tracesSink  = spans.Name
	metricsSink = metrics.Name
)

// sinksOf builds the sinks that the settings ask for; absent are the names of the others. A destination whose settings
// can't be used gets a sink that takes nothing and says why: its events are kept until somebody mends them, and the worker
// goes on. Each sink has a client of its own, so that what is wrong with one of the URLs concerns one.
func sinksOf(
	env *Env, dir string, s config.Settings, in spool.Spool, log *slog.Logger,
) (sinks []worker.Sink, absent []string) {
	t, all := s.Telemetry, clientOptions(s)
	add := func(name string, o otlp.Options, build func(*sender) worker.Sink) {
		if o.Traces == "" && o.Metrics == "" {
			absent = append(absent, name)
			return
		}
		client, err := otlp.NewClient(o)
		if err != nil {
			sinks = append(sinks, &brokenSink{name: name, why: err, now: env.Now, what: "telemetry"})
			return
		}
		sinks = append(sinks, build(&sender{client, s.Changed}))
	}
	forTraces, forMetrics := all, all
	forTraces.Metrics, forMetrics.Traces = "", ""
	add(tracesSink, forTraces, func(c *sender) worker.Sink {
		return spans.New(spans.Config{
			Client: c, EventSpans: t.EventSpans, GenAISpans: t.GenAISpans, Content: t.Content, Resource: t.Resource, Log: log, Now: env.Now,
		})
	})
	add(metricsSink, forMetrics, func(c *sender) worker.Sink {
		return metrics.New(metrics.Config{
			Client: c, Usage: in.Usage, Interval: t.MetricsInterval, Version: version.String(), Resource: t.Resource, Log: log, Now: env.Now,
		})
	})
	memory, without := memorySinks(env, dir, s, log)
	return append(sinks, memory...), append(absent, without...)
}

// sender sends as long as the settings are those in force. A request that is under way when the worker has to end is
// finished, if that takes no long.
type sender struct {
	client  *otlp.Client
	changed func() bool
}

// stale is the result of a request that was not made.
func stale() otlp.Result {
	return otlp.Result{Outcome: otlp.Retry, Message: "the settings have changed"}
}

func (s *sender) SendTraces(ctx context.Context, t otlp.Traces) otlp.Result {
	if !worker.Fresh(ctx, s.changed) {
		return stale()
	}
	ctx, done := worker.Linger(ctx)
	defer done()
	return s.client.SendTraces(ctx, t)
}

func (s *sender) SendMetrics(ctx context.Context, m otlp.Metrics) otlp.Result {
	if !worker.Fresh(ctx, s.changed) {
		return stale()
	}
	ctx, done := worker.Linger(ctx)
	defer done()
	return s.client.SendMetrics(ctx, m)
}

// clientOptions are those of a client for both signals.
func clientOptions(s config.Settings) otlp.Options {
	t := s.Telemetry
	o := otlp.Options{
		Traces: t.Endpoint, Headers: t.Headers, JSON: t.JSON, Gzip: t.Gzip, Timeout: t.Timeout, CA: t.CA, ClientCert: t.ClientCert,
		ClientKey: t.ClientKey, Proxy: t.Proxy, TrustEnv: s.TrustEnv, UserAgent: "boathook/" + version.String(),
	}
	if t.Metrics {
		o.Metrics = t.MetricsEndpoint
	}
	return o
}

// brokenSink stands for a destination that can't be reached by what is configured.
type brokenSink struct {
	name string
	why  error
	now  func() time.Time
	// what the settings are for.
	what string
	told bool
}

// brokenRest is how long a broken sink rests; only another worker can do better, with other settings.
const brokenRest = 10 * time.Minute

func (b *brokenSink) Name() string { return b.name }

// Pass takes nothing. The first time its error is for the log; the cursor has it for those who look later.
func (b *brokenSink) Pass(ctx context.Context, s *store.Store) (worker.Passed, error) {
	c, ok, err := s.Cursor(ctx, b.name)
	if err != nil {
		return worker.Passed{}, err
	}
	behind, err := s.Behind(ctx, c)
	if err != nil {
		return worker.Passed{}, err
	}
	if ok && behind && c.Error != b.why.Error() {
		told := c
		told.Error, told.Tries = b.why.Error(), c.Tries+1
		if err := s.SetCursor(ctx, &c, told); err != nil {
			return worker.Passed{}, err
		}
	}
	if !b.told {
		b.told = true
		return worker.Passed{}, fmt.Errorf("use %s settings: %w", b.what, b.why)
	}
	return worker.Passed{Behind: ok && behind, Next: b.now().Add(brokenRest)}, nil
}
