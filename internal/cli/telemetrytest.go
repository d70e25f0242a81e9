package cli

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"github.com/boathook/boathook/internal/config"
	"github.com/boathook/boathook/internal/doctor"
	"github.com/boathook/boathook/internal/otlp"
	"github.com/boathook/boathook/internal/sink/progress"
	"github.com/boathook/boathook/internal/sink/resource"
	"github.com/boathook/boathook/internal/version"
)

func newTelemetryTest(env *Env) *cobra.Command {
	var p place
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "test",
		Short: "Send one span and say what came of it",
		Long: `Send one span named boathook.test, of a trace of its own, to the configured endpoint as the worker would (headers,
certificates, proxy, encoding), and say what came of it. Nothing of what is recorded is sent or changed.

The exit code is 0 only if the destination took the span.`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			ctx, stop := untilInterrupted(cmd.Context())
			defer stop()
			return env.failJSON(asJSON, telemetryTest(ctx, env, p, asJSON))
		},
	}
	p.flags(cmd)
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return cmd
}

// testResult is what became of a test span.
type testResult struct {
	OK       bool    `json:"ok"`
	Endpoint string  `json:"endpoint"`
	TraceID  string  `json:"trace_id,omitempty"`
	Outcome  string  `json:"outcome"`
	Status   int     `json:"status,omitempty"`
	Rejected int64   `json:"rejected,omitempty"`
	Message  string  `json:"message,omitempty"`
	TookMS   float64 `json:"took_ms"`
	// Cure says what to do where it failed.
	Cure string `json:"cure,omitempty"`
	failure
}

func telemetryTest(ctx context.Context, env *Env, p place, asJSON bool) error {
	_, settings, err := p.find(env)
	if err != nil {
		return err
	}
	if err := noEndpoint(settings); err != nil {
		return exitWith(exitFailed, fmt.Errorf("test telemetry: %w", err))
	}
	o := clientOptions(settings)
	o.Metrics = ""
	client, err := otlp.NewClient(o)
	if err != nil {
		text, cure := testWorld(env, settings).Unsendable(err)
		r := testResult{Endpoint: progress.Address(settings.Telemetry.Endpoint), Outcome: string(otlp.Misconfigured), Cure: cure}
		r.failure = failure{"test telemetry: " + text, exitFailed}
		return r.say(env, 0, asJSON)
	}
	traces, id := testSpan(env, settings)
	started := env.Now()
	got := client.SendTraces(ctx, traces)
	took := env.Now().Sub(started)
	if ctx.Err() != nil {
		return ctx.Err()
	}
	r := testResult{
		OK: got.Outcome == otlp.Accepted && got.Rejected == 0, Endpoint: progress.Address(settings.Telemetry.Endpoint), TraceID: id,
		Outcome: string(got.Outcome), Status: got.Status, Rejected: got.Rejected, Message: got.Message,
		TookMS: float64(took) / float64(time.Millisecond),
	}
	if r.OK {
		return r.say(env, took, asJSON)
	}
	text, cure := r.Endpoint+" answered, and rejected the span: "+got.Message, "look at the limits and the log of what listens there"
	if got.Outcome != otlp.Accepted {
		text, cure = testWorld(env, settings).Sent(ctx, got)
	}
	r.Cure, r.failure = cure, failure{"test telemetry: " + text, exitFailed}
	return r.say(env, took, asJSON)
}

// testWorld is what doctor looks at, which has the words for what is wrong.
func testWorld(env *Env, s config.Settings) *doctor.World {
	o := doctor.Env{Install: installEnv(env), Dir: env.Dir, Now: env.Now}
	if readable(s.Path) {
		o.Config = s.Path
	}
	return doctor.Load(o)
}

func (r testResult) say(env *Env, took time.Duration, asJSON bool) error {
	var err error
	if !r.OK {
		after := ""
		if took > 0 {
			after = " (after " + durationText(took) + ")"
		}
		err = exitWith(exitFailed, fmt.Errorf("%s%s\n→ %s", r.Error, after, r.Cure))
	}
	switch {
	case asJSON:
		return env.printJSON(r, err)
	case err != nil:
		return err
	}
	return env.sentence(fmt.Sprintf("%s took the span: status %d, %s. Look there for boathook.test, trace %s.", plain(r.Endpoint), r.Status, durationText(took), r.TraceID), 0)
}

func testSpan(env *Env, s config.Settings) (otlp.Traces, string) {
	now := uint64(env.Now().UnixNano())
	span := otlp.Span{
		Name: "boathook.test", Kind: otlp.KindInternal, Start: now, End: now + uint64(time.Millisecond),
		Attrs: []otlp.Attr{{Key: "boathook.test", Value: true}},
	}
	_, _ = rand.Read(span.TraceID[:]) // never fails
	_, _ = rand.Read(span.SpanID[:])
	return otlp.Traces{{
		Resource: otlp.Resource{Attrs: resource.Attrs("boathook", version.String(), s.Telemetry.Resource)},
		Scope:    otlp.Scope{Name: "boathook", Version: version.String()},
		Spans:    []otlp.Span{span},
	}}, hex.EncodeToString(span.TraceID[:])
}
