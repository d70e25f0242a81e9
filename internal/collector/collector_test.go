package collector

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/boathook/boathook/internal/otlp"
)

const oneSpan = `{"resourceSpans":[{"resource":{"attributes":[{"key":"service.name","value":{"stringValue":"svc"}}]},
"scopeSpans":[{"spans":[{"traceId":"00000000000000000000000000000001","spanId":"0000000000000002","name":"n"}]}]}]}`

func packed(t *testing.T, text string) string {
	t.Helper()
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	if _, err := io.WriteString(w, text); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// Every answer has the content type of its request, and every error a google.rpc.Status.
func TestAnswers(t *testing.T) {
	big := strings.Repeat(" ", otlp.MaxBody+1)
	tests := []struct {
		name, method, path, kind, encoding, body string
		status, spans                            int
		answer                                   string
	}{
		{"JSON", "POST", "/v1/traces", otlp.JSON, "", oneSpan, 200, 1, "{}"},
		{"JSON with charset", "POST", "/v1/traces", otlp.JSON + "; charset=utf-8", "", oneSpan, 200, 1, "{}"},
		{"gzip", "POST", "/v1/traces", otlp.JSON, "gzip", packed(t, oneSpan), 200, 1, "{}"},
		{"empty protobuf", "POST", "/v1/traces", otlp.Protobuf, "", "", 200, 0, ""},
		{"metrics", "POST", "/v1/metrics", otlp.JSON, "identity", `{"resourceMetrics":[]}`, 200, 0, "{}"},
		{"broken JSON", "POST", "/v1/traces", otlp.JSON, "", "{", 400, 0, `"code":3`},
		{"broken protobuf", "POST", "/v1/traces", otlp.Protobuf, "", "\xff\xff\xff", 400, 0, "\x08\x03\x12"},
		{"no gzip", "POST", "/v1/traces", otlp.JSON, "gzip", oneSpan, 400, 0, "gzip"},
		{"cut gzip", "POST", "/v1/traces", otlp.JSON, "gzip", packed(t, oneSpan)[:40], 400, 0, `"code":3`},
		{"logs", "POST", "/v1/logs", otlp.Protobuf, "", "", 404, 0, "\x08\x05\x12"},
		{"too large", "POST", "/v1/traces", otlp.JSON, "", big, 413, 0, `"code":8`},
		{"too large unpacked", "POST", "/v1/traces", otlp.JSON, "gzip", packed(t, big), 413, 0, `"code":8`},
		{"text", "POST", "/v1/traces", "text/plain", "", oneSpan, 415, 0, `"code":3`},
		{"no type", "POST", "/v1/traces", "", "", oneSpan, 415, 0, `"code":3`},
		{"zstd", "POST", "/v1/traces", otlp.JSON, "zstd", oneSpan, 415, 0, `"code":3`},
		{"GET", "GET", "/v1/traces", otlp.JSON, "", "", 405, 0, `"code":3`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			spans, refused := 0, 0
			h := Handler(Options{
				Traces:  func(got otlp.Traces) { spans += len(Spans(got)) },
				Refused: func(status int, _ string) { refused = status },
			})
			req := httptest.NewRequest(tt.method, tt.path, strings.NewReader(tt.body))
			req.Header.Set("Content-Type", tt.kind)
			req.Header.Set("Content-Encoding", tt.encoding)
			w := httptest.NewRecorder()
			h.ServeHTTP(w, req)
			if w.Code != tt.status || spans != tt.spans || !strings.Contains(w.Body.String(), tt.answer) {
				t.Errorf("status %d, %d spans, answer %q", w.Code, spans, w.Body.String())
			}
			if (refused == 0) != (tt.status == 200) || refused != 0 && refused != tt.status {
				t.Errorf("refused with %d", refused)
			}
			want := otlp.JSON
			if tt.kind == otlp.Protobuf {
				want = tt.kind
			}
			if got := w.Header().Get("Content-Type"); got != want {
				t.Errorf("content type %q", got)
			}
		})
	}
}

// A status in protobuf can be read by its fields: code, then the message with its length.
func TestStatusInProtobuf(t *testing.T) {
	long := strings.Repeat("x", 300)
	w := httptest.NewRecorder()
	reject(w, otlp.Protobuf, refusal{http.StatusBadRequest, long})
	if got, want := w.Body.String(), "\x08\x03\x12\xac\x02"+long; got != want {
		t.Errorf("%q", got)
	}
}

func TestServerServesManyAndEnds(t *testing.T) {
	var mu sync.Mutex
	spans := 0
	s, err := Start(t.Context(), Options{Listen: "127.0.0.1:0", Traces: func(got otlp.Traces) {
		mu.Lock()
		defer mu.Unlock()
		spans += len(Spans(got))
	}})
	if err != nil {
		t.Fatal(err)
	}
	var wg sync.WaitGroup
	for range 20 {
		wg.Go(func() {
			resp, err := http.Post(s.URL()+"/v1/traces", otlp.JSON, strings.NewReader(oneSpan))
			if err != nil {
				t.Error(err)
				return
			}
			_ = resp.Body.Close()
		})
	}
	wg.Wait()
	if err := s.Close(context.Background()); err != nil {
		t.Fatal(err)
	}
	<-s.Done()
	if spans != 20 {
		t.Errorf("%d spans", spans)
	}
	if resp, err := http.Get(s.URL()); err == nil {
		_ = resp.Body.Close()
		t.Error("still there")
	}
	if _, err := Start(t.Context(), Options{Listen: "nowhere"}); err == nil {
		t.Error("no port, no error")
	}
}

func TestLoopback(t *testing.T) {
	for listen, want := range map[string]bool{
		"127.0.0.1:4318": true, "localhost:1": true, "[::1]:0": true, "0.0.0.0:1": false, ":4318": false, "10.0.0.1:1": false, "x": false,
	} {
		if Loopback(listen) != want {
			t.Errorf("%s: %t", listen, !want)
		}
	}
}

func TestSpanJSON(t *testing.T) {
	traces, err := otlp.ParseTraces(otlp.JSON, []byte(`{"resourceSpans":[{"scopeSpans":[{"spans":[{
"traceId":"00000000000000000000000000000001","spanId":"0000000000000002","parentSpanId":"0000000000000003","name":"n","kind":1,
"startTimeUnixNano":"1000000","endTimeUnixNano":"3500000",
"attributes":[{"key":"a","value":{"doubleValue":"NaN"}},{"key":"b","value":{"intValue":"7"}}],
"events":[{"name":"e","timeUnixNano":"2000000"}]}]}]}]}`))
	if err != nil {
		t.Fatal(err)
	}
	b, err := json.Marshal(Spans(traces)[0])
	if err != nil {
		t.Fatal(err)
	}
	var got map[string]any
	if err := json.Unmarshal(b, &got); err != nil {
		t.Fatal(err)
	}
	want := map[string]any{
		"trace_id": "00000000000000000000000000000001", "span_id": "0000000000000002", "parent_id": "0000000000000003", "name": "n", "kind": 1.0,
		"start": "1970-01-01T00:00:00.001Z", "end": "1970-01-01T00:00:00.0035Z", "duration_ms": 2.5,
		"attributes": map[string]any{"a": "NaN", "b": 7.0}, "resource": map[string]any{},
		"events": []any{map[string]any{"name": "e", "time": "1970-01-01T00:00:00.002Z"}},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}
