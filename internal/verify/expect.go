package verify

import (
	"bytes"
	"encoding/json"
	"path/filepath"
	"strings"

	"github.com/boathook/boathook/hook/canon"
	"github.com/boathook/boathook/internal/host"
)

// expected is what a record of a payload must have: read here by the agents' own names for it, and not by the decoders.
type expected struct {
	session, cwd, tool, call, prompt string
	input                            json.RawMessage
}

// places says where an agent's payloads have it: paths of members with dots, of which the first that is there counts. A
// number in a path is an element of a list.
type places struct{ session, cwd, tool, call, prompt, input string }

func placesOf(agent string) places {
	switch agent {
	case "antigravity":
		return places{session: "conversationId", cwd: "workspacePaths.0", tool: "toolCall.name", call: "stepIdx", input: "toolCall.args"}
	case "copilot":
		return places{session: "sessionId session_id", cwd: "cwd", tool: "toolName tool_name", prompt: "prompt", input: "toolArgs toolInput tool_input"}
	case "qwen":
		return places{
			session: "session_id", cwd: "cwd", tool: "tool_name", call: "tool_call_id tool_use_id", prompt: "prompt", input: "tool_input",
		}
	case "cursor":
		return places{
			session: "session_id conversation_id", cwd: "workspace_roots.0", tool: "tool_name", call: "tool_use_id", prompt: "prompt", input: "tool_input",
		}
	case "windsurf":
		return places{session: "trajectory_id", cwd: "tool_info.cwd", prompt: "tool_info.user_prompt"}
	case "cline":
		return places{
			session: "sessionContext.rootSessionId taskId", cwd: "workspaceRoots.0", tool: "tool_call.name tool_result.name",
			call: "tool_call.id tool_result.id", prompt: "userPromptSubmit.prompt", input: "tool_call.input tool_result.input",
		}
	case "amp":
		return places{session: "data.thread.id", cwd: "cwd", tool: "data.tool", call: "data.toolUseID", prompt: "data.message", input: "data.input"}
	case "opencode":
		const part = "input.properties.part"
		return places{
			session: "input.sessionID input.properties.sessionID input.properties.info.id", cwd: "directory",
			tool: "input.tool " + part + ".tool", call: "input.callID " + part + ".callID input.properties.tool.callID",
			prompt: "output.parts.0.text", input: "output.args input.args " + part + ".state.input",
		}
	}
	return places{session: "session_id", cwd: "cwd", tool: "tool_name", call: "tool_use_id", prompt: "prompt", input: "tool_input"}
}

func expect(h *host.Host, ev host.Event, payload []byte) expected {
	at := placesOf(h.ID)
	out := expected{
		session: textAt(payload, at.session), cwd: textAt(payload, at.cwd), tool: textAt(payload, at.tool), call: textAt(payload, at.call),
		prompt: textAt(payload, at.prompt), input: valueAt(payload, at.input),
	}
	switch {
	case h.ID == "windsurf" && ev.Tool: // the event is the tool
		_, out.tool, _ = strings.Cut(ev.Name, "_")
		out.input = valueAt(payload, "tool_info")
	case h.ID == "copilot" && textAt(payload, "agentId") != "": // of a subagent: the transcript is the session's
		out.session = filepath.Base(filepath.Dir(textAt(payload, "transcriptPath")))
	case h.ID == "cursor" && ev.Tool:
		out.specific(ev.Name, payload)
	}
	return out
}

// specific: some of Cursor's events are about one tool alone, and have its input among their own members.
func (x *expected) specific(event string, payload []byte) {
	switch {
	case strings.HasSuffix(event, "MCPExecution"):
		x.tool = "MCP:" + x.tool
		var text string
		if json.Unmarshal(x.input, &text) == nil {
			x.input = json.RawMessage(text)
		}
	case x.tool == "":
		input := map[string]json.RawMessage{}
		for _, name := range []string{"command", "file_path", "edits"} {
			if v := valueAt(payload, name); v != nil {
				input[name] = v
			}
		}
		x.input, _ = json.Marshal(input) // raw values marshal
		x.tool = map[bool]string{true: "Shell", false: "Read"}[strings.Contains(event, "Shell")]
		if strings.HasSuffix(event, "Edit") {
			x.tool = "Write"
		}
	}
}

// valueAt is the first of some members that is there.
func valueAt(payload []byte, places string) json.RawMessage {
	for place := range strings.FieldsSeq(places) {
		at := json.RawMessage(payload)
		for step := range strings.SplitSeq(place, ".") {
			at = below(at, step)
		}
		if len(at) > 0 && string(at) != "null" {
			return at
		}
	}
	return nil
}

func below(v json.RawMessage, step string) json.RawMessage {
	if step == "0" {
		var list []json.RawMessage
		if json.Unmarshal(v, &list) != nil || len(list) == 0 {
			return nil
		}
		return list[0]
	}
	var m map[string]json.RawMessage
	_ = json.Unmarshal(v, &m) // what is no object has no members
	return m[step]
}

// textAt is a text, or a number as it is written.
func textAt(payload []byte, places string) string {
	at := valueAt(payload, places)
	var text string
	if json.Unmarshal(at, &text) == nil {
		return text
	}
	var number json.Number
	_ = json.Unmarshal(at, &number) // what is neither is none
	return number.String()
}

// differs lists what of an event is not what the payload said. Contents that were masked, or hashed, can't be compared:
// of those only is looked at whether they are there.
func (x expected) differs(h *host.Host, ev host.Event, e canon.Event, hidden bool) []string {
	var out []string
	wrong := func(name string, is bool) {
		if is {
			out = append(out, name)
		}
	}
	wrong("agent", e.Agent != h.ID)
	wrong("host_event", e.HostEvent != ev.Name)
	wrong("event", e.Event != ev.Kind)
	wrong("session_id", e.SessionID != x.session)
	wrong("call_id", ev.CallID && e.CallID != x.call)
	wrong("cwd", x.cwd != "" && (e.CWD == "" || !hidden && e.CWD != x.cwd))
	wrong("prompt", ev.Kind == canon.PromptSubmit && x.prompt != "" && (e.Prompt == "" || !hidden && e.Prompt != x.prompt))
	if x.tool == "" {
		wrong("tool", e.Tool != nil)
		return out
	}
	if e.Tool == nil {
		return append(out, "tool")
	}
	wrong("tool.host_name", e.Tool.HostName != x.tool)
	wrong("tool.name", e.Tool.Name == "")
	wrong("tool.input", len(e.Tool.Input) == 0 || !hidden && !sameJSON(x.input, e.Tool.Input))
	wrong("tool.input_hash", e.Tool.InputHash == "")
	return out
}

func sameJSON(a, b []byte) bool {
	var x, y bytes.Buffer
	return normal(&x, a) && normal(&y, b) && bytes.Equal(x.Bytes(), y.Bytes())
}

// normal writes a value with its members in order.
func normal(to *bytes.Buffer, text []byte) bool {
	var v any
	return json.Unmarshal(text, &v) == nil && json.NewEncoder(to).Encode(v) == nil
}
