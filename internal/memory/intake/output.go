package intake

import (
	"encoding/json"
	"regexp"
	"strings"
	"sync"
)

// maxDepth bounds how deep a result is looked into.
const maxDepth = 6

// Text is what a tool's result says, out of the forms that agents have for it; of one that has no known form it is the JSON.
func Text(raw json.RawMessage) string {
	var v any
	if len(raw) == 0 || json.Unmarshal(raw, &v) != nil || v == nil {
		return ""
	}
	text, ok := textOf(v, maxDepth)
	if !ok {
		return string(raw)
	}
	if strings.Contains(text, "untrusted_context>") || strings.Contains(text, "Process Group PGID") {
		text = wrapping().ReplaceAllString(text, "")
	}
	return strings.TrimSpace(text)
}

// wrapping is what Gemini CLI and Qwen Code put round a shell's output, which is about the run and not of it.
var wrapping = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`</?untrusted_context>\n?(?:Output: )?|(?m:^(?:Process Group PGID: [^\n]*|Signal: \(none\)|Error: \(none\)|Background PIDs: \(none\)|Exit Code: \(none\))$\n?)`)
})

func textOf(v any, depth int) (string, bool) {
	if depth == 0 {
		return "", false
	}
	switch v := v.(type) {
	case string:
		return v, true
	case []any:
		return list(v, depth)
	case map[string]any:
		return member(v, depth)
	}
	return "", false
}

// list is that of the parts of a message: one without a text, as a picture is, has none.
func list(parts []any, depth int) (string, bool) {
	var out []string
	for _, p := range parts {
		if text, ok := textOf(p, depth-1); ok {
			out = append(out, text)
		}
	}
	return strings.Join(out, "\n"), len(out) > 0 || len(parts) == 0
}

// members are those in which agents have a result's text; those of one row go together.
func members() [][]string {
	return [][]string{
		{"stdout", "stderr"},          // Claude Code
		{"structuredPatch"}, {"file"}, // Claude Code: what an edit changed, what was read
		{"llmContent"},                                // Gemini CLI, Qwen Code
		{"textResultForLlm"}, {"text_result_for_llm"}, // Copilot
		{"functionResponse"}, {"response"}, // Gemini CLI's transcripts
		{"result", "error"}, // Cline
		{"output", "error"}, {"content"}, {"text"}, {"lines"}, {"message"}, {"error"},
	}
}

func member(m map[string]any, depth int) (string, bool) {
	for _, row := range members() {
		var out []string
		found := false
		for _, name := range row {
			v, has := m[name]
			if !has || v == nil {
				continue
			}
			text, ok := textOf(v, depth-1)
			found = found || ok
			if ok && text != "" {
				out = append(out, text)
			}
		}
		if found && (len(out) > 0 || row[0] == "stdout") {
			return strings.Join(out, "\n"), true
		}
	}
	return "", false
}
