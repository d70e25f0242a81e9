// Package mockguard is a remote guard for the integration tests: an HTTP server on a loopback port that judges tool calls
// by a function of the test and keeps what it was asked. It imports only the standard library.
package mockguard

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
)

// Request is one question of a hook, as the guard's protocol has it.
type Request struct {
	Token string `json:"-"`
	Input Input  `json:"input"`
	// Body is the request as it arrived.
	Body string `json:"-"`
}

// Input is the tool call in question.
type Input struct {
	SpanID        string            `json:"spanId"`
	ToolName      string            `json:"toolName"`
	ToolInput     json.RawMessage   `json:"toolInput"`
	RawTextFields map[string]string `json:"rawTextFields"`
}

// Verdict is the guard's reply. Empty fields are left out.
type Verdict struct {
	Decision    string `json:"decision"`
	Reason      string `json:"reason,omitempty"`
	UserMessage string `json:"userMessage,omitempty"`
	MatchedRule string `json:"matchedRule,omitempty"`
}

// Allow, Deny and Review are the decisions of the protocol.
const (
	Allow  = "ALLOW"
	Deny   = "DENY"
	Review = "REVIEW"
)

// Server is a running guard. All methods may be called concurrently.
type Server struct {
	http  *httptest.Server
	judge func(Request) Verdict

	mu       sync.Mutex
	requests []Request
}

// Start serves verdicts until the test ends. The judge may be called concurrently.
func Start(tb testing.TB, judge func(Request) Verdict) *Server {
	tb.Helper()
	s := &Server{judge: judge}
	s.http = httptest.NewServer(http.HandlerFunc(s.serve))
	tb.Cleanup(s.http.Close)
	return s
}

// Always judges everything alike.
func Always(v Verdict) func(Request) Verdict {
	return func(Request) Verdict { return v }
}

// DenyCommand denies the shell commands that contain a text and allows everything else.
func DenyCommand(part string, v Verdict) func(Request) Verdict {
	return func(r Request) Verdict {
		if strings.Contains(r.Input.RawTextFields["command"], part) {
			return v
		}
		return Verdict{Decision: Allow}
	}
}

// URL is the endpoint to configure.
func (s *Server) URL() string { return s.http.URL + "/v1/guard" }

// Requests are the questions so far, in the order of their arrival.
func (s *Server) Requests() []Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]Request(nil), s.requests...)
}

func (s *Server) serve(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	req := Request{Token: r.Header.Get("x-pinta-relay-token"), Body: string(body)}
	if err := json.Unmarshal(body, &req); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	s.mu.Lock()
	s.requests = append(s.requests, req)
	s.mu.Unlock()
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(s.judge(req)) // the hook hung up: nothing to tell it
}
