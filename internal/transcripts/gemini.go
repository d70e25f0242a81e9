package transcripts

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/boathook/boathook/internal/callspec"
)

// maxChat bounds a session that is one JSON object.
const maxChat = 64 << 20

// gemini reads ~/.gemini/tmp/<project>/chats/session-….jsonl of Gemini CLI 0.61, and the one object of .json before.
func gemini(ctx context.Context, path string, each func(Call) error) (skipped int, err error) {
	f, err := os.Open(path)
	if err != nil {
		return 0, err
	}
	defer func() { _ = f.Close() }() // it was only read
	cwd := geminiRoot(path)
	if strings.HasSuffix(path, ".jsonl") {
		return readLines(ctx, f, &geminiLines{cwd: cwd}, each)
	}
	text, err := io.ReadAll(io.LimitReader(f, maxChat))
	if err != nil {
		return 0, err
	}
	var s struct {
		SessionID string          `json:"sessionId"`
		Messages  []geminiMessage `json:"messages"`
	}
	if json.Unmarshal(text, &s) != nil {
		return 1, nil
	}
	for _, m := range s.Messages {
		for _, c := range m.calls(cwd, s.SessionID) {
			if err := each(c); err != nil {
				return 0, err
			}
		}
	}
	return 0, ctx.Err()
}

// geminiRoot is the project that a session is about: the file itself has only a hash of it.
func geminiRoot(path string) string {
	for dir := filepath.Dir(path); ; dir = filepath.Dir(dir) {
		if filepath.Base(dir) == "chats" {
			text, err := os.ReadFile(filepath.Join(filepath.Dir(dir), ".project_root"))
			if root := strings.TrimSpace(string(text)); err == nil && filepath.IsAbs(root) {
				return root
			}
			return ""
		}
		if dir == filepath.Dir(dir) {
			return ""
		}
	}
}

type geminiLines struct{ cwd, session string }

type geminiMessage struct {
	SessionID string `json:"sessionId"`
	Timestamp string `json:"timestamp"`
	ToolCalls []struct {
		ID        string          `json:"id"`
		Name      string          `json:"name"`
		Args      json.RawMessage `json:"args"`
		Timestamp string          `json:"timestamp"`
	} `json:"toolCalls"`
}

func (s *geminiLines) line(text []byte) ([]Call, bool) {
	if !bytes.Contains(text, []byte("toolCalls")) && !bytes.Contains(text, []byte("sessionId")) {
		return nil, true
	}
	var m geminiMessage
	if json.Unmarshal(text, &m) != nil {
		return nil, false
	}
	if m.SessionID != "" {
		s.session = m.SessionID
	}
	return m.calls(s.cwd, s.session), true
}

func (m geminiMessage) calls(cwd, session string) []Call {
	var out []Call
	for _, t := range m.ToolCalls {
		at := timeOf(t.Timestamp)
		if at.IsZero() {
			at = timeOf(m.Timestamp)
		}
		if t.Name != "" {
			out = append(out, Call{Call: callspec.Call{Tool: t.Name, Input: t.Args, CWD: cwd}, ID: t.ID, Session: session, Time: at})
		}
	}
	return out
}
