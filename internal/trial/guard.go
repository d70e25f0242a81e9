package trial

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync/atomic"
	"time"
)

// Guard is a remote guard on a free loopback port. It denies recursive deletion and wants forced pushes reviewed.
type Guard struct {
	server *http.Server
	addr   string
	asked  atomic.Int64
}

// maxQuestion bounds what the guard reads.
const maxQuestion = 1 << 20

// verdict is the reply of the guard protocol.
type verdict struct {
	Decision    string `json:"decision"`
	Reason      string `json:"reason,omitempty"`
	UserMessage string `json:"userMessage,omitempty"`
	MatchedRule string `json:"matchedRule,omitempty"`
}

// StartGuard listens and serves until Close.
func StartGuard(ctx context.Context) (*Guard, error) {
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return nil, fmt.Errorf("start guard: %w", err)
	}
	g := &Guard{addr: listener.Addr().String()}
	g.server = &http.Server{Handler: http.HandlerFunc(g.serve), ReadHeaderTimeout: 5 * time.Second}
	go func() { _ = g.server.Serve(listener) }() // ends with Close
	return g, nil
}

// URL is the endpoint to configure.
func (g *Guard) URL() string { return "http://" + g.addr + "/guard" }

// Asked counts the questions so far.
func (g *Guard) Asked() int { return int(g.asked.Load()) }

// Close stops the guard at once.
func (g *Guard) Close() { _ = g.server.Close() }

func (g *Guard) serve(w http.ResponseWriter, r *http.Request) {
	g.asked.Add(1)
	var question struct {
		Input struct {
			ToolInput     json.RawMessage   `json:"toolInput"`
			RawTextFields map[string]string `json:"rawTextFields"`
		} `json:"input"`
	}
	if err := json.NewDecoder(io.LimitReader(r.Body, maxQuestion)).Decode(&question); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(judge(question.Input.RawTextFields["command"])) // the hook hung up: nothing to tell it
}

func judge(command string) verdict {
	switch {
	case strings.Contains(command, "rm -rf"):
		return verdict{
			Decision: "DENY", Reason: "recursive deletion", MatchedRule: "no-rm-rf",
			UserMessage: "Deleting directories recursively is not allowed here; list what you would delete instead.",
		}
	case strings.Contains(command, "push --force"):
		return verdict{Decision: "REVIEW", Reason: "history is rewritten", MatchedRule: "force-push"}
	}
	return verdict{Decision: "ALLOW"}
}
