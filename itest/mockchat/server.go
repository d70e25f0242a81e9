// Package mockchat plays the model behind agents that speak OpenAI's chat completions, Copilot CLI, Qwen Code and Cline among
// them: an HTTP server on a loopback port that answers from scripts, as a stream where it is asked for one. Only tests
// import it.
package mockchat

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"github.com/boathook/boathook/itest/mockmodel"
)

// Server is a running mock. All methods may be called concurrently.
type Server struct {
	*mockmodel.Recorder
	plays mockmodel.Plays
}

type request struct {
	Model    string            `json:"model"`
	Stream   bool              `json:"stream"`
	Tools    []json.RawMessage `json:"tools"`
	Messages []struct {
		Role    string          `json:"role"`
		Content json.RawMessage `json:"content"`
		CallID  string          `json:"tool_call_id"`
	} `json:"messages"`
}

// Start serves plays until the test ends. The base URL of a provider is URL()+"/v1".
func Start(tb testing.TB, plays mockmodel.Plays) *Server {
	tb.Helper()
	s := &Server{plays: plays}
	s.Recorder = mockmodel.Start(tb, s.answer)
	return s
}

func (s *Server) answer(w http.ResponseWriter, r mockmodel.Request) {
	var q request
	if err := json.Unmarshal([]byte(r.Body), &q); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	if !strings.HasSuffix(r.Path, "/chat/completions") {
		mockmodel.JSON(w, map[string]any{})
		return
	}
	for _, m := range q.Messages {
		if m.Role == "tool" {
			s.Result(m.CallID, mockmodel.Text(m.Content))
		}
	}
	turn := mockmodel.Say("ok") // a request without tools wants a title, say
	if len(q.Tools) > 0 {
		turn = s.turn(q)
	}
	if q.Stream {
		stream(w, q.Model, turn)
		return
	}
	mockmodel.JSON(w, completion(q.Model, turn))
}

// turn goes by the number of turns that the model has had in the conversation, so that a repeated request gets the same
// answer again. The system's part does not count as said: agents put examples and files into it.
func (s *Server) turn(q request) mockmodel.Turn {
	var said []string
	turns := 0
	for _, m := range q.Messages {
		switch m.Role {
		case "assistant":
			turns++
		case "user":
			said = append(said, mockmodel.Text(m.Content))
		}
	}
	return s.plays.Turn(said, turns)
}
