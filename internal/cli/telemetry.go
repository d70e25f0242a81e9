package cli

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/boathook/boathook/internal/config"
	"github.com/boathook/boathook/internal/sink/progress"
	"github.com/boathook/boathook/internal/store"
	"github.com/boathook/boathook/internal/worker"
)

func newTelemetry(env *Env) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "telemetry",
		Short: "See, try and repeat what is sent to your collector",
		Long: `See what is sent to the OpenTelemetry endpoint of telemetry.endpoint, try whether it is reached, and send again what it
has lost. Without an endpoint nothing leaves this machine. The settings are in 'boathook help config'; content = "none"
under [telemetry] sends names, numbers and decisions only.`,
		Example: `  boathook telemetry status
  boathook telemetry test                 send one span, and say what came of it
  boathook telemetry resend --since 2h    after the backend lost the last two hours`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(newTelemetryStatus(env), newTelemetryTest(env), newTelemetryResend(env))
	completeNoFiles(cmd.Commands())
	return cmd
}

// errNoEndpoint is for commands that need one.
var errNoEndpoint = errors.New(`no endpoint is set: nothing is sent. Set endpoint under [telemetry] in the config ('boathook help config'), or run 'boathook install' with OTEL_EXPORTER_OTLP_ENDPOINT set`)

// noEndpoint is the error where spans can't be sent: because nobody set an endpoint, or because of what is set.
func noEndpoint(s config.Settings) error {
	if s.Telemetry.Endpoint != "" {
		return nil
	}
	if why := progress.Unusable(s); why != "" {
		return fmt.Errorf("the endpoint that is set can't be used: %s", why)
	}
	return errNoEndpoint
}

func newTelemetryStatus(env *Env) *cobra.Command {
	var p place
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "status",
		Short: "Show where telemetry goes and how far it is",
		Long: `Show where spans and metrics go, what is in them, how far each is behind what is stored, when the destination last took
something, and what it said when it did not. Secrets are not shown: of an endpoint only scheme, host and path.`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return env.failJSON(asJSON, telemetryStatus(cmd.Context(), env, p, asJSON))
		},
	}
	p.flags(cmd)
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return cmd
}

// telemetryState is what status shows.
type telemetryState struct {
	Endpoint        string   `json:"endpoint,omitempty"`
	MetricsEndpoint string   `json:"metrics_endpoint,omitempty"`
	Encoding        string   `json:"encoding"`
	Content         string   `json:"content"`
	Spans           []string `json:"spans"`
	backlog
	// Counters are what the sinks count of what destinations refused.
	Counters map[string]int64 `json:"counters"`
	Problems []string         `json:"problems"`

	unusable bool
}

func telemetryStatus(ctx context.Context, env *Env, p place, asJSON bool) error {
	dir, settings, err := p.find(env)
	if err != nil {
		return err
	}
	o := workerOptions(env, dir, settings, worker.NewLog(dir))
	state := stateOf(settings, o)
	if state.backlog, err = backlogOf(ctx, dir, settings); err != nil {
		return err
	}
	if state.Counters, err = sinkCounters(ctx, dir); err != nil {
		return err
	}
	if asJSON {
		return env.printJSON(state, nil)
	}
	return state.print(env)
}

func stateOf(s config.Settings, o worker.Options) telemetryState {
	t := s.Telemetry
	out := telemetryState{
		unusable: progress.Unusable(s) != "",
		Endpoint: progress.Address(t.Endpoint), Encoding: "protobuf", Content: "none", Spans: []string{}, Problems: []string{}}
	if t.Metrics {
		out.MetricsEndpoint = progress.Address(t.MetricsEndpoint)
	}
	if t.JSON {
		out.Encoding = "json"
	}
	if t.Content {
		out.Content = "redacted"
	}
	if t.EventSpans {
		out.Spans = append(out.Spans, "event")
	}
	if t.GenAISpans {
		out.Spans = append(out.Spans, "genai")
	}
	problem := func(text string) {
		if !slices.Contains(out.Problems, text) { // one fault may concern both destinations
			out.Problems = append(out.Problems, text)
		}
	}
	for _, sink := range o.Sinks {
		if broken, ok := sink.(*brokenSink); ok {
			problem(broken.why.Error())
		}
	}
	for _, text := range s.Problems {
		if strings.Contains(text, "telemetry") {
			problem(text)
		}
	}
	return out
}

// sinkCounters are those counters of the store that sinks keep.
func sinkCounters(ctx context.Context, dir string) (map[string]int64, error) {
	out := map[string]int64{}
	s, err := store.OpenReadOnly(ctx, worker.StorePath(dir))
	if errors.Is(err, fs.ErrNotExist) {
		return out, nil
	}
	if err != nil {
		return nil, err
	}
	defer func() { _ = s.Close() }() // nothing can be lost by it
	all, err := s.Counters(ctx)
	for name, n := range all {
		for _, family := range []string{"spans_", "calls_", "metrics_", "points_", store.CounterUnsent, store.CounterCursors} {
			if strings.HasPrefix(name, family) {
				out[name] = n
			}
		}
	}
	return out, err
}

func (t telemetryState) print(env *Env) error {
	line := func(label, text string) error {
		label = fill(label, 12)
		return env.hanging(label, plain(text), len(label), env.columns())
	}
	if t.Endpoint == "" && t.MetricsEndpoint == "" {
		text := "No endpoint is set: nothing is sent. Set endpoint under [telemetry] in the config to send from then on ('boathook help config')."
		if t.unusable {
			text = "An endpoint is set and can't be used: nothing is sent."
		}
		if err := env.sentence(text, 0); err != nil {
			return err
		}
		for _, text := range t.Problems {
			if err := line("problem", text); err != nil {
				return err
			}
		}
		return nil
	}
	lines := [][2]string{
		{"spans to", orDash(t.Endpoint)}, {"metrics to", orDash(t.MetricsEndpoint)},
		{"sends", fmt.Sprintf("%s spans as %s, content %s", orDash(strings.Join(t.Spans, " and ")), t.Encoding, t.Content)},
	}
	if t.Spooled > 0 {
		lines = append(lines, [2]string{"spool", areNot(t.Spooled, "event") + " stored yet"})
	}
	for _, l := range t.Sinks {
		lines = append(lines, [2]string{l.Name, l.Text(env.Now())})
	}
	for _, name := range slices.Sorted(maps.Keys(t.Counters)) {
		lines = append(lines, [2]string{"counted", fmt.Sprintf("%s: %d", strings.ReplaceAll(name, "_", " "), t.Counters[name])})
	}
	for _, text := range t.Problems {
		lines = append(lines, [2]string{"problem", text})
	}
	for _, l := range lines {
		if err := line(l[0], l[1]); err != nil {
			return err
		}
	}
	return nil
}

func orDash(s string) string {
	if s == "" {
		return "-"
	}
	return s
}
