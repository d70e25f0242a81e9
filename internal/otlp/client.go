package otlp

import (
	"context"
	"errors"
	"time"
)

// Options says where a client sends to and how. URLs are those of the signals, whole.
type Options struct {
	Traces, Metrics string
	// Headers are secret: no error and no log has a value of them.
	Headers map[string]string
	JSON    bool
	Gzip    bool
	Timeout time.Duration
	// CA, ClientCert and ClientKey are paths of PEM files.
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
	// Retry: it took nothing now, and may later (no connection, timeout, 429, 502, 503, 504).
	Retry Outcome = "retry"
	// Refused: it will never take this content (400, 413, 422): send parts of it, and drop what is refused alone.
	Refused Outcome = "refused"
	// Misconfigured: it would take nothing, whatever is sent, until somebody mends the settings (401, 403, 404, TLS, a bad
	// URL): keep everything, and try again rarely.
	Misconfigured Outcome = "misconfigured"
)

// Result is what became of a request.
type Result struct {
	Outcome Outcome
	Status  int
	// RetryAfter is how long the destination asked to wait; zero when it didn't.
	RetryAfter time.Duration
	// Rejected counts the spans or points that a partial success refused.
	Rejected int64
	// Message is for people: no header's value, no content, plain text of one line.
	Message string
}

// Client sends to one destination.
type Client struct{ o Options }

// NewClient checks the options and reads the files they name.
func NewClient(o Options) (*Client, error) { return nil, errors.New("not built yet") }

// SendTraces sends one request and returns what became of it.
func (c *Client) SendTraces(ctx context.Context, t Traces) Result { return Result{} }

// SendMetrics sends one request and returns what became of it.
func (c *Client) SendMetrics(ctx context.Context, m Metrics) Result { return Result{} }
