// Package antigravity_test drives the installed hooks of Antigravity as its programs would. They are closed and need a
// login, so that they cannot run here: the commands are taken from the installed file and started in both ways that are
// known of them, by a shell and by splitting the line into words, with payloads of the shape that agy 1.1.26 sends.
package antigravity_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/boathook/boathook/itest/build"
	"github.com/boathook/boathook/itest/mockguard"
	"github.com/boathook/boathook/itest/procs"
)

func TestMain(m *testing.M) {
	code := m.Run()
	build.Cleanup()
	os.Exit(code)
}

const (
	hostile = "rm -rf /precious"
	deny    = `{"decision":"deny","reason":"not that"}`
	allow   = `{"decision":"allow"}`
)

// lab is a home with boathook installed for Antigravity, and a guard.
type lab struct {
	home, bin string
	guard     *mockguard.Server
}

// odd has what shells and word splitters stumble over.
const odd = `ho me'q$x`

func newLab(t *testing.T, name string) *lab {
	t.Helper()
	dir := t.TempDir()
	l := &lab{home: filepath.Join(dir, name), bin: filepath.Join(dir, name, "bin", "boathook")}
	l.guard = mockguard.Start(t, mockguard.DenyCommand(hostile, mockguard.Verdict{Decision: mockguard.Deny, Reason: "not that"}))
	program, err := os.ReadFile(build.Boathook(t))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(filepath.Dir(l.bin), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(l.bin, program, 0o700); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := procs.End(filepath.Dir(l.bin)); err != nil {
			t.Error(err)
		}
	})
	l.boathook(t, "install", "antigravity", "--yes")
	return l
}

func (l *lab) boathook(t *testing.T, args ...string) string {
	t.Helper()
	cmd := exec.Command(l.bin, args...)
	cmd.Dir = l.home
	cmd.Env = []string{
		"HOME=" + l.home, "PATH=" + os.Getenv("PATH"),
		"PINTA_GUARD_ENDPOINT=" + l.guard.URL(), "PINTA_GUARD_TIMEOUT_MS=15000",
	}
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("boathook %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return string(out)
}

// handler is what Antigravity reads of one entry.
type handler struct {
	Type    string `json:"type"`
	Command string `json:"command"`
	Timeout *int   `json:"timeout"`
}

// commands reads the installed file as strictly as Antigravity does: tool events have groups with a matcher, all others a
// flat list. One wrong shape and the program would drop the whole file.
func (l *lab) commands(t *testing.T) map[string]string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(l.home, ".gemini", "config", "hooks.json"))
	if err != nil {
		t.Fatal(err)
	}
	var named map[string]map[string]json.RawMessage
	if err := json.Unmarshal(text, &named); err != nil {
		t.Fatal(err)
	}
	out := map[string]string{}
	for event, raw := range named["boathook"] {
		var flat []handler
		if strings.HasSuffix(event, "ToolUse") {
			var groups []struct {
				Matcher *string   `json:"matcher"`
				Hooks   []handler `json:"hooks"`
			}
			unmarshal(t, event, raw, &groups)
			if len(groups) != 1 || groups[0].Matcher == nil || *groups[0].Matcher != "" {
				t.Fatalf("%s: %s", event, raw)
			}
			flat = groups[0].Hooks
		} else {
			unmarshal(t, event, raw, &flat)
		}
		if len(flat) != 1 || flat[0].Type != "command" || flat[0].Timeout == nil || *flat[0].Timeout != 30 {
			t.Fatalf("%s: %s", event, raw)
		}
		out[event] = flat[0].Command
	}
	return out
}

func unmarshal(t *testing.T, event string, raw []byte, into any) {
	t.Helper()
	if err := json.Unmarshal(raw, into); err != nil {
		t.Fatalf("%s: %v in %s", event, err, raw)
	}
}

// ways are how a command line is started: by a shell, and by programs that split it into words as a shell would but start
// the first word themselves.
func ways() map[string]func(line string) *exec.Cmd {
	return map[string]func(string) *exec.Cmd{
		"shell": func(line string) *exec.Cmd { return exec.Command("/bin/sh", "-c", line) },
		"words": func(line string) *exec.Cmd { w := split(line); return exec.Command(w[0], w[1:]...) },
	}
}

// split takes a line apart at blanks outside of quotes, as Python's shlex does for what install writes.
func split(line string) []string {
	var words []string
	var word strings.Builder
	var quote byte
	begun := false
	for i := 0; i < len(line); i++ {
		switch c := line[i]; {
		case quote == '\'' && c == '\'', quote == '"' && c == '"':
			quote = 0
		case quote != 0:
			word.WriteByte(c)
		case c == '\'' || c == '"':
			quote, begun = c, true
		case c == '\\' && i+1 < len(line):
			i++
			word.WriteByte(line[i])
			begun = true
		case c == ' ':
			if begun {
				words = append(words, word.String())
			}
			word.Reset()
			begun = false
		default:
			word.WriteByte(c)
			begun = true
		}
	}
	if begun {
		words = append(words, word.String())
	}
	return words
}

func (l *lab) fire(t *testing.T, cmd *exec.Cmd, payload string) string {
	t.Helper()
	var out, errs bytes.Buffer
	cmd.Dir, cmd.Stdin, cmd.Stdout, cmd.Stderr = l.home, strings.NewReader(payload), &out, &errs
	cmd.Env = []string{"HOME=" + l.home, "PATH=" + os.Getenv("PATH")}
	if err := cmd.Run(); err != nil {
		t.Errorf("%v", err)
	}
	if errs.Len() > 0 {
		t.Errorf("stderr: %s", errs.String())
	}
	return strings.TrimSuffix(out.String(), "\n")
}

func payloads() map[string]string {
	const common = `"conversationId":"c1","workspacePaths":["/w"],"transcriptPath":"/h/.gemini/antigravity-cli/brain/c1/logs/transcript_full.jsonl","artifactDirectoryPath":"/h/b"`
	call := `"toolCall":{"name":"run_command","args":{"CommandLine":"ls","Cwd":"/w"}}`
	return map[string]string{
		"PreInvocation":  `{` + common + `,"invocationNum":0,"initialNumSteps":1}`,
		"PreToolUse":     `{` + common + `,"stepIdx":2,` + call + `}`,
		"PostToolUse":    `{` + common + `,"stepIdx":2,"error":"","toolCall":null}`,
		"PostInvocation": `{` + common + `,"invocationNum":0,"initialNumSteps":1}`,
		"Stop":           `{` + common + `,"executionNum":0,"terminationReason":"NO_TOOL_CALL","error":"","fullyIdle":true}`,
	}
}

func TestInstalledCommands(t *testing.T) {
	for _, home := range []string{"home", odd} {
		for how, start := range ways() {
			t.Run(home+" by "+how, func(t *testing.T) {
				l := newLab(t, home)
				commands := l.commands(t)
				if len(commands) != len(payloads()) {
					t.Errorf("installed %v", commands)
				}
				for event, payload := range payloads() {
					want := "{}"
					if event == "PreToolUse" {
						want = allow
					}
					if got := l.fire(t, start(commands[event]), payload); got != want {
						t.Errorf("%s: answer %s, want %s", event, got, want)
					}
				}
				bad := strings.Replace(payloads()["PreToolUse"], `"ls"`, `"`+hostile+`"`, 1)
				if got := l.fire(t, start(commands["PreToolUse"]), bad); got != deny {
					t.Errorf("hostile: answer %s", got)
				}
				l.recorded(t, len(payloads())+1)
			})
		}
	}
}

// recorded holds that every event came with its name, session, directory and product.
func (l *lab) recorded(t *testing.T, n int) {
	t.Helper()
	seen := map[string]int{}
	for line := range strings.Lines(l.boathook(t, "log", "--json")) {
		var r struct {
			Agent, Product string
			HostEvent      string `json:"host_event"`
			SessionID      string `json:"session_id"`
			CWD            string `json:"cwd"`
		}
		if err := json.Unmarshal([]byte(line), &r); err != nil {
			t.Fatal(err)
		}
		if r.Agent != "antigravity" || r.Product != "agy" || r.SessionID != "c1" || r.CWD != "/w" {
			t.Errorf("record %s", line)
		}
		seen[r.HostEvent]++
		n--
	}
	if n != 0 || len(seen) != len(payloads()) {
		t.Errorf("events %v, %d missing", seen, n)
	}
}

// TestBrokenBinary: whatever becomes of the program, the tool runs as if nothing were installed.
func TestBrokenBinary(t *testing.T) {
	l := newLab(t, "home")
	commands := l.commands(t)
	for name, breakIt := range map[string]func() error{
		"deleted":              func() error { return os.Remove(l.bin) },
		"not executable":       func() error { return os.Chmod(l.bin, 0o600) },
		"another architecture": func() error { return replace(build.Foreign(t, "hello"), l.bin) },
		"stack overflow":       func() error { return replace(build.Fixture(t, "overflow"), l.bin) },
		"killed":               func() error { return replace(build.Fixture(t, "sigkill"), l.bin) },
		"garbage":              func() error { return replace(build.Fixture(t, "garbage"), l.bin) },
	} {
		t.Run(name, func(t *testing.T) {
			if err := replace(build.Boathook(t), l.bin); err != nil {
				t.Fatal(err)
			}
			if err := breakIt(); err != nil {
				t.Fatal(err)
			}
			for how, start := range ways() {
				for event, payload := range payloads() {
					want := "{}"
					if event == "PreToolUse" {
						want = allow
					}
					if got := l.fire(t, start(commands[event]), payload); got != want {
						t.Errorf("%s by %s: answer %q, want %s", event, how, got, want)
					}
				}
			}
		})
	}
}

func replace(from, to string) error {
	data, err := os.ReadFile(from)
	if err != nil {
		return fmt.Errorf("read %s: %w", from, err)
	}
	if err := os.Remove(to); err != nil && !os.IsNotExist(err) {
		return fmt.Errorf("remove %s: %w", to, err)
	}
	return os.WriteFile(to, data, 0o700)
}
