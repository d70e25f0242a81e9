//go:build unix

package verify

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/boathook/boathook/internal/host/registry"
	"github.com/boathook/boathook/internal/install"
	"github.com/boathook/boathook/internal/managed"
)

// Each agent's own hooks, as it starts them, with every payload that was recorded of what install registers.
func TestSelftestOfEveryAgent(t *testing.T) {
	ask := "allow, deny, review → ask"
	for _, tt := range []struct{ agent, form, answers string }{
		{"claude", "sh", ask}, {"codex", "bash", ""}, {"copilot", "bash", ask}, {"cursor", "sh", ""}, {"windsurf", "sh", ""}, {"cline", "sh", ""},
		{"qwen", "bash", ask}, {"amp", "sh", ask}, {"opencode", "sh", ""},
	} {
		t.Run(tt.agent, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			w.install(install.Request{Agents: []string{tt.agent}})
			write(t, w.path(configFile), "[guard]\nreview = \"ask\"\n")
			got := w.selftest()
			if !got.OK {
				t.Fatal(got.faults())
			}
			a := got.installed()[0]
			notes := 0
			if tt.agent == "codex" { // it trusts none of them
				notes = 1
			}
			if len(got.installed()) != 1 || len(a.Notes) != notes || a.Program != w.exe || a.Config != w.path(configFile) {
				t.Errorf("%+v", a)
			}
			h, _ := registry.Lookup(tt.agent)
			if len(a.Events) != len(usual(h)) {
				t.Errorf("%d events, %d are usual", len(a.Events), len(usual(h)))
			}
			for _, e := range a.Events {
				if strings.Join(e.Forms, ", ") != tt.form || e.Runs == 0 {
					t.Errorf("%+v", e)
				}
				want := tt.answers
				if want == "" {
					want = "allow, deny, review → deny"
				}
				if answers := strings.Join(e.Answers, ", "); answers != "" && answers != "allow" && answers != want {
					t.Errorf("%s: %s, want %s", e.Event, answers, want)
				}
			}
		})
	}
}

// What somebody changed in an agent's hooks is found, and not started.
func TestSelftestFindsFaultsOfEveryAgent(t *testing.T) {
	for _, tt := range []struct{ hook, file, old, with, want string }{
		{"claude PreToolUse", ".claude/settings.json", "exec 2>/dev/null", "touch MARK", "claude PreToolUse: not started"},
		{"claude PreToolUse", ".claude/settings.json", `"matcher": "*"`, `"matcher": "Read"`, "claude PreToolUse: the handler's matcher keeps calls"},
		{"claude Stop", ".claude/settings.json", `"hooks": {`, `"disableAllHooks": true, "hooks": {`, "claude: the file switches the hooks off (disableAllHooks: true)"},
		{"claude Stop", ".claude/settings.json", `"hooks": {`, `"env": 7, "hooks": {`, "Claude Code drops the whole file"},
		{"codex PreToolUse", ".codex/hooks.json", "--event PreToolUse", "--event PostToolUse", "codex PreToolUse: not started"},
		{"copilot preToolUse", ".copilot/hooks/boathook.json", "; exit 0", "; exit 3", "copilot preToolUse: not started"},
		{"copilot preToolUse", ".copilot/hooks/boathook.json", `"timeoutSec": 60`, `"timeoutSec": 0`, "the handler's timeout gives the hook no time"},
		{"cursor preToolUse", ".cursor/hooks.json", "; exit 0", "; touch MARK", "cursor preToolUse: not started"},
		{"windsurf pre_run_command", ".codeium/windsurf/hooks.json", "exit 2", "exit 1", "windsurf pre_run_command: not started"},
		{"cline PreToolUse", ".cline/hooks/PreToolUse", "exec 2>/dev/null", "touch MARK", "cline PreToolUse: not started"},
		{"qwen PreToolUse", ".qwen/settings.json", "--agent qwen", "--agent gemini", "qwen: the file has no hook of boathook's any more"},
		{"amp tool.call", ".config/amp/plugins/boathook.ts", "const program = ", "const program = 1 // ", "amp: the agent can't read its hooks"},
		{"opencode tool.execute.before", ".config/opencode/plugin/boathook.js", "// Written by", "// Edited, once written by", "opencode tool.execute.before: not started"},
	} {
		t.Run(tt.hook+" "+tt.with, func(t *testing.T) {
			w := newWorld(t, tt.hook)
			mark := filepath.Join(t.TempDir(), "ran")
			text, err := os.ReadFile(w.path(tt.file))
			if err != nil || !strings.Contains(string(text), tt.old) {
				t.Fatalf("%v\n%s", err, text)
			}
			with := strings.ReplaceAll(tt.with, "MARK", mark)
			if err := os.WriteFile(w.path(tt.file), []byte(strings.ReplaceAll(string(text), tt.old, with)), 0o600); err != nil {
				t.Fatal(err)
			}
			got := w.selftest()
			if got.OK || !strings.Contains(got.faults(), tt.want) {
				t.Errorf("want %q, got\n%s", tt.want, got.faults())
			}
			if _, err := os.Lstat(mark); err == nil {
				t.Error("it was started")
			}
		})
	}
}

// Codex switches hooks off in another file than that of the hooks.
func TestSelftestSaysThatCodexSwitchesHooksOff(t *testing.T) {
	w := newWorld(t, "codex Stop")
	write(t, w.path(".codex/config.toml"), "[features]\nhooks = false\n")
	if got := w.selftest(); got.OK || !strings.Contains(got.faults(), "codex: Codex's config.toml switches all hooks off") {
		t.Error(got.faults())
	}
}

// Beside an administrator's hooks a user's own do nothing.
func TestSelftestBesideManagedHooks(t *testing.T) {
	w := newWorld(t, "claude Stop", "cursor stop")
	root := t.TempDir()
	config := filepath.Join(root, "etc", "boathook.toml")
	write(t, config, "")
	write(t, managed.File(root, runtime.GOOS, "claude"), `{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"x hook --agent claude --event Stop --config '`+config+`'"}]}]}}`)
	got, err := RunSelftest(t.Context(), SelftestOptions{
		Hosts: Hosts(), Home: w.home, Lookup: w.lookup, Places: w.places(), Path: os.Getenv("PATH"), Tmp: w.tmp, Now: time.Now, Managed: config, Root: root,
	})
	if err != nil {
		t.Fatal(err)
	}
	list := got.installed()
	if !got.OK || len(list) != 2 || len(list[0].Events) != 0 || !strings.Contains(strings.Join(list[0].Notes, ""), "an administrator's hooks run") || list[1].Events[0].Runs == 0 {
		t.Errorf("%+v %s", list[0], got.faults())
	}
}

// An edit of the config alone shows where the hooks run.
func TestSelftestOfEveryAgentWithoutItsConfig(t *testing.T) {
	for _, hook := range []string{"claude PreToolUse", "cursor preToolUse", "windsurf pre_run_command", "cline PreToolUse", "amp tool.call"} {
		w := newWorld(t, hook)
		if err := os.Remove(w.path(configFile)); err != nil {
			t.Fatal(err)
		}
		if got := w.selftest(); got.OK || got.Runs > 0 || !strings.Contains(got.faults(), hook+": the config that it reads is gone") {
			t.Errorf("%s: %s", hook, got.faults())
		}
	}
}
