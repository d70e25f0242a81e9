package hookrun

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// secretWord is what stands in private passages; no scanner takes it for a secret.
const secretWord = "bluebird"

// TestPrivateIsKeptNowhere: what is marked as private is judged and answered as ever, and stands in no file.
func TestPrivateIsKeptNowhere(t *testing.T) {
	url, asked := serveGuard(t, `{"decision":"DENY","reason":"no `+secretWord+` here","matchedRule":"`+secretWord+`"}`)
	marks := map[string]string{
		"plain": "a <private>" + secretWord + "</private> z", "unclosed": "a <private>" + secretWord, "only closed": secretWord + "</PRIVATE> z",
		"nested": "a <private>x <private>y</private> " + secretWord + "</private> z", "attributes": `a <Private why=\"x\">` + secretWord + `<\/private> z`,
		"escaped": `a \u003cprivate\u003e` + secretWord + `\u003c/private\u003e z`, "twice": `a \\u003cprivate\\u003e` + secretWord + `\\u003c/private\\u003e z`,
		"html": "a &lt;private&gt;" + secretWord + "&lt;/private&gt; z",
	}
	payloads := map[string]string{
		"gemini BeforeAgent": `{"session_id":"s","cwd":"/w","prompt":"%s"}`, "gemini AfterAgent": `{"session_id":"s","prompt":"x","prompt_response":"%s"}`,
		"gemini BeforeTool":       `{"session_id":"s","tool_name":"run_shell_command","tool_input":{"command":"rm -rf / # %s"}}`,
		"gemini AfterTool":        `{"session_id":"s","tool_name":"run_shell_command","tool_input":{"command":"ls"},"tool_response":{"llmContent":[{"text":"%s"},{"text":"more"}]}}`,
		"claude PreToolUse":       `{"session_id":"s","cwd":"/w","hook_event_name":"PreToolUse","tool_name":"mcp__a__b","tool_input":{"q":["%s"]}}`,
		"claude UserPromptSubmit": `{"session_id":"s","cwd":"/w","hook_event_name":"UserPromptSubmit","prompt":"%s"}`,
		"cursor stop":             `{"conversation_id":"s","hook_event_name":"stop","text":"%s"`, // it is broken
	}
	for mark, text := range marks {
		for where, form := range payloads {
			l := newLab(t, "[guard]\nendpoint = '"+url+"'\ntimeout_ms = 15000\n[audit]\nenabled = true\n")
			words := strings.Fields(where)
			answer := l.run(words[0], words[1], fmt.Sprintf(form, text))
			if words[1] == "PreToolUse" && !strings.Contains(answer, secretWord) {
				t.Errorf("%s, %s: the guard's answer does not come to the agent: %s", mark, where, answer)
			}
			must(t, filepath.WalkDir(l.data, func(path string, d fs.DirEntry, err error) error {
				if err != nil || d.IsDir() {
					return err
				}
				kept, err := os.ReadFile(path)
				if strings.Contains(string(kept), secretWord) {
					t.Errorf("%s, %s: %s has it: %s", mark, where, filepath.Base(path), kept)
				}
				return err
			}))
			r := l.only(t)
			if r.Hook.Redactions["private"] == 0 || words[0] != "cursor" && r.SessionID != "s" {
				t.Errorf("%s, %s: counted %v, session %q", mark, where, r.Hook.Redactions, r.SessionID)
			}
		}
	}
	if q := strings.Join(*asked, "\n"); !strings.Contains(q, secretWord) {
		t.Errorf("the guard saw %s", q)
	}
}
