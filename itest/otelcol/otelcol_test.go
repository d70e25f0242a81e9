package otelcol_test

import (
	"crypto/tls"
	"crypto/x509"
	"net/http"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/boathook/boathook/itest/otelcol"
)

const oneSpan = `{"resourceSpans":[{"resource":{"attributes":[{"key":"service.name","value":{"stringValue":"s"}}]},
"scopeSpans":[{"scope":{"name":"sc"},"spans":[{"traceId":"000102030405060708090a0b0c0d0e0f","spanId":"0102030405060708",
"name":"one","kind":1,"startTimeUnixNano":"1000000001","endTimeUnixNano":"2000000002",
"attributes":[{"key":"n","value":{"intValue":"7"}},{"key":"l","value":{"arrayValue":{"values":[{"stringValue":"a"}]}}}],
"events":[{"timeUnixNano":"1500000000","name":"e","attributes":[{"key":"ok","value":{"boolValue":true}}]}],
"status":{"code":2,"message":"m"}}]}]}]}`

const oneMetric = `{"resourceMetrics":[{"resource":{},"scopeMetrics":[{"scope":{},"metrics":[{"name":"c","unit":"1","sum":
{"aggregationTemporality":2,"isMonotonic":true,"dataPoints":[{"startTimeUnixNano":"1","timeUnixNano":"2","asInt":"41"}]}},
{"name":"h","histogram":{"aggregationTemporality":2,"dataPoints":[{"timeUnixNano":"2","count":"3","sum":1.5,
"bucketCounts":["1","2"],"explicitBounds":[5]}]}}]}]}]}`

func post(t *testing.T, client *http.Client, url, body string) error {
	t.Helper()
	res, err := client.Post(url, "application/json", strings.NewReader(body))
	if err != nil {
		return err
	}
	defer res.Body.Close()
	if res.StatusCode != http.StatusOK {
		t.Errorf("POST %s: %s", url, res.Status)
	}
	return nil
}

// TestHandsOn shows that what comes out is what went in, and that a collector comes back at its address after a kill.
func TestHandsOn(t *testing.T) {
	recorder := otelcol.NewRecorder(t)
	c := otelcol.Start(t, otelcol.Options{Recorder: recorder})
	for range 2 {
		if err := post(t, http.DefaultClient, c.Traces(), oneSpan); err != nil {
			t.Fatal(err)
		}
		c.Kill()
		if err := post(t, http.DefaultClient, c.Traces(), oneSpan); err == nil {
			t.Error("a collector that was killed answers")
		}
		c.Start()
	}
	if err := post(t, http.DefaultClient, c.URL()+"/v1/metrics", oneMetric); err != nil {
		t.Fatal(err)
	}
	spans := recorder.Spans()
	if len(spans) != 2 || spans[0].JSON != spans[1].JSON {
		t.Fatalf("spans %+v", spans)
	}
	want := otelcol.Span{
		TraceID: "000102030405060708090a0b0c0d0e0f", SpanID: "0102030405060708", Name: "one", Kind: 1,
		Start: time.Unix(1, 1).UTC(), End: time.Unix(2, 2).UTC(), Attrs: map[string]any{"n": int64(7), "l": []any{"a"}},
		Events: []otelcol.Event{{Name: "e", Time: time.Unix(1, 5e8).UTC(), Attrs: map[string]any{"ok": true}}},
		Status: 2, Message: "m", Resource: map[string]any{"service.name": "s"}, Scope: "sc", JSON: spans[0].JSON,
	}
	if diff := cmp.Diff(want, spans[0]); diff != "" {
		t.Errorf("span (-want +got):\n%s", diff)
	}
	wantMetrics := []otelcol.Metric{
		{Name: "c", Unit: "1", Kind: "sum", Points: []otelcol.Point{{Attrs: map[string]any{}, Value: 41, Start: 1, End: 2}}, Resource: map[string]any{}},
		{Name: "h", Kind: "histogram", Points: []otelcol.Point{{Attrs: map[string]any{}, Count: 3, Sum: 1.5, Buckets: []uint64{1, 2}, End: 2}}, Resource: map[string]any{}},
	}
	if diff := cmp.Diff(wantMetrics, recorder.Metrics()); diff != "" {
		t.Errorf("metrics (-want +got):\n%s", diff)
	}
	if err := recorder.Err(); err != nil {
		t.Error(err)
	}
}

// TestAsksForCertificates shows that a client needs the authority and a certificate of its own.
func TestAsksForCertificates(t *testing.T) {
	recorder := otelcol.NewRecorder(t)
	certs := otelcol.NewCertificates(t)
	c := otelcol.Start(t, otelcol.Options{Recorder: recorder, TLS: certs})
	pem, err := os.ReadFile(certs.CA)
	if err != nil {
		t.Fatal(err)
	}
	pool := x509.NewCertPool()
	pool.AppendCertsFromPEM(pem)
	pair, err := tls.LoadX509KeyPair(certs.ClientCert, certs.ClientKey)
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range []struct {
		name string
		tls  *tls.Config
		ok   bool
	}{
		{"nothing", &tls.Config{}, false},
		{"no certificate", &tls.Config{RootCAs: pool}, false},
		{"both", &tls.Config{RootCAs: pool, Certificates: []tls.Certificate{pair}}, true},
	} {
		transport := &http.Transport{TLSClientConfig: row.tls}
		err := post(t, &http.Client{Transport: transport}, c.Traces(), oneSpan)
		transport.CloseIdleConnections()
		if (err == nil) != row.ok {
			t.Errorf("%s: %v", row.name, err)
		}
	}
	if n := len(recorder.Spans()); n != 1 {
		t.Errorf("%d spans came through, want 1", n)
	}
}
