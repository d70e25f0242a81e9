package guard

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/boathook/boathook/hook/canon"
	"github.com/boathook/boathook/internal/config"
	"github.com/boathook/boathook/internal/record"
)

// ample is a budget that a busy machine keeps; tests of the budget itself set their own.
const ample = 20 * time.Second

func question() Question {
	return Question{
		SpanID: "0123456789abcdef", ToolName: "run_shell_command", Input: json.RawMessage(`{"command":"rm -rf /"}`),
		InputText: `{ "command": "rm -rf /" }`, Command: "rm -rf /", MCPContext: `{"server_name":"s"}`,
	}
}

func serve(t *testing.T, answer http.HandlerFunc) string {
	t.Helper()
	s := httptest.NewServer(answer)
	t.Cleanup(s.Close)
	return s.URL
}

func says(status int, body string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(status)
		_, _ = io.WriteString(w, body)
	}
}

func TestRequestOnTheWire(t *testing.T) {
	var got map[string]any
	var header http.Header
	at := serve(t, func(w http.ResponseWriter, r *http.Request) {
		header = r.Header.Clone()
		if err := json.NewDecoder(r.Body).Decode(&got); err != nil {
			t.Error(err)
		}
		_, _ = io.WriteString(w, `{"decision":"ALLOW"}`)
	})
	Ask(context.Background(), config.Guard{Endpoint: at, Token: "tok", Timeout: ample}, false, question())
	want := map[string]any{"input": map[string]any{
		"spanId": "0123456789abcdef", "toolName": "run_shell_command", "toolInput": map[string]any{"command": "rm -rf /"},
		"rawTextFields": map[string]any{
			"toolInput": `{ "command": "rm -rf /" }`, "command": "rm -rf /", "mcpContext": `{"server_name":"s"}`,
		},
	}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if header.Get("x-pinta-relay-token") != "tok" || header.Get("content-type") != "application/json" {
		t.Errorf("headers %v", header)
	}
}

func TestVerdicts(t *testing.T) {
	for _, tc := range []struct {
		name, body string
		status     int
		want       Verdict
	}{
		{"allow", `{"decision":"ALLOW","durationMs":3}`, 200, Verdict{Outcome: "allow"}},
		{"deny with both texts", `{"decision":"DENY","reason":"r","userMessage":"u"}`, 200, Verdict{Outcome: "deny", Reason: "u"}},
		{"deny with a reason", `{"decision":"DENY","reason":"r","userMessage":null}`, 200, Verdict{Outcome: "deny", Reason: "r"}},
		{"deny without text", `{"decision":"DENY"}`, 200, Verdict{Outcome: "deny"}},
		{"review with a rule", `{"decision":"REVIEW","reason":"r","matchedRule":"R1"}`, 200, Verdict{Outcome: "review", Reason: "r", Rule: "R1"}},
		{"the rule in snake case", `{"decision":"DENY","matched_rule":"R2"}`, 200, Verdict{Outcome: "deny", Rule: "R2"}},
		{"a rule as an object", `{"decision":"DENY","matchedRule":{"id":7}}`, 200, Verdict{Outcome: "deny", Rule: `{"id":7}`}},
		{"lower case", `{"decision":"deny"}`, 200, Verdict{Outcome: "deny"}},
		{"a byte order mark", "\ufeff" + `{"decision":"DENY"}`, 200, Verdict{Outcome: "deny"}},
		{"unavailable", `{"decision":"DENY"}`, 503, Verdict{Outcome: "status_503"}},
		{"created", `{"decision":"DENY"}`, 201, Verdict{Outcome: "status_201"}},
		{"no JSON", `<html>`, 200, Verdict{Outcome: "bad_body"}},
		{"nothing", ``, 200, Verdict{Outcome: "bad_body"}},
		{"another word", `{"decision":"MAYBE"}`, 200, Verdict{Outcome: "bad_body"}},
		{"a number", `{"decision":1}`, 200, Verdict{Outcome: "bad_body"}},
		{"a list", `["DENY"]`, 200, Verdict{Outcome: "bad_body"}},
		{"huge", `{"decision":"DENY","reason":"` + strings.Repeat("x", maxBody) + `"}`, 200, Verdict{Outcome: "deny", Reason: strings.Repeat("x", maxReason) + "…"}},
		{"huge before the decision", `{"reason":"` + strings.Repeat("x", maxBody) + `","decision":"DENY"}`, 200, Verdict{Outcome: "bad_body"}},
		{"a reason that is a number", `{"decision":"DENY","reason":7}`, 200, Verdict{Outcome: "deny", Reason: "7"}},
		{"a reason that is an object", `{"decision":"DENY","userMessage":{"a":1}}`, 200, Verdict{Outcome: "deny", Reason: `{"a":1}`}},
		{"control characters in a reason", "{\"decision\":\"DENY\",\"reason\":\"a\n\x1b[2J\u202eb\"}", 200, Verdict{Outcome: "deny", Reason: "a\n\ufffd[2J\ufffdb"}},
		{"text after", `{"decision":"DENY"} and more`, 200, Verdict{Outcome: "deny"}},
		{"two decisions", `{"decision":"DENY","decision":"ALLOW"}`, 200, Verdict{Outcome: "deny"}},
		{"another case of the key", `{"decision":"DENY","Decision":"ALLOW"}`, 200, Verdict{Outcome: "deny"}},
		{"an unknown field of any depth", `{"x":` + strings.Repeat("[", 20_000) + strings.Repeat("]", 20_000) + `,"decision":"DENY"}`, 200, Verdict{Outcome: "deny"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			got := Ask(context.Background(), config.Guard{Endpoint: serve(t, says(tc.status, tc.body)), Timeout: ample}, false, question())
			ignore := cmpopts.IgnoreFields(Verdict{}, "Duration")
			if !tc.want.Decided() {
				ignore = cmpopts.IgnoreFields(Verdict{}, "Duration", "Reason")
			}
			if diff := cmp.Diff(tc.want, got, ignore); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// TestARepliedDenyCountsHoweverTheConnectionEnds: the object is complete, the rest of HTTP is not.
func TestARepliedDenyCountsHoweverTheConnectionEnds(t *testing.T) {
	hang := make(chan struct{})
	for name, answer := range map[string]http.HandlerFunc{
		"stays open": func(w http.ResponseWriter, _ *http.Request) {
			_, _ = io.WriteString(w, `{"decision":"DENY"}`)
			w.(http.Flusher).Flush()
			<-hang
		},
		"is cut short": func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Length", "1000")
			_, _ = io.WriteString(w, `{"decision":"DENY"} `)
		},
	} {
		t.Run(name, func(t *testing.T) {
			got := Ask(context.Background(), config.Guard{Endpoint: serve(t, answer), Timeout: ample}, false, question())
			if got.Outcome != "deny" {
				t.Errorf("got %+v", got)
			}
			if name == "stays open" {
				close(hang)
			}
		})
	}
}

func TestMarkupIsNotEscapedOnTheWire(t *testing.T) {
	body, err := encode(Question{Command: "a < b && c > d", Input: json.RawMessage(`{"x":"<"}`)})
	if err != nil || !strings.Contains(string(body), `"a < b && c > d"`) || !strings.Contains(string(body), `{"x":"<"}`) {
		t.Errorf("%s (%v)", body, err)
	}
}

// TestSilences: each way of not answering ends with the budget, named for what it was. The server lives until the test
// ends, so that only the budget can end the wait.
func TestSilences(t *testing.T) {
	hole, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { hole.Close() })
	hang := make(chan struct{})
	drip := serve(t, func(w http.ResponseWriter, _ *http.Request) {
		_, _ = io.WriteString(w, `{"decision":`)
		w.(http.Flusher).Flush()
		<-hang
	})
	t.Cleanup(func() { close(hang) }) // before the server's own clean-up, which waits for the handler
	for name, endpoint := range map[string]string{
		"accepts and never answers": "http://" + hole.Addr().String(), "begins an answer": drip,
		"never finishes TLS": "https://" + hole.Addr().String(),
	} {
		t.Run(name, func(t *testing.T) {
			got := Ask(context.Background(), config.Guard{Endpoint: endpoint, Timeout: 30 * time.Millisecond}, false, question())
			if got.Outcome != "timeout" {
				t.Errorf("got %+v", got)
			}
		})
	}
}

func TestFailures(t *testing.T) {
	cut := serve(t, func(w http.ResponseWriter, _ *http.Request) {
		conn, _, err := w.(http.Hijacker).Hijack()
		if err == nil {
			conn.Close()
		}
	})
	for _, tc := range []struct{ name, endpoint, want string }{
		{"nobody listens", "http://127.0.0.1:1", "refused"},
		{"hangs up", cut, "error"},
		{"no URL", "://", "bad_endpoint"},
		{"another scheme", "ftp://127.0.0.1/", "bad_endpoint"},
		{"no host", "http:///path", "bad_endpoint"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			got := Ask(context.Background(), config.Guard{Endpoint: tc.endpoint, Timeout: ample}, false, question())
			if got.Outcome != tc.want {
				t.Errorf("got %+v, want %s", got, tc.want)
			}
		})
	}
}

func TestARedirectIsNotFollowed(t *testing.T) {
	elsewhere := serve(t, func(_ http.ResponseWriter, r *http.Request) { t.Errorf("asked elsewhere, with %v", r.Header) })
	at := serve(t, func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, elsewhere, http.StatusTemporaryRedirect)
	})
	got := Ask(context.Background(), config.Guard{Endpoint: at, Token: "tok", Timeout: ample}, false, question())
	if got.Outcome != "status_307" {
		t.Errorf("got %+v", got)
	}
}

func TestOnlyTheConfiguredProxyIsUsed(t *testing.T) {
	var through []string
	proxy := serve(t, func(w http.ResponseWriter, r *http.Request) {
		through = append(through, r.URL.String())
		_, _ = io.WriteString(w, `{"decision":"DENY"}`)
	})
	t.Setenv("HTTP_PROXY", "http://127.0.0.1:1")
	got := Ask(context.Background(), config.Guard{Endpoint: "http://guard.invalid/v1", Proxy: proxy, Timeout: ample}, false, question())
	if got.Outcome != "deny" || len(through) != 1 || through[0] != "http://guard.invalid/v1" {
		t.Errorf("got %+v through %v", got, through)
	}
	if got := Ask(context.Background(), config.Guard{Endpoint: proxy, Proxy: "nonsense", Timeout: ample}, false, question()); got.Outcome != "bad_endpoint" {
		t.Errorf("a proxy that is no URL: %+v", got)
	}
}

func TestLargeInputsGoOnceAndWhole(t *testing.T) {
	var got request
	at := serve(t, func(w http.ResponseWriter, r *http.Request) {
		if err := json.NewDecoder(r.Body).Decode(&got); err != nil {
			t.Error(err)
		}
		_, _ = io.WriteString(w, `{"decision":"DENY"}`)
	})
	text := `{"command":"` + strings.Repeat("x", 8<<20) + `; rm -rf /"}`
	q := Question{Input: json.RawMessage(text), InputText: text}
	if v := Ask(context.Background(), config.Guard{Endpoint: at, Timeout: ample}, false, q); v.Outcome != "deny" {
		t.Fatalf("got %+v", v)
	}
	if string(got.Input.ToolInput) != "null" || got.Input.RawTextFields.ToolInput != text {
		t.Errorf("toolInput %d bytes, its text %d, want null and %d", len(got.Input.ToolInput), len(got.Input.RawTextFields.ToolInput), len(text))
	}
}

func TestDecide(t *testing.T) {
	open, closed, asks := config.Guard{}, config.Guard{FailClosed: true}, config.Guard{ReviewAsks: true}
	for _, tc := range []struct {
		name string
		cfg  config.Guard
		v    Verdict
		want record.Decision
	}{
		{"allow", open, Verdict{Outcome: "allow", Rule: "r"}, record.Decision{Action: canon.Allow, Source: "remote_guard", Rule: "r"}},
		{"deny", open, Verdict{Outcome: "deny", Reason: "no"}, record.Decision{Action: canon.Deny, Source: "remote_guard", Reason: "no"}},
		{"deny without text", open, Verdict{Outcome: "deny"}, record.Decision{Action: canon.Deny, Source: "remote_guard", Reason: "guard_deny"}},
		{"review", open, Verdict{Outcome: "review", Reason: "look"}, record.Decision{Action: canon.Allow, Source: "remote_guard", Reason: "look", Mark: "review"}},
		{"review asks", asks, Verdict{Outcome: "review"}, record.Decision{Action: canon.Ask, Source: "remote_guard", Reason: "the guard asks for a review", Mark: "review"}},
		{"no verdict, open", open, Verdict{Outcome: "timeout"}, record.Decision{Action: canon.Allow, Source: "guard_failed"}},
		{"no verdict, closed", closed, Verdict{Outcome: "status_503"}, record.Decision{Action: canon.Deny, Source: "guard_failed", Reason: "boathook: the guard gave no verdict (status_503) and guard.fail is closed"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if diff := cmp.Diff(tc.want, Decide(tc.cfg, tc.v)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestEvidence(t *testing.T) {
	v := Verdict{Outcome: "refused", Reason: "connection refused", Duration: 1500 * time.Microsecond}
	want := &record.Guard{Outcome: "refused", Reason: "connection refused", Fail: "closed", DurationMS: 1.5}
	if diff := cmp.Diff(want, Evidence(config.Guard{FailClosed: true}, v)); diff != "" {
		t.Error(diff)
	}
}

func ExampleVerdict_Decided() {
	fmt.Println(Verdict{Outcome: "deny"}.Decided(), Verdict{Outcome: "timeout"}.Decided())
	// Output: true false
}
