package cli

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"github.com/boathook/boathook/internal/config"
	"github.com/boathook/boathook/internal/otlp"
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
			return telemetryTest(ctx, env, p, asJSON)
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
	TraceID  string  `json:"trace_id"`
	Outcome  string  `json:"outcome"`
	Status   int     `json:"status,omitempty"`
	Rejected int64   `json:"rejected,omitempty"`
	Message  string  `json:"message,omitempty"`
	TookMS   float64 `json:"took_ms"`
}

func telemetryTest(ctx context.Context, env *Env, p place, asJSON bool) error {
	_, settings, err := p.find(env)
	if err != nil {
		return err
	}
	if settings.Telemetry.Endpoint == "" {
		return exitWith(exitFailed, fmt.Errorf("test telemetry: %w", errNoEndpoint))
	}
	o := clientOptions(settings)
	o.Metrics = ""
	client, err := otlp.NewClient(o)
	if err != nil {
		return exitWith(exitFailed, fmt.Errorf("test telemetry: %w", err))
	}
	traces, id := testSpan(env, settings)
	started := env.Now()
	got := client.SendTraces(ctx, traces)
	took := env.Now().Sub(started)
	r := testResult{
		OK: got.Outcome == otlp.Accepted && got.Rejected == 0, Endpoint: shownURL(settings.Telemetry.Endpoint), TraceID: id,
		Outcome: string(got.Outcome), Status: got.Status, Rejected: got.Rejected, Message: got.Message,
		TookMS: float64(took) / float64(time.Millisecond),
	}
	return r.say(env, took, asJSON)
}

func (r testResult) say(env *Env, took time.Duration, asJSON bool) error {
	var err error
	if !r.OK {
		text := r.Outcome
		switch {
		case r.Rejected > 0:
			text = "the destination answered, and rejected the span"
		case r.Status > 0:
			text = fmt.Sprintf("%s with status %d", r.Outcome, r.Status)
		}
		if r.Message != "" {
			text += ": " + r.Message
		}
		err = exitWith(exitFailed, fmt.Errorf("test telemetry: %s: %s (after %s)", r.Endpoint, text, durationText(took)))
	}
	if asJSON {
		doc, jerr := json.Marshal(r)
		if jerr != nil {
			return fmt.Errorf("print result: %w", jerr)
		}
		_, werr := fmt.Fprintf(env.Stdout, "%s\n", plainJSON(doc))
		return errors.Join(werr, err)
	}
	if err != nil {
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
