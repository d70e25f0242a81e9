package otlp

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"

	"github.com/boathook/boathook/internal/version"
)

// Options says where a client sends to and how. URLs are those of the signals, whole; an empty one is not sent to.
type Options struct {
	Traces, Metrics string
	// Headers are secret: no error and no result has a value of them.
	Headers map[string]string
	JSON    bool
	Gzip    bool
	// Timeout is for a whole request, to the last byte of the answer; zero is 10 s.
	Timeout time.Duration
	// CA, ClientCert and ClientKey are paths of PEM files. They are read again when they have changed.
	CA, ClientCert, ClientKey string
	// Proxy is a URL; TrustEnv lets the environment's proxies and certificates count.
	Proxy    string
	TrustEnv bool
	// UserAgent is the product's name and version.
	UserAgent string
}

// Outcome is what became of a request.
type Outcome string

// The outcomes.
const (
	// Accepted: the destination took all, but for the Rejected, which must not be sent again.
	Accepted Outcome = "accepted"
	// Retry: it took nothing now, and may later: no connection, timeout, a cut answer, 408, 429 and every 5xx. OTLP has only
	// 502, 503 and 504 of these tried again, but what a destination says while it is broken must not cost events.
	Retry Outcome = "retry"
	// Refused: it will never take this content (400, 413, 422): send parts of it, and drop what is refused alone.
	Refused Outcome = "refused"
	// Misconfigured: it would take nothing, whatever is sent, until somebody mends the settings (redirects, 401, 403, 404 and
	// other 4xx, certificates, no URL, a web page in place of an answer): keep everything, and try again rarely.
	Misconfigured Outcome = "misconfigured"
)

// Result is what became of a request.
type Result struct {
	Outcome Outcome
	// Status is the HTTP status; zero when there was no answer.
	Status int
	// RetryAfter is how long the destination asked to wait, an hour at the most; zero when it didn't.
	RetryAfter time.Duration
	// Rejected counts the spans or points that a partial success refused.
	Rejected int64
	// Message is for people: no header's value and no secret of a URL, plain text of one line. Of an accepted request it is
	// what the destination had to say all the same, and mostly empty.
	Message string
	// Date is when it answered by its own clock; zero where it did not say.
	Date time.Time
}

const defaultTimeout = 10 * time.Second

// Client sends to one destination and keeps its connections open.
type Client struct {
	o       Options
	headers http.Header
	secrets *strings.Replacer
	buffers sync.Pool // *[]byte: encoded requests
	zips    sync.Pool // *gzip.Writer

	mu    sync.Mutex
	http  *http.Client
	files string
}

// NewClient checks the options and reads the files they name. An error names the setting and says what it must be; it has
// no secret. Without TrustEnv this process forgets the variables that say whom TLS trusts.
func NewClient(o Options) (*Client, error) {
	if o.Timeout <= 0 {
		o.Timeout = defaultTimeout
	}
	if o.UserAgent == "" {
		o.UserAgent = "boathook/" + version.String()
	}
	if err := checkURLs(o); err != nil {
		return nil, err
	}
	headers, err := headersOf(o)
	if err != nil {
		return nil, err
	}
	c := &Client{o: o, headers: headers, secrets: replacerOf(secretsOf(o))}
	c.files = stamps(o)
	c.http, err = newHTTP(o)
	return c, err
}

// Close closes the connections that no request uses. The client may be used again.
func (c *Client) Close() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.http.CloseIdleConnections()
}

// SendTraces sends one request and returns what became of it.
func (c *Client) SendTraces(ctx context.Context, t Traces) Result {
	n := 0
	for i := range t {
		n += len(t[i].Spans)
	}
	encode := func(b []byte) []byte { return AppendTraces(b, c.contentType(), t) }
	return c.send(ctx, c.o.Traces, "telemetry.endpoint", n, encode)
}

// SendMetrics sends one request and returns what became of it.
func (c *Client) SendMetrics(ctx context.Context, m Metrics) Result {
	n := 0
	for i := range m {
		for j := range m[i].Metrics {
			metric := &m[i].Metrics[j]
			n += len(metric.Sum) + len(metric.Gauge) + len(metric.Histogram)
		}
	}
	encode := func(b []byte) []byte { return AppendMetrics(b, c.contentType(), m) }
	return c.send(ctx, c.o.Metrics, "telemetry.metrics_endpoint", n, encode)
}

func (c *Client) contentType() string {
	if c.o.JSON {
		return JSON
	}
	return Protobuf
}

// send posts one request of so many items.
func (c *Client) send(ctx context.Context, to, key string, items int, encode func([]byte) []byte) Result {
	if to == "" {
		return Result{Outcome: Misconfigured, Message: key + " is not set"}
	}
	body, err := c.body(encode)
	if err != nil {
		return Result{Outcome: Retry, Message: c.clean(err.Error())}
	}
	ctx, cancel := context.WithTimeout(ctx, c.o.Timeout)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, to, bytes.NewReader(body))
	if err != nil {
		return Result{Outcome: Misconfigured, Message: key + " is not a URL"}
	}
	c.setHeaders(req)
	resp, err := c.current().Do(req)
	if err != nil {
		return c.failed(ctx, err)
	}
	defer resp.Body.Close()
	return c.answered(ctx, resp, int64(items))
}

func (c *Client) setHeaders(req *http.Request) {
	req.Header = c.headers.Clone()
	if host := req.Header.Get("Host"); host != "" {
		req.Host = host
	}
	req.Header.Set("Content-Type", c.contentType())
	if c.o.Gzip {
		req.Header.Set("Content-Encoding", "gzip")
	}
}

// body is a request's body. It isn't reused: the transport may read it longer than the request lasts.
func (c *Client) body(encode func([]byte) []byte) ([]byte, error) {
	if !c.o.Gzip {
		return encode(nil), nil
	}
	buf, ok := c.buffers.Get().(*[]byte)
	if !ok {
		buf = new([]byte)
	}
	defer c.buffers.Put(buf)
	*buf = encode((*buf)[:0])
	w, ok := c.zips.Get().(*gzip.Writer)
	if !ok {
		var err error
		if w, err = gzip.NewWriterLevel(io.Discard, gzip.BestSpeed); err != nil {
			return nil, err
		}
	}
	defer c.zips.Put(w)
	var out bytes.Buffer
	w.Reset(&out)
	if _, err := w.Write(*buf); err != nil {
		return nil, err
	}
	if err := w.Close(); err != nil {
		return nil, err
	}
	return out.Bytes(), nil
}

// checkURLs refuses what can't be sent to. The URLs themselves may have passwords and are not shown.
func checkURLs(o Options) error {
	for _, u := range []struct{ key, url, example string }{
		{"telemetry.endpoint", o.Traces, "http://localhost:4318/v1/traces"},
		{"telemetry.metrics_endpoint", o.Metrics, "http://localhost:4318/v1/metrics"},
		{"telemetry.proxy", o.Proxy, "http://proxy.example.com:3128"},
	} {
		at, err := url.Parse(u.url)
		if u.url == "" {
			continue
		}
		socks := u.key == "telemetry.proxy" && err == nil && (at.Scheme == "socks5" || at.Scheme == "socks5h")
		if err != nil || at.Hostname() == "" || at.Scheme != "http" && at.Scheme != "https" && !socks {
			return fmt.Errorf("%s is not an http or https URL: set it to one like %s", u.key, u.example)
		}
	}
	return nil
}

// headersOf checks the headers. One that is wrong isn't shown: where a map was written wrongly, its name may be a part of
// the secret.
func headersOf(o Options) (http.Header, error) {
	h := http.Header{"User-Agent": {o.UserAgent}}
	for name, value := range o.Headers {
		if name == "" || strings.ContainsFunc(name, notInToken) || strings.ContainsFunc(value, notInValue) {
			return nil, errors.New("telemetry.headers has a name or a value that no HTTP header can have: check what separates them")
		}
		h.Set(name, strings.Trim(value, " \t"))
	}
	return h, nil
}

func notInToken(r rune) bool {
	letter := r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z'
	return !letter && (r >= 0x80 || !strings.ContainsRune("!#$%&'*+-.^_`|~", r))
}

func notInValue(r rune) bool { return r < ' ' && r != '\t' || r == 0x7f }
