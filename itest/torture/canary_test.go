package torture

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// canary is a secret of one type: how it is written, and the part that must not be found anywhere. They are put together
// here so that no scanner takes this file for a leak.
type canary struct{ kind, text, secret string }

func canaries() []canary {
	mixed := func(n int) string { return strings.Repeat("aB3dE5gH7jK9mN2pQ4rS6tU8vW", n/26+1)[:n] }
	upper := func(n int) string { return strings.Repeat("Q7RZ2MXK4TVB9LWC", n/16+1)[:n] }
	b64 := func(s string) string { return strings.TrimRight(base64.RawURLEncoding.EncodeToString([]byte(s)), "=") }
	jwt := b64(`{"alg":"HS256","typ":"JWT"}`) + "." + b64(`{"sub":"1234567890","name":"canary"}`) + "." + mixed(43)
	pem := "-----BEGIN RSA PRIVATE " + "KEY-----\n" + mixed(64) + "\n" + mixed(60) + "\n-----END RSA PRIVATE " + "KEY-----"
	same := func(kind, secret string) canary { return canary{kind, secret, secret} }
	return []canary{
		same("aws key id", "AKIA"+upper(16)),
		{"aws secret", "AWS_SECRET_ACCESS_KEY=" + mixed(40), mixed(40)},
		same("google api key", "AIza"+mixed(35)),
		{"azure storage", "AccountKey=" + mixed(86) + "==", mixed(86)},
		same("github", "ghp_"+mixed(36)), same("github fine-grained", "github_pat_"+mixed(22)+"_"+mixed(59)),
		same("gitlab", "glpat-"+mixed(20)), same("slack", "xoxb-"+"123456789012-123456789012-"+mixed(24)),
		same("stripe", "sk_live_"+mixed(24)), same("openai", "sk-proj-"+mixed(48)), same("anthropic", "sk-ant-api03-"+mixed(93)+"AA"),
		same("jwt", jwt), {"private key", pem, mixed(60)},
		{"database url", "postgres://app:" + mixed(18) + "@db.example.com:5432/app", mixed(18)},
		{"basic auth url", "https://app:" + mixed(18) + "@example.com/x.git", mixed(18)},
		{"authorization", "Authorization: Bearer " + mixed(32), mixed(32)},
		{"basic", "Authorization: Basic " + mixed(24), mixed(24)},
		{"cookie", "Cookie: session=" + mixed(32), mixed(32)},
		{"cli password", "mysqldump --password=" + mixed(14) + " db", mixed(14)},
		{"env secret", "export DB_PASSWORD=" + mixed(14), mixed(14)},
		same("resident number", "900101-1234568"), same("mobile", "010-2345-6789"), same("business number", "120-81-47521"),
		same("card", "4539 1488 0343 6467"),
	}
}

// places are payloads that carry a text wherever a host may put one.
func places(text string) map[string]string {
	quoted, err := json.Marshal(text)
	if err != nil {
		panic(err) // a text always marshals
	}
	q := string(quoted)
	return map[string]string{
		"gemini BeforeAgent":       fmt.Sprintf(`{"session_id":"s","prompt":%s}`, q),
		"gemini AfterAgent":        fmt.Sprintf(`{"session_id":"s","prompt":"x","prompt_response":%s}`, q),
		"gemini BeforeTool":        fmt.Sprintf(`{"tool_name":"run_shell_command","tool_input":{"command":%s}}`, q),
		"gemini AfterTool":         fmt.Sprintf(`{"tool_name":"run_shell_command","tool_input":{},"tool_response":{"llmContent":%s,"returnDisplay":{"a":[%s]}}}`, q, q),
		"gemini AfterTool mcp":     fmt.Sprintf(`{"tool_name":"mcp_s_t","tool_input":{"deep":[{"er":{"args":[%s]}}]},"mcp_context":{"server_name":"s","tool_name":"t","args":[%s]}}`, q, q),
		"gemini Notification":      fmt.Sprintf(`{"notification_type":"ToolPermission","message":%s,"details":{"command":%s}}`, q, q),
		"gemini AfterTool failed":  fmt.Sprintf(`{"tool_name":"x","tool_input":{},"tool_response":{"error":{"message":%s}}}`, q),
		"antigravity PreToolUse":   fmt.Sprintf(`{"toolCall":{"name":"run_command","args":{"CommandLine":%s}}}`, q),
		"antigravity PostToolUse":  fmt.Sprintf(`{"toolCall":{"name":"run_command","args":{"CommandLine":%s}},"error":%s}`, q, q),
		"gemini AfterModel":        fmt.Sprintf(`{"llm_request":{"messages":[{"content":%s}]},"llm_response":{"text":%s}}`, q, q),
		"gemini Stray list":        fmt.Sprintf(`[%s]`, q),
		"gemini BeforeTool broken": fmt.Sprintf(`{"tool_name":"run_shell_command","tool_input":{"command":%s},"x":[[`, q),
	}
}

// TestCanaries plants every type of secret in every place and then looks for it in all that is on the disk, first while
// the spool holds it (the worker is kept out by its own lock), then in the store.
func TestCanaries(t *testing.T) {
	b := newBench(t, "")
	release := b.holdWorker(t)
	n := 0
	for _, c := range canaries() {
		for where, payload := range places(c.text) {
			words := strings.Fields(where)
			answer(t, b.hook(words[0], words[1]), strings.NewReader(payload))
			n++
		}
	}
	b.search(t, "spool")
	release()
	if got := len(b.records(t)); got != n {
		t.Errorf("%d records of %d", got, n)
	}
	b.search(t, "events.db")
}

// search looks for every secret in every file below the data directory; part must be among the files with content.
func (b *bench) search(t *testing.T, part string) {
	t.Helper()
	var size int64
	err := filepath.WalkDir(b.data, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		if strings.Contains(path, part) {
			size += int64(len(text))
		}
		for _, c := range canaries() {
			escaped, _ := json.Marshal(c.secret)
			if strings.Contains(string(text), c.secret) || strings.Contains(string(text), strings.Trim(string(escaped), `"`)) {
				t.Errorf("%s: a secret (%s) is in clear", filepath.Base(path), c.kind)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if size == 0 {
		t.Errorf("nothing was looked at in %s", part)
	}
}
