// Package mockresponses plays the model behind Codex: an HTTP server on a loopback port that answers OpenAI's Responses API
// from scripts, as a stream. Only tests import it.
package mockresponses

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/boathook/boathook/itest/mockmodel"
)

// Server is a running mock. All methods may be called concurrently.
type Server struct {
	*mockmodel.Recorder
	plays mockmodel.Plays
	count atomic.Int64
}

type item struct {
	Type    string          `json:"type"`
	Role    string          `json:"role"`
	Content json.RawMessage `json:"content"`
	CallID  string          `json:"call_id"`
	Output  json.RawMessage `json:"output"`
}

// Start serves plays until the test ends. The base URL of a provider is URL()+"/v1".
func Start(tb testing.TB, plays mockmodel.Plays) *Server {
	tb.Helper()
	s := &Server{plays: plays}
	s.Recorder = mockmodel.Start(tb, s.answer)
	return s
}

func (s *Server) answer(w http.ResponseWriter, r mockmodel.Request) {
	var q struct {
		Input []item `json:"input"`
	}
	if err := json.Unmarshal([]byte(r.Body), &q); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	if !strings.HasSuffix(r.Path, "/responses") {
		mockmodel.JSON(w, map[string]any{})
		return
	}
	for _, it := range q.Input {
		if strings.HasSuffix(it.Type, "_call_output") {
			s.Result(it.CallID, mockmodel.Text(it.Output))
		}
	}
	stream(w, fmt.Sprintf("resp_mock%d", s.count.Add(1)), s.turn(q.Input))
}

// turn goes by the number of turns that the model has had in the conversation. One turn may be several items in a row.
func (s *Server) turn(items []item) mockmodel.Turn {
	var said []string
	turns, speaking := 0, false
	for _, it := range items {
		model := it.Role == "assistant" || slices.Contains([]string{"function_call", "custom_tool_call", "local_shell_call"}, it.Type)
		if model && !speaking {
			turns++
		}
		speaking = model
		switch {
		case it.Type == "agent_message":
			said = append(said, string(it.Content)) // what a subagent is to do is in a block that the API would have encrypted
		case it.Role == "user":
			said = append(said, mockmodel.Text(it.Content))
		}
	}
	return s.plays.Turn(said, turns)
}

func stream(w http.ResponseWriter, id string, turn mockmodel.Turn) {
	w.Header().Set("Content-Type", "text/event-stream")
	send := func(kind string, fields map[string]any) {
		fields["type"] = kind
		mockmodel.Event(w, kind, fields)
	}
	send("response.created", map[string]any{"response": map[string]any{"id": id}})
	for i, p := range turn {
		it := output(id, i, p)
		send("response.output_item.added", map[string]any{"output_index": i, "item": it})
		send("response.output_item.done", map[string]any{"output_index": i, "item": it})
	}
	send("response.completed", map[string]any{"response": map[string]any{"id": id, "usage": map[string]any{
		"input_tokens": 100, "input_tokens_details": map[string]int{"cached_tokens": 0},
		"output_tokens": 20, "output_tokens_details": map[string]int{"reasoning_tokens": 0}, "total_tokens": 120,
	}}})
}

func output(id string, i int, p mockmodel.Part) map[string]any {
	c := p.Call
	if c == nil {
		return map[string]any{
			"type": "message", "role": "assistant", "id": fmt.Sprintf("msg_%s_%d", id, i),
			"content": []any{map[string]any{"type": "output_text", "text": p.Text, "annotations": []any{}}},
		}
	}
	if c.Text != "" {
		return map[string]any{"type": "custom_tool_call", "id": fmt.Sprintf("ctc_%s_%d", id, i), "call_id": c.ID, "name": c.Name, "input": c.Text}
	}
	arguments, err := json.Marshal(c.Input)
	if err != nil {
		panic(err) // a script that is no JSON is a mistake of the test
	}
	it := map[string]any{"type": "function_call", "id": fmt.Sprintf("fc_%s_%d", id, i), "call_id": c.ID, "name": c.Name, "arguments": string(arguments)}
	if c.Namespace != "" {
		it["namespace"] = c.Namespace
	}
	return it
}
