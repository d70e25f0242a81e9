package transcripts

import (
	"bytes"
	"encoding/json"

	"github.com/boathook/boathook/internal/callspec"
)

// qwenLines reads ~/.qwen/projects/<directory>/chats/<session>.jsonl of Qwen Code: messages of Gemini's form, with the directory.
type qwenLines struct{}

func qwen() lineReader { return qwenLines{} }

func (qwenLines) line(text []byte) ([]Call, bool) {
	if !bytes.Contains(text, []byte("functionCall")) {
		return nil, true
	}
	var l struct {
		SessionID string `json:"sessionId"`
		Timestamp string `json:"timestamp"`
		CWD       string `json:"cwd"`
		Message   struct {
			Parts []struct {
				FunctionCall struct {
					ID   string          `json:"id"`
					Name string          `json:"name"`
					Args json.RawMessage `json:"args"`
				} `json:"functionCall"`
			} `json:"parts"`
		} `json:"message"`
	}
	if json.Unmarshal(text, &l) != nil {
		return nil, false
	}
	var out []Call
	for _, p := range l.Message.Parts {
		if f := p.FunctionCall; f.Name != "" {
			out = append(out, Call{
				Call: callspec.Call{Tool: f.Name, Input: f.Args, CWD: l.CWD}, ID: f.ID, Session: l.SessionID, Time: timeOf(l.Timestamp),
			})
		}
	}
	return out, true
}
