package verify

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/boathook/boathook/hook/canon"
	"github.com/boathook/boathook/internal/host"
	"github.com/boathook/boathook/internal/trial"
)

// What each agent sends at the moment, as recorded.
const (
	geminiCommon = `"session_id":"s1","transcript_path":"/t","cwd":"/w","timestamp":"2026-03-01T09:00:00.000Z","hook_event_name":`
	geminiBefore = `{` + geminiCommon + `"BeforeTool","tool_name":"run_shell_command","tool_input":{"command":"ls"}}`
	geminiAfter  = `{` + geminiCommon + `"AfterTool","tool_name":"run_shell_command","tool_input":{"command":"ls"},"tool_response":{"llmContent":"x","returnDisplay":"x"}}`
	agyCommon    = `"conversationId":"c1","transcriptPath":"/t","artifactDirectoryPath":"/a","workspacePaths":["/w"],`
	agyBefore    = `{` + agyCommon + `"stepIdx":2,"toolCall":{"name":"run_command","args":{"CommandLine":"ls"}}}`
	claudeBefore = `{"session_id":"s1","transcript_path":"/t","cwd":"/w","hook_event_name":"PreToolUse","permission_mode":"default","prompt_id":"p","tool_name":"Bash","tool_input":{"command":"ls"},"tool_use_id":"toolu_1"}`
	cursorBefore = `{"conversation_id":"c","generation_id":"g","model":"m","tool_name":"Shell","tool_input":{"command":"ls"},"tool_use_id":"1","session_id":"s1","hook_event_name":"preToolUse","cursor_version":"3.2.11","workspace_roots":["/w"],"user_email":"u","transcript_path":null}`
	windsurfRun  = `{"agent_action_name":"pre_run_command","trajectory_id":"t","execution_id":"e","timestamp":"2026-03-01T09:00:00Z","model_name":"m","tool_info":{"command_line":"ls","cwd":"/w"}}`
	agyAfter     = `{` + agyCommon + `"stepIdx":2,"error":"","toolCall":{"name":"run_command","args":{"CommandLine":"ls"}}}`
)

func TestReportOfWholeSessions(t *testing.T) {
	s := newScene(t, "")
	steps, err := trial.Sessions([]string{"gemini", "antigravity"}, "/home/user", trial.Secret())
	if err != nil {
		t.Fatal(err)
	}
	for _, step := range steps {
		s.event(step.Agent, step.Event, string(step.Payload))
	}
	r := s.report()
	if !r.OK {
		t.Fatalf("%v %v", found(r, "gemini"), found(r, "antigravity"))
	}
	for i, want := range []int{8, 5} {
		h := r.Hosts[i]
		if h.Seen != want || h.Expected != want || h.Judged != h.Records || h.Contract.Denied != 1 || h.Contract.NotObeyed != 0 || h.Contract.Ran == 0 {
			t.Errorf("%s: %d/%d, %d of %d judged, %+v", h.Agent, h.Seen, h.Expected, h.Judged, h.Records, h.Contract)
		}
	}
}

// A session of each agent has nothing to be reported, as the agent tells it.
func TestReportOfEveryAgent(t *testing.T) {
	s := newScene(t, "")
	steps, err := trial.Sessions(trial.Agents(), "/home/user", trial.Secret())
	if err != nil {
		t.Fatal(err)
	}
	for _, step := range steps {
		s.event(step.Agent, step.Event, string(step.Payload))
	}
	r := s.report()
	for _, h := range r.Hosts {
		if got := found(r, h.Agent); len(got) > 0 || h.Records == 0 {
			t.Errorf("%s: %d records, %v", h.Agent, h.Records, got)
		}
		if h.Judged != h.Records || h.Contract.Denied != 1 || h.Contract.NotObeyed != 0 || h.Contract.Ran == 0 {
			t.Errorf("%s: %d of %d judged (%v), %+v", h.Agent, h.Judged, h.Records, h.Unjudged, h.Contract)
		}
	}
	if r.Trim(); len(r.Hosts) != len(Hosts()) {
		t.Errorf("%d agents are left", len(r.Hosts))
	}
	r = NewReport(Hosts(), map[string]Expectation{"amp": {Installed: true}})
	if r.Trim(); len(r.Hosts) != 1 || r.Hosts[0].Agent != "amp" {
		t.Errorf("%d agents are left", len(r.Hosts))
	}
}

// Acceptance: a renamed payload field is detected, at the top and inside of an object.
func TestReportFindsRenamedField(t *testing.T) {
	s := newScene(t, "")
	s.event("gemini", "BeforeTool", geminiBefore)
	for range 3 {
		s.event("gemini", "AfterTool", strings.Replace(geminiAfter, `"tool_response":`, `"added":"x","toolResponse":`, 1))
		s.event("antigravity", "PreToolUse", strings.Replace(agyBefore, `"args":`, `"arguments":`, 1))
	}
	r := s.report()
	if diff := cmp.Diff([]string{
		"missing_field AfterTool tool_response renamed? toolResponse",
		"new_field AfterTool added",
		"new_field AfterTool toolResponse renamed? tool_response",
	}, found(r, "gemini")); diff != "" || r.OK {
		t.Error(diff)
	}
	if diff := cmp.Diff([]string{
		"missing_field PreToolUse toolCall.args renamed? toolCall.arguments",
		"new_field PreToolUse toolCall.arguments renamed? toolCall.args",
	}, found(r, "antigravity")); diff != "" {
		t.Error(diff)
	}
	f := r.Hosts[0].Findings[0]
	if f.Count != 3 || f.First == nil || f.Last == nil || f.Last.Sub(*f.First).Seconds() != 4 || len(f.LastID) != 26 {
		t.Errorf("%+v", f)
	}
}

func TestReportFindsOtherDrift(t *testing.T) {
	s := newScene(t, "")
	s.event("gemini", "BeforeTool", strings.Replace(geminiBefore, `"tool_input":{`, `"extra":1,"tool_input":{`, 1))
	s.event("gemini", "AfterAgent", `{`+geminiCommon+`"AfterAgent","prompt":"p","prompt_response":"r","stop_hook_active":"no"}`)
	s.event("gemini", "SessionEnd", `{`+geminiCommon+`"SessionEnd"}`)
	s.event("antigravity", "PostToolUse", `{`+agyCommon+`"stepIdx":2,"error":"","toolCall":null}`)
	r := s.report()
	if diff := cmp.Diff([]string{
		"changed_type AfterAgent stop_hook_active", "missing_field SessionEnd reason", "new_field BeforeTool extra",
	}, found(r, "gemini")); diff != "" || r.OK {
		t.Error(diff)
	}
	if got := found(r, "antigravity"); got != nil {
		t.Errorf("a toolCall that is null: %v", got)
	}
	s = newScene(t, "")
	s.event("gemini", "BeforeTool", strings.Replace(geminiBefore, `"tool_input":{`, `"extra":1,"tool_input":{`, 1))
	if r := s.report(); !r.OK || len(r.Hosts[0].Findings) != 1 {
		t.Errorf("a new field alone is no fault: %v", found(r, "gemini"))
	}
}

// Acceptance: an argument of the command line that is lost on the way is detected (AC2).
func TestReportFindsLostArgument(t *testing.T) {
	gemini, agy := []string{"--agent", "gemini"}, []string{"--agent", "antigravity"}
	tests := []struct {
		name, payload string
		args          []string
		agent, want   string
	}{
		{"no event", geminiBefore, gemini, "gemini", "--event did not come"},
		{"no agent", geminiBefore, []string{"--event", "BeforeTool"}, "gemini", "--agent did not come"},
		{"an odd agent", agyBefore, []string{"--agent", "agent", "--event", "PreToolUse"}, "antigravity", "--agent did not come"},
		{"an odd event", agyBefore, append(agy, "--event", "BeforeTool"), "antigravity", "--event did not come"},
		{"the other agent", geminiBefore, append(agy, "--event", "PreToolUse"), "antigravity", "payload is Gemini CLI's"},
		{"the other agent's payload", agyBefore, append(gemini, "--event", "BeforeTool"), "gemini", "payload is Antigravity's"},
		{"the other event", geminiBefore, append(gemini, "--event", "AfterTool"), "gemini", "another than the event that the payload names"},
		{"one too many", geminiBefore, append(gemini, "--event", "BeforeTool", "--verbose"), "gemini", "none of boathook's"},
		{"Cursor's as Windsurf's", cursorBefore, []string{"--agent", "windsurf", "--event", "pre_run_command"}, "windsurf", "payload is Cursor's"},
		{"Windsurf's as Cline's", windsurfRun, []string{"--agent", "cline", "--event", "PreToolUse"}, "cline", "payload is Windsurf's"},
		{"another event of Windsurf's", windsurfRun, []string{"--agent", "windsurf", "--event", "post_run_command"}, "windsurf", "another than the event"},
		{"another event of Claude Code's", claudeBefore, []string{"--agent", "claude", "--event", "PostToolUse"}, "claude", "another than the event"},
		{"Claude Code's", claudeBefore, []string{"--agent", "claude", "--event", "PreToolUse"}, "claude", ""},
		{"a label that is known", agyBefore, []string{"--agent", "agy", "--event", "PreToolUse"}, "antigravity", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := newScene(t, "")
			s.hook(tt.payload, tt.args...)
			r := s.report()
			var texts []string
			for _, h := range r.Hosts {
				for _, f := range h.Findings {
					if h.Agent != tt.agent || f.Kind != LostArgument {
						t.Errorf("%s: %+v", h.Agent, f)
					}
					texts = append(texts, f.Text)
				}
			}
			if (tt.want == "") != r.OK || !strings.Contains(strings.Join(texts, "\n"), tt.want) {
				t.Errorf("ok %t: %q", r.OK, texts)
			}
		})
	}
}

// Acceptance: an agent that no longer obeys a deny is detected: the call ends all the same.
func TestReportFindsDenyThatIsNotObeyed(t *testing.T) {
	deny := func(payload string) string { return strings.ReplaceAll(payload, `"ls"`, `"rm -rf x"`) }
	tests := []struct {
		name  string
		play  func(s *scene)
		agent int
		want  Contract
	}{
		{"gemini obeys", func(s *scene) {
			s.event("gemini", "BeforeTool", deny(geminiBefore))
			s.event("gemini", "BeforeTool", geminiBefore)
			s.event("gemini", "AfterTool", geminiAfter)
		}, 0, Contract{Denied: 1, Allowed: 1, Ran: 1}},
		{"gemini runs it", func(s *scene) {
			s.event("gemini", "BeforeTool", deny(geminiBefore))
			s.event("gemini", "AfterTool", deny(geminiAfter))
		}, 0, Contract{Denied: 1, NotObeyed: 1}},
		{"another session's is none", func(s *scene) {
			s.event("gemini", "BeforeTool", deny(geminiBefore))
			s.event("gemini", "AfterTool", strings.Replace(deny(geminiAfter), `"s1"`, `"s2"`, 1))
		}, 0, Contract{Denied: 1}},
		{"antigravity obeys", func(s *scene) {
			s.event("antigravity", "PreToolUse", deny(agyBefore))
			s.event("antigravity", "PostToolUse", strings.Replace(deny(agyAfter), `"error":""`, `"error":"Tool call denied by pre-tool hook: r"`, 1))
		}, 1, Contract{Denied: 1}},
		{"antigravity obeys, and names no call", func(s *scene) {
			s.event("antigravity", "PreToolUse", deny(agyBefore))
			s.event("antigravity", "PostToolUse", `{`+agyCommon+`"stepIdx":2,"error":"denied by hook","toolCall":null}`)
		}, 1, Contract{Denied: 1}},
		{"antigravity runs it, and names no call", func(s *scene) {
			s.event("antigravity", "PreToolUse", deny(agyBefore))
			s.event("antigravity", "PostToolUse", `{`+agyCommon+`"stepIdx":2,"error":"","toolCall":null}`)
		}, 1, Contract{Denied: 1, NotObeyed: 1}},
		{"opencode obeys, and says that it failed", func(s *scene) {
			s.event("opencode", "tool.execute.before", `{"directory":"/w","input":{"tool":"bash","sessionID":"s1","callID":"c1"},"output":{"args":{"command":"rm -rf x"}}}`)
			s.event("opencode", "message.part.updated", opencodeFailed("Deleting directories recursively is not allowed here; list what you would delete instead."))
		}, 10, Contract{Denied: 1}},
		{"opencode runs it, and it fails", func(s *scene) {
			s.event("opencode", "tool.execute.before", `{"directory":"/w","input":{"tool":"bash","sessionID":"s1","callID":"c1"},"output":{"args":{"command":"rm -rf x"}}}`)
			s.event("opencode", "message.part.updated", opencodeFailed("exit code 1"))
		}, 10, Contract{Denied: 1, NotObeyed: 1}},
		{"antigravity runs it", func(s *scene) {
			s.event("antigravity", "PreToolUse", deny(agyBefore))
			s.event("antigravity", "PostToolUse", deny(agyAfter))
		}, 1, Contract{Denied: 1, NotObeyed: 1}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := newScene(t, "")
			tt.play(s)
			r := s.report()
			if diff := cmp.Diff(tt.want, r.Hosts[tt.agent].Contract); diff != "" {
				t.Error(diff)
			}
			if r.OK != (tt.want.NotObeyed == 0) {
				t.Errorf("ok %t: %v%v", r.OK, found(r, "gemini"), found(r, "antigravity"))
			}
		})
	}
}

func opencodeFailed(text string) string {
	return `{"directory":"/w","input":{"id":"e","type":"message.part.updated","properties":{"sessionID":"s1","part":{"type":"tool","tool":"bash","callID":"c1","id":"p",` +
		`"sessionID":"s1","state":{"status":"error","input":{"command":"rm -rf x"},"error":"` + text + `"}}}}}`
}

// Acceptance: a deny in another form is detected.
func TestReportFindsChangedAnswer(t *testing.T) {
	for _, h := range Hosts() {
		if faults := CheckHost(h); faults != nil {
			t.Errorf("%s: %v", h.ID, faults)
		}
		encode := h.Encode
		h.Encode = func(ev host.Event, d canon.Decision) host.Reply {
			out := encode(ev, d)
			out.Exit *= 3
			out.Stdout = []byte(strings.Replace(string(out.Stdout), `{"`, `{"new":1,"`, 1))
			return out
		}
		r := NewReport([]*host.Host{h}, nil)
		if r.Finish(); r.OK || len(r.Hosts[0].Findings) == 0 || r.Hosts[0].Findings[0].Kind != AnswerChanged {
			t.Errorf("%s: %v", h.ID, found(r, h.ID))
		}
	}
}

func TestReportWithoutPayloads(t *testing.T) {
	s := newScene(t, `privacy = "minimal"`)
	s.event("gemini", "BeforeTool", strings.ReplaceAll(geminiBefore, `"ls"`, `"rm -rf x"`))
	s.event("gemini", "AfterTool", strings.ReplaceAll(geminiAfter, `"ls"`, `"rm -rf x"`))
	r := s.report()
	h := r.Hosts[0]
	if h.Judged != 0 || h.Unjudged[minimal] != 2 || h.Seen != 2 {
		t.Errorf("%+v", h)
	}
	if h.Contract.NotObeyed != 1 || r.OK {
		t.Errorf("a deny that is not obeyed shows without payloads: %+v", h.Contract)
	}
	s = newScene(t, "")
	s.event("gemini", "BeforeTool", geminiBefore[:len(geminiBefore)-20])
	if h := s.report().Hosts[0]; h.Judged != 0 || h.Unjudged[broken] != 1 {
		t.Errorf("a payload that was cut off: %+v", h)
	}
}

// No value of a payload, and no name that could be one, is in a report.
func TestReportShowsNoContents(t *testing.T) {
	s := newScene(t, "")
	secret := trial.Secret()
	bad := `"` + secret + `":1,"a b":1,"CANARY\u001b[2J":1,"` + strings.Repeat("n", 200) + `":1,"okay":"CANARYVALUE",`
	s.event("gemini", "BeforeTool", strings.Replace(geminiBefore, `{`, `{`+bad, 1))
	s.event("gemini", secret, strings.Replace(geminiBefore, `{`, `{`+bad, 1))
	s.hook(geminiBefore, "--agent", secret, "--event", "BeforeTool")
	text, err := json.Marshal(s.report())
	if err != nil {
		t.Fatal(err)
	}
	for _, canary := range []string{secret, "CANARY", "a b", "nnnn", `\u001b`} {
		if strings.Contains(string(text), canary) {
			t.Errorf("%q is in the report", canary)
		}
	}
	if !strings.Contains(string(text), `"okay"`) || !strings.Contains(string(text), "(a name of 200 bytes)") {
		t.Errorf("%s", text)
	}
}

func TestFindingsAreBounded(t *testing.T) {
	s := newScene(t, "")
	var many strings.Builder
	for i := range 1000 {
		many.WriteString(`"f` + strings.Repeat("x", i%40) + string(rune('a'+i%26)) + string(rune('a'+i/26%26)) + string(rune('a'+i/676)) + `":1,`)
	}
	s.event("gemini", "BeforeTool", strings.Replace(geminiBefore, `{`, `{`+many.String(), 1))
	if n := len(s.report().Hosts[0].Findings); n != maxFindings+1 {
		t.Errorf("%d findings", n)
	}
}
