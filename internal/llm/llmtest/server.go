// Package llmtest is an API of models for tests: vectors with planted meanings, and a canned text. Nothing in it understands
// anything: two texts are near each other where their words were planted as one concept, and nowhere else.
package llmtest

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"time"
)

// Request is one that came.
type Request struct {
	Path   string
	Header http.Header
	Body   json.RawMessage
	// Texts are those to be embedded.
	Texts []string
}

// Server speaks OpenAI's /v1/embeddings and /v1/chat/completions, and Gemini's /v1beta/models/…:batchEmbedContents. Its fields may
// be set before it is asked; Set changes them later.
type Server struct {
	// URL is the base of the OpenAI-compatible API, with its /v1.
	URL string
	// Width is how many numbers a vector has where nobody asks for another number.
	Width int
	// Fixed says that no other width can be had, as of most local models.
	Fixed bool
	// Status, where it isn't zero, is what every request is refused with, RetryAfter its header.
	Status     int
	RetryAfter string
	// Delay is how long an answer takes.
	Delay time.Duration
	// Text is what is written; empty is "a text".
	Text string

	concepts Concepts
	mu       sync.Mutex
	requests []Request
}

// New is a server's state and handler; who needs an address uses Start.
func New(width int, concepts Concepts) *Server { return &Server{Width: width, concepts: concepts} }

// TB is what Start needs of a test.
type TB interface {
	Helper()
	Cleanup(f func())
}

// Start serves on a local port until the test ends.
func Start(t TB, width int, concepts Concepts) *Server {
	t.Helper()
	s := New(width, concepts)
	h := httptest.NewServer(s)
	t.Cleanup(h.Close)
	s.URL = h.URL + "/v1"
	return s
}

// Set changes the server while it serves.
func (s *Server) Set(change func(*Server)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	change(s)
}

// Requests are those that have come.
func (s *Server) Requests() []Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]Request(nil), s.requests...)
}

// ServeHTTP answers.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	var body json.RawMessage
	if err := json.NewDecoder(http.MaxBytesReader(w, r.Body, 16<<20)).Decode(&body); err != nil {
		refuse(w, http.StatusBadRequest, "no JSON")
		return
	}
	q := Request{Path: r.URL.Path, Header: r.Header.Clone(), Body: body}
	width, gemini := 0, strings.HasSuffix(r.URL.Path, ":batchEmbedContents")
	if gemini {
		q.Texts, width = geminiTexts(body)
	} else {
		q.Texts, width = openAITexts(body)
	}
	s.mu.Lock()
	s.requests = append(s.requests, q)
	status, after, delay, text, own, fixed := s.Status, s.RetryAfter, s.Delay, s.Text, s.Width, s.Fixed
	s.mu.Unlock()
	select {
	case <-time.After(delay):
	case <-r.Context().Done():
		return
	}
	switch {
	case status != 0:
		if after != "" {
			w.Header().Set("Retry-After", after)
		}
		refuse(w, status, "refused as the test wants it")
	case strings.HasSuffix(r.URL.Path, "/chat/completions"):
		if text == "" {
			text = "a text"
		}
		answer(w, map[string]any{"choices": []any{map[string]any{"message": map[string]any{"role": "assistant", "content": text}}}})
	case width > 0 && width != own && fixed:
		refuse(w, http.StatusBadRequest, "this model does not support matryoshka representation, changing output dimensions will lead to poor results")
	default:
		if width == 0 {
			width = own
		}
		s.vectors(w, q.Texts, width, gemini)
	}
}

func (s *Server) vectors(w http.ResponseWriter, texts []string, width int, gemini bool) {
	var list []any
	for i, text := range texts {
		v := s.concepts.Vector(text, width)
		if gemini {
			list = append(list, map[string]any{"values": v})
		} else {
			list = append(list, map[string]any{"object": "embedding", "index": i, "embedding": v})
		}
	}
	if gemini {
		answer(w, map[string]any{"embeddings": list})
		return
	}
	answer(w, map[string]any{"object": "list", "data": list})
}

func openAITexts(body []byte) ([]string, int) {
	var q struct {
		Input      []string
		Dimensions int
	}
	_ = json.Unmarshal(body, &q) // a chat has none
	return q.Input, q.Dimensions
}

func geminiTexts(body []byte) (texts []string, width int) {
	var q struct {
		Requests []struct {
			Content struct{ Parts []struct{ Text string } }
			Width   int `json:"outputDimensionality"`
		}
	}
	_ = json.Unmarshal(body, &q)
	for _, r := range q.Requests {
		width = r.Width
		for _, p := range r.Content.Parts {
			texts = append(texts, p.Text)
		}
	}
	return texts, width
}

func answer(w http.ResponseWriter, doc any) {
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(doc) // who is gone reads nothing
}

func refuse(w http.ResponseWriter, status int, why string) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(map[string]any{"error": map[string]any{"message": why}})
}
