package otlp

import (
	"bytes"
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"syscall"
	"time"
)

const (
	// maxAnswer bounds what is read of an answer.
	maxAnswer = 64 << 10
	// maxWait bounds what a destination may ask to wait.
	maxWait = time.Hour
)

// failed is the result of a request without an answer.
func (c *Client) failed(ctx context.Context, err error) Result {
	var cause *url.Error
	if errors.As(err, &cause) {
		err = cause.Err // without the URL, which may carry a password
	}
	r := Result{Outcome: Retry, Message: c.clean(words(err))}
	var refused proxyError
	switch {
	case errors.Is(ctx.Err(), context.DeadlineExceeded):
		r.Message = fmt.Sprintf("no answer within %v (telemetry.timeout_ms)", c.o.Timeout)
	case ctx.Err() != nil:
		r.Message = "stopped before it was answered"
	case errors.As(err, &refused):
		r.Outcome = outcomeOf(int(refused))
		if r.Outcome == Refused {
			r.Outcome = Misconfigured // it hasn't seen the content
		}
	case distrusted(err):
		r.Outcome = Misconfigured
		r.Message += blamed(err)
	}
	return r
}

// words are those of a failure for people.
func words(err error) string {
	var dns *net.DNSError
	var op *net.OpError
	switch {
	case errors.As(err, &dns) && dns.IsNotFound:
		return "there is no host of the name " + dns.Name
	case errors.As(err, &dns):
		return "the name " + dns.Name + " can't be looked up"
	case errors.Is(err, syscall.ECONNREFUSED) && errors.As(err, &op) && op.Addr != nil:
		return "nothing listens at " + op.Addr.String() + " (connection refused)"
	}
	return err.Error()
}

// blamed names the setting that a failure of TLS is about, where the failure shows it.
func blamed(err error) string {
	var verify *tls.CertificateVerificationError
	var alert *net.OpError
	switch {
	case errors.As(err, &verify):
		return " (telemetry.certificate names the authorities that are trusted)"
	case errors.As(err, &alert) && alert.Op == "remote error" && strings.Contains(alert.Error(), "certificate"):
		return " (the endpoint wants another telemetry.client_certificate)"
	}
	return ""
}

// distrusted tells that the two sides don't come to terms about TLS, which won't get better by itself.
func distrusted(err error) bool {
	var verify *tls.CertificateVerificationError
	var authority x509.UnknownAuthorityError
	var invalid x509.CertificateInvalidError
	var hostname x509.HostnameError
	var header tls.RecordHeaderError
	if errors.As(err, &verify) || errors.As(err, &authority) || errors.As(err, &invalid) || errors.As(err, &hostname) ||
		errors.As(err, &header) || errors.Is(err, http.ErrSchemeMismatch) {
		return true
	}
	// An alert of the other side, such as that our certificate is missing or wrong.
	var alert *net.OpError
	return errors.As(err, &alert) && alert.Op == "remote error" && !strings.Contains(alert.Error(), "internal error")
}

// outcomeOf says what a status means.
func outcomeOf(status int) Outcome {
	switch {
	case status >= 200 && status <= 299:
		return Accepted
	case status == http.StatusRequestTimeout, status == http.StatusTooManyRequests, status >= 500:
		return Retry
	case status == http.StatusBadRequest, status == http.StatusRequestEntityTooLarge, status == http.StatusUnprocessableEntity:
		return Refused
	}
	return Misconfigured
}

// answered is the result of a request that was answered. It reads the answer to its end, so that the connection can be
// used again. One that would switch to another protocol has no end: what is behind it is the bare connection, which knows
// of no timeout.
func (c *Client) answered(ctx context.Context, resp *http.Response, items int64) Result {
	r := Result{Outcome: outcomeOf(resp.StatusCode), Status: resp.StatusCode}
	r.Date, _ = http.ParseTime(resp.Header.Get("Date")) // no time is none
	var body []byte
	var err error
	if resp.StatusCode >= http.StatusOK {
		defer context.AfterFunc(ctx, func() { _ = resp.Body.Close() })()
		body, err = io.ReadAll(io.LimitReader(resp.Body, maxAnswer+1))
	}
	if r.Outcome == Accepted {
		return c.accepted(ctx, r, resp, body, err, items)
	}
	contentType := resp.Header.Get("Content-Type")
	if resp.StatusCode == http.StatusBadRequest && strayed(contentType, body) {
		r.Outcome = Misconfigured
	}
	if r.Outcome == Retry {
		r.RetryAfter = retryAfter(resp.Header)
	}
	r.Message = fmt.Sprintf("answered %d %s", resp.StatusCode, http.StatusText(resp.StatusCode))
	if text := problemOf(contentType, body); text != "" {
		r.Message += ": " + text
	}
	if to, err := resp.Location(); err == nil && resp.StatusCode < 400 {
		r.Message += ": it points to " + to.Host + ", and redirects are not followed"
	}
	r.Message = c.clean(r.Message)
	return r
}

// strayed tells that a bad request is no receiver's judgement of the content: a web server answered, or one that wants TLS.
func strayed(contentType string, body []byte) bool {
	return isType(contentType, "text/html") || bytes.Contains(body, []byte("HTTP request to an HTTPS server"))
}

// accepted looks at an acknowledgement. One that was cut isn't one: what is then sent twice is the same twice. One that
// can't be read is, since many receivers answer in their own way; but a web page comes from something else.
func (c *Client) accepted(ctx context.Context, r Result, resp *http.Response, body []byte, err error, items int64) Result {
	contentType := resp.Header.Get("Content-Type")
	switch {
	case err != nil:
		r = c.failed(ctx, err)
		r.Status = resp.StatusCode
		r.Message = c.clean("answer was cut off: " + r.Message)
		r.Outcome = Retry
	case isType(contentType, "text/html"):
		r.Outcome = Misconfigured
		r.Message = fmt.Sprintf("answered %d with a web page: check that the URL is that of an OTLP receiver", resp.StatusCode)
	case len(body) > maxAnswer:
		r.Message = "accepted, with an answer too long to read"
	default:
		rejected, message := partialSuccess(contentType, body)
		r.Rejected = max(0, min(rejected, items))
		r.Message = c.clean(message)
	}
	return r
}

// retryAfter is how long the destination asks to wait: in seconds, or until a time of its own clock.
func retryAfter(h http.Header) time.Duration {
	text := strings.TrimSpace(h.Get("Retry-After"))
	seconds, err := strconv.ParseUint(text, 10, 64)
	if err == nil || errors.Is(err, strconv.ErrRange) { // then it is the largest there is
		return time.Duration(min(seconds, uint64(maxWait/time.Second))) * time.Second
	}
	at, err := http.ParseTime(text)
	if err != nil {
		return 0
	}
	now, err := http.ParseTime(h.Get("Date"))
	if err != nil {
		now = time.Now()
	}
	return max(0, min(at.Sub(now), maxWait))
}
