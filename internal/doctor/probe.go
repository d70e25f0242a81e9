package doctor

import (
	"context"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/boathook/boathook/internal/config"
	"github.com/boathook/boathook/internal/otlp"
	"github.com/boathook/boathook/internal/sink/resource"
)

// probe is what became of the one request that the collector gets. Two checks look at it: one at the answer, one at its
// time.
type probe struct {
	once    sync.Once
	results []Result
	// server is the collector's time at the moment of now; zero where it did not answer.
	server, now time.Time
}

// probed asks the collector, or waits for who does already.
func (w *World) probed(ctx context.Context) *probe {
	w.probe.once.Do(func() { w.ask(ctx, &w.probe) })
	return &w.probe
}

func (w *World) ask(ctx context.Context, p *probe) {
	t := w.telemetry()
	c, err := w.client()
	if err != nil {
		p.results = []Result{w.unusable(err)}
		return
	}
	if bad := w.strayed(t); bad != nil {
		p.results = []Result{*bad}
		return
	}
	if _, bad := w.dial(ctx, t); bad != nil {
		p.results = []Result{*bad}
		return
	}
	r := c.SendTraces(ctx, w.noSpans())
	p.results, p.server, p.now = w.judge(t, r), r.Date, w.Now()
}

func (w *World) telemetry() target {
	t := w.Settings.Telemetry
	return target{
		url: t.Endpoint, proxy: t.Proxy, key: tracesKey, proxyKey: "telemetry.proxy", ca: t.CA, clientCert: t.ClientCert, clientKey: t.ClientKey, trustEnv: w.Settings.TrustEnv,
	}
}

// client sends as the worker does, but waits no longer than a check may.
func (w *World) client() (*otlp.Client, error) {
	t := w.Settings.Telemetry
	o := otlp.Options{
		Traces: t.Endpoint, Headers: t.Headers, JSON: t.JSON, Gzip: t.Gzip, Timeout: min(t.Timeout, dialLimit), CA: t.CA,
		ClientCert: t.ClientCert, ClientKey: t.ClientKey, Proxy: t.Proxy, TrustEnv: w.Settings.TrustEnv, UserAgent: "boathook/" + w.Install.Version,
	}
	if t.Metrics {
		o.Metrics = t.MetricsEndpoint
	}
	return otlp.NewClient(o)
}

// noSpans is a whole request, but for the spans.
func (w *World) noSpans() otlp.Traces {
	return otlp.Traces{{Resource: w.resource(), Scope: otlp.Scope{Name: "boathook", Version: w.Install.Version}}}
}

func (w *World) noMetrics() otlp.Metrics {
	return otlp.Metrics{{Resource: w.resource(), Scope: otlp.Scope{Name: "boathook", Version: w.Install.Version}}}
}

func (w *World) resource() otlp.Resource {
	return otlp.Resource{Attrs: resource.Attrs("boathook", w.Install.Version, w.Settings.Telemetry.Resource)}
}

var settingName = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`telemetry\.[a-z_]+`) })

// unusable is what a client says of settings that nothing can be sent with, with the settings that it names.
func (w *World) unusable(err error) Result {
	text := err.Error()
	keys := slices.Compact(slices.Sorted(slices.Values(settingName().FindAllString(text, -1))))
	if slices.Contains(keys, "telemetry.headers") {
		return w.badHeader()
	}
	return fail("edit "+w.configFile()+": "+strings.Join(keys, " and "), "nothing can be sent: %s", w.Foreign(text))
}

// badHeader names the header that no request can have. Its value is a secret, its name is not, if it is one.
func (w *World) badHeader() Result {
	edit := "edit " + w.configFile() + ": "
	refused := func(name, value string) bool {
		_, err := otlp.NewClient(otlp.Options{Headers: map[string]string{name: value}, TrustEnv: w.Settings.TrustEnv})
		return err != nil
	}
	headers := w.Settings.Telemetry.Headers
	for _, name := range slices.Sorted(maps.Keys(headers)) {
		switch {
		case refused(name, ""):
			// It isn't said: where the map was written in the wrong form, the name has the secret.
			return fail(edit+"telemetry.headers: write them as NAME = \"VALUE\", in a variable as NAME=VALUE, each name of letters, digits and dashes", "nothing can be sent: telemetry.headers has a name that no header can have")
		case !refused(name, headers[name]):
			continue
		case name == relayHeader && w.said("telemetry.api_key") != "":
			return fail(edit+"telemetry.api_key: it has a character that no header can have, such as a line break", "nothing can be sent: the value of telemetry.api_key can't be that of a header")
		}
		return fail(edit+"telemetry.headers: "+config.HeaderName(name, headers[name])+" has a character that no header can have, such as a line break", "nothing can be sent: the value of the header %s can't be sent", config.HeaderName(name, headers[name]))
	}
	return fail(edit+"telemetry.headers", "nothing can be sent: telemetry.headers can't be used")
}

// relayHeader is the one that telemetry.api_key becomes.
const relayHeader = "x-pinta-relay-token"

// strayed finds a URL that is another signal's. A server may take a request without spans there, which says nothing, and
// refuses each that has some.
func (w *World) strayed(t target) *Result {
	own := map[string]string{tracesKey: "/v1/traces", metricsKey: "/v1/metrics"}[t.key]
	path := Address(t.url)
	for _, other := range []string{"/v1/traces", "/v1/metrics", "/v1/logs"} {
		if other != own && strings.HasSuffix(path, other) {
			r := fail("edit "+w.configFile()+": "+t.key+": end its path in "+own+", not in "+other, "%s ends in %s, and that is not where this is taken: it would be refused", path, other)
			return &r
		}
	}
	return nil
}

func sameHost(a, b string) bool {
	one, err := url.Parse(a)
	other, failed := url.Parse(b)
	return err == nil && failed == nil && one.Scheme == other.Scheme && one.Host == other.Host
}

// judge says what became of a request without content.
func (w *World) judge(t target, r otlp.Result) []Result {
	edit := "edit " + w.configFile() + ": "
	at := Address(t.url)
	if r.Outcome == otlp.Accepted {
		hint := "; 'boathook telemetry test' sends a span"
		if t.key == metricsKey {
			hint = ""
		}
		return ok("%s takes what is sent (an empty request%s)", at, hint)
	}
	switch r.Status {
	case http.StatusUnauthorized, http.StatusForbidden:
		return []Result{fail(edit+"telemetry.headers or telemetry.api_key", "%s refuses who sends (status %d, %s)", at, r.Status, w.credentials())}
	case http.StatusNotFound, http.StatusMethodNotAllowed:
		hint := " (an OTLP/HTTP URL usually ends in /v1/traces)"
		if t.key == metricsKey {
			hint = " (it usually ends in /v1/metrics; telemetry.metrics = false where the backend takes none)"
		}
		return []Result{fail(edit+t.key+hint, "%s has nothing there that takes OTLP (status %d)", at, r.Status)}
	case http.StatusTooManyRequests, http.StatusBadGateway, http.StatusServiceUnavailable, http.StatusGatewayTimeout:
		return []Result{warn("nothing here: it is tried again", "%s takes nothing now (status %d); events are kept", at, r.Status)}
	case http.StatusBadRequest, http.StatusUnsupportedMediaType, http.StatusUnprocessableEntity:
		return []Result{fail(edit+"telemetry.protocol, or the path of "+t.key, "%s does not understand what is sent (status %d)", at, r.Status)}
	case 0:
		return []Result{fail(edit+t.key+", or mend the server"+grpcPort(t.url), "%s: %s", at, w.unanswered(r.Message))}
	}
	return []Result{fail(edit+t.key, "%s answers with status %d: %s", at, r.Status, w.Foreign(r.Message))}
}

// credentials names the headers that were sent.
func (w *World) credentials() string {
	var names []string
	for name, value := range w.Settings.Telemetry.Headers {
		names = append(names, config.HeaderName(name, value))
	}
	if len(names) == 0 {
		return "no header is set"
	}
	slices.Sort(names)
	return "sent with " + w.Foreign(strings.Join(names, ", "))
}

// grpcPort is a word about a port at which mostly nobody speaks OTLP over HTTP.
func grpcPort(text string) string {
	if u, err := url.Parse(text); err == nil && u.Port() == "4317" {
		return " (4317 is usually gRPC's port; OTLP over HTTP is usually at 4318)"
	}
	return ""
}

// unanswered is a client's message, where the time was this check's and not the settings'.
func (w *World) unanswered(message string) string {
	if w.Settings.Telemetry.Timeout > dialLimit && strings.HasSuffix(message, "(telemetry.timeout_ms)") {
		return fmt.Sprintf("no answer within %s", dialLimit)
	}
	return w.Foreign(message)
}
