package mockgemini

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
)

// Server is a running mock. All methods may be called concurrently.
type Server struct {
	http     *httptest.Server
	scenario Scenario

	mu       sync.Mutex
	requests []Request
}

// Request is one call of the model API as it arrived.
type Request struct {
	// Op is the last part of the path: streamGenerateContent, generateContent, countTokens.
	Op       string
	Contents []Content `json:"contents"`
}

// Content is one entry of a request's conversation.
type Content struct {
	Role  string        `json:"role"`
	Parts []RequestPart `json:"parts"`
}

// RequestPart is what the agent tells the model.
type RequestPart struct {
	Text     string        `json:"text"`
	Response *ToolResponse `json:"functionResponse"`
}

// ToolResponse is the result of a tool call as the model gets it.
type ToolResponse struct {
	ID       string         `json:"id"`
	Name     string         `json:"name"`
	Response map[string]any `json:"response"`
}

// Text is the result's text: its error, else its output.
func (r ToolResponse) Text() string {
	for _, key := range []string{"error", "output"} {
		if s, ok := r.Response[key].(string); ok {
			return s
		}
	}
	return fmt.Sprint(r.Response)
}

// Start serves a scenario until the test ends.
func Start(tb testing.TB, scenario Scenario) *Server {
	tb.Helper()
	s := &Server{scenario: scenario}
	s.http = httptest.NewServer(http.HandlerFunc(s.serve))
	tb.Cleanup(s.http.Close)
	return s
}

// URL is the base URL that the agent is to use.
func (s *Server) URL() string { return s.http.URL }

// Requests are the calls so far, in the order of their arrival.
func (s *Server) Requests() []Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]Request(nil), s.requests...)
}

// ToolResponses are all tool results that the longest conversation so far holds, in the conversation's order.
func (s *Server) ToolResponses() []ToolResponse {
	var longest []Content
	for _, r := range s.Requests() {
		if len(r.Contents) > len(longest) {
			longest = r.Contents
		}
	}
	var out []ToolResponse
	for _, c := range longest {
		for _, p := range c.Parts {
			if p.Response != nil {
				out = append(out, *p.Response)
			}
		}
	}
	return out
}

func (s *Server) serve(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	_, op, _ := strings.Cut(r.URL.Path, ":")
	req := Request{Op: op}
	if err := json.Unmarshal(body, &req); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	s.mu.Lock()
	s.requests = append(s.requests, req)
	s.mu.Unlock()
	switch op {
	case "streamGenerateContent":
		s.stream(w, req)
	case "generateContent":
		writeJSON(w, answer([]Part{Text("{}")}, true))
	case "countTokens":
		writeJSON(w, map[string]any{"totalTokens": 100})
	default:
		http.NotFound(w, r)
	}
}

func (s *Server) stream(w http.ResponseWriter, req Request) {
	turn := s.turn(req)
	w.Header().Set("Content-Type", "text/event-stream")
	for i, parts := range turn.Chunks {
		b, err := json.Marshal(answer(parts, i == len(turn.Chunks)-1))
		if err != nil {
			panic(err) // a scenario that is no JSON is a mistake of the test
		}
		fmt.Fprintf(w, "data: %s\r\n\r\n", b)
	}
}

// turn picks the answer by the number of turns that the model has had in this conversation, so that a repeated request
// gets the same answer again.
func (s *Server) turn(req Request) Turn {
	done := 0
	for _, c := range req.Contents {
		if c.Role == "model" {
			done++
		}
	}
	return s.scenario[min(done, len(s.scenario)-1)]
}

func answer(parts []Part, last bool) map[string]any {
	candidate := map[string]any{"index": 0, "content": map[string]any{"role": "model", "parts": parts}}
	out := map[string]any{"candidates": []any{candidate}, "modelVersion": "mock-1"}
	if last {
		candidate["finishReason"] = "STOP"
		out["usageMetadata"] = map[string]int{"promptTokenCount": 100, "candidatesTokenCount": 10, "totalTokenCount": 110}
	}
	return out
}

func writeJSON(w http.ResponseWriter, v any) {
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(v) // the agent hung up: nothing to tell it
}
