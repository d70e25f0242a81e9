package agentrun

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/boathook/boathook/internal/plugin"
)

func TestInstalledReadsPlugins(t *testing.T) {
	for agent, name := range map[string]string{"amp": "amp/plugins/boathook.ts", "opencode": "opencode/plugin/boathook.js"} {
		home := t.TempDir()
		if _, err := Installed(agent, Dir(agent, home, nil)); !errors.Is(err, ErrNone) {
			t.Errorf("%s: %v", agent, err)
		}
		file := filepath.Join(home, ".config", name)
		write(t, file, string(plugin.Text(agent, plugin.Head{Mark: []byte("{}"), Program: "/it's", Config: "/c", Events: []string{"a.b", "c"}})))
		got, err := Installed(agent, Dir(agent, home, nil))
		if err != nil {
			t.Fatal(err)
		}
		line := func(event string) Hook {
			return Hook{Count: 1, Command: "exec 2>/dev/null; unset GODEBUG GOGC GOMEMLIMIT GOMAXPROCS GOTRACEBACK SSL_CERT_FILE SSL_CERT_DIR BUN_BE_BUN; " +
				`'/it'\''s' hook --agent ` + agent + " --event " + event + " --config '/c'"}
		}
		want := Hooks{Agent: agent, File: file, ByEvent: map[string]Hook{"a.b": line("a.b"), "c": line("c")}}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Error(diff)
		}
		write(t, file, "// mine\n")
		if _, err := Installed(agent, filepath.Dir(file)); err == nil || errors.Is(err, ErrNone) {
			t.Errorf("%s: a foreign file: %v", agent, err)
		}
	}
	lookup := func(string) (string, bool) { return "/elsewhere", true }
	if got := Dir("opencode", "/home/user", lookup); got != "/elsewhere/opencode/plugin" {
		t.Error(got)
	}
}

// The command line does what the plugin does: it starts the program with the event on its standard input.
func TestPluginsHookRuns(t *testing.T) {
	if _, err := os.Stat("/bin/sh"); err != nil {
		t.Skip("there is no POSIX shell here")
	}
	dir := t.TempDir()
	program := filepath.Join(dir, "it's")
	write(t, program, "#!/bin/sh\nprintf '%s\\n' \"$*\"\ncat\necho loud >&2\n")
	if err := os.Chmod(program, 0o700); err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(dir, "boathook.js"),
		string(plugin.Text("opencode", plugin.Head{Mark: []byte("{}"), Program: program, Config: "/c", Events: []string{"session.idle"}})))
	hooks, err := Installed("opencode", dir)
	if err != nil {
		t.Fatal(err)
	}
	a := Agent{ID: "opencode", Home: dir, Path: os.Getenv("PATH"), Work: dir, Now: time.Now}
	hook := hooks.ByEvent["session.idle"]
	got, err := a.Run(t.Context(), hook, []byte(`{"input":{}}`))
	if err != nil || got.Stdout != "hook --agent opencode --event session.idle --config /c\n{\"input\":{}}" || len(got.Faults()) > 0 {
		t.Errorf("%+v, %v", got, err)
	}
}
