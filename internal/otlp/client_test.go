package otlp

import (
	"bufio"
	"compress/gzip"
	"context"
	"encoding/base64"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/http/httptrace"
	"net/url"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// The secrets of the tests: none may be in a result or an error.
const (
	tokenCanary    = "canary-token-8f2c"
	userCanary     = "canaryuser"
	passwordCanary = "canary-pass+word/7"
	queryCanary    = "canary query & more"
)

// secretly puts every kind of secret into the options.
func secretly(o Options, at string) Options {
	u, err := url.Parse(at)
	if err != nil {
		panic(err)
	}
	u.User = url.UserPassword(userCanary, passwordCanary)
	u.RawQuery = url.Values{"key": {queryCanary}}.Encode()
	o.Traces, o.Metrics = u.String(), u.String()
	o.Headers = map[string]string{"Authorization": "Bearer " + tokenCanary, "X-Team": "canary-a,canary-b=canary-c"}
	return o
}

// wantSecret fails where a text has any form of a secret.
func wantSecret(t *testing.T, text string) {
	t.Helper()
	for _, secret := range []string{
		tokenCanary, userCanary, passwordCanary, url.QueryEscape(passwordCanary), queryCanary, url.QueryEscape(queryCanary), "canary-a", "canary-c",
		base64.StdEncoding.EncodeToString([]byte(userCanary + ":" + passwordCanary)),
	} {
		if strings.Contains(text, secret) {
			t.Errorf("%q has a secret: %q", text, secret)
		}
	}
	if strings.ContainsAny(text, "\n\r\x1b") || len(text) > maxMessage {
		t.Errorf("not a short line: %q", text)
	}
}

func client(t *testing.T, o Options) *Client {
	t.Helper()
	c, err := NewClient(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	return c
}

// serve starts a server and returns its traces URL.
func serve(t *testing.T, h http.HandlerFunc) string {
	t.Helper()
	s := httptest.NewServer(h)
	t.Cleanup(s.Close)
	return s.URL + "/v1/traces"
}

// TestRequest: what arrives is what was sent, in each encoding, with and without compression.
func TestRequest(t *testing.T) {
	for _, asJSON := range []bool{false, true} {
		for _, zipped := range []bool{false, true} {
			t.Run(fmt.Sprintf("json %v gzip %v", asJSON, zipped), func(t *testing.T) {
				var traces Traces
				var metrics Metrics
				at := serve(t, func(w http.ResponseWriter, r *http.Request) {
					body := io.Reader(r.Body)
					if zipped {
						if r.Header.Get("Content-Encoding") != "gzip" {
							t.Error("not said to be gzip")
						}
						var err error
						if body, err = gzip.NewReader(r.Body); err != nil {
							t.Error(err)
							return
						}
					}
					text, err := io.ReadAll(body)
					if err != nil {
						t.Error(err)
					}
					if r.URL.Path == "/v1/traces" {
						traces, err = ParseTraces(r.Header.Get("Content-Type"), text)
					} else {
						metrics, err = ParseMetrics(r.Header.Get("Content-Type"), text)
					}
					if err != nil {
						t.Error(err)
					}
					if r.Method != http.MethodPost || r.Header.Get("User-Agent") != "boathook/v1" || r.Header.Get("X-Team") != "blue" || r.Host != "otlp.example" {
						t.Errorf("%s %s %v", r.Method, r.Host, r.Header)
					}
				})
				c := client(t, Options{
					Traces: at, Metrics: strings.Replace(at, "traces", "metrics", 1), JSON: asJSON, Gzip: zipped, UserAgent: "boathook/v1",
					Headers: map[string]string{"x-team": "blue", "host": "otlp.example", "content-type": "text/plain"},
				})
				for range 3 { // with buffers that were used before
					if got := c.SendTraces(t.Context(), exampleTraces()); got.Outcome != Accepted || got.Status != 200 {
						t.Fatalf("%+v", got)
					}
					if got := c.SendMetrics(t.Context(), exampleMetrics()); got.Outcome != Accepted {
						t.Fatalf("%+v", got)
					}
				}
				if diff := cmp.Diff(exampleTraces(), traces); diff != "" {
					t.Error(diff)
				}
				if diff := cmp.Diff(exampleMetrics(), metrics); diff != "" {
					t.Error(diff)
				}
			})
		}
	}
}

func TestConcurrentRequests(t *testing.T) {
	at := serve(t, func(w http.ResponseWriter, r *http.Request) {
		body, err := gzip.NewReader(r.Body)
		if err != nil {
			t.Error(err)
			return
		}
		text, err := io.ReadAll(body)
		if _, perr := ParseTraces(r.Header.Get("Content-Type"), text); err != nil || perr != nil {
			t.Error(err, perr)
		}
	})
	c := client(t, Options{Traces: at, Gzip: true})
	results := make(chan Result)
	for n := range 20 {
		go func() {
			traces := exampleTraces()
			for range n {
				traces[0].Spans = append(traces[0].Spans, traces[0].Spans[0])
			}
			results <- c.SendTraces(context.Background(), traces)
		}()
	}
	for range 20 {
		if r := <-results; r.Outcome != Accepted {
			t.Errorf("%+v", r)
		}
	}
}

// TestStatuses: a row for each kind of status.
func TestStatuses(t *testing.T) {
	for status, want := range map[int]Outcome{
		200: Accepted, 202: Accepted, 204: Accepted,
		301: Misconfigured, 302: Misconfigured, 304: Misconfigured, 307: Misconfigured, 308: Misconfigured,
		400: Refused, 413: Refused, 422: Refused,
		401: Misconfigured, 402: Misconfigured, 403: Misconfigured, 404: Misconfigured, 405: Misconfigured, 407: Misconfigured, 410: Misconfigured, 415: Misconfigured,
		408: Retry, 429: Retry, 500: Retry, 501: Retry, 502: Retry, 503: Retry, 504: Retry, 599: Retry,
	} {
		followed := false
		at := serve(t, func(w http.ResponseWriter, r *http.Request) {
			followed = followed || r.URL.Path != "/v1/traces"
			w.Header().Set("Location", "/elsewhere")
			w.WriteHeader(status)
		})
		got := client(t, secretly(Options{}, at)).SendTraces(t.Context(), exampleTraces())
		if got.Outcome != want || got.Status != status || followed {
			t.Errorf("%d: %+v, followed %v; want %s", status, got, followed, want)
		}
		if (got.Message == "") != (want == Accepted) {
			t.Errorf("%d: message %q", status, got.Message)
		}
		wantSecret(t, got.Message)
	}
}

func TestRedirectKeepsTheHeaders(t *testing.T) {
	var stolen atomic.Bool
	thief := serve(t, func(http.ResponseWriter, *http.Request) { stolen.Store(true) })
	for _, status := range []int{301, 302, 303, 307, 308} {
		at := serve(t, func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, thief+"?token="+tokenCanary, status) })
		got := client(t, secretly(Options{}, at)).SendTraces(t.Context(), exampleTraces())
		if got.Outcome != Misconfigured || stolen.Load() || !strings.Contains(got.Message, "127.0.0.1") {
			t.Errorf("%d: %+v, followed %v", status, got, stolen.Load())
		}
		wantSecret(t, got.Message)
	}
}

func TestRetryAfter(t *testing.T) {
	const date = "Mon, 02 Jan 2006 15:04:05 GMT"
	for name, tc := range map[string]struct {
		after, date string
		status      int
		want        time.Duration
	}{
		"seconds":             {"7", "", 503, 7 * time.Second},
		"429 too":             {"7", "", 429, 7 * time.Second},
		"blanks":              {" 7 ", "", 503, 7 * time.Second},
		"zero":                {"0", "", 503, 0},
		"negative":            {"-5", "", 503, 0},
		"more than an hour":   {"86400", "", 503, time.Hour},
		"more than a number":  {"99999999999999999999", "", 503, time.Hour},
		"fraction":            {"1.5", "", 503, 0},
		"date":                {"Mon, 02 Jan 2006 15:05:05 GMT", date, 503, time.Minute},
		"date, RFC 850":       {"Monday, 02-Jan-06 15:05:05 GMT", date, 503, time.Minute},
		"date, asctime":       {"Mon Jan  2 15:05:05 2006", date, 503, time.Minute},
		"date in the past":    {"Mon, 02 Jan 2006 15:00:05 GMT", date, 503, 0},
		"date far ahead":      {"Mon, 02 Jan 2056 15:00:05 GMT", date, 503, time.Hour},
		"by the system clock": {"Mon, 02 Jan 2006 15:00:05 GMT", "today", 503, 0},
		"rubbish":             {"soon", "", 503, 0},
		"none":                {"", "", 503, 0},
		"not for a 404":       {"7", "", 404, 0},
		"not for a success":   {"7", "", 200, 0},
	} {
		at := serve(t, func(w http.ResponseWriter, r *http.Request) {
			if tc.date != "" {
				w.Header().Set("Date", tc.date)
			}
			w.Header().Set("Retry-After", tc.after)
			w.WriteHeader(tc.status)
		})
		got := client(t, Options{Traces: at}).SendTraces(t.Context(), exampleTraces())
		if got.RetryAfter != tc.want {
			t.Errorf("%s: %v, want %v", name, got.RetryAfter, tc.want)
		}
	}
}

func TestPartialSuccess(t *testing.T) {
	three := exampleTraces()
	three[0].Spans = append(three[0].Spans, three[0].Spans[0], three[0].Spans[0])
	for name, tc := range map[string]struct {
		contentType, body string
		want              Result
	}{
		"protobuf":           {Protobuf, "\x0a\x08\x08\x02\x12\x04late", Result{Rejected: 2, Message: "late"}},
		"protobuf, no type":  {"", "\x0a\x08\x08\x02\x12\x04late", Result{Rejected: 2, Message: "late"}},
		"protobuf, warning":  {Protobuf, "\x0a\x06\x12\x04late", Result{Message: "late"}},
		"protobuf, empty":    {Protobuf, "\x0a\x00", Result{}},
		"protobuf, unknown":  {Protobuf, "\x10\x01\x0a\x04\x08\x01\x18\x05", Result{Rejected: 1}},
		"protobuf, too many": {Protobuf, "\x0a\x03\x08\xff\x01", Result{Rejected: 3}},
		"protobuf, negative": {Protobuf, "\x0a\x0b\x08\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01", Result{}},
		"protobuf, cut":      {Protobuf, "\x0a\x08\x08\x02", Result{}},
		"json":               {JSON, `{"partialSuccess":{"rejectedSpans":"2","errorMessage":"late"}}`, Result{Rejected: 2, Message: "late"}},
		"json, charset":      {JSON + "; charset=utf-8", `{"partialSuccess":{"rejectedSpans":2}}`, Result{Rejected: 2}},
		"json, points":       {JSON, `{"partialSuccess":{"rejectedDataPoints":"1"}}`, Result{Rejected: 1}},
		"json, empty":        {JSON, `{}`, Result{}},
		"json, null":         {JSON, `{"partialSuccess":null}`, Result{}},
		"json, broken":       {JSON, `{"partialSuccess":`, Result{}},
		"json, other":        {JSON, `["ok"]`, Result{}},
		"text":               {"text/plain", "ok", Result{}},
		"nothing":            {"", "", Result{}},
		"secrets":            {JSON, `{"partialSuccess":{"errorMessage":"\u001b[31mno\n` + tokenCanary + ` ` + queryCanary + `"}}`, Result{Message: "[31mno *** ***"}},
		"a web page":         {"text/html; charset=utf-8", "<h1>Hello</h1>", Result{Outcome: Misconfigured, Message: "answered 200 with a web page: check that the URL is that of an OTLP receiver"}},
		"much":               {Protobuf, strings.Repeat("\x0a\x02\x08\x01", maxAnswer), Result{Message: "accepted, with an answer too long to read"}},
	} {
		at := serve(t, func(w http.ResponseWriter, r *http.Request) {
			w.Header()["Content-Type"] = []string{tc.contentType}
			_, _ = io.WriteString(w, tc.body)
		})
		want := tc.want
		want.Status = 200
		if want.Outcome == "" {
			want.Outcome = Accepted
		}
		got := client(t, secretly(Options{}, at)).SendTraces(t.Context(), three)
		if got.Date.IsZero() {
			t.Errorf("%s: no date", name)
		}
		got.Date = want.Date
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}

// TestProblems: what the destination says is told, without the secrets that it repeats.
func TestProblems(t *testing.T) {
	for name, tc := range map[string]struct {
		status                  int
		contentType, body, want string
		outcome                 Outcome
	}{
		"status in protobuf": {400, Protobuf, "\x08\x03\x12\x04bad!", "answered 400 Bad Request: bad!", Refused},
		"status in json":     {400, JSON, `{"code":3,"message":"bad\r\n!"}`, "answered 400 Bad Request: bad !", Refused},
		"error in json":      {503, JSON, `{"error":"busy"}`, "answered 503 Service Unavailable: busy", Retry},
		"text":               {401, "text/plain", "no such key: " + tokenCanary, "answered 401 Unauthorized: no such key: ***", Misconfigured},
		"value of a header":  {401, "text/plain", "canary-a,canary-b=canary-c / canary-b / Bearer " + tokenCanary, "answered 401 Unauthorized: *** / *** / ***", Misconfigured},
		"escaped":            {401, "text/plain", url.QueryEscape(queryCanary) + " " + url.QueryEscape(passwordCanary), "answered 401 Unauthorized: *** ***", Misconfigured},
		"page":               {404, "text/html", "<script>", "answered 404 Not Found", Misconfigured},
		"page of a 400":      {400, "text/html", "plain HTTP request to HTTPS port", "answered 400 Bad Request", Misconfigured},
		"page of a 413":      {413, "text/html", "too large", "answered 413 Request Entity Too Large", Refused},
		"broken protobuf":    {400, Protobuf, "\x12\xff", "answered 400 Bad Request", Refused},
		"nothing":            {418, "", "", "answered 418 I'm a teapot", Misconfigured},
	} {
		at := serve(t, func(w http.ResponseWriter, r *http.Request) {
			w.Header()["Content-Type"] = []string{tc.contentType}
			w.WriteHeader(tc.status)
			_, _ = io.WriteString(w, tc.body)
		})
		got := client(t, secretly(Options{}, at)).SendTraces(t.Context(), exampleTraces())
		if got.Message != tc.want || got.Outcome != tc.outcome {
			t.Errorf("%s: %s %q, want %s %q", name, got.Outcome, got.Message, tc.outcome, tc.want)
		}
		wantSecret(t, got.Message)
	}
	at := serve(t, func(w http.ResponseWriter, r *http.Request) {
		http.Error(w, strings.Repeat("ü", 1<<16), http.StatusInternalServerError)
	})
	got := client(t, Options{Traces: at}).SendTraces(t.Context(), exampleTraces())
	if !strings.HasSuffix(got.Message, "ü…") {
		t.Errorf("long: %q", got.Message)
	}
	wantSecret(t, got.Message)
}

// TestConnectionsAreReused: also after an error whose body nobody wants.
func TestConnectionsAreReused(t *testing.T) {
	n := 0
	at := serve(t, func(w http.ResponseWriter, r *http.Request) {
		if n++; n%2 == 0 {
			http.Error(w, strings.Repeat("x", maxAnswer/2), http.StatusServiceUnavailable)
		}
	})
	c := client(t, Options{Traces: at})
	dials := 0
	ctx := httptrace.WithClientTrace(t.Context(), &httptrace.ClientTrace{GotConn: func(i httptrace.GotConnInfo) {
		if !i.Reused {
			dials++
		}
	}})
	for range 6 {
		c.SendTraces(ctx, exampleTraces())
	}
	if dials != 1 || n != 6 {
		t.Errorf("%d connections for %d requests", dials, n)
	}
}

// raw does on each connection as it likes, once the request has come: to close with a part unread could break off the answer.
func raw(t *testing.T, answer func(net.Conn)) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	go func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			go func() {
				defer conn.Close()
				if r, err := http.ReadRequest(bufio.NewReader(conn)); err == nil {
					_, _ = io.Copy(io.Discard, r.Body)
				}
				answer(conn)
			}()
		}
	}()
	return "http://" + l.Addr().String() + "/v1/traces"
}

// drip writes what it says at once, and then a byte at a time for as long as the other side listens.
func drip(once, text string) func(net.Conn) {
	return func(conn net.Conn) {
		_, _ = io.WriteString(conn, once)
		for i := 0; ; i++ {
			b := []byte("x")
			if i < len(text) {
				b = []byte(text[i : i+1])
			}
			if _, err := conn.Write(b); err != nil {
				return
			}
			time.Sleep(time.Millisecond)
		}
	}
}

func TestNoAnswer(t *testing.T) {
	say := func(text string) func(net.Conn) {
		return func(conn net.Conn) { _, _ = io.WriteString(conn, text) }
	}
	const short, ample = 300 * time.Millisecond, time.Minute
	for name, tc := range map[string]struct {
		at      string
		outcome Outcome
		want    string // part of the message
		timeout time.Duration
	}{
		"nobody listens":    {"http://127.0.0.1:1", Retry, "refused", ample},
		"no such host":      {"http://nowhere.invalid:4318/v1/traces", Retry, "", ample},
		"closes at once":    {raw(t, say("")), Retry, "", ample},
		"cut in the header": {raw(t, say("HTTP/1.1 200 OK\r\nContent-")), Retry, "", ample},
		"cut in the body":   {raw(t, say("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n\x0a")), Retry, "cut off", ample},
		"cut in a chunk":    {raw(t, say("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nab")), Retry, "cut off", ample},
		"error cut in body": {raw(t, say("HTTP/1.1 404 Not Found\r\nContent-Length: 10\r\n\r\n\x0a")), Misconfigured, "404", ample},
		"not HTTP":          {raw(t, say("SSH-2.0-OpenSSH_9.6 "+tokenCanary+"\r\n")), Retry, "", ample},
		"huge header":       {raw(t, say("HTTP/1.1 200 OK\r\nX: "+strings.Repeat("x", 2*maxHeader)+"\r\n\r\n")), Retry, "", ample},
		"endless 1xx":       {raw(t, say(strings.Repeat("HTTP/1.1 103 Early Hints\r\n\r\n", 1<<14))), Retry, "", ample},
		"never answers":     {raw(t, func(c net.Conn) { _, _ = io.Copy(io.Discard, c) }), Retry, "telemetry.timeout_ms", short},
		"dripping header":   {raw(t, drip("", "HTTP/1.1 200 OK\r\nX: ")), Retry, "telemetry.timeout_ms", short},
		"dripping body":     {raw(t, drip("", "HTTP/1.1 200 OK\r\nContent-Length: 10000\r\n\r\n")), Retry, "telemetry.timeout_ms", short},
		"dripping error":    {raw(t, drip("HTTP/1.1 503 Busy\r\nContent-Length: 10000\r\nRetry-After: 3\r\n\r\n", "")), Retry, "503", 3 * time.Second},
		"endless chunks":    {raw(t, drip("", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nffffff\r\n")), Retry, "", short},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := client(t, secretly(Options{Timeout: tc.timeout}, tc.at)).SendTraces(t.Context(), exampleTraces())
			if got.Outcome != tc.outcome || !strings.Contains(got.Message, tc.want) || got.Message == "" {
				t.Errorf("%+v, want %s with %q", got, tc.outcome, tc.want)
			}
			wantSecret(t, got.Message)
		})
	}
}

// TestHugeAnswer: no more than the bound is read, however fast it comes.
func TestHugeAnswer(t *testing.T) {
	ended := make(chan error, 1)
	at := serve(t, func(w http.ResponseWriter, r *http.Request) {
		block := make([]byte, 1<<20)
		for {
			if _, err := w.Write(block); err != nil {
				ended <- err
				return
			}
		}
	})
	got := client(t, Options{Traces: at, Timeout: time.Minute}).SendTraces(t.Context(), exampleTraces())
	if got.Outcome != Accepted || got.Rejected != 0 {
		t.Errorf("%+v", got)
	}
	if err := <-ended; err == nil {
		t.Error("the server wrote for ever")
	}
}

func TestStopped(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	at := raw(t, func(c net.Conn) { cancel(); _, _ = io.Copy(io.Discard, c) })
	got := client(t, Options{Traces: at, Timeout: time.Minute}).SendTraces(ctx, exampleTraces())
	if want := (Result{Outcome: Retry, Message: "stopped before it was answered"}); got != want {
		t.Errorf("%+v", got)
	}
}

func TestNoURL(t *testing.T) {
	c := client(t, Options{})
	if got := c.SendTraces(t.Context(), nil); got.Outcome != Misconfigured || got.Message != "telemetry.endpoint is not set" {
		t.Errorf("%+v", got)
	}
	if got := c.SendMetrics(t.Context(), nil); got.Outcome != Misconfigured || got.Message != "telemetry.metrics_endpoint is not set" {
		t.Errorf("%+v", got)
	}
}

// TestOptionsAreChecked: each error names the setting and shows no secret.
func TestOptionsAreChecked(t *testing.T) {
	secret := "://" + userCanary + ":" + passwordCanary
	for name, tc := range map[string]struct {
		o    Options
		want string
	}{
		"no scheme":       {Options{Traces: "localhost:4318"}, "telemetry.endpoint is not"},
		"no host":         {Options{Traces: "http:///v1/traces"}, "telemetry.endpoint is not"},
		"port alone":      {Options{Traces: "http://:4318"}, "telemetry.endpoint is not"},
		"grpc":            {Options{Traces: "grpc" + secret + "@host:4317"}, "telemetry.endpoint is not"},
		"broken":          {Options{Traces: "http" + secret + "@ho st"}, "telemetry.endpoint is not"},
		"control":         {Options{Traces: "http://host/\x7f" + queryCanary}, "telemetry.endpoint is not"},
		"metrics":         {Options{Metrics: "x" + secret}, "telemetry.metrics_endpoint is not"},
		"proxy":           {Options{Proxy: "ftp" + secret + "@host"}, "telemetry.proxy is not"},
		"header's name":   {Options{Headers: map[string]string{"Authorization: " + tokenCanary: "x"}}, "telemetry.headers"},
		"no name":         {Options{Headers: map[string]string{"": tokenCanary}}, "telemetry.headers"},
		"header's value":  {Options{Headers: map[string]string{"A": tokenCanary + "\nB: c"}}, "telemetry.headers"},
		"no CA file":      {Options{CA: "/nowhere/ca.pem"}, "telemetry.certificate"},
		"CA of nothing":   {Options{CA: "client_test.go"}, "telemetry.certificate"},
		"no key":          {Options{ClientCert: "c.pem"}, "telemetry.client_key"},
		"no certificate":  {Options{ClientKey: "k.pem"}, "telemetry.client_certificate"},
		"no such cert":    {Options{ClientCert: "/nowhere/c.pem", ClientKey: "/nowhere/k.pem"}, "telemetry.client_certificate"},
		"not certificate": {Options{ClientCert: "client_test.go", ClientKey: "client_test.go"}, "telemetry.client_certificate"},
	} {
		_, err := NewClient(tc.o)
		if err == nil || !strings.Contains(err.Error(), tc.want) {
			t.Errorf("%s: %v, want %q", name, err, tc.want)
			continue
		}
		wantSecret(t, err.Error())
	}
	client(t, Options{Traces: "https://user@host/a?b=c", Metrics: "http://[::1]:4318/v1/metrics", Proxy: "socks5://host:1080"})
}

// TestEarlyAnswer: a receiver that finds a request too large says so while it is still being sent. That must not look
// like a broken connection, or the request would come again for ever.
func TestEarlyAnswer(t *testing.T) {
	big := exampleTraces()
	big[0].Spans[0].Name = strings.Repeat("x", 8<<20)
	early := "HTTP/1.1 413 Too Large\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
	for name, at := range map[string]string{
		"Go": serve(t, func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusRequestEntityTooLarge) }),
		"lingers": raw(t, func(c net.Conn) {
			_, _ = io.WriteString(c, early)
			_ = c.(*net.TCPConn).CloseWrite()
			_, _ = io.Copy(io.Discard, c)
		}),
	} {
		for range 5 {
			if got := client(t, Options{Traces: at}).SendTraces(t.Context(), big); got.Outcome != Refused {
				t.Errorf("%s: %+v", name, got)
			}
		}
	}
}

// FuzzAnswer: whatever a destination answers, the result is bounded, plain and free of secrets.
func FuzzAnswer(f *testing.F) {
	f.Add(200, Protobuf, "\x0a\x08\x08\x02\x12\x04late", "")
	f.Add(503, JSON, `{"message":"busy `+tokenCanary+`"}`, "7")
	f.Add(400, "text/plain", "\x1b[31m"+queryCanary, "Mon, 02 Jan 2006 15:05:05 GMT")
	f.Add(400, "text/plain", strings.ReplaceAll(queryCanary, " ", "\f"), "")
	f.Add(302, "text/html; charset=utf-8", url.QueryEscape(passwordCanary), "")
	c, err := NewClient(secretly(Options{}, "http://otlp.invalid/v1/traces"))
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, status int, contentType, body, after string) {
		h := http.Header{"Content-Type": {contentType}, "Retry-After": {after}, "Location": {"http://" + userCanary + ":" + tokenCanary + "@" + after}}
		resp := &http.Response{StatusCode: status, Header: h, Body: io.NopCloser(strings.NewReader(body)), Request: httptest.NewRequest(http.MethodPost, "/", nil)}
		got := c.answered(t.Context(), resp, 10)
		if got.Outcome == "" || got.Rejected < 0 || got.Rejected > 10 || got.RetryAfter < 0 || got.RetryAfter > maxWait || got.Status != status {
			t.Errorf("%+v", got)
		}
		wantSecret(t, got.Message)
	})
}

// TestSwitchedProtocols: what is behind such an answer has no end, and the connection knows of no timeout.
func TestSwitchedProtocols(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	over := make(chan struct{})
	defer close(over)
	go func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			go func() {
				_, _ = conn.Read(make([]byte, 1)) // what comes before any request is no answer
				_, _ = io.WriteString(conn, "HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n")
				<-over
				_ = conn.Close()
			}()
		}
	}()
	c := client(t, Options{Traces: "http://" + listener.Addr().String(), Metrics: "http://" + listener.Addr().String(), Timeout: time.Minute})
	done := make(chan Result, 2)
	go func() {
		done <- c.SendTraces(t.Context(), exampleTraces())
		done <- c.SendMetrics(t.Context(), Metrics{})
	}()
	for range 2 {
		select {
		case r := <-done:
			if r.Outcome != Misconfigured || r.Status != http.StatusSwitchingProtocols {
				t.Errorf("%+v", r)
			}
		case <-time.After(50 * time.Second): // less than its timeout
			t.Fatal("it waits for the end of what has none")
		}
	}
}
