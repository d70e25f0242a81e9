// Package canary has secrets of all types, and the places that agents put texts into: tests plant them and then look for
// them wherever boathook writes and sends. It imports only the standard library.
package canary

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"strings"
)

// Canary is a secret of one type: how it is written, and the part that must not be found anywhere. They are put together
// here so that no scanner takes this file for a leak.
type Canary struct{ Kind, Text, Secret string }

// All has one of each type that is masked.
func All() []Canary {
	mixed := func(n int) string { return strings.Repeat("aB3dE5gH7jK9mN2pQ4rS6tU8vW", n/26+1)[:n] }
	upper := func(n int) string { return strings.Repeat("Q7RZ2MXK4TVB9LWC", n/16+1)[:n] }
	b64 := func(s string) string { return strings.TrimRight(base64.RawURLEncoding.EncodeToString([]byte(s)), "=") }
	jwt := b64(`{"alg":"HS256","typ":"JWT"}`) + "." + b64(`{"sub":"1234567890","name":"canary"}`) + "." + mixed(43)
	pem := "-----BEGIN RSA PRIVATE " + "KEY-----\n" + mixed(64) + "\n" + mixed(60) + "\n-----END RSA PRIVATE " + "KEY-----"
	same := func(kind, secret string) Canary { return Canary{kind, secret, secret} }
	return []Canary{
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

// Places are payloads that carry a text wherever a host may put one, each under its agent and event.
func Places(text string) map[string]string {
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

// Found names the kinds of secrets that a text has in clear, or as JSON writes them.
func Found(text string) []string {
	var kinds []string
	for _, c := range All() {
		escaped, _ := json.Marshal(c.Secret) // a text always marshals
		if strings.Contains(text, c.Secret) || strings.Contains(text, strings.Trim(string(escaped), `"`)) {
			kinds = append(kinds, c.Kind)
		}
	}
	return kinds
}
