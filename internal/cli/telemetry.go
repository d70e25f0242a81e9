package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/boathook/boathook/internal/config"
	"github.com/boathook/boathook/internal/duration"
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
			return telemetryStatus(cmd.Context(), env, p, asJSON)
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
}

func telemetryStatus(ctx context.Context, env *Env, p place, asJSON bool) error {
	dir, settings, err := p.find(env)
	if err != nil {
		return err
	}
	o := workerOptions(env, dir, settings, worker.NewLog(dir))
	state := stateOf(settings, o)
	if state.backlog, err = backlogOf(ctx, o); err != nil {
		return err
	}
	if state.Counters, err = sinkCounters(ctx, dir); err != nil {
		return err
	}
	if asJSON {
		doc, err := json.Marshal(state)
		if err != nil {
			return fmt.Errorf("print telemetry status: %w", err)
		}
		_, err = fmt.Fprintf(env.Stdout, "%s\n", plainJSON(doc))
		return err
	}
	return state.print(env)
}

func stateOf(s config.Settings, o worker.Options) telemetryState {
	t := s.Telemetry
	out := telemetryState{Endpoint: shownURL(t.Endpoint), Encoding: "protobuf", Content: "none", Spans: []string{}, Problems: []string{}}
	if t.Metrics {
		out.MetricsEndpoint = shownURL(t.MetricsEndpoint)
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
	for _, sink := range o.Sinks {
		if broken, ok := sink.(*brokenSink); ok {
			out.Problems = append(out.Problems, sink.Name()+": "+broken.why.Error())
		}
	}
	for _, text := range s.Problems {
		if strings.Contains(text, "telemetry") {
			out.Problems = append(out.Problems, text)
		}
	}
	return out
}

// shownURL is an address without what may be secret in it: a password, a query.
func shownURL(raw string) string {
	if raw == "" {
		return ""
	}
	u, err := url.Parse(raw)
	if err != nil || u.Host == "" {
		return "(not a URL)"
	}
	return (&url.URL{Scheme: u.Scheme, Host: u.Host, Path: u.Path}).String()
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
		for _, family := range []string{"spans_", "calls_", "metrics_", "points_"} {
			if strings.HasPrefix(name, family) {
				out[name] = n
			}
		}
	}
	return out, err
}

func (t telemetryState) print(env *Env) error {
	line := func(label, text string) error {
		label = fill(label, 10)
		return env.hanging(label, plain(text), len(label), env.columns())
	}
	if t.Endpoint == "" && t.MetricsEndpoint == "" {
		return env.sentence("No endpoint is set: nothing is sent. Set endpoint under [telemetry] in the config to send from then on ('boathook help config').", 0)
	}
	lines := [][2]string{
		{"traces", orDash(t.Endpoint)}, {"metrics", orDash(t.MetricsEndpoint)},
		{"sends", fmt.Sprintf("%s spans as %s, content %s", orDash(strings.Join(t.Spans, " and ")), t.Encoding, t.Content)},
	}
	if t.Spooled > 0 {
		lines = append(lines, [2]string{"spool", areNot(t.Spooled, "event") + " stored yet"})
	}
	for _, l := range t.Sinks {
		lines = append(lines, [2]string{l.Name, l.text(env.Now())})
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

// text says how a sink is doing.
func (l sinkLag) text(now time.Time) string {
	text := "up to date"
	switch {
	case l.behind():
		text = fmt.Sprintf("behind by %s and %s", count(int(l.Events), "event"), count(int(l.Turns), "turn"))
	case l.Error != "": // metrics: they are counted whether they are taken or not
		text = "all is counted, and not taken"
	}
	if !l.Moved.IsZero() {
		text += ", last moved " + ago(now.Sub(l.Moved))
	}
	if l.Error != "" {
		text += fmt.Sprintf("; %s: %s", count(l.Tries, "failure"), l.Error)
	}
	if wait := l.Next.Sub(now); wait > 0 {
		text += fmt.Sprintf("; next try in %s", duration.Text(wait.Round(time.Second)))
	}
	return text
}

func ago(d time.Duration) string {
	if d < time.Second {
		return "just now"
	}
	return durationText(d) + " ago"
}

func orDash(s string) string {
	if s == "" {
		return "-"
	}
	return s
}
