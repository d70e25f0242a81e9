//go:build unix

package doctor

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/boathook/boathook/hook/canon"
	"github.com/boathook/boathook/internal/install"
	"github.com/boathook/boathook/internal/selfwatch"
	"github.com/boathook/boathook/internal/worker"
)

var everyAgent = []string{"claude", "codex", "copilot", "cursor", "windsurf", "cline", "qwen", "amp", "opencode"}

// full is a home in which all is well with every agent.
func full(t *testing.T) *home {
	t.Helper()
	h := healthy(t)
	h.env.Install.Root = t.TempDir()
	h.install(install.Request{Agents: everyAgent, Trust: true})
	return h
}

func TestAHomeOfEveryAgentHasNothingToSay(t *testing.T) {
	h := full(t)
	r := h.run()
	for _, f := range bad(r) {
		t.Errorf("%s: %s: %s (%s)", f.ID, f.Status, f.Text, f.Cure)
	}
	for _, agent := range everyAgent {
		if r.find("hooks."+agent, OK) == nil {
			t.Errorf("no word of the hooks of %s", agent)
		}
	}
	for id, says := range map[string]string{
		"limits.codex": "write_stdin", "limits.copilot": "fails closed", "limits.cursor": "trusted workspace", "limits.opencode": "no end",
		"limits.windsurf": "neither context", "overlap.claude": "stay silent",
	} {
		if f := r.find(id, Info); f == nil || !strings.Contains(f.Text, says) {
			t.Errorf("%s: %+v", id, f)
		}
	}
	if f := r.find("codex.trust", OK); f == nil || !strings.Contains(f.Text, "12 hooks") {
		t.Errorf("codex.trust: %+v", f)
	}
}

func brokenAgents() []broken {
	claude, codex, config := ".claude/settings.json", ".codex/hooks.json", ".codex/config.toml"
	qwen, copilot, cursor, windsurf := ".qwen/settings.json", ".copilot/hooks/boathook.json", ".cursor/hooks.json", ".codeium/windsurf/hooks.json"
	return []broken{
		{"claude file gone", "hooks.claude", Fail, "settings.json: is missing", "boathook install claude", true, func(h *home) { check(h.t, os.Remove(h.path(claude))) }},
		{"claude entries gone", "hooks.claude", Fail, "has no hook of boathook's", "boathook install claude", true, func(h *home) { h.put(claude, "{}", 0o644) }},
		{"claude command edited", "hooks.claude", Fail, "not as boathook wrote them: PreToolUse", "boathook install claude", true, func(h *home) { h.edit(claude, "--event PreToolUse", "--event PreToolUs") }},
		{"claude drops the file", "hooks.claude", Fail, "drops the whole file", "edit ", false, func(h *home) { h.edit(claude, "{", `{"permissions":[],`) }},
		{"claude off for the user", "switch.claude", Fail, "disableAllHooks = true", "edit ", false, func(h *home) { h.edit(claude, "{", `{"disableAllHooks":true,`) }},
		{"claude off in the project", "switch.claude", Fail, "work" + "/.claude/settings.local.json", "take disableAllHooks", false, func(h *home) {
			h.put(filepath.Join(h.work, ".claude/settings.local.json"), `{"disableAllHooks":true}`, 0o644)
		}},
		{"claude managed hooks only", "switch.claude", Fail, "allowManagedHooksOnly", "ask who administers it", false, func(h *home) {
			h.put(filepath.Join(h.env.Install.Root, "etc/claude-code/managed-settings.d/x.json"), `{"allowManagedHooksOnly":true}`, 0o644)
		}},
		{"codex not trusted", "codex.trust", Fail, "all 12 events: nobody has reviewed", "boathook install codex --trust", false, func(h *home) { check(h.t, os.Remove(h.path(config))) }},
		{"codex hook moved", "codex.trust", Fail, "the hooks of Stop: nobody has reviewed", "--trust", false, func(h *home) {
			h.edit(codex, `"Stop": [`, `"Stop": [{"hooks":[{"type":"command","command":"x"}]},`)
		}},
		{"codex hook changed", "codex.trust", Fail, "changed since they were reviewed", "--trust", false, func(h *home) { h.edit(codex, `"timeout": 60`, `"timeout": 59`) }},
		{"codex hook off", "codex.trust", Fail, "enabled = false", "/hooks", false, func(h *home) { h.edit(config, "trusted_hash", "enabled = false\ntrusted_hash") }},
		{"codex settings broken", "codex.trust", Fail, "config.toml:1:", "edit it", false, func(h *home) { h.put(config, "a = =", 0o600) }},
		{"codex hooks off", "switch.codex", Fail, "features.hooks = false", "edit ", false, func(h *home) { h.put(config, "[features]\nhooks = false\n"+h.read(config), 0o600) }},
		{"codex drops the file", "hooks.codex", Fail, "drops the whole file", "edit ", false, func(h *home) { h.edit(codex, "{", `{"mine":1,`) }},
		{"copilot event missing", "hooks.copilot", Warn, "no entry for preToolUse", "--events default", false, func(h *home) {
			h.install(install.Request{Agents: []string{"copilot"}, Events: []string{"sessionStart"}})
		}},
		{"copilot off", "switch.copilot", Fail, "disableAllHooks = true", "edit ", false, func(h *home) { h.put(".copilot/settings.json", `{"disableAllHooks":true}`, 0o644) }},
		{"copilot edited", "hooks.copilot", Fail, "not as boathook wrote them", "boathook install copilot", true, func(h *home) { h.edit(copilot, "; exit 0", "; exit 1") }},
		{"cursor fails closed", "limits.cursor", Fail, "failClosed = true", "boathook install cursor", true, func(h *home) {
			h.edit(cursor, `"command":`, `"failClosed": true, "command":`)
		}},
		{"cursor without a version", "hooks.cursor", Fail, "drops the whole file", "edit ", false, func(h *home) { h.edit(cursor, `"version": 1,`, "") }},
		{"windsurf broken", "hooks.windsurf", Fail, "drops the whole file", "edit ", false, func(h *home) { h.edit(windsurf, "{", "{,") }},
		{"qwen off in the project", "switch.qwen", Fail, "work" + "/.qwen/settings.json", "edit ", false, func(h *home) {
			h.put(filepath.Join(h.work, ".qwen/settings.json"), `{"disableAllHooks":true}`, 0o644)
		}},
		{"qwen trailing comma", "hooks.qwen", Fail, "drops the whole file", "edit ", false, func(h *home) { h.put(qwen, "{\"a\":1,}", 0o644) }},
		{"amp plugin edited", "hooks.amp", Fail, "is not as boathook", "boathook install amp", true, func(h *home) {
			h.put(".config/amp/plugins/boathook.ts", h.read(".config/amp/plugins/boathook.ts")+"\n// x\n", 0o644)
		}},
		{"opencode plugin gone", "hooks.opencode", Fail, "is missing", "boathook install opencode", true, func(h *home) {
			check(h.t, os.Remove(h.path(".config/opencode/plugin/boathook.js")))
		}},
		{"hooks were lost", "hooks.lost", Warn, "a session of claude went on without its hooks", "boathook log --agent claude", false, func(h *home) {
			r := h.event("claude", time.Now().Add(-time.Minute))
			r.Event.Event, r.HostEvent, r.Notes = canon.Notified, worker.HooksLost, []string{"hooks lost: ~/.claude/settings.json: has no hook of boathook's"}
			h.insert(r)
		}},
		{"files were changed", "files.changed", Warn, "~/.config/boathook/policy.toml was changed, by no command", "look at it, if it was not you", false, func(h *home) {
			r := h.event("claude", time.Now().Add(-time.Minute))
			r.Event.Event, r.HostEvent, r.Notes = canon.Notified, worker.FilesChanged, []string{selfwatch.Note + "~/.config/boathook/policy.toml was changed"}
			h.insert(r)
		}},
		{"managed and own", "hooks.managed", Warn, "yours stay silent", "boathook uninstall claude", false, func(h *home) { h.everybody() }},
		{"managed hooks edited", "hooks.managed", Fail, "not as boathook wrote them", "sudo boathook install --managed copilot", false, func(h *home) {
			h.everybody()
			h.edit(filepath.Join(h.env.Install.Root, "etc/github-copilot/policy.d/boathook.json"), "; exit 0", "; exit 1")
		}},
		{"managed hooks off", "hooks.managed", Fail, "switches hooks off", "edit ", false, func(h *home) {
			h.everybody()
			h.edit(filepath.Join(h.env.Install.Root, "etc/gemini-cli/settings.json"), `"enabled": true`, `"enabled": false`)
		}},
	}
}

// everybody installs managed hooks, by a program that nobody else can change.
func (h *home) everybody() {
	h.t.Helper()
	root, err := filepath.EvalSymlinks(h.env.Install.Root)
	check(h.t, err)
	h.env.Install.Root, h.env.Install.Managed = root, filepath.Join(root, "etc/boathook/config.toml")
	exe := filepath.Join(root, "usr/bin/boathook")
	h.put(exe, "#!/bin/sh\necho '{\"version\":\""+testVersion+"\"}'\n", 0o755)
	for _, dir := range []string{"usr", "usr/bin", "etc"} {
		check(h.t, os.MkdirAll(filepath.Join(root, dir), 0o755))
		check(h.t, os.Chmod(filepath.Join(root, dir), 0o755))
	}
	env := h.env.Install
	env.Exe = exe
	req := install.Request{Managed: true}
	p, err := install.PlanInstall(env, req)
	check(h.t, err)
	_, err = install.Install(env, req, p)
	check(h.t, err)
}

func TestBrokenAgents(t *testing.T) {
	for _, tt := range brokenAgents() {
		t.Run(strings.ReplaceAll(tt.name, " ", "_"), func(t *testing.T) {
			t.Parallel()
			h := full(t)
			tt.harm(h)
			tt.judge(t, h)
		})
	}
}

// An agent's version is read where that takes no process; what is slow or writes to the home is not started.
func TestVersionsOfAgents(t *testing.T) {
	h := newHome(t)
	h.put("copilot-cli/package.json", `{"name":"@github/copilot","version":"1.0.102"}`, 0o644)
	h.put("copilot-cli/npm-loader.js", "#!/bin/sh\ntouch \"$HOME/started\"\n", 0o755)
	check(t, os.Symlink(h.path("copilot-cli/npm-loader.js"), h.path("bin/copilot")))
	h.put("claude/versions/2.1.332", "#!/bin/sh\ntouch \"$HOME/started\"\n", 0o755)
	check(t, os.Symlink(h.path("claude/versions/2.1.332"), h.path("bin/claude")))
	h.put("bin/codex", "#!/bin/sh\ntouch \"$HOME/started\"\necho codex-cli 0.170.0\n", 0o755)
	h.put("bin/windsurf", "#!/bin/sh\ntouch '"+h.path("started")+"'\n", 0o755)
	h.env.Offline = true
	r := h.run()
	for id, want := range map[string]struct {
		status Status
		says   string
	}{
		"host.copilot": {OK, "version 1.0.102 at"}, "host.claude": {OK, "version 2.1.332 at"}, "host.codex": {Info, "version 0.170.0 at"},
		"host.windsurf": {Info, "is not started"},
	} {
		if f := r.find(id, want.status); f == nil || !strings.Contains(f.Text, want.says) {
			t.Errorf("%s: %+v", id, f)
		}
	}
	if r.find("host.amp", Info) != nil {
		t.Error("an agent that is not here is spoken of")
	}
	if isThere(h.path("started")) {
		t.Error("a program was started in the user's home")
	}
	if _, err := json.Marshal(r); err != nil {
		t.Error(fmt.Errorf("the report: %w", err))
	}
}
