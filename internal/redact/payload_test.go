package redact

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// payloadKeys are the top-level members of every payload that was recorded of any agent.
func payloadKeys(t *testing.T) []string {
	t.Helper()
	files, err := filepath.Glob("../host/*/testdata/*/*.json")
	if err != nil || len(files) < 100 {
		t.Fatalf("%d recordings (%v)", len(files), err)
	}
	var keys []string
	for _, file := range files {
		if strings.HasSuffix(file, ".golden.json") {
			continue
		}
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var m map[string]any
		if err := json.Unmarshal(text, &m); err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		for key := range m {
			if !slices.Contains(keys, key) {
				keys = append(keys, key)
			}
		}
	}
	return keys
}

// TestTextsOfEveryAgentAreSearched: a command line with a password in it is masked in whatever member an agent has its texts.
func TestTextsOfEveryAgentAreSearched(t *testing.T) {
	var r *Redactor
	known := payloadKeys(t)
	const secret = "Tr0ub4dor&3x"
	for _, key := range []string{
		"tool_input", "tool_response", "prompt", "last_assistant_message", "submitted_prompt", "compact_summary", "custom_instructions",
		"command_args", "delta", "displayed_text", "error", "tool_calls", "toolArgs", "toolInput", "toolResult", "tool_result", "initialPrompt",
		"transformedPrompt", "command", "output", "tool_output", "result_json", "text", "edits", "error_message", "tool_info", "tool_call",
		"postToolUse", "preToolUse", "input", "data",
	} {
		if !slices.Contains(known, key) {
			t.Errorf("no agent sends %s", key)
		}
		for _, form := range []string{`{%q:"PGPASSWORD=%s psql"}`, `{%q:{"x":[{"y":"PGPASSWORD=%s psql"}]}}`} {
			if out := string(r.JSON([]byte(fmt.Sprintf(form, key, secret)), Counts{})); strings.Contains(out, secret) {
				t.Errorf("%s shows the password: %s", key, out)
			}
		}
	}
}

// TestIdsOfEveryAgentStay: an id that was masked would make one call of many.
func TestIdsOfEveryAgentStay(t *testing.T) {
	var r *Redactor
	for _, key := range payloadKeys(t) {
		if !strings.HasSuffix(key, "_id") && !strings.HasSuffix(key, "Id") || key == "userId" {
			continue
		}
		in := fmt.Sprintf(`{%q:"4111111111111111"}`, key)
		if out := string(r.JSON([]byte(in), Counts{})); out != in {
			t.Errorf("%s became %s", key, out)
		}
	}
}
