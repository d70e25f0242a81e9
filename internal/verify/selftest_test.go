//go:build unix

package verify

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/boathook/boathook/internal/config"
	"github.com/boathook/boathook/internal/install"
	"github.com/boathook/boathook/internal/off"
	"github.com/boathook/boathook/internal/trial"
)

// world is a home with installed hooks that run this test program.
type world struct {
	t              *testing.T
	home, tmp, exe string
}

// newWorld installs one event of each agent that is named with it: "gemini BeforeTool". Each start of this program takes a
// while, above all with the race detector in it.
func newWorld(t *testing.T, hooks ...string) *world {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	w := &world{t: t, home: filepath.Join(t.TempDir(), "it's a $home"), tmp: t.TempDir()}
	w.exe = filepath.Join(t.TempDir(), "boathook")
	if err := os.Symlink(self, w.exe); err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(w.home, 0o700); err != nil {
		t.Fatal(err)
	}
	for _, h := range hooks {
		agent, event, _ := strings.Cut(h, " ")
		w.install(install.Request{Agents: []string{agent}, Events: []string{event}})
	}
	return w
}

func (w *world) install(req install.Request) {
	w.t.Helper()
	plan, err := install.PlanInstall(w.env(), req)
	if err == nil {
		_, err = install.Install(w.env(), req, plan)
	}
	if err != nil {
		w.t.Fatal(err)
	}
}

func (w *world) env() install.Env {
	return install.Env{Home: w.home, Lookup: w.lookup, Exe: w.exe, Version: "1", UID: os.Getuid(), GOOS: "linux"}
}

// places are what install finds.
func (w *world) places() []install.Installation {
	w.t.Helper()
	places, err := install.Look(w.env())
	if err != nil {
		w.t.Fatal(err)
	}
	return places
}

// project is a project with hooks of Antigravity's.
func (w *world) project(event string) string {
	w.t.Helper()
	dir := w.path("shop")
	if err := os.MkdirAll(filepath.Join(dir, ".git"), 0o700); err != nil {
		w.t.Fatal(err)
	}
	w.install(install.Request{Agents: []string{"antigravity"}, Workspace: dir, Events: []string{event}})
	return dir
}

func (w *world) lookup(string) (string, bool) { return "", false }

func (w *world) path(name string) string { return filepath.Join(w.home, name) }

func (w *world) selftest() *Selftest {
	w.t.Helper()
	got, err := RunSelftest(context.Background(), SelftestOptions{
		Hosts: Hosts(), Home: w.home, Lookup: w.lookup, Places: w.places(), Path: os.Getenv("PATH"), Tmp: w.tmp, Now: time.Now,
	})
	if err != nil {
		w.t.Fatal(err)
	}
	if left, err := os.ReadDir(w.tmp); err != nil || len(left) > 0 {
		w.t.Errorf("left behind: %v %v", left, err)
	}
	return got
}

// faults lists all as "agent Event: text".
func (s *Selftest) faults() string {
	var out []string
	for _, a := range s.Agents {
		for _, f := range a.Faults {
			out = append(out, a.Agent+": "+f.Text)
		}
		for _, e := range a.Events {
			for _, f := range e.Faults {
				out = append(out, a.Agent+" "+e.Event+": "+f.Text)
			}
		}
	}
	for _, f := range s.Faults {
		out = append(out, f.Text)
	}
	return strings.Join(out, "\n")
}

const (
	geminiFile = ".gemini/extensions/boathook/hooks/hooks.json"
	agyFile    = ".gemini/config/hooks.json"
	agyScript  = ".gemini/config/boathook-hook.sh"
	configFile = ".config/boathook/config.toml"
)

func TestSelftestOfAFreshInstall(t *testing.T) {
	w := newWorld(t)
	w.install(install.Request{Agents: []string{"gemini"}, Events: []string{"all", "BeforeToolSelection"}})
	w.install(install.Request{Agents: []string{"antigravity"}, Events: []string{"all"}})
	got := w.selftest()
	if !got.OK || got.Runs < 40 {
		t.Fatalf("%d runs\n%s", got.Runs, got.faults())
	}
	for i, want := range []struct {
		events  int
		forms   string
		answers string
	}{{11, "bash", "allow, deny, review → allow"}, {6, "sh, words", "allow, deny, review → allow"}} {
		a := got.Agents[i]
		if len(a.Events) != want.events || len(a.Notes) > 0 || a.Program != w.exe || a.Config != w.path(configFile) {
			t.Errorf("%+v", a)
		}
		for _, e := range a.Events {
			if strings.Join(e.Forms, ", ") != want.forms || e.Runs == 0 {
				t.Errorf("%+v", e)
			}
			if answers := strings.Join(e.Answers, ", "); answers != "" && answers != want.answers {
				t.Errorf("%s: %s", e.Event, answers)
			}
		}
	}
	if entries, err := os.ReadDir(w.path(".local/share/boathook")); err == nil {
		for _, e := range entries {
			if e.Name() != "install" {
				t.Errorf("%s came into the user's data", e.Name())
			}
		}
	}
}

// installed are the places where hooks are.
func (s *Selftest) installed() []*AgentResult {
	return slices.DeleteFunc(slices.Clone(s.Agents), func(a *AgentResult) bool { return !a.Installed })
}

// The user's settings decide what the agent is told, in the selftest too.
func TestSelftestUsesTheSettings(t *testing.T) {
	for _, tt := range []struct{ settings, gemini, agy string }{
		{"[guard]\nreview = \"ask\"\nendpoint = \"http://127.0.0.1:1/\"\n", "allow, deny, review → deny", "allow, deny, review → ask"},
		{"privacy = \"minimal\"\n[guard]\ndisabled = true\n", "allow, deny, review → allow", "allow, deny, review → allow"},
	} {
		w := newWorld(t, "gemini BeforeTool", "antigravity PreToolUse")
		write(t, w.path(configFile), tt.settings)
		got := w.selftest()
		if !got.OK {
			t.Fatal(got.faults())
		}
		for i, want := range []string{tt.gemini, tt.agy} {
			for _, e := range got.Agents[i].Events {
				if len(e.Answers) > 0 && strings.Join(e.Answers, ", ") != want {
					t.Errorf("%s: %v, want %s", e.Event, e.Answers, want)
				}
			}
		}
	}
}

func TestSelftestBeforeAnInstall(t *testing.T) {
	got := newWorld(t).selftest()
	if got.OK || got.Runs > 0 || len(got.Agents) != len(Hosts()) || len(got.installed()) > 0 {
		t.Errorf("%+v", got)
	}
}

func TestSelftestFindsFaults(t *testing.T) {
	edit := func(file, old, with string) func(*world) {
		return func(w *world) {
			text, err := os.ReadFile(w.path(file))
			if err != nil || !strings.Contains(string(text), old) {
				w.t.Fatalf("%s has no %q: %v\n%s", file, old, err, text)
			}
			if err := os.WriteFile(w.path(file), []byte(strings.ReplaceAll(string(text), old, with)), 0o600); err != nil {
				w.t.Fatal(err)
			}
		}
	}
	tests := []struct {
		name, hook string
		spoil      func(*world)
		want       string
	}{
		{"the program is gone", "gemini BeforeTool", func(w *world) { _ = os.Remove(w.exe) }, "gemini BeforeTool: the program that it runs is not there"},
		{"the program is another", "antigravity PreToolUse", func(w *world) {
			_ = os.Remove(w.exe)
			write(w.t, w.exe, "#!/bin/sh\necho hello\n")
			_ = os.Chmod(w.exe, 0o755)
		}, "antigravity PreToolUse: no record arrived"},
		{"the config is gone", "gemini SessionStart", func(w *world) { _ = os.Remove(w.path(configFile)) }, "gemini SessionStart: the config that it reads is gone"},
		{"the script is gone", "antigravity Stop", func(w *world) { _ = os.Remove(w.path(agyScript)) }, "antigravity Stop: not started: it is not as boathook wrote it"},
		{"the script can't be run", "antigravity PreToolUse", func(w *world) { _ = os.Chmod(w.path(agyScript), 0o644) }, "antigravity PreToolUse: exit code 126"},
		{"the script lost its config", "antigravity Stop", edit(agyScript, " --config ", " "), "antigravity Stop: not started"},
		{"another event in the command", "gemini AfterTool", edit(geminiFile, "--event AfterTool", "--event BeforeTool"), "gemini AfterTool: not started"},
		{"no event in the command", "antigravity PostToolUse", edit(agyFile, "--event PostToolUse", "--event"), "antigravity PostToolUse: not started"},
		{"another agent in the command", "gemini BeforeTool", edit(geminiFile, "--agent gemini", "--agent antigravity"), "gemini BeforeTool: not started"},
		{"stderr", "gemini AfterAgent", edit(geminiFile, "exec 2>/dev/null", "echo oops >&2"), "gemini AfterAgent: not started"},
		{"exit code", "gemini BeforeTool", edit(geminiFile, "; exit 0", "; exit 3"), "gemini BeforeTool: not started"},
		{"two answers", "gemini BeforeTool", edit(geminiFile, "; exit 0", "; echo '{}'; exit 0"), "gemini BeforeTool: not started"},
		{"matcher", "antigravity PreToolUse", edit(agyFile, `"matcher": ""`, `"matcher": "view_.*"`), "antigravity PreToolUse: the handler's matcher keeps calls"},
		{"type", "gemini SessionStart", edit(geminiFile, `"type": "command"`, `"type": "Command"`), "gemini SessionStart: the handler's type"},
		{"timeout", "gemini SessionStart", edit(geminiFile, `"timeout": 60000`, `"timeout": 0`), "gemini SessionStart: the handler's timeout"},
		{"not JSON", "antigravity Stop", edit(agyFile, `"boathook":`, `// mine`+"\n"+`"boathook":`), "antigravity: the agent can't read its hooks"},
		{"switched off", "antigravity Stop", edit(agyFile, `"boathook": {`, `"boathook": {"enabled": false,`), "antigravity: the file switches the hooks off"},
		{"unknown event", "gemini AfterAgent", edit(geminiFile, `"AfterAgent": [`, `"AgentAfter": [`), "an entry AgentAfter is registered"},
		{"shape", "antigravity PreInvocation", edit(agyFile, `"PreInvocation": [`, `"PreInvocation": [{"matcher":"","hooks":[{"type":"command","command":"true"}]},`), "antigravity PreInvocation"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			w := newWorld(t, tt.hook)
			tt.spoil(w)
			got := w.selftest()
			if text := got.faults(); got.OK || !strings.Contains(text, tt.want) {
				t.Errorf("want %q, got\n%s", tt.want, text)
			}
			for _, a := range got.Agents {
				for _, e := range a.Events {
					for _, f := range e.Faults {
						if f.Cure == "" {
							t.Errorf("no cure for %s", f.Text)
						}
					}
				}
			}
		})
	}
}

func TestSelftestSaysThatHooksAreOff(t *testing.T) {
	w := newWorld(t, "antigravity Stop")
	span := off.At(time.Now()).Begin(time.Hour)
	if err := off.Save(w.path(configFile), off.State{All: &span}, off.At(time.Now())); err != nil {
		t.Fatal(err)
	}
	if got := w.selftest(); !got.OK || !strings.Contains(strings.Join(got.Agents[1].Notes, "\n"), "switched off") {
		t.Errorf("%v\n%s", got.Agents[1].Notes, got.faults())
	}
}

func TestSelftestOfAProject(t *testing.T) {
	w := newWorld(t)
	w.project("Stop")
	got := w.selftest()
	if list := got.installed(); !got.OK || len(list) != 1 || len(list[0].Events) != 1 || got.Runs == 0 {
		t.Fatalf("%+v\n%s", got, got.faults())
	}
	x := Expect(Hosts(), w.home, w.lookup, w.places(), "")
	if x["gemini"].Installed || !x["antigravity"].Installed || len(x["antigravity"].Events) != 1 {
		t.Errorf("%+v", x)
	}
}

func TestWords(t *testing.T) {
	for line, want := range map[string]string{
		`'/a b/x.sh' --agent antigravity --event Stop`: "/a b/x.sh|--agent|antigravity|--event|Stop",
		`/x  y`: "/x|y", ` ; rm`: "", "": "", `'open`: "",
	} {
		if got := strings.Join(words(line), "|"); got != want {
			t.Errorf("%s: %s", line, got)
		}
	}
}

// Hooks that install remembers and that are not there any more are a fault, in a project too.
func TestHooksThatAreMissing(t *testing.T) {
	w := newWorld(t)
	project := filepath.Join(t.TempDir(), "p", ".agents")
	got, err := RunSelftest(context.Background(), SelftestOptions{
		Hosts: Hosts(), Home: w.home, Lookup: w.lookup, Path: os.Getenv("PATH"), Tmp: w.tmp, Now: time.Now,
		Places: []install.Installation{{Agent: "gemini"}, {Agent: "antigravity", Dir: project, Workspace: true}},
	})
	if err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(got.faults(), "the file is missing"); n != 2 || got.OK || len(got.installed()) != 2 || got.Agents[1].Installed {
		t.Errorf("%d: %s", n, got.faults())
	}
	for i, want := range map[int]string{0: "boathook install gemini", 2: "boathook install antigravity --workspace " + filepath.Dir(project)} {
		if f := got.Agents[i].Faults; len(f) != 1 || f[0].Cure != want {
			t.Errorf("%+v, want %s", f, want)
		}
	}
}

// What somebody put into a line or a script is said and never started, in a project and in the user's own files.
func TestNothingForeignIsStarted(t *testing.T) {
	for _, tt := range []struct{ name, file, old, new string }{
		{"before ours", geminiFile, "exec 2>", "touch MARK; exec 2>"},
		{"behind ours", geminiFile, "; exit 0", "; touch MARK; exit 0"},
		{"in the environment", geminiFile, `"BASH_ENV": ""`, `"BASH_ENV": "EVIL"`},
		{"before ours", agyFile, `"command": "`, `"command": "touch MARK; `},
		{"in the script", agyScript, "exec 2>/dev/null", "touch MARK"},
		{"its program", agyScript, "program=", "program=EVIL #"},
		{"before ours", "shop/.agents/hooks.json", `"command": "`, `"command": "touch MARK; `},
		{"in the script", "shop/.agents/boathook-hook.sh", "exec 2>/dev/null", "touch MARK"},
		{"its program", "shop/.agents/boathook-hook.sh", "program=", "program=EVIL #"},
	} {
		t.Run(tt.name+" "+filepath.Base(tt.file), func(t *testing.T) {
			w := newWorld(t)
			switch {
			case strings.HasPrefix(tt.file, "shop"):
				w.project("PreToolUse")
			case tt.file == geminiFile:
				w.install(install.Request{Agents: []string{"gemini"}, Events: []string{"BeforeTool"}})
			default:
				w.install(install.Request{Agents: []string{"antigravity"}, Events: []string{"PreToolUse"}})
			}
			dir := t.TempDir()
			write(t, filepath.Join(dir, "evil"), "#!/bin/sh\ntouch "+filepath.Join(dir, "ran")+"\n")
			_ = os.Chmod(filepath.Join(dir, "evil"), 0o755)
			text, err := os.ReadFile(w.path(tt.file))
			if err != nil || !strings.Contains(string(text), tt.old) {
				t.Fatalf("%v\n%s", err, text)
			}
			with := strings.NewReplacer("MARK", filepath.Join(dir, "ran"), "EVIL", filepath.Join(dir, "evil")).Replace(tt.new)
			if err := os.WriteFile(w.path(tt.file), []byte(strings.ReplaceAll(string(text), tt.old, with)), 0o600); err != nil {
				t.Fatal(err)
			}
			got := w.selftest()
			if got.OK || got.Runs > 0 || !strings.Contains(got.faults(), "not started") {
				t.Errorf("%d runs\n%s", got.Runs, got.faults())
			}
			if _, err := os.Lstat(filepath.Join(dir, "ran")); err == nil {
				t.Error("it was started")
			}
		})
	}
}

// A repository may put a device or a FIFO where its hooks were.
func TestAProjectOfDevices(t *testing.T) {
	for _, name := range []string{"hooks.json", "boathook-hook.sh"} {
		for _, to := range []string{"/dev/zero", ""} {
			w := newWorld(t)
			path := filepath.Join(w.project("PreToolUse"), ".agents", name)
			err := os.Remove(path)
			if err != nil {
				t.Fatal(err)
			}
			if to == "" {
				err = syscall.Mkfifo(path, 0o600)
			} else {
				err = os.Symlink(to, path)
			}
			if err != nil {
				t.Fatal(err)
			}
			if got := w.selftest(); got.OK || got.Runs > 0 {
				t.Errorf("%s to %q: %s", name, to, got.faults())
			}
			Expect(Hosts(), w.home, w.lookup, w.places(), "")
		}
	}
}

// A worker that a hook starts in the throw-away home, because its selftest was killed, ends soon by itself.
func TestSelftestsWorkersEndSoon(t *testing.T) {
	box, err := newSandbox(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	guard, err := trial.StartGuard(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer guard.Close()
	x := &tester{box: box, guard: guard}
	if err := x.writeConfig(config.Settings{}); err != nil {
		t.Fatal(err)
	}
	if s := config.Load(config.Request{Path: x.configPath(), Home: box.home}); s.WorkerIdle != time.Second {
		t.Errorf("idle for %s", s.WorkerIdle)
	}
	if err := box.close(); err != nil {
		t.Fatal(err)
	}
}
