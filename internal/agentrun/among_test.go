package agentrun

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// Of a file that others write into, too, ours alone counts.
func TestInstalledFindsOursAmongOthers(t *testing.T) {
	const flat, grouped = `{"command":"theirs"},{"command":"theirs hook --agent A --event E"},{"command":"boathook hook --agent A --event E","timeoutSec":6}`, `{"hooks":[{"command":"theirs hook --agent A --event E"}]},` +
		`{"matcher":"*","hooks":[{"type":"command","command":"boathook hook --agent A --event E","timeout":6}]}`
	every := "*"
	for agent, tt := range map[string]struct{ file, list string }{
		"claude": {".claude/settings.json", grouped}, "codex": {".codex/hooks.json", grouped}, "qwen": {".qwen/settings.json", "/* mine */" + grouped},
		"copilot": {".copilot/hooks/boathook.json", flat}, "cursor": {".cursor/hooks.json", flat}, "windsurf": {".codeium/windsurf/hooks.json", flat},
	} {
		home := t.TempDir()
		path := filepath.Join(home, tt.file)
		list := strings.ReplaceAll(tt.list, "--agent A", "--agent "+agent)
		write(t, path, `{"disableAllHooks":true,"hooks":{"E":[`+list+`],"Other":[{"command":"theirs"}],"odd":7}}`)
		want := Hooks{Agent: agent, File: path, Disabled: true, ByEvent: map[string]Hook{"E": {
			Command: "boathook hook --agent " + agent + " --event E", Type: "command", Timeout: 6, Matcher: &every, Count: 1,
		}}}
		if tt.list == flat {
			want.ByEvent["E"] = Hook{Command: "boathook hook --agent " + agent + " --event E", Timeout: 6, Flat: true, Count: 1}
		}
		got, err := Installed(agent, Dir(agent, home, nil))
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s: %s", agent, diff)
		}
		write(t, path, `{"hooks":{"Other":[{"command":"theirs"}]}}`)
		if _, err := Installed(agent, filepath.Dir(path)); !errors.Is(err, ErrNone) {
			t.Errorf("%s: %v", agent, err)
		}
	}
}

func TestInstalledFindsScripts(t *testing.T) {
	home := t.TempDir()
	dir := filepath.Join(home, ".cline", "hooks")
	if _, err := Installed("cline", dir); !errors.Is(err, ErrNone) {
		t.Errorf("no directory: %v", err)
	}
	write(t, filepath.Join(dir, "PreToolUse"), "#!/bin/sh\ntheirs hook --agent cline --event PreToolUse\n")
	write(t, filepath.Join(dir, "PreToolUse.sh"), "#!/bin/sh\nboathook hook --agent cline --event PreToolUse --config y\n")
	got, err := Installed("cline", Dir("cline", home, nil))
	want := Hooks{Agent: "cline", File: dir, ByEvent: map[string]Hook{"PreToolUse": {Command: filepath.Join(dir, "PreToolUse.sh"), Count: 1}}}
	if diff := cmp.Diff(want, got); diff != "" || err != nil {
		t.Errorf("%v %s", err, diff)
	}
}

func TestDirFollowsVariables(t *testing.T) {
	lookup := func(name string) (string, bool) { return "/other/" + name, true }
	for agent, want := range map[string]string{
		"claude": "/other/CLAUDE_CONFIG_DIR", "codex": "/other/CODEX_HOME", "copilot": "/other/COPILOT_HOME/hooks", "cline": "/other/CLINE_DIR/hooks",
		"qwen": "/other/QWEN_HOME", "cursor": "/home/user/.cursor", "windsurf": "/home/user/.codeium/windsurf",
	} {
		if got := Dir(agent, "/home/user", lookup); got != want {
			t.Errorf("%s: %s", agent, got)
		}
	}
}

// Each agent gives a hook its payload, and its own variables.
func TestEachAgentStartsHooks(t *testing.T) {
	if _, err := os.Stat("/bin/sh"); err != nil {
		t.Skip("agents give hooks to a POSIX shell, which this system lacks")
	}
	const payload = `{"session_id":"it's $HOME"}`
	for agent, want := range map[string]string{
		"claude": "it's $HOME", "codex": "", "copilot": "1", "cursor": "3.2.11", "windsurf": "", "cline": "production", "qwen": "it's $HOME", "opencode": "",
	} {
		dir := t.TempDir()
		line := `{ cat; printf '|%s' "$CLAUDE_CODE_SESSION_ID$COPILOT_CLI$CURSOR_VERSION$CLINE_BUILD_ENV$QWEN_CODE_SESSION_ID"; }`
		if agent == "cline" {
			write(t, filepath.Join(dir, "script"), line)
			line = filepath.Join(dir, "script")
		}
		a := Agent{ID: agent, Home: dir, Path: os.Getenv("PATH"), Work: dir, Now: time.Now}
		got, err := a.Run(t.Context(), Hook{Command: line}, []byte(payload))
		end := ""
		if agent == "cursor" {
			end = "\n" // of the here-document
		}
		if err != nil || got.Stdout != payload+end+"|"+want || len(got.Faults()) > 0 {
			t.Errorf("%s: %+v %v", agent, got, err)
		}
	}
}
