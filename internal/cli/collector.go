package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"strconv"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"github.com/boathook/boathook/internal/collector"
	"github.com/boathook/boathook/internal/otlp"
)

// collectorOptions are collector's flags.
type collectorOptions struct {
	listen string
	json   bool
	once   int
}

const (
	// settledAfter is how long nothing must have come to a trace before it is printed.
	settledAfter = time.Second
	settledEvery = 100 * time.Millisecond
	// closeTime is what requests under way get at the end.
	closeTime = 2 * time.Second
)

func newCollector(env *Env) *cobra.Command {
	var o collectorOptions
	cmd := &cobra.Command{
		Use:   "collector",
		Short: "Receive spans here and print them as trees",
		Long: `Receive OTLP over HTTP on this machine and print each trace as a tree, a second after its last span: to see what would
reach a real collector, and to develop against. It takes /v1/traces and /v1/metrics (which it counts), as protobuf or
JSON, with gzip or without. It forgets everything when it ends; Ctrl-C ends it.

Before each span stands when it began after its trace did (not on a narrow terminal), and how long it lasted; behind it

  DENY no-rm-rf             the call was stopped, by that rule
  REVIEW, ASK               the guard wants a review; a person is asked
  guard:timeout             the guard gave no verdict

"(span … did not come)" stands for a parent that is not here: it is sent when it ends, or is another program's.

When more of a trace comes later, only the new spans are printed, with what is above and below them. At most 20000 spans
are kept; the oldest go, and it says so.

The address is this machine's own unless --listen names another; anybody who reaches that can send.`,
		Example: `  boathook collector          then, in another terminal:
  OTEL_EXPORTER_OTLP_ENDPOINT=http://127.0.0.1:4318 boathook install gemini
  boathook telemetry test     is it reached?
  boathook collector --json | jq -r .name`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if o.once < 0 {
				return usage("--once wants a whole number above 0")
			}
			ctx, stop := untilInterrupted(cmd.Context())
			defer stop()
			return runCollector(ctx, env, o)
		},
	}
	cmd.Flags().StringVar(&o.listen, "listen", "127.0.0.1:4318", "`HOST:PORT` to listen on; port 0 is any free one")
	cmd.Flags().BoolVar(&o.json, "json", false, "print each span as one JSON object, as it comes")
	cmd.Flags().IntVar(&o.once, "once", 0, "end after so many `SPANS` (for scripts)")
	complete(cmd, "listen", []string{"127.0.0.1:4318", "127.0.0.1:0"})
	complete(cmd, "once", nil)
	return cmd
}

// receiving is a collector that runs: what came, and what was said of it.
type receiving struct {
	env *Env
	o   collectorOptions

	mu      sync.Mutex
	forest  *collector.Forest
	printer *treePrinter
	spans   int
	again   int
	traces  map[[16]byte]bool
	metrics int
	told    bool
	failure error
	enough  chan struct{}
}

func runCollector(ctx context.Context, env *Env, o collectorOptions) error {
	r := &receiving{
		env: env, o: o, forest: collector.NewForest(collector.MaxSpans, collector.MaxBytes), printer: newTreePrinter(env),
		traces: map[[16]byte]bool{}, enough: make(chan struct{}),
	}
	if err := listenable(o.listen); err != nil {
		return err
	}
	server, err := collector.Start(ctx, collector.Options{Listen: o.listen, Traces: r.take, Metrics: r.count, Refused: r.refused})
	if err != nil {
		return exitWith(exitFailed, fmt.Errorf("%w; '--listen HOST:PORT' takes another address, with port 0 any free one", err))
	}
	env.tell(fmt.Sprintf("listening on %s (Ctrl-C ends it)", server.URL()))
	if !collector.Loopback(o.listen) {
		env.warn("whoever reaches " + o.listen + " over the network can send to it, unasked and in clear")
	}
	err = r.watch(ctx, server)
	closing, cancel := context.WithTimeout(context.WithoutCancel(ctx), closeTime)
	defer cancel()
	err = errors.Join(err, server.Close(closing))
	if err == nil {
		err = r.show(0)
	}
	if err == nil {
		r.summary()
	}
	return err
}

// watch prints what has settled until it is to end.
func (r *receiving) watch(ctx context.Context, server *collector.Server) error {
	ticker := time.NewTicker(settledEvery)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-server.Done():
			return nil // Close says why
		case <-r.enough:
			return nil
		case <-ticker.C:
			if err := r.show(settledAfter); err != nil {
				return err
			}
		}
	}
}

// take keeps the spans of a request, or prints them at once as JSON.
func (r *receiving) take(t otlp.Traces) {
	r.mu.Lock()
	defer r.mu.Unlock()
	before := r.spans
	for _, s := range collector.Spans(t) {
		r.spans++
		if len(r.traces) < collector.MaxSpans {
			r.traces[s.TraceID] = true
		}
		if r.o.json {
			r.printJSON(s)
		} else if r.forest.Add(r.env.Now(), s) {
			r.again++
		}
	}
	if r.o.once > 0 && before < r.o.once && r.spans >= r.o.once {
		close(r.enough)
	}
}

func (r *receiving) printJSON(s collector.Span) {
	line, err := json.Marshal(s)
	if err == nil {
		_, err = fmt.Fprintf(r.env.Stdout, "%s\n", plainJSON(line))
	}
	if err != nil && r.failure == nil {
		r.failure = fmt.Errorf("print span: %w", err)
	}
}

func (r *receiving) count(m otlp.Metrics) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, rm := range m {
		r.metrics += len(rm.Metrics)
	}
}

func (r *receiving) refused(status int, why string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.env.warn(fmt.Sprintf("refused a request with %d: %s", status, shorten(plain(why), 300)))
}

// show prints the traces to which nothing came for a while.
func (r *receiving) show(quiet time.Duration) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.failure != nil {
		return r.failure
	}
	if n := r.forest.Dropped(); n > 0 && !r.told {
		r.told = true
		r.env.warn("too many spans to keep all: the oldest are dropped from now on")
	}
	for _, t := range r.forest.Settled(r.env.Now(), quiet) {
		if err := r.printer.print(t, false); err != nil {
			return err
		}
		if _, err := fmt.Fprintln(r.env.Stdout); err != nil {
			return err
		}
		t.Seen()
	}
	return nil
}

// summary says in the end what came.
func (r *receiving) summary() {
	r.mu.Lock()
	defer r.mu.Unlock()
	text := fmt.Sprintf("received %s of %s", count(r.spans, "span"), count(len(r.traces), "trace"))
	if r.again > 0 {
		text += fmt.Sprintf(", %d of them again", r.again)
	}
	if r.metrics > 0 {
		text += ", and " + count(r.metrics, "metric")
	}
	if n := r.forest.Dropped(); n > 0 {
		text += fmt.Sprintf("; %d were dropped for lack of room", n)
	}
	r.env.tell(text)
}

// listenable finds what can be no address.
func listenable(listen string) error {
	_, port, err := net.SplitHostPort(listen)
	if err == nil {
		_, err = strconv.ParseUint(port, 10, 16)
	}
	if err != nil {
		return usage("--listen wants HOST:PORT, like 127.0.0.1:4318, not %q", listen)
	}
	return nil
}
