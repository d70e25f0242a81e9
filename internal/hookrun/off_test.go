package hookrun

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/boathook/boathook/internal/off"
)

// switchOff writes what 'boathook off' writes.
func (l *lab) switchOff(t *testing.T, state off.State) {
	t.Helper()
	if err := off.Save(l.config, state, off.At(l.now)); err != nil {
		t.Fatal(err)
	}
}

func (l *lab) begin(length time.Duration) off.Span { return off.At(l.now).Begin(length) }

// untouched holds that nothing was written and nobody woken.
func (l *lab) untouched(t *testing.T) {
	t.Helper()
	if _, err := os.Lstat(l.data); !os.IsNotExist(err) || l.woken.Load() != 0 {
		t.Errorf("data directory: %v; woken %d times", err, l.woken.Load())
	}
}

const deniedBody = `{"decision":"DENY","reason":"no"}`

// TestOff: neutral, also where the guard is closed; no guard asked, nothing written; again as before once it has ended.
func TestOff(t *testing.T) {
	url, asked := serveGuard(t, deniedBody)
	l := newLab(t, "[guard]\nendpoint = '"+url+"'\ntimeout_ms = 15000\nfail = 'closed'\non_error = 'deny'\n")
	all := l.begin(time.Hour)
	l.switchOff(t, off.State{All: &all})
	for _, tc := range []struct{ agent, event, payload, want string }{
		{"gemini", "BeforeTool", `{"tool_name":"run_shell_command","tool_input":{"command":"x"}}`, "{}"},
		{"gemini", "BeforeTool", `no JSON`, "{}"},
		{"gemini", "SessionEnd", `{}`, "{}"},
		{"antigravity", "PreToolUse", `{"toolCall":{"name":"run_command","args":{"CommandLine":"x"}}}`, `{"decision":"allow"}`},
	} {
		if got := strings.TrimSpace(l.run(tc.agent, tc.event, tc.payload)); got != tc.want {
			t.Errorf("%s: %s", tc.event, got)
		}
	}
	if len(*asked) != 0 {
		t.Errorf("the guard was asked: %q", *asked)
	}
	l.untouched(t)
	l.now = l.now.Add(time.Hour)
	if got := l.run("gemini", "BeforeTool", `{"tool_name":"run_shell_command","tool_input":{"command":"x"}}`); !strings.Contains(got, `"deny"`) {
		t.Errorf("after the hour: %s", got)
	}
	l.only(t)
}

// TestOffRefused: the administrator's word, or the user's own, leaves the file without effect.
func TestOffRefused(t *testing.T) {
	url, _ := serveGuard(t, deniedBody)
	l := newLab(t, "[guard]\nendpoint = '"+url+"'\ntimeout_ms = 15000\n[off]\nswitch = 'refused'\n")
	all := l.begin(0)
	l.switchOff(t, off.State{All: &all, Projects: map[string]off.Span{"/": all}})
	if got := l.run("gemini", "BeforeTool", `{"cwd":"/","tool_name":"run_shell_command","tool_input":{"command":"x"}}`); !strings.Contains(got, `"deny"`) {
		t.Errorf("%s", got)
	}
}

// TestAnUnreadableSwitchIsNoSwitch: the guard stays, and the record says why.
func TestAnUnreadableSwitchIsNoSwitch(t *testing.T) {
	url, _ := serveGuard(t, deniedBody)
	l := newLab(t, "[guard]\nendpoint = '"+url+"'\ntimeout_ms = 15000\n")
	if err := os.WriteFile(off.Path(l.config), []byte("off!"), 0o600); err != nil {
		t.Fatal(err)
	}
	if got := l.run("gemini", "BeforeTool", `{"tool_name":"run_shell_command","tool_input":{"command":"x"}}`); !strings.Contains(got, `"deny"`) {
		t.Errorf("%s", got)
	}
	if notes := strings.Join(l.only(t).Notes, "\n"); !strings.Contains(notes, "nothing is off") {
		t.Errorf("notes %q", notes)
	}
}

// TestOffInAProject: below it and nowhere else; where the session works is the host's word, never the tool's argument.
func TestOffInAProject(t *testing.T) {
	url, _ := serveGuard(t, deniedBody)
	root := t.TempDir()
	at := func(name string) string { return filepath.Join(root, name) }
	for _, dir := range []string{"a/b/sub", "a/bc", "other"} {
		must(t, os.MkdirAll(at(dir), 0o700))
	}
	must(t, os.Symlink(at("a/b"), at("link")))
	quoted := func(s any) string { b, _ := json.Marshal(s); return string(b) }
	gemini := func(cwd, command string) string {
		return `{"cwd":` + quoted(cwd) + `,"tool_name":"run_shell_command","tool_input":{"command":` + quoted(command) + `,"dir_path":` + quoted(at("a/b")) + `}}`
	}
	agy := func(dirs []string, cwd string) string {
		return `{"workspacePaths":` + quoted(dirs) + `,"toolCall":{"name":"run_command","args":{"CommandLine":"x","Cwd":` + quoted(cwd) + `}}}`
	}
	for _, tc := range []struct {
		name, agent, payload, dir string
		off                       bool
	}{
		{"the project", "gemini", gemini(at("a/b"), "x"), root, true},
		{"below it", "gemini", gemini(at("a/b/sub"), "x"), root, true},
		{"by a link", "gemini", gemini(at("link/sub"), "x"), root, true},
		{"a name that begins alike", "gemini", gemini(at("a/bc"), "x"), root, false},
		{"above it", "gemini", gemini(at("a"), "x"), root, false},
		{"a command that goes there", "gemini", gemini(at("other"), "cd "+at("a/b")), root, false},
		{"two answers", "gemini", `{"cwd":` + quoted(at("a/b")) + `,"cwd":` + quoted(at("other")) + `,` + gemini("", "x")[len(`{"cwd":"",`):], root, false},
		{"the payload is silent, the process is there", "gemini", `{"tool_name":"run_shell_command","tool_input":{"command":"x"}}`, at("a/b/sub"), true},
		{"the payload is broken, the process is elsewhere", "gemini", gemini(at("a/b"), "x") + "}", at("other"), false},
		{"Antigravity", "antigravity", agy([]string{at("a/b")}, at("other")), root, true},
		{"Antigravity, one of two", "antigravity", agy([]string{at("a/b"), at("other")}, ""), root, false},
		{"Antigravity, the model's word", "antigravity", agy(nil, at("a/b")), at("other"), false},
	} {
		for _, by := range []string{"switch", "config"} {
			t.Run(tc.name+" by "+by, func(t *testing.T) {
				settings := "[guard]\nendpoint = '" + url + "'\ntimeout_ms = 15000\n"
				if by == "config" {
					settings += "[off]\nprojects = ['" + at("a/b") + "']\n"
				}
				l := newLab(t, settings)
				if by == "switch" {
					l.switchOff(t, off.State{Projects: map[string]off.Span{at("a/b"): l.begin(0)}})
				}
				env := l.env(strings.NewReader(tc.payload))
				env.Dir = tc.dir
				event := map[string]string{"gemini": "BeforeTool", "antigravity": "PreToolUse"}[tc.agent]
				got := string(Run(env, []string{"--agent", tc.agent, "--event", event, "--config", l.config}).Stdout)
				if denied := strings.Contains(got, `"deny"`); denied == tc.off {
					t.Errorf("%s", got)
				}
				if tc.off {
					l.untouched(t)
				} else {
					l.only(t)
				}
			})
		}
	}
}

// TestARepositoryHasNoSay: nothing that a project holds, or puts into the agent's environment, switches hooks off.
func TestARepositoryHasNoSay(t *testing.T) {
	url, _ := serveGuard(t, deniedBody)
	l := newLab(t, "[guard]\nendpoint = '"+url+"'\ntimeout_ms = 15000\n")
	repo := t.TempDir()
	all := l.begin(0)
	for _, dir := range []string{"", ".git", ".gemini", ".agents", ".boathook", ".config/boathook", "boathook"} {
		must(t, os.MkdirAll(filepath.Join(repo, dir), 0o700))
		must(t, off.Save(filepath.Join(repo, dir, "config.toml"), off.State{All: &all, Projects: map[string]off.Span{repo: all}}, off.At(l.now)))
		must(t, os.WriteFile(filepath.Join(repo, dir, "config.toml"), []byte("[off]\nprojects = ['"+repo+"']\n"), 0o600))
	}
	env := l.env(strings.NewReader(`{"cwd":"` + repo + `","tool_name":"run_shell_command","tool_input":{"command":"x"}}`))
	env.Dir, env.Home = repo, repo
	env.Lookup = func(name string) (string, bool) {
		switch name {
		case "HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME":
			return repo, true
		}
		return "", false
	}
	if got := string(Run(env, []string{"--agent", "gemini", "--event", "BeforeTool", "--config", l.config}).Stdout); !strings.Contains(got, `"deny"`) {
		t.Errorf("%s", got)
	}
	l.only(t)
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
