package registry

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/boathook/boathook/internal/lenient"
)

// recording is one payload of one agent's testdata.
type recording struct {
	agent, file, event string
	text               []byte
}

// recordings reads every payload that the hosts' own tests have.
func recordings(t testing.TB) []recording {
	t.Helper()
	var out []recording
	for _, id := range ids() {
		h, ok := Lookup(id)
		if !ok || h.ID != id {
			t.Fatalf("no host %s", id)
		}
		files, err := filepath.Glob(filepath.Join("..", id, "testdata", "*", "*.json"))
		if err != nil || len(files) == 0 {
			t.Fatalf("no recordings of %s (%v)", id, err)
		}
		for _, file := range files {
			if strings.HasSuffix(file, ".golden.json") {
				continue
			}
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			name := strings.TrimSuffix(filepath.Base(file), ".json")
			for _, known := h.Event(name); !known && strings.Contains(name, "."); _, known = h.Event(name) {
				name = name[:strings.LastIndexByte(name, '.')]
			}
			out = append(out, recording{id, id + "/" + filepath.Base(filepath.Dir(file)) + "/" + filepath.Base(file), name, text})
		}
	}
	return out
}

func ids() []string {
	var out []string
	for _, s := range shapes() {
		out = append(out, s.id)
	}
	return out
}

// own is the environment that the agent sets for its hooks, for the session of its recordings.
func own(agent, session string) map[string]string {
	switch agent {
	case "gemini":
		return map[string]string{"GEMINI_PROJECT_DIR": "/p", "CLAUDE_PROJECT_DIR": "/p", "GEMINI_SESSION_ID": session, "GEMINI_CWD": "/p"}
	case "claude":
		return map[string]string{"CLAUDECODE": "1", "CLAUDE_PROJECT_DIR": "/p", "CLAUDE_CODE_SESSION_ID": session}
	case "copilot":
		return map[string]string{"COPILOT_CLI": "1", "COPILOT_PROJECT_DIR": "/p", "CLAUDE_PROJECT_DIR": "/p"}
	case "cursor":
		return map[string]string{"CURSOR_VERSION": "3.2.11", "CURSOR_PROJECT_DIR": "/p", "CLAUDE_PROJECT_DIR": "/p"}
	case "qwen":
		return map[string]string{"QWEN_PROJECT_DIR": "/p", "QWEN_CODE_SESSION_ID": session, "GEMINI_PROJECT_DIR": "/p", "CLAUDE_PROJECT_DIR": "/p"}
	case "cline":
		return map[string]string{"CLINE_BUILD_ENV": "production"}
	}
	return nil
}

// hostile is what a repository may have set: every agent's variables, with session ids that it made up.
func hostile() map[string]string {
	out := map[string]string{}
	for _, id := range ids() {
		for name, value := range own(id, "made-up") {
			out[name] = value
		}
	}
	return out
}

func env(m map[string]string) func(string) (string, bool) {
	return func(name string) (string, bool) { v, ok := m[name]; return v, ok }
}

// undecided are the events that a payload does not tell from another of the same agent.
func undecided(agent, event string) bool {
	return agent == "antigravity" && (event == "PreInvocation" || event == "PostInvocation") || agent == "opencode" && event == "dispose"
}

func TestDetectEveryRecording(t *testing.T) {
	for _, rec := range recordings(t) {
		payload := lenient.Parse(rec.text).Value
		session := payload.Members().Text("session_id")
		for name, vars := range map[string]map[string]string{
			"its own environment": own(rec.agent, session), "no environment": nil, "a hostile environment": hostile(),
		} {
			got := Detect(env(vars), payload)
			want := rec.event
			switch {
			case undecided(rec.agent, want):
				want = ""
			case rec.agent == "copilot" && want == "PermissionRequest":
				want = "permissionRequest" // the payload is the same
			}
			if got.Host == nil || got.Host.ID != rec.agent || got.Event != want || !slices.Equal(got.Candidates, []string{rec.agent}) {
				t.Errorf("%s with %s: %q %q, want %s %s", rec.file, name, got.Candidates, got.Event, rec.agent, want)
			}
		}
	}
}

// What could be of two agents is said to be, and only a variable with the session's own id decides it.
func TestDetectAmbiguous(t *testing.T) {
	const end = `{"session_id":"s-1","cwd":"/p","hook_event_name":"SessionEnd","reason":"other","transcript_path":null}`
	const start = `{"session_id":"s-1","cwd":"/p","hook_event_name":"SessionStart","source":"startup","transcript_path":null}`
	const gemini = `{"session_id":"s-1","cwd":"/p","hook_event_name":"BeforeTool","timestamp":"t","transcript_path":"/x","tool_name":"read_file","tool_input":{}}`
	for _, tc := range []struct {
		name, payload string
		env           map[string]string
		want          string
	}{
		{"an end without a transcript", end, nil, "claude codex"},
		{"a start without a transcript", start, nil, "claude codex"},
		{"… with a variable that a repository can set", end, map[string]string{"CLAUDECODE": "1", "CLAUDE_CODE_SESSION_ID": "s-2"}, "claude codex"},
		{"… with the session's id", end, map[string]string{"CLAUDE_CODE_SESSION_ID": "s-1"}, "claude"},
		{"a session that another agent's variable claims", gemini, map[string]string{"QWEN_CODE_SESSION_ID": "s-1"}, "gemini qwen"},
		{"no session and an empty variable", `{"hook_event_name":"SessionEnd"}`, map[string]string{"CLAUDE_CODE_SESSION_ID": ""}, ""},
		{"nothing", ``, nil, ""},
		{"no object", `[1]`, nil, ""},
		{"only variables", `{"tool_name":"x"}`, hostile(), ""},
		{"VS Code's own hooks", `{"sessionId":"s","timestamp":"t","hookEventName":"PreToolUse","tool_name":"x","tool_use_id":"c"}`, nil, ""},
	} {
		got := Detect(env(tc.env), lenient.Parse([]byte(tc.payload)).Value)
		if c := strings.Join(got.Candidates, " "); c != tc.want || (got.Host != nil) != (len(got.Candidates) == 1) {
			t.Errorf("%s: %q, host %v, want %q", tc.name, c, got.Host, tc.want)
		}
	}
}

func FuzzDetect(f *testing.F) {
	for _, rec := range recordings(f) {
		f.Add(rec.text, true)
	}
	f.Fuzz(func(t *testing.T, text []byte, variables bool) {
		vars := map[string]string{}
		if variables {
			vars = hostile()
		}
		got := Detect(env(vars), lenient.Parse(text).Value)
		if (got.Host != nil) != (len(got.Candidates) == 1) || got.Host == nil && got.Event != "" {
			t.Fatalf("%+v", got)
		}
		if got.Host != nil && got.Event != "" {
			if _, known := got.Host.Event(got.Event); !known {
				t.Fatalf("%s has no event %q", got.Host.ID, got.Event)
			}
		}
	})
}
