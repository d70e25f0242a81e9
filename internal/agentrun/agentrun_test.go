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

func TestInstalledReadsBothShapes(t *testing.T) {
	home := t.TempDir()
	write(t, filepath.Join(home, ".gemini/extensions/boathook/hooks/hooks.json"),
		`{"hooks":{"BeforeTool":[{"matcher":"","hooks":[{"type":"command","command":"x \"${extensionPath}${/}y\"","timeout":60000,"env":{"A":"1"}},{"command":"second"}]}]}}`)
	write(t, filepath.Join(home, ".gemini/config/hooks.json"),
		`{"other":{},"boathook":{"enabled":false,"Stop":[{"type":"command","command":"flat"}],"PreToolUse":[{"matcher":"run_.*","hooks":[{"command":"nested"}]}]}}`)
	every, some := "", "run_.*"
	for agent, want := range map[string]Hooks{
		"gemini": {ByEvent: map[string]Hook{"BeforeTool": {
			Command: `x "` + home + `/.gemini/extensions/boathook/y"`, Type: "command", Timeout: 60000,
			Env: map[string]string{"A": "1"}, Matcher: &every, Count: 2,
		}}, File: filepath.Join(home, ".gemini/extensions/boathook/hooks/hooks.json")},
		"antigravity": {ByEvent: map[string]Hook{
			"Stop": {Command: "flat", Type: "command", Flat: true, Count: 1}, "PreToolUse": {Command: "nested", Matcher: &some, Count: 1},
		}, Disabled: true, File: filepath.Join(home, ".gemini/config/hooks.json")},
	} {
		want.Agent = agent
		got, err := Installed(agent, Dir(agent, home, nil))
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Error(diff)
		}
	}
}

func TestInstalledSaysWhatIsMissing(t *testing.T) {
	home := t.TempDir()
	for _, agent := range []string{"gemini", "antigravity"} {
		if _, err := Installed(agent, Dir(agent, home, nil)); !errors.Is(err, ErrNone) {
			t.Errorf("%s: %v", agent, err)
		}
	}
	write(t, filepath.Join(home, ".gemini/config/hooks.json"), `{"boathook":{},}`)
	if _, err := Installed("antigravity", Dir("antigravity", home, nil)); err == nil || errors.Is(err, ErrNone) {
		t.Errorf("a broken file: %v", err)
	}
	if _, err := Installed("nobody", home); err == nil || errors.Is(err, ErrNone) {
		t.Errorf("an unknown agent: %v", err)
	}
}

func TestDirFollowsGeminisHome(t *testing.T) {
	lookup := func(string) (string, bool) { return "/elsewhere", true }
	if got := Dir("gemini", "/home/user", lookup); got != "/elsewhere/.gemini/extensions/boathook" {
		t.Error(got)
	}
	if got := Dir("antigravity", "/home/user", lookup); got != "/home/user/.gemini/config" {
		t.Error(got)
	}
}

func TestRunIsTheAgent(t *testing.T) {
	if _, err := os.Stat("/bin/sh"); err != nil {
		t.Skip("agents give hooks to a POSIX shell, which this system lacks")
	}
	dir := t.TempDir()
	a := Agent{ID: "gemini", Home: dir, Path: os.Getenv("PATH"), Work: dir, Now: time.Now}
	h := Hook{Command: `cat; echo "$GEMINI_SESSION_ID $TERM" >&2; exit 3`, Env: map[string]string{"TERM": "ours"}}
	got, err := a.Run(t.Context(), h, []byte(`{"session_id":"s1"}`))
	if err != nil {
		t.Fatal(err)
	}
	if got.Stdout != `{"session_id":"s1"}` || got.Stderr != "s1 ours\n" || got.Exit != 3 || len(got.Faults()) != 2 {
		t.Errorf("%+v", got)
	}
	if _, err := a.RunAs(t.Context(), []string{filepath.Join(dir, "none")}, h, nil); err == nil || !strings.Contains(err.Error(), "run hook") {
		t.Errorf("a program that is not there: %v", err)
	}
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}
