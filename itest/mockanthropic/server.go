// Package mockanthropic plays the model behind Claude Code: an HTTP server on a loopback port that answers the Messages API
// from scripts, as a stream where it is asked for one. Only tests import it.
package mockanthropic

import (
	"encoding/json"
	"fmt"
	"net/http"
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

type request struct {
	Model    string            `json:"model"`
	Stream   bool              `json:"stream"`
	Tools    []json.RawMessage `json:"tools"`
	Messages []struct {
		Role    string          `json:"role"`
		Content json.RawMessage `json:"content"`
	} `json:"messages"`
}

// Start serves plays until the test ends.
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
	switch {
	case strings.HasSuffix(r.Path, "/count_tokens"):
		mockmodel.JSON(w, map[string]any{"input_tokens": 10})
	case !strings.HasSuffix(r.Path, "/messages"):
		mockmodel.JSON(w, map[string]any{})
	default:
		s.note(q)
		turn := mockmodel.Say("ok") // a request without tools wants a title, say
		if len(q.Tools) > 0 {
			turn = s.turn(q)
		}
		// Claude Code takes two answers with one id for parts of one message.
		id := fmt.Sprintf("msg_mock%d", s.count.Add(1))
		if q.Stream {
			stream(w, id, q.Model, turn)
			return
		}
		mockmodel.JSON(w, message(id, q.Model, blocks(turn), stop(turn)))
	}
}

// note keeps the results of calls that a request holds.
func (s *Server) note(q request) {
	for _, m := range q.Messages {
		var blocks []struct {
			Type    string          `json:"type"`
			ID      string          `json:"tool_use_id"`
			Content json.RawMessage `json:"content"`
		}
		if m.Role != "user" || json.Unmarshal(m.Content, &blocks) != nil {
			continue
		}
		for _, b := range blocks {
			if b.Type == "tool_result" {
				s.Result(b.ID, mockmodel.Text(b.Content))
			}
		}
	}
}

// turn goes by the number of turns that the model has had in the conversation, so that a repeated request gets the same
// answer again.
func (s *Server) turn(q request) mockmodel.Turn {
	var said []string
	turns := 0
	for _, m := range q.Messages {
		if m.Role == "assistant" {
			turns++
		} else {
			said = append(said, mockmodel.Text(m.Content))
		}
	}
	return s.plays.Turn(said, turns)
}
