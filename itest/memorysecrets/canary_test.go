package memorysecrets_test

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/boathook/boathook/itest/canary"
)

// TestSecrets plants every kind of secret wherever a text comes from, and looks for it wherever one goes.
func TestSecrets(t *testing.T) {
	onBoth(t, func(w *world) {
		var all strings.Builder
		var secrets []string
		for _, c := range canary.All() {
			all.WriteString(c.Text + "\n")
			secrets = append(secrets, c.Secret)
		}
		text := "checkout answers 502\n" + all.String() + "after the deploy"
		release := w.Hold()
		for place, payload := range canary.Places(text) {
			words := strings.Fields(place)
			w.Hook(words[0], words[1], strings.Replace(payload, "{", fmt.Sprintf(`{"cwd":%q,"session_id":"places",`, w.project), 1))
		}
		for agent := range events {
			w.turn(agent, "secrets-"+agent, text, "echo '"+text+"'", text, text)
		}
		w.nowhere("in the spool", secrets...)
		release()
		w.past(text)
		w.drain()
		said := w.answers("checkout 502 deploy")
		for _, agent := range []string{"gemini", "claude"} {
			said += w.fire(agent, events[agent].prompt, "asks-"+agent, map[string]any{"prompt": "checkout answers 502 after the deploy"})
		}
		w.drain()
		if !strings.Contains(said, "boathook memory: begin") || !strings.Contains(said, "checkout answers 502") {
			t.Errorf("nothing was told: %.3000s", said)
		}
		for _, kind := range canary.Found(said) {
			w.Errorf("a secret (%s) is told", kind)
		}
		if strings.Contains(said, apiKey) || w.db != nil && strings.Contains(said, w.db.DSN) {
			w.Error("a secret of the settings is told")
		}
		w.nowhere("in the end", append(secrets, apiKey)...)
	})
}

// past has memory read an agent's own record and lines of another source that have a text.
func (w *world) past(text string) {
	w.Helper()
	at := time.Now().Add(-time.Hour).UTC().Format(time.RFC3339)
	line := func(v map[string]any) string {
		b, err := json.Marshal(v)
		must(w.T, err)
		return string(b) + "\n"
	}
	record := line(map[string]any{"type": "user", "sessionId": "old-claude", "uuid": "u1", "timestamp": at, "cwd": w.project, "message": map[string]any{"role": "user", "content": text}}) +
		line(map[string]any{"type": "assistant", "sessionId": "old-claude", "uuid": "u2", "parentUuid": "u1", "timestamp": at, "cwd": w.project, "message": map[string]any{
			"role": "assistant", "model": "m", "content": []map[string]any{{"type": "text", "text": text}, {"type": "tool_use", "id": "t1", "name": "Bash", "input": map[string]any{"command": "echo " + text}}},
		}}) +
		line(map[string]any{"type": "user", "sessionId": "old-claude", "uuid": "u3", "timestamp": at, "cwd": w.project, "message": map[string]any{
			"role": "user", "content": []map[string]any{{"type": "tool_result", "tool_use_id": "t1", "content": text}},
		}, "toolUseResult": map[string]any{"stdout": text}})
	w.Write(filepath.Join(w.Home, ".claude", "projects", "shop", "old-claude.jsonl"), record, 0o600)
	codex := line(map[string]any{"timestamp": at, "type": "session_meta", "payload": map[string]any{"id": "old-codex", "cwd": w.project, "timestamp": at}}) +
		line(map[string]any{"timestamp": at, "type": "response_item", "payload": map[string]any{"type": "message", "role": "user", "content": []map[string]any{{"type": "input_text", "text": text}}}}) +
		line(map[string]any{"timestamp": at, "type": "response_item", "payload": map[string]any{"type": "function_call", "name": "shell", "call_id": "k1", "arguments": line(map[string]any{"command": []string{"bash", "-lc", "echo " + text}})}}) +
		line(map[string]any{"timestamp": at, "type": "response_item", "payload": map[string]any{"type": "function_call_output", "call_id": "k1", "output": text}})
	w.Write(filepath.Join(w.Home, ".codex", "sessions", "2026", "11", "30", "rollout-2026-11-30T10-00-00-old-codex.jsonl"), codex, 0o600)
	w.Must("memory", "backfill")
	lines := line(map[string]any{"session": "i", "project": w.project, "id": "1", "role": "user", "ts": at, "text": text}) +
		line(map[string]any{"session": "i", "project": w.project, "id": "2", "role": "tool", "ts": at, "tool": "bash", "command": "echo " + text, "text": text, "error": text, "args": map[string]any{"a": text}, "result": []any{text}, "paths": []string{text}}) +
		"{\"session\": broken " + strings.ReplaceAll(text, "\n", " ") + "\n"
	file := filepath.Join(w.Home, "lines.jsonl")
	w.Write(file, lines, 0o600)
	r := w.Lab.Run("memory", "ingest", "--format", "jsonl", file)
	for _, kind := range canary.Found(r.Stdout + r.Stderr) {
		w.Errorf("ingest says a secret (%s): %s%s", kind, r.Stdout, r.Stderr)
	}
	if !strings.Contains(r.Stdout+r.Stderr, "lines.jsonl:3") {
		w.Errorf("ingest: %s%s", r.Stdout, r.Stderr)
	}
}

// TestPrivate: what is marked as private is in no file, wherever it comes from; nor is what a glob excludes in memory.
func TestPrivate(t *testing.T) {
	onBoth(t, func(w *world) {
		const word = "bluebirdnest"
		marks := []string{
			"<private>" + word + "</private>", "<PRIVATE why='mine'>a <private>b</private> " + word + "</Private>", `\u003cprivate\u003e` + word + `\u003c/private\u003e`,
			"&lt;private&gt;" + word + "&lt;/private&gt;", "<private\n>" + word + "\n</private\n>", "%3Cprivate%3E" + word + "%3C/private%3E", "<private>" + word,
		}
		release := w.Hold()
		for n, mark := range marks {
			text := "the checkout is slow, " + mark
			for agent := range events {
				w.turn(agent, fmt.Sprint("private-", n, agent), text, "echo "+text, text, text)
			}
		}
		w.fire("claude", "UserPromptSubmit", "parts", map[string]any{"prompt": []map[string]string{{"type": "text", "text": "slow <private>" + word}, {"type": "text", "text": word + "</private> checkout"}}})
		w.Hook("gemini", "BeforeTool", `{"session_id":"b","cwd":"`+w.project+`","tool_input":{"command":"rm -rf / # <private>`+word+`"},[`)
		w.nowhere("in the spool", word)
		release()
		w.past("the checkout is slow\n<private>" + word + "</private>\nand more")
		w.drain()
		said := w.answers("checkout slow")
		if !strings.Contains(said, "checkout is slow") || strings.Contains(said, word) {
			w.Errorf("told: %.2000s", said)
		}
		w.nowhere("in the end", word)

		const excluded = "kingfisherpond"
		client := filepath.Join(w.Home, "clients", "acme")
		w.fire("claude", "UserPromptSubmit", "client", map[string]any{"cwd": client, "prompt": excluded + " is slow"})
		w.fire("claude", "PostToolUse", "key", map[string]any{"tool_name": "Bash", "tool_input": map[string]any{"command": "cat server.pem"}, "tool_response": map[string]any{"stdout": excluded}})
		w.drain()
		if out := w.Must("memory", "export", "--all-projects"); strings.Contains(out, excluded) {
			w.Errorf("memory has what is excluded: %s", out)
		}
		if out := w.Must("log", "--json"); !strings.Contains(out, excluded) {
			w.Error("the record of events has to have it: docs/privacy.md says so")
		}
	})
}
