package torture

import (
	"io"
	"os"
	"strings"
	"testing"
)

// payloads: reaches says that the command can still be read, so that the guard must have denied it.
func payloads() []payload {
	deep := func(open, shut string) string { return strings.Repeat(open, 100_000) + strings.Repeat(shut, 100_000) }
	call := `"tool_name":"run_shell_command","tool_input":{"command":"` + hostile + `"}`
	return []payload{
		{name: "well-formed", text: `{` + call + `}`, reaches: true},
		{name: "harmless", text: `{"tool_name":"run_shell_command","tool_input":{"command":"ls"}}`},
		{name: "empty", text: "", note: "payload: empty"},
		{name: "blank", text: " \n\t", note: "payload: empty"},
		{name: "null", text: "null", note: "not a JSON object"},
		{name: "a number", text: "42", note: "not a JSON object"},
		{name: "a list of nothing", text: "[]", note: "not a JSON object"},
		{name: "an empty object", text: "{}"},
		{name: "garbage", text: "\x00\xff\x01 what?", note: "not a JSON object"},
		{name: "byte order mark", text: "\ufeff{" + call + "}", reaches: true, note: "byte order mark"},
		{name: "invalid UTF-8", text: "{\"x\":\"\xff\xfe\xc0\"," + call + "}", reaches: true, note: "invalid UTF-8"},
		{name: "invalid UTF-8 in the command", text: "{\"tool_name\":\"run_shell_command\",\"tool_input\":{\"command\":\"" + hostile + " \xff\"}}", reaches: true},
		{name: "truncated in the command", text: `{"tool_name":"run_shell_command","tool_input":{"command":"` + hostile, reaches: true, note: "truncated"},
		{name: "truncated before the command", text: `{"tool_name":"run_shell_command","tool_inp`, note: "truncated"},
		{name: "text after the JSON", text: `{` + call + `} trailing`, reaches: true, note: "text after"},
		{name: "text before the JSON", text: `log line {` + call + `}`, reaches: true, note: "text before"},
		{name: "two objects", text: `{` + call + `}{"tool_name":"x"}`, reaches: true},
		{name: "deep arrays before the command", text: `{"x":` + deep("[", "]") + `,` + call + `}`, reaches: true},
		{name: "deep objects before the command", text: `{"x":` + strings.Repeat(`{"a":`, 100_000) + "1" + strings.Repeat("}", 100_000) + `,` + call + `}`, reaches: true},
		{name: "deep and unclosed after the command", text: `{` + call + `,"x":` + strings.Repeat("[", 100_000), reaches: true, note: "truncated"},
		{name: "deep around the command", text: `{"tool_name":"run_shell_command","tool_input":` + strings.Repeat(`{"a":`, 1000) + `{"command":"` + hostile + `"}` + strings.Repeat("}", 1001), reaches: true},
		{name: "the command first, a harmless duplicate last", text: `{"tool_name":"run_shell_command","tool_input":{"command":"` + hostile + `","command":"ls"}}`, reaches: true},
		{name: "the input twice", text: `{"tool_input":{"command":"` + hostile + `"},"tool_name":"run_shell_command","tool_input":{"command":"ls"}}`, reaches: true},
		{name: "the tool name twice", text: `{"tool_name":"run_shell_command","tool_input":{"command":"` + hostile + `"},"tool_name":"read_file"}`, reaches: true},
		{name: "escaped letters", text: `{"tool_n\u0061me":"run_shell_command","tool_input":{"comm\u0061nd":"\u0072m -rf \/precious"}}`, reaches: true},
		{name: "lone surrogates", text: `{"tool_name":"run_shell_command","tool_input":{"command":"` + hostile + ` \ud800"},"x":"\udc00"}`, reaches: true},
		{name: "tool name of a wrong type", text: `{"tool_name":{"a":1},"tool_input":{"command":"` + hostile + `"}}`, reaches: true},
		{name: "input as a text", text: `{"tool_name":"run_shell_command","tool_input":"` + hostile + `"}`, reaches: true},
		{name: "input as a JSON text", text: `{"tool_name":"run_shell_command","tool_input":"{\"command\":\"` + hostile + `\"}"}`, reaches: true},
		{name: "input as a list", text: `{"tool_name":"run_shell_command","tool_input":["` + hostile + `"]}`, reaches: true},
		{name: "input null", text: `{"tool_name":"run_shell_command","tool_input":null}`},
		{name: "command as words", text: `{"tool_name":"run_shell_command","tool_input":{"command":["rm","-rf","/precious"]}}`, reaches: true},
		{name: "everything of a wrong type", text: `{"session_id":[1],"cwd":{},"transcript_path":7,"hook_event_name":false,"timestamp":null,` + call + `}`, reaches: true},
		{name: "numbers beyond float64", text: `{"x":1e999999,"y":-123456789012345678901234567890,` + call + `}`, reaches: true},
		{name: "NUL and control bytes", text: "{\"x\":\"\x00\x1b[2J\"," + call + "}", reaches: true},
		{name: "single quotes and bare names", text: `{tool_name:'x'}`},
		{name: "32 MiB before the command", text: `{"x":"` + strings.Repeat("x", 32<<20) + `",` + call + `}`, reaches: true},
		{name: "32 MiB in the command", text: `{"tool_name":"run_shell_command","tool_input":{"command":"` + strings.Repeat("# ", 16<<20) + `\n` + hostile + `"}}`, reaches: true},
		{name: "a missing value before", text: `{"x":,` + call + `}`, reaches: true, note: "not valid JSON"},
		{name: "a comment before", text: `{"x":1,/* y */` + call + `}`, reaches: true, note: "not valid JSON"},
		{name: "an odd blank before", text: "{\"x\":1,\v" + call + "}", reaches: true, note: "not valid JSON"},
		{name: "names in single quotes", text: `{'tool_name':'run_shell_command','tool_input':{'command':"` + hostile + `"}}`, reaches: true},
		{name: "closed too early", text: `{"tool_name":"run_shell_command"},"tool_input":{"command":"` + hostile + `"}}`, reaches: true, note: "text after"},
		{name: "an empty object first", text: `{}{` + call + `}`, reaches: true, note: "text after"},
		{name: "a harmless object first", text: `{"tool_name":"run_shell_command","tool_input":{"command":"ls"}}` + "\n" + `{` + call + `}`, reaches: true},
		{name: "an object in the text before", text: `log {x} {` + call + `}`, reaches: true},
		{name: "input as a list of objects", text: `{"tool_name":"run_shell_command","tool_input":[{"command":"` + hostile + `"}]}`, reaches: true},
		{name: "a harmless name last", text: `{` + call + `,"tool_name":"read_file"}`, reaches: true},
		{name: "70,000 keys before", text: `{` + strings.Repeat(`"k":0,`, 70_000) + call + `}`, reaches: true},
		{name: "UTF-16 with brackets in its bytes", text: utf16(`{"a":"` + "\u2260 } }" + `",` + call + `}`), reaches: true, note: "UTF-16"},
		{name: "UTF-16 without a mark", text: utf16(`{` + call + `}`)[2:], reaches: true, note: "UTF-16"},
		{name: "markup", text: `{"tool_name":"write_file","tool_input":{"content":"` + strings.Repeat("<b>&", 200_000) + hostile + `"}}`, reaches: true},
		{name: "UTF-16", text: utf16(`{` + call + `}`), reaches: true, note: "UTF-16"},
	}
}

type payload struct {
	name, text string
	reaches    bool
	// note is part of what the record must say about the payload.
	note string
}

func utf16(s string) string {
	out := []byte{0xff, 0xfe}
	for _, r := range s {
		out = append(out, byte(r), byte(r>>8))
	}
	return string(out)
}

func TestPayloads(t *testing.T) {
	b := newBench(t, patient)
	for _, p := range payloads() {
		t.Run(p.name, func(t *testing.T) {
			before := len(b.records(t))
			want := "{}"
			if p.reaches {
				want = denyGemini
			}
			if got := answer(t, b.hook("gemini", "BeforeTool"), strings.NewReader(p.text)); got != want {
				t.Errorf("answer %s, want %s", got, want)
			}
			all := b.records(t)
			if len(all) != before+1 {
				t.Fatalf("%d new records, want 1", len(all)-before)
			}
			last := all[len(all)-1]
			if p.note != "" && !has(last.Notes, p.note) {
				t.Errorf("notes %q, want %q among them", last.Notes, p.note)
			}
			if action := map[bool]string{true: "deny", false: "allow"}[p.reaches]; last.Decision.Action != action {
				t.Errorf("recorded %s, want %s", last.Decision.Action, action)
			}
		})
	}
}

func TestAntigravityPayloads(t *testing.T) {
	b := newBench(t, "")
	for name, tc := range map[string]struct{ event, text, want string }{
		"hostile":           {"PreToolUse", `{"toolCall":{"name":"run_command","args":{"CommandLine":"` + hostile + `"}}}`, denyAntigravity},
		"harmless":          {"PreToolUse", `{"toolCall":{"name":"run_command","args":{"CommandLine":"ls"}}}`, `{"decision":"allow"}`},
		"a null call last":  {"PreToolUse", `{"toolCall":{"name":"run_command","args":{"CommandLine":"` + hostile + `"}},"toolCall":null}`, denyAntigravity},
		"a call as a text":  {"PreToolUse", `{"toolCall":"{\"name\":\"run_command\",\"args\":{\"CommandLine\":\"` + hostile + `\"}}"}`, denyAntigravity},
		"a call in a list":  {"PreToolUse", `{"toolCall":[{"name":"run_command","args":{"CommandLine":"` + hostile + `"}}]}`, denyAntigravity},
		"a comment":         {"PreToolUse", `{"toolCall":{"name":"run_command",/*x*/"args":{"CommandLine":"` + hostile + `"}}}`, denyAntigravity},
		"other arguments":   {"PreToolUse", `{"toolCall":{"name":"run_command","Args":{"CommandLine":"` + hostile + `"}}}`, denyAntigravity},
		"two calls":         {"PreToolUse", `{"toolCall":{"name":"run_command","args":{"CommandLine":"` + hostile + `"}},"toolCall":{"name":"run_command","args":{"CommandLine":"ls"}}}`, denyAntigravity},
		"a null call":       {"PreToolUse", `{"toolCall":null}`, `{"decision":"allow"}`},
		"empty":             {"PreToolUse", "", `{"decision":"allow"}`},
		"null on PostTool":  {"PostToolUse", `{"toolCall":null,"stepIdx":1,"error":""}`, "{}"},
		"garbage on Stop":   {"Stop", "\xff", "{}"},
		"an unknown event":  {"PreFlight", `{}`, "{}"},
		"a SessionStart":    {"SessionStart", `{"conversationId":"c"}`, "{}"},
		"truncated hostile": {"PreToolUse", `{"toolCall":{"name":"run_command","args":{"CommandLine":"` + hostile, denyAntigravity},
	} {
		t.Run(name, func(t *testing.T) {
			if got := answer(t, b.hook("antigravity", tc.event), strings.NewReader(tc.text)); got != tc.want {
				t.Errorf("answer %s, want %s", got, tc.want)
			}
		})
	}
}

// TestStreamsThatStayOpen: a host that never closes the stream is answered as soon as the JSON is complete, and in the end
// even when it never is.
func TestStreamsThatStayOpen(t *testing.T) {
	b := newBench(t, "")
	for name, tc := range map[string]struct{ text, want, note string }{
		"complete":   {`{"tool_name":"run_shell_command","tool_input":{"command":"` + hostile + `"}}`, denyGemini, ""},
		"incomplete": {`{"tool_name":"run_shell_command","tool_input":{"command":"` + hostile + `"`, denyGemini, "stayed open"},
		"silent":     {"", "{}", "stayed open"},
	} {
		t.Run(name, func(t *testing.T) {
			before := len(b.records(t))
			read, write, err := os.Pipe() // a file: nothing closes it but the test
			if err != nil {
				t.Fatal(err)
			}
			defer read.Close()
			defer write.Close()
			if _, err := io.WriteString(write, tc.text); err != nil {
				t.Fatal(err)
			}
			if got := answer(t, b.hook("gemini", "BeforeTool"), read); got != tc.want {
				t.Errorf("answer %q, want %q", got, tc.want)
			}
			all := b.records(t)
			if len(all) != before+1 || tc.note != "" && !has(all[before].Notes, tc.note) || tc.note == "" && len(all[before].Notes) > 0 {
				t.Errorf("records %+v, want one more with note %q", all[before:], tc.note)
			}
		})
	}
}
