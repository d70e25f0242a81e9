// Package trial plays recorded agent sessions through installed hooks, in a home that is thrown away. `boathook try` is
// its caller. It starts the installed command lines as the agents start them; it must not import internal/cli.
package trial

import (
	"bufio"
	"bytes"
	"crypto/rand"
	"embed"
	"encoding/json"
	"fmt"

	"github.com/boathook/boathook/internal/agentrun"
	"github.com/boathook/boathook/internal/host/registry"
)

// sessions are payloads in the order in which an agent sends them, one per line. gemini.jsonl is a recording of Gemini
// CLI 0.61.0 with its paths, prompt and two commands changed. antigravity.jsonl follows published captures of agy 1.1.26
// (PreInvocation, PreToolUse, PostToolUse, Stop) and the key sets seen on Antigravity 2.0 (a null toolCall, PostInvocation).
// The others are put together of the recordings in internal/host, or of documented payloads where an agent can't be driven
// (Cursor, Windsurf), as short sessions: a call that runs, one that is denied, where it can be told one that fails.
//
//go:embed sessions/*.jsonl
var sessions embed.FS

// recordedHome is the home directory in the recordings, tokenMark the place of a secret that is made up at play time.
const (
	recordedHome = "/home/user"
	tokenMark    = "{{TOKEN}}"
)

// Step is one hook event of a session and, once played, what the agent got.
type Step struct {
	Agent   string
	Event   string
	Payload json.RawMessage
	Result  agentrun.Result
}

// Sessions reads the sessions of the agents, moved to a home, with a secret planted in them.
func Sessions(agents []string, home, secret string) ([]Step, error) {
	var steps []Step
	for _, agent := range agents {
		text, err := sessions.ReadFile("sessions/" + agent + ".jsonl")
		if err != nil {
			return nil, fmt.Errorf("read session %s: %w", agent, err)
		}
		text = bytes.ReplaceAll(text, []byte(recordedHome), jsonText(home))
		text = bytes.ReplaceAll(text, []byte(tokenMark), jsonText(secret))
		for lines := bufio.NewScanner(bytes.NewReader(text)); lines.Scan(); {
			var s Step
			if err := json.Unmarshal(lines.Bytes(), &s); err != nil {
				return nil, fmt.Errorf("read session %s: %w", agent, err)
			}
			steps = append(steps, s)
		}
	}
	return steps, nil
}

// jsonText is a text as it stands inside a JSON string.
func jsonText(s string) []byte {
	b, err := json.Marshal(s)
	if err != nil {
		return nil // a string always marshals
	}
	return b[1 : len(b)-1]
}

// Secret makes up an access token of GitHub's form, which opens nothing.
func Secret() string { return "ghp_" + (rand.Text() + rand.Text())[:36] }

// Agents are those of which there is a session.
func Agents() []string {
	var out []string
	for _, h := range registry.Hosts() {
		if _, err := sessions.Open("sessions/" + h.ID + ".jsonl"); err == nil {
			out = append(out, h.ID)
		}
	}
	return out
}
