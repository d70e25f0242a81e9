//go:build unix

package doctor

import (
	"bufio"
	"database/sql"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/boathook/boathook/hook/canon"
	"github.com/boathook/boathook/internal/install"
	"github.com/boathook/boathook/internal/off"
	"github.com/boathook/boathook/internal/record"
	"github.com/boathook/boathook/internal/store"
	"github.com/boathook/boathook/internal/wake"
	"github.com/boathook/boathook/internal/worker"
)

func TestAHealthySetUpHasNothingToSay(t *testing.T) {
	h := healthy(t)
	for _, f := range bad(h.run()) {
		t.Errorf("%s: %s: %s (%s)", f.ID, f.Status, f.Text, f.Cure)
	}
}

func TestBeforeAnInstall(t *testing.T) {
	h := newHome(t)
	h.vars["PINTA_RELAY_TOKEN"] = "canary-token-4711"
	h.vars["GEMINI_PLUGIN_OPTION_HEADERS"] = "authorization=Bearer%20canary-header-4712"
	h.vars["PINTA_GUARD_ENDPOINT"] = "http://canary-user-4713:canary-pass-4717@127.0.0.1:1/?k=canary-query-4714"
	h.env.Offline = true
	r := h.run()
	for _, f := range bad(r) {
		t.Errorf("%s: %s: %s", f.ID, f.Status, f.Text)
	}
	for _, id := range []string{"hooks.gemini", "hooks.antigravity"} {
		if f := r.find(id, Info); f == nil || !strings.Contains(f.Text, "would go through") {
			t.Errorf("%s: %+v", id, f)
		}
	}
	h.put(agyName+"/hooks.json", "{\n // mine\n}", 0o644)
	if f := h.run().find("hooks.antigravity", Fail); f == nil || !strings.Contains(f.Text, "hooks.json:2:") {
		t.Errorf("a file that install would refuse: %+v", f)
	}
}

func (r *Report) find(id string, status Status) *Finding {
	for _, f := range r.Findings {
		if f.ID == id && f.Status == status {
			return &f
		}
	}
	return nil
}

// broken is one way to be broken: what doctor has to say about it, and what cures it.
type broken struct {
	name, id string
	status   Status
	says     string
	cure     string
	// fixable says that --fix cures it, and that a second look finds nothing.
	fixable bool
	harm    func(h *home)
}

func brokenHooks() []broken {
	hooks, ext, mark := extensionName+"/hooks/hooks.json", extensionName+"/gemini-extension.json", extensionName+"/.boathook.json"
	agy, stub := agyName+"/hooks.json", agyName+"/boathook-hook.sh"
	return []broken{
		{"program gone", "program.hooks", Fail, "is gone", "boathook install", true, func(h *home) { check(h.t, os.Remove(h.installed)) }},
		{"program not executable", "program.hooks", Fail, "not executable", "chmod 755", true, func(h *home) { h.another("x", 0o644) }},
		{"program of another machine", "program.hooks", Fail, "not a program for this machine", "boathook install gemini", true, func(h *home) { h.another("\x7fELF\x02\x01\x01garbage", 0o755) }},
		{"program that is none", "program.hooks", Fail, "does not work", "boathook install gemini", true, func(h *home) { h.another("#!/bin/sh\nexit 3\n", 0o755) }},
		{"program of another version", "program.hooks", Warn, "v0.0.1", "boathook install gemini", false, func(h *home) { h.another("#!/bin/sh\necho '{\"version\":\"v0.0.1\"}'\n", 0o755) }},
		{"program that hangs", "program.hooks", Fail, "did not answer within", "boathook install gemini", true, func(h *home) { h.env.Limit = 800 * time.Millisecond; h.another("#!/bin/sh\nsleep 60\n", 0o755) }},
		{"two programs", "program.hooks", Warn, "different programs", "boathook install", false, func(h *home) {
			h.installed = h.path("other/boathook")
			h.put(h.installed, "#!/bin/sh\necho '{\"version\":\""+testVersion+"\"}'\n", 0o755)
			h.install(install.Request{Agents: []string{"antigravity"}})
		}},
		{"another on PATH", "program.path", Warn, "finds another boathook", "PATH", false, func(h *home) { h.put("bin/boathook", "#!/bin/sh\n", 0o755) }},
		{"agent without a version", "host.antigravity", Warn, "does not say its version", "agy --version", false, func(h *home) { h.put("bin/agy", "#!/bin/sh\nexit 1\n", 0o755) }},
		{"manifest unreadable", "install.manifest", Fail, "manifest.json", "move the manifest away", false, func(h *home) { h.put(dataName+"/install/manifest.json", "{", 0o600) }},
		{"gemini hooks missing", "hooks.gemini", Fail, "hooks.json: is missing", "boathook install gemini", true, func(h *home) { check(h.t, os.Remove(h.path(hooks))) }},
		{"gemini extension missing", "hooks.gemini", Fail, "gemini-extension.json: is missing", "boathook install gemini", true, func(h *home) { check(h.t, os.Remove(h.path(ext))) }},
		{"gemini extension renamed", "hooks.gemini", Fail, "has to have the name boathook", "boathook install gemini", true, func(h *home) { h.edit(ext, `"boathook"`, `"boat"`) }},
		{"gemini mark missing", "hooks.gemini", Fail, ".boathook.json: is missing", "boathook install gemini", true, func(h *home) { check(h.t, os.Remove(h.path(mark))) }},
		{"gemini directory gone", "hooks.gemini", Fail, "is missing", "boathook install gemini", true, func(h *home) { check(h.t, os.RemoveAll(h.path(extensionName))) }},
		{"gemini hooks not JSON", "hooks.gemini", Fail, "not valid JSON", "boathook install gemini", true, func(h *home) { h.edit(hooks, "{", "{,") }},
		{"gemini command edited", "hooks.gemini", Fail, "not as boathook wrote them: BeforeTool", "boathook install gemini", true, func(h *home) { h.edit(hooks, "--event BeforeTool", "--event BeforeTol") }},
		{"gemini config edited", "hooks.gemini", Fail, "AfterTool", "boathook install gemini", true, func(h *home) { h.edit(hooks, "--event AfterTool --config '", "--event AfterTool --config '/x") }},
		{"gemini shell guard taken out", "hooks.gemini", Fail, "SessionStart", "boathook install gemini", true, func(h *home) { h.edit(hooks, `"SHLVL": "1"`, `"SHLVL": "0"`) }},
		{"gemini event of no agent", "hooks.gemini", Fail, `"BeforeTols"`, "boathook install gemini", true, func(h *home) { h.edit(hooks, `"SessionStart"`, `"BeforeTols"`) }},
		{"gate not registered", "hooks.gemini", Warn, "no entry for BeforeTool", "--events default", false, func(h *home) {
			h.install(install.Request{Agents: []string{"gemini"}, Events: []string{"SessionStart"}})
		}},
		{"antigravity comment", "hooks.antigravity", Fail, "hooks.json: line 1:2", "edit ", false, func(h *home) { h.edit(agy, "{", "{// mine\n") }},
		{"antigravity member of a wrong type", "hooks.antigravity", Fail, `"note" is not an object`, "edit ", false, func(h *home) { h.edit(agy, "{", `{"note":"mine",`) }},
		{"antigravity hooks missing", "hooks.antigravity", Fail, "hooks.json: is missing", "boathook install antigravity", true, func(h *home) { check(h.t, os.Remove(h.path(agy))) }},
		{"antigravity hook renamed", "hooks.antigravity", Fail, `in the hook "other"`, "edit ", false, func(h *home) { h.edit(agy, `"boathook"`, `"other"`) }},
		{"antigravity wrong shape", "hooks.antigravity", Fail, "Stop", "boathook install antigravity", true, func(h *home) { h.edit(agy, "\"Stop\": [\n      {", "\"Stop\": [\n      {\"matcher\":\"\",") }},
		{"antigravity stub missing", "hooks.antigravity", Fail, "refusal of every tool", "boathook install antigravity", true, func(h *home) { check(h.t, os.Remove(h.path(stub))) }},
		{"antigravity stub edited", "hooks.antigravity", Fail, "boathook-hook.sh: is not as boathook wrote it", "boathook install antigravity", true, func(h *home) { h.edit(stub, "exec 2>/dev/null", "") }},
		{"antigravity stub not executable", "hooks.antigravity", Fail, "not executable", "chmod 755", true, func(h *home) { check(h.t, os.Chmod(h.path(stub), 0o644)) }},
		{"config gone", "hooks.config", Fail, "config.toml is gone", "--config", true, func(h *home) { check(h.t, os.Remove(h.path(configName))) }},
		{"two configs", "hooks.config", Warn, "different configs", "--config", false, func(h *home) {
			h.install(install.Request{Agents: []string{"antigravity"}, Config: h.path("other/boathook.toml")})
		}},
	}
}

func brokenSwitches() []broken {
	return []broken{
		{"hooks off for the user", "switch.gemini.enabled", Fail, "hooksConfig.enabled = false", "edit ", false, func(h *home) {
			h.put(".gemini/settings.json", "{ // mine\n\"hooksConfig\":{\"enabled\":false},}", 0o644)
		}},
		{"hooks off in the project", "switch.gemini.enabled", Fail, "/work" + "/.gemini/settings.json", "edit ", false, func(h *home) {
			h.put(filepath.Join(h.work, ".gemini/settings.json"), `{"hooksConfig":{"enabled":false}}`, 0o644)
		}},
		{"settings broken", "switch.gemini.enabled", Warn, "can't be read", "edit ", false, func(h *home) { h.put(".gemini/settings.json", "{", 0o644) }},
		{"boathook disabled", "switch.gemini.disabled", Fail, "hooksConfig.disabled", "take boathook out", false, func(h *home) {
			h.put(".gemini/settings.json", `{"hooksConfig":{"disabled":["boathook"]}}`, 0o644)
		}},
		{"extension disabled", "switch.gemini.extension", Fail, "extension-enablement.json", "gemini extensions enable boathook --scope user", false, func(h *home) {
			h.put(".gemini/extensions/extension-enablement.json", fmt.Sprintf(`{"boathook":{"overrides":["!%s/*"]}}`, h.dir), 0o644)
		}},
		{"extension disabled here", "switch.gemini.extension", Fail, "work", "--scope workspace", false, func(h *home) {
			h.put(".gemini/extensions/extension-enablement.json", fmt.Sprintf(`{"boathook":{"overrides":["!%s/"]}}`, h.work), 0o644)
		}},
		{"extensions allowed by a list", "switch.gemini.allowed", Fail, "security.allowedExtensions", "edit ", false, func(h *home) {
			h.put(".gemini/settings.json", `{"security":{"allowedExtensions":["^https://x"]}}`, 0o644)
		}},
		{"antigravity hook off", "switch.antigravity", Fail, `"enabled": false`, "edit ", false, func(h *home) { h.edit(agyName+"/hooks.json", `"boathook": {`, `"boathook": {"enabled":false,`) }},
		{"boathook off", "switch.off", Warn, "boathook is off until 'boathook on': hooks", "boathook on", false, func(h *home) {
			clock := off.At(time.Now())
			span := clock.Begin(0)
			check(h.t, off.Save(h.path(configName), off.State{All: &span}, clock))
		}},
		{"boathook off in a project", "switch.off", Warn, " until 'boathook on --project ", "boathook on --project /", false, func(h *home) {
			clock := off.At(time.Now())
			check(h.t, off.Save(h.path(configName), off.State{Projects: map[string]off.Span{h.work: clock.Begin(0)}}, clock))
		}},
		{"project off", "switch.off", Warn, "off.projects", "off.projects", false, func(h *home) { h.config("[off]\nprojects = [\"" + h.work + "\"]") }},
		{"pinta too", "overlap.pinta", Warn, "sent twice", "boathook install", false, func(h *home) {
			h.put(".gemini/extensions/pinta-gemini/gemini-extension.json", `{"name":"pinta-gemini","version":"0.4.1"}`, 0o644)
		}},
		{"doubled in settings", "overlap.boathook", Warn, "settings.json", "take boathook's commands out", false, func(h *home) {
			h.put(".gemini/settings.json", `{"hooks":{"BeforeTool":[{"hooks":[{"type":"command","command":"boathook hook --agent gemini --event BeforeTool"}]}]}}`, 0o644)
		}},
		{"doubled in a project", "overlap.boathook", Warn, ".agents/hooks.json", "boathook uninstall antigravity --workspace", false, func(h *home) {
			check(h.t, os.MkdirAll(filepath.Join(h.work, ".git"), 0o755))
			h.install(install.Request{Agents: []string{"antigravity"}, Workspace: h.work})
		}},
	}
}

func brokenConfig() []broken {
	return []broken{
		{"typing error", "config.file", Warn, "config.toml:", "edit ", false, func(h *home) { h.config("guard.timeout_ms = = 3") }},
		{"key misspelt", "config.file", Warn, "unknown key privcy (did you mean privacy?)", "config.toml:1: write privacy", false, func(h *home) { h.put(configName, "privcy = \"minimal\"\n"+h.read(configName), 0o600) }},
		{"key of nobody", "config.file", Warn, "unknown key sentry", "config.toml:1: take it out", false, func(h *home) { h.put(configName, "sentry = 1\n"+h.read(configName), 0o600) }},
		{"choice that is none", "config.file", Warn, "guard.fail is none of", `fail = "open" or "closed", under [guard]`, false, func(h *home) { h.config("[guard]\nfail = \"close\"") }},
		{"number that is none", "config.file", Warn, "guard.timeout_ms wants", "timeout_ms = 50, or another whole number in its bounds, under [guard]", false, func(h *home) { h.config("[guard]\ntimeout_ms = \"soon\"") }},
		{"variable in a file", "config.file", Warn, "guard.timeout_ms wants", "boathook.env: PINTA_GUARD_TIMEOUT_MS=50, or another whole number", false, func(h *home) {
			h.put(".config/boathook/boathook.env", "PINTA_GUARD_TIMEOUT_MS=soon\n", 0o600)
		}},
		{"choice in a file", "config.file", Warn, "telemetry.compression is none of", "boathook.env: OTEL_EXPORTER_OTLP_COMPRESSION=gzip or none", false, func(h *home) {
			h.put(".config/boathook/boathook.env", "OTEL_EXPORTER_OTLP_COMPRESSION=zstd\n", 0o600)
		}},
		{"line of a file that is none", "config.file", Warn, "not a KEY=value line", "boathook.env:1: make it KEY=value", false, func(h *home) { h.put(".config/boathook/boathook.env", "hello\n", 0o600) }},
		{"a hook that all may write", "config.hooks", Fail, "denies all that it is asked about: it stands in a file", "chmod 600 ", false, func(h *home) {
			h.put(configName, h.read(configName)+"\n[[hooks]]\ncommand = 'true'\nfail = 'closed'\n", 0o666)
		}},
		{"hooks that all may write", "config.file", Warn, "every user may write it", "chmod 600 ", false, func(h *home) { h.put(configName, h.read(configName)+"\n[[hooks]]\ncommand = 'true'\n", 0o666) }},
		{"slip in a hook", "config.file", Warn, "hooks.command is missing", ": command = [\"/path/to/program\"] in that [[hooks]] table", false, func(h *home) { h.put(configName, h.read(configName)+"\n[[hooks]]\non = ['tool:before']\n", 0o600) }},
		{"slip in a head", "config.file", Warn, "read as [guard]", "make it [guard]", false, func(h *home) { h.put(configName, h.read(configName)+"\n[Guard]\n", 0o600) }},
		{"slip in a key", "config.file", Warn, "unknown key guard.timout_ms", "write timeout_ms, or", false, func(h *home) { h.put(configName, h.read(configName)+"\n[guard]\ntimout_ms = 5\n", 0o600) }},
		{"slip in a table", "config.file", Warn, "unknown key gurad", "write guard, or", false, func(h *home) { h.put(configName, h.read(configName)+"\n[gurad]\ntimeout_ms = 5\n", 0o600) }},
		{"line that is none", "config.file", Warn, "not a line of TOML", "make it name = ", false, func(h *home) { h.put(configName, "????\n"+h.read(configName), 0o600) }},
		{"env file that is a directory", "config.file", Warn, "boathook.env", "ls -l ", false, func(h *home) { check(h.t, os.Mkdir(h.path(".config/boathook/boathook.env"), 0o700)) }},
		{"unknown key", "config.file", Warn, "unknown key gard", "write guard", false, func(h *home) { h.config("[gard]\nendpoint = \"x\"") }},
		{"hook that is not there", "config.hooks", Warn, `"j" is never asked: /nowhere/j is not there`, "config.toml:", false, func(h *home) { h.config("[[hooks]]\ncommand = [\"/nowhere/j\"]") }},
		{"hook that is closed and not there", "config.hooks", Fail, `"j" denies all that it is asked about`, "config.toml:", false, func(h *home) { h.config("[[hooks]]\ncommand = [\"/nowhere/j\"]\nfail = \"closed\"") }},
		{"hook that is closed and broken", "config.hooks", Fail, "its command is missing", "config.toml:", false, func(h *home) { h.config("[[hooks]]\nname = \"j\"\nfail = \"closed\"") }},
		{"managed file that others write", "config.managed", Fail, "managed.toml", "sudo chown root", false, func(h *home) { h.put(h.env.Install.Managed, "privacy = \"minimal\"", 0o666) }},
		{"config open", "config.modes", Warn, "open to other users (mode 0644)", "chmod 600", true, func(h *home) { check(h.t, os.Chmod(h.path(configName), 0o644)) }},
		{"env file open", "config.modes", Warn, "boathook.env", "chmod 600", true, func(h *home) { h.put(".config/boathook/boathook.env", "PINTA_RELAY_TOKEN=canary-env-4716", 0o640) }},
		{"variable that does not count", "config.environment", Warn, "OTEL_EXPORTER_OTLP_ENDPOINT is set", "telemetry.endpoint", false, func(h *home) {
			h.vars["OTEL_EXPORTER_OTLP_ENDPOINT"] = "http://canary-user-4713:canary-pass-4717@localhost:4318"
		}},
		{"token that does not count", "config.environment", Warn, "PINTA_RELAY_TOKEN is set", "guard.token", false, func(h *home) { h.vars["PINTA_RELAY_TOKEN"] = "canary-token-4711" }},
	}
}

func brokenData() []broken {
	db, lockFile, stamp := dataName+"/"+store.FileName, dataName+"/"+wake.LockFile, dataName+"/"+wake.StampFile
	return []broken{
		{"data open", "data.modes", Warn, "open to other users", "chmod go=", true, func(h *home) { check(h.t, os.Chmod(h.path(dataName), 0o755)) }},
		{"store open", "data.modes", Warn, "events.db", "chmod go=", true, func(h *home) { check(h.t, os.Chmod(h.path(db), 0o644)) }},
		{"data read-only", "data.dir", Fail, "can't be written by its owner", "chmod 700", true, func(h *home) { check(h.t, os.Chmod(h.path(dataName), 0o500)) }},
		{"data a file", "data.dir", Fail, "no directory", "mv ", false, func(h *home) {
			h.edit(configName, "data_dir = \""+h.path(dataName), "data_dir = \""+h.path("file"))
			h.put("file", "", 0o600)
		}},
		{"data not absolute", "config.file", Warn, "data_dir is not an absolute path", "edit ", false, func(h *home) { h.edit(configName, "data_dir = \""+h.path(dataName), "data_dir = \"here") }},
		{"data of another user", "data.dir", Fail, "belongs to another user", "sudo chown -R 4242", false, func(h *home) { h.env.Install.UID = 4242 }},
		{"config of another user", "config.modes", Fail, "belongs to another user", "sudo chown 4242", false, func(h *home) { h.env.Install.UID = 4242 }},
		{"files of another user", "data.modes", Fail, "not yours", "sudo chown 4242", false, func(h *home) { h.env.Install.UID = 4242 }},
		{"events wait", "spool.depth", Warn, "no worker runs", "boathook worker drain", true, func(h *home) { h.spooled(time.Hour) }},
		{"worker stuck", "spool.depth", Fail, "it is stuck", "boathook worker stop", true, func(h *home) { h.spooled(time.Hour); h.hold() }},
		{"quarantined", "spool.lost", Warn, "1 file put aside", "look at ", false, func(h *home) {
			h.put(dataName+"/spool/bad/01ARZ3NDEKTSV4RRFFQ69G5FAV.json", "x", 0o600)
			h.put(dataName+"/spool/bad/01ARZ3NDEKTSV4RRFFQ69G5FAV.json.reason", "parse: token=canary-payload-4715", 0o600)
		}},
		{"not kept", "spool.lost", Warn, "3 events could not be recorded", "free disk space", false, func(h *home) { h.put(dataName+"/spool/failed", "0000000000000000003\n", 0o600) }},
		{"dropped", "spool.lost", Warn, "7 events were dropped", "spool.max_mb", false, func(h *home) {
			h.store(func(s *store.Store) { check(h.t, s.AddCounter(h.t.Context(), worker.CounterDropped, 7)) })
		}},
		{"store full", "spool.lost", Warn, "9 events were removed since the store was made: the store was full; 7 events of them had not been sent", "store.max_mb", false, func(h *home) {
			h.store(func(s *store.Store) {
				check(h.t, s.AddCounter(h.t.Context(), store.CounterCapped, 9))
				check(h.t, s.AddCounter(h.t.Context(), store.CounterUnsent, 7))
			})
		}},
		{"left by killed hooks", "spool.leftovers", Warn, "killed while they wrote", "rm ", true, func(h *home) {
			name := dataName + "/spool/tmp/01ARZ3NDEKTSV4RRFFQ69G5FAV.json"
			h.put(name, "{", 0o600)
			old := time.Now().Add(-3 * time.Hour)
			check(h.t, os.Chtimes(h.path(name), old, old))
		}},
		{"stamp a link", "worker.files", Fail, "worker.stamp is no regular file", "rm ", true, func(h *home) { check(h.t, os.Symlink("/dev/null", h.path(stamp))) }},
		{"lock a directory", "worker.files", Fail, "worker.lock is no regular file", "rm ", true, func(h *home) { _ = os.Remove(h.path(lockFile)); check(h.t, os.Mkdir(h.path(lockFile), 0o700)) }},
		{"worker gave up", "worker.log", Warn, "worker gave up", "tail ", false, func(h *home) {
			h.put(dataName+"/worker.log", "time="+time.Now().Format(time.RFC3339)+" level=ERROR msg=\"worker gave up\" error=\"password=canary-payload-4715\"\n", 0o600)
		}},
		{"store damaged", "store.integrity", Fail, "is damaged", "mv ", false, func(h *home) { h.put(db, strings.Repeat("no database", 1000), 0o600) }},
		{"store newer", "store.integrity", Fail, "newer version", "newer boathook", false, func(h *home) { h.version(99) }},
		{"store moved aside", "store.integrity", Warn, "moved aside", "rm ", false, func(h *home) { h.put(db+".corrupt-20260101T000000.000000000Z", "x", 0o600) }},
		{"event of the future", "clock.events", Warn, "in the future", "clock", false, func(h *home) { h.insert(h.event("gemini", time.Now().Add(2*time.Hour))) }},
	}
}

func brokenGuard() []broken {
	ask := func(outcome string, ms float64) func(h *home) {
		return func(h *home) {
			h.config("[guard]\nendpoint = \"http://127.0.0.1:1\"\ndisabled = false")
			for range 30 {
				r := h.event("gemini", time.Now().Add(-time.Second))
				r.Decision = record.Decision{Action: canon.Allow, Expressed: canon.Allow, Source: "remote_guard"}
				r.Guard = &record.Guard{Outcome: outcome, DurationMS: ms}
				h.insert(r)
			}
		}
	}
	return []broken{
		{"guard closed without endpoint", "guard.endpoint", Fail, "every tool call is denied", "guard.fail", false, func(h *home) { h.config("[guard]\nfail = \"closed\"") }},
		{"guard not there", "guard.endpoint", Fail, "nothing listens there", "guard.endpoint", false, func(h *home) {
			h.config("[guard]\nendpoint = \"http://canary-user-4713:canary-pass-4717@127.0.0.1:1/?key=canary-query-4714\"\ntoken = \"canary-token-4711\"")
		}},
		{"guard no URL", "guard.endpoint", Fail, "not an http or https URL", "guard.endpoint", false, func(h *home) { h.config("[guard]\nendpoint = \"localhost\"") }},
		{"guard disabled", "guard.endpoint", Warn, "guard.disabled = true", "guard.disabled = false", false, func(h *home) { h.config("[guard]\nendpoint = \"http://127.0.0.1:1\"\ndisabled = true") }},
		{"guard near its budget", "guard.budget", Warn, "close to the limit", "guard.timeout_ms", false, ask("allow", 48)},
		{"guard without verdicts", "guard.budget", Warn, "30 had no verdict (timeout)", "guard.timeout_ms", false, ask("timeout", 50)},
	}
}

// another is a different file in the place of the installed program.
func (h *home) another(text string, mode os.FileMode) {
	check(h.t, os.Remove(h.installed))
	h.put(h.installed, text, mode)
}

// hold has another process hold the worker's lock.
func (h *home) hold() {
	cmd := exec.Command(h.env.Install.Exe, "hold", h.path(dataName+"/"+wake.LockFile))
	out, err := cmd.StdoutPipe()
	check(h.t, err)
	check(h.t, cmd.Start())
	_, err = bufio.NewReader(out).ReadString('\n')
	ended := make(chan struct{})
	go func() { defer close(ended); _ = cmd.Wait() }() // also where it is ended by what is tested
	h.t.Cleanup(func() { _ = cmd.Process.Kill(); <-ended })
	check(h.t, err)
}

func (h *home) version(n int) {
	db, err := sql.Open("sqlite3", h.path(dataName+"/"+store.FileName))
	check(h.t, err)
	defer db.Close()
	_, err = db.Exec(fmt.Sprintf("PRAGMA user_version = %d", n))
	check(h.t, err)
}

func TestBrokenSetUps(t *testing.T) {
	for _, group := range [][]broken{brokenHooks(), brokenSwitches(), brokenConfig(), brokenData(), brokenGuard(), brokenTelemetry()} {
		for _, tt := range group {
			t.Run(strings.ReplaceAll(tt.name, " ", "_"), func(t *testing.T) {
				t.Parallel()
				h := healthy(t)
				tt.harm(h)
				tt.judge(t, h)
			})
		}
	}
}

func (tt broken) judge(t *testing.T, h *home) {
	t.Cleanup(h.stop)
	r := h.run()
	found := false
	for _, f := range r.Findings {
		found = found || f.ID == tt.id && f.Status == tt.status && strings.Contains(f.Text, tt.says) && strings.Contains(f.Cure, tt.cure) && f.Fixable == tt.fixable
	}
	if !found {
		t.Errorf("not found: %s %s %q, cure %q, fixable %t, in", tt.id, tt.status, tt.says, tt.cure, tt.fixable)
		for _, f := range bad(r) {
			t.Errorf("  %s %s %q → %q (fixable %t)", f.ID, f.Status, f.Text, f.Cure, f.Fixable)
		}
	}
	if !tt.fixable {
		return
	}
	would := Mend(t.Context(), h.env, r, true)
	if again := h.run().find(tt.id, tt.status); len(would) == 0 || again == nil {
		t.Errorf("a dry run: %+v, %+v", would, again)
	}
	for _, m := range Mend(t.Context(), h.env, r, false) {
		if m.Error != "" {
			t.Errorf("%s: %s", m.What, m.Error)
		}
	}
	for _, f := range bad(h.run()) {
		t.Errorf("after --fix: %s %s %q", f.ID, f.Status, f.Text)
	}
}
