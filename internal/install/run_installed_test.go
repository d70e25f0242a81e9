//go:build unix

package install

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/boathook/boathook/internal/agentrun"
	"github.com/boathook/boathook/internal/host/registry"
)

var commandAgents = []string{"claude", "codex", "copilot", "cursor", "windsurf", "cline", "qwen"}

// worldWith is a home and a program whose paths no shell takes as they are.
func worldWith(t *testing.T, program string) Env {
	t.Helper()
	home := filepath.Join(t.TempDir(), "it's; $"+"HOME `é`")
	if err := os.Mkdir(home, 0o755); err != nil {
		t.Fatal(err)
	}
	env := worldIn(t, home)
	env.Exe = filepath.Join(home, "bin", "boat && hook")
	put(t, env.Exe, program, 0o755)
	return env
}

// runs starts each installed hook of an agent as the agent does.
func runInstalled(t *testing.T, env Env, id string, see func(event string, r agentrun.Result)) {
	t.Helper()
	hooks, err := agentrun.Installed(id, agentrun.Dir(id, env.Home, env.Lookup))
	if err != nil {
		t.Fatal(err)
	}
	a := agentrun.Agent{ID: id, Home: env.Home, Path: os.Getenv("PATH"), Work: env.Home, Now: time.Now}
	for event, hook := range hooks.ByEvent {
		if hook.Count != 1 {
			t.Errorf("%s %s has %d hooks", id, event, hook.Count)
		}
		r, err := a.Run(t.Context(), hook, []byte(`{"text":"$HOME `+"`x`"+` 'q' \\ é"}`))
		if err != nil {
			t.Fatalf("%s %s: %v", id, event, err)
		}
		see(event, r)
	}
}

const echoProgram = `#!/bin/sh
[ "$GODEBUG$SSL_CERT_FILE" = "" ] || exit 9
printf '%s ' "$@"
cat
echo noise >&2
`

// Each agent's command line gives the program its arguments and the payload, and the agent its answer and nothing else.
func TestInstalledHooksRun(t *testing.T) {
	env := worldWith(t, echoProgram)
	t.Setenv("GODEBUG", "")
	install(t, env, Request{Agents: commandAgents})
	config := filepath.Join(env.Home, ".config", "boathook", "config.toml")
	for _, id := range commandAgents {
		n := 0
		runInstalled(t, env, id, func(event string, r agentrun.Result) {
			n++
			want := "hook --agent " + id + " --event " + event + " --config " + config + ` {"text":"$HOME ` + "`x`" + ` 'q' \\ é"}`
			refusing := id == "windsurf" && strings.HasPrefix(event, "pre_") // there only what refuses says anything
			if refusing {
				want = ""
			}
			if strings.TrimSuffix(r.Stdout, "\n") != want || len(r.Faults()) > 0 {
				t.Errorf("%s %s: %+v, want %q", id, event, r, want)
			}
		})
		h, _ := registry.Lookup(id)
		usual, _ := pick(h, map[string]bool{"default": true})
		if n != len(usual) {
			t.Errorf("%s has %d hooks, want %s", id, n, names(usual))
		}
	}
}

// A program that is gone, can't run, crashes or hangs around after its end is nothing that an agent sees.
func TestBrokenProgramsAreSilent(t *testing.T) {
	for name, program := range map[string]string{
		"crash": "#!/bin/sh\necho 'panic: x' >&2\nexit 2\n", "killed": "#!/bin/sh\nkill -9 $$\n", "foreign": "\x7fELF\x00 no program",
		"no interpreter": "#!/no/such/interpreter\n", "gone": "",
	} {
		env := worldWith(t, "#!/bin/sh\n")
		install(t, env, Request{Agents: commandAgents})
		put(t, env.Exe, program, 0o755)
		if name == "gone" {
			if err := os.Remove(env.Exe); err != nil {
				t.Fatal(err)
			}
		}
		for _, id := range commandAgents {
			runInstalled(t, env, id, func(event string, r agentrun.Result) {
				if r.Stdout != "" || r.Exit != 0 || id != "windsurf" && r.Stderr != "" {
					t.Errorf("%s, %s %s: %+v", name, id, event, r)
				}
			})
		}
	}
}

// Windsurf hears a refusal in the exit code and on standard error; where a tool is only recorded, nothing of it matters.
func TestWindsurfHearsARefusal(t *testing.T) {
	env := worldWith(t, "#!/bin/sh\ncat >/dev/null\necho \"no: it's \\$5\"\nexit 2\n")
	install(t, env, Request{Agents: []string{"windsurf"}})
	refused := 0
	runInstalled(t, env, "windsurf", func(event string, r agentrun.Result) {
		switch {
		case strings.HasPrefix(event, "pre_"):
			refused++
			if r.Exit != 2 || r.Stderr != "no: it's $5\n" || r.Stdout != "" {
				t.Errorf("%s: %+v", event, r)
			}
		case r.Exit != 0 || r.Stderr != "":
			t.Errorf("%s: %+v", event, r)
		}
	})
	if refused != 5 {
		t.Errorf("%d events can refuse", refused)
	}
}

// Claude Code can be told to block where the hook fails: then a program that is gone is a failure, at the gates alone, and a
// later install keeps that.
func TestOnFailureBlock(t *testing.T) {
	env := worldWith(t, echoProgram)
	install(t, env, Request{Agents: []string{"claude"}, OnFailure: Block})
	settings := text(t, filepath.Join(env.Home, ".claude", "settings.json"))
	if n := strings.Count(settings, `"onFailure": "block"`); n != 2 {
		t.Errorf("%d handlers block", n)
	}
	if p := install(t, env, Request{Agents: []string{"claude"}}); !p.Empty() {
		t.Errorf("it changes %v", p.Lines(true))
	}
	places, err := Look(env)
	if err != nil || len(places) != 1 || len(places[0].Faults) > 0 || places[0].NotRun != "" {
		t.Errorf("%+v, %v", places, err)
	}
	if err := os.Remove(env.Exe); err != nil {
		t.Fatal(err)
	}
	runInstalled(t, env, "claude", func(event string, r agentrun.Result) {
		gate := slices.Contains([]string{"PreToolUse", "PreSkillShellCommand"}, event)
		if (r.Exit != 0) != gate || r.Stdout != "" || r.Stderr != "" {
			t.Errorf("%s: %+v", event, r)
		}
	})
	put(t, env.Exe, echoProgram, 0o755)
	install(t, env, Request{Agents: []string{"claude"}, OnFailure: Continue})
	if strings.Contains(text(t, filepath.Join(env.Home, ".claude", "settings.json")), "onFailure") {
		t.Error("it still blocks")
	}
}

// Cursor runs Claude Code's command with a here-document behind it: that is the payload, too.
func TestClaudesCommandTakesAHereDocument(t *testing.T) {
	env := worldWith(t, echoProgram)
	install(t, env, Request{Agents: []string{"claude"}})
	hooks, err := agentrun.Installed("claude", agentrun.Dir("claude", env.Home, nil))
	if err != nil {
		t.Fatal(err)
	}
	for _, shell := range []string{"sh", "bash"} {
		out, err := exec.Command(shell, "-c", hooks.ByEvent["PreToolUse"].Command+" <<'CURSOR_HOOK_EOF'\n{}\nCURSOR_HOOK_EOF").Output()
		if err != nil || !strings.HasSuffix(string(out), "config.toml {}\n") {
			t.Errorf("%s: %q, %v", shell, out, err)
		}
	}
}
