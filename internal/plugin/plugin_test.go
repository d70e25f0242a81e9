//go:build unix

package plugin

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestReadIsTheInverseOfText(t *testing.T) {
	for _, path := range []string{"/a/b", "/it's", `/quo"te`, `/back\slash`, "/a b", "/new\nline", "/\u2028", "/${x}`"} {
		for agent := range files {
			want := Head{Mark: []byte(`{"owner":"boathook"}`), Program: path, Config: path + "/c", Events: []string{"a.b", "c"}}
			text := Text(agent, want)
			got, ok := Read(text)
			if diff := cmp.Diff(want, got); diff != "" || !ok {
				t.Errorf("%s %q: %v %s", agent, path, ok, diff)
			}
			if _, ok := Read(text[:len(want.Mark)+20]); ok {
				t.Errorf("%s: a file that was cut is taken for whole", agent)
			}
		}
	}
}

// calm is what each plugin does where boathook has no objection, whatever the reason.
func calm(agent string) map[string]any {
	if agent == "amp" {
		return map[string]any{"prompt": map[string]any{}, "call": map[string]any{"action": "allow"}, "result": "unchanged", "end": "unchanged"}
	}
	return map[string]any{
		"prompt": []any{"hello"}, "call": map[string]any{"command": "ls", "description": "d"}, "result": map[string]any{"output": "out"},
	}
}

// No fault of boathook's is felt by the agent: opencode takes an exception for a deny, and Amp stops the thread for one.
func TestFaultsChangeNothing(t *testing.T) {
	for name, script := range map[string]string{
		"silence":          "cat >/dev/null",
		"garbage":          `cat >/dev/null; printf '\377\000{{{'`,
		"no object":        `cat >/dev/null; echo '[{"action":"deny"}]'`,
		"null":             `cat >/dev/null; echo null`,
		"unknown words":    `cat >/dev/null; echo '{"action":"explode","reason":7,"input":[1],"context":{}}'`,
		"a crash":          `cat >/dev/null; echo '{"action":"deny","reason":"no"}'; exit 2`,
		"a signal":         `echo '{"action":"deny","reason":"no"}'; kill -9 $$`,
		"text on stderr":   `cat >/dev/null; echo deny >&2`,
		"no reader":        `exec <&-; exit 0`,
		"too much":         `cat >/dev/null; head -c 9000000 /dev/zero | tr '\0' x`,
		"never an end":     `echo '{"action":"deny","reason":"no"}'; exec sleep 60`,
		"deaf, for ever":   `exec sleep 60 <&- >&-`,
		"two answers":      `cat >/dev/null; echo '{"action":"deny"}'; echo '{"action":"deny"}'`,
		"not executable":   "",
		"no program":       "-",
		"a foreign binary": "\x7fELF\x02\x01\x01",
	} {
		for agent := range files {
			t.Run(name+" "+agent, func(t *testing.T) {
				t.Parallel()
				if diff := cmp.Diff(calm(agent), drive(t, agent, script, "")); diff != "" {
					t.Errorf("(-as without boathook +as it was):\n%s", diff)
				}
			})
		}
	}
	for agent := range files { // what the agent gives is not what was expected
		if diff := cmp.Diff(calm(agent), drive(t, agent, `cat >/dev/null; echo '{"action":"deny","reason":"no"}'`, "odd")); diff != "" {
			t.Errorf("%s, odd events:\n%s", agent, diff)
		}
	}
}

func TestAnswersAreApplied(t *testing.T) {
	const context, ask, rewrite = `{"context":"read this"}`, `{"action":"ask","reason":"sure?"}`, `{"input":{"command":"pwd"}}`
	const deny = `{"action":"deny","reason":"it's <no>"}`
	for _, tc := range []struct {
		name, agent, answer, what, part string
		want                            any
	}{
		{"deny", "opencode", deny, "", "call", "denied: it's <no>"},
		{"deny a prompt", "opencode", deny, "", "prompt", "denied: it's <no>"},
		{"ask", "opencode", ask, "", "call", "denied: sure?"},
		{"no reason", "opencode", `{"action":"deny"}`, "", "call", "denied: denied by boathook"},
		{"rewrite", "opencode", rewrite, "", "call", map[string]any{"command": "pwd"}},
		{"what can't be rewritten", "opencode", rewrite, "frozen", "call", `denied: boathook could not set another input for this call; it was to be {"command":"pwd"}`},
		{"context for a prompt", "opencode", context, "", "prompt", []any{"hello", "read this"}},
		{"context for a result", "opencode", context, "", "result", map[string]any{"output": "out\n\nread this"}},
		{"context for an MCP result", "opencode", context, "mcp", "result", map[string]any{"content": []any{
			map[string]any{"type": "text", "text": "out"}, map[string]any{"type": "text", "text": "read this"},
		}}},
		{"deny", "amp", deny, "", "call", map[string]any{"action": "reject-and-continue", "message": "it's <no>"}},
		{"ask, yes", "amp", ask, "yes", "call", map[string]any{"action": "allow"}},
		{"ask, no", "amp", ask, "no", "call", map[string]any{"action": "reject-and-continue", "message": "sure? (the user did not approve)"}},
		{"ask nobody", "amp", ask, "", "call", map[string]any{"action": "reject-and-continue", "message": "sure? (needs a person's approval, and there is nobody to ask)"}},
		{"context for a prompt", "amp", context, "", "prompt", map[string]any{"message": map[string]any{"content": "read this"}}},
		{"context for a result", "amp", context, "", "result", map[string]any{"status": "done", "output": "out\n\nread this"}},
		{"context for blocks", "amp", context, "mcp", "result", map[string]any{"status": "done", "output": []any{
			map[string]any{"type": "text", "text": "out"}, map[string]any{"type": "text", "text": "read this"},
		}}},
		{"context for an object", "amp", context, "object", "result", map[string]any{"status": "done", "output": map[string]any{"output": "out\n\nread this", "exitCode": 0.0}}},
		{"context for no result", "amp", context, "none", "result", map[string]any{"status": "done", "output": "read this"}},
		{"a child that holds the output", "amp", "(sleep 60 &)\necho '" + `{"action":"deny","reason":"no"}` + "'", "", "call", map[string]any{"action": "reject-and-continue", "message": "no"}},
	} {
		t.Run(tc.agent+" "+tc.name, func(t *testing.T) {
			t.Parallel()
			script := tc.answer
			if strings.HasPrefix(script, "{") {
				script = "cat >/dev/null\ncat <<'END'\n" + tc.answer + "\nEND"
			}
			if diff := cmp.Diff(tc.want, drive(t, tc.agent, script, tc.what)[tc.part]); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// What boathook is told, and how it is started.
func TestWhatIsStarted(t *testing.T) {
	for agent := range files {
		dir := t.TempDir()
		t.Setenv("GODEBUG", "x=1")
		t.Setenv("SSL_CERT_FILE", "/x")
		drive(t, agent, `{ printf '%s\n' "$*"; cat; echo; env; } >>'`+dir+`/log'`, "")
		b, err := os.ReadFile(filepath.Join(dir, "log"))
		if err != nil {
			t.Fatal(err)
		}
		log := string(b)
		for _, event := range []string{"session.created", "chat.message", "tool.execute.before", "dispose", "session.start", "agent.start", "tool.call"} {
			ours := strings.Contains("session.created chat.message tool.execute.before dispose", event)
			if got := strings.Contains(log, "hook --agent "+agent+" --event "+event+" --config /it's a \"config\"\n"); got != (ours == (agent == "opencode")) {
				t.Errorf("%s: told of %s: %v", agent, event, got)
			}
		}
		if strings.Contains(log, "\nGODEBUG=") || strings.Contains(log, "\nSSL_CERT_FILE=") || !strings.Contains(log, "\nPATH=") {
			t.Errorf("%s: the environment has what it should not, or lacks PATH", agent)
		}
	}
}

// drive loads an agent's plugin into Node.js, with a script for its program and short limits, and gives what became of a call.
func drive(t *testing.T, agent, script, what string) map[string]any {
	t.Helper()
	node, err := exec.LookPath("node")
	if err != nil {
		t.Skip("there is no Node.js to run plugins with")
	}
	dir := t.TempDir()
	program := filepath.Join(dir, "it's a \"program\"")
	switch {
	case script == "-":
	case script == "":
		write(t, program, "#!/bin/sh\n", 0o600)
	case strings.HasPrefix(script, "\x7f"):
		write(t, program, script, 0o700)
	default:
		write(t, program, "#!/bin/sh\n"+script+"\n", 0o700)
	}
	events := []string{
		"session.created", "chat.message", "tool.execute.before", "tool.execute.after", "dispose",
		"session.start", "agent.start", "tool.call", "tool.result", "agent.end",
	}
	text := string(Text(agent, Head{Mark: []byte("{}"), Program: program, Config: `/it's a "config"`, Events: events}))
	if strings.Contains(script, "exec sleep") { // a time limit only where it is what is tried
		text = strings.Replace(text, "const limit = 35000", "const limit = 500", 1)
	}
	if agent == "amp" { // Bun takes types, Node.js does not
		text = strings.NewReplacer(": any", "", ": string", "").Replace(text)
	}
	file := filepath.Join(dir, "plugin.mjs")
	write(t, file, text, 0o600)
	cmd := exec.CommandContext(t.Context(), node, "testdata/drive.mjs", file, agent, what)
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("drive the plugin: %v\n%s", err, err.(*exec.ExitError).Stderr) //nolint:errorlint // node ran
	}
	var said map[string]any
	if err := json.Unmarshal(out, &said); err != nil {
		t.Fatalf("the plugin wrote something itself: %v\n%s", err, out)
	}
	return said
}

func write(t *testing.T, path, text string, perm os.FileMode) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), perm); err != nil {
		t.Fatal(err)
	}
}
