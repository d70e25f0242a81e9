package mockgemini

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"github.com/boathook/boathook/itest/mockmodel"
)

// Player is a mock that plays scripts by the name in the user's prompt, as the mocks of the other protocols do. All methods may
// be called concurrently.
type Player struct {
	*mockmodel.Recorder
	plays mockmodel.Plays
}

// Play serves plays until the test ends.
func Play(tb testing.TB, plays mockmodel.Plays) *Player {
	tb.Helper()
	p := &Player{plays: plays}
	p.Recorder = mockmodel.Start(tb, p.answer)
	return p
}

func (p *Player) answer(w http.ResponseWriter, r mockmodel.Request) {
	var q Request
	if err := json.Unmarshal([]byte(r.Body), &q); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	var said []string
	turns := 0
	for _, c := range q.Contents {
		if c.Role == "model" {
			turns++
		}
		for _, part := range c.Parts {
			if c.Role == "user" {
				said = append(said, part.Text)
			}
			if part.Response != nil {
				p.Result(part.Response.ID, part.Response.Text())
			}
		}
	}
	switch _, op, _ := strings.Cut(r.Path, ":"); op {
	case "streamGenerateContent":
		w.Header().Set("Content-Type", "text/event-stream")
		mockmodel.Event(w, "", answer(parts(p.plays.Turn(said, turns)), true))
	case "generateContent":
		mockmodel.JSON(w, answer([]Part{Text("{}")}, true))
	case "countTokens":
		mockmodel.JSON(w, map[string]any{"totalTokens": 100})
	default:
		http.Error(w, "no such method", http.StatusNotFound)
	}
}

func parts(turn mockmodel.Turn) []Part {
	var out []Part
	for _, p := range turn {
		part := Text(p.Text)
		if p.Call != nil {
			part = Part{Call: &Call{ID: p.Call.ID, Name: p.Call.Name, Args: p.Call.Input}}
		}
		out = append(out, part)
	}
	return out
}
