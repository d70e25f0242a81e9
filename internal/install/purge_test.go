//go:build unix

package install

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/boathook/boathook/internal/atomicfile"
	"github.com/boathook/boathook/internal/off"
	"github.com/boathook/boathook/internal/spool"
)

func dataDir(env Env) string { return filepath.Join(env.Home, ".local", "share", "boathook") }

// record puts into a data directory what hooks and worker put there.
func record(t *testing.T, dir string) {
	for _, name := range []string{
		"spool/new/1.json", "spool/tmp/2.json", "spool/bad/3.json", "spool/bad/3.reason", "spool/dropped", "spool/dropped.1", "spool/enforce.lock", "spool/failed", "spool/quarantined",
		"events.db", "events.db-wal", "events.db-shm", "events.db.corrupt-20260101", "worker.stamp", "worker.log", "worker.log.old",
		"memory.db", "memory.db-wal", "memory.lock", "memory.backfill", "memory.forgotten", "memory-bad.jsonl", "memory-audit.jsonl", "memory-audit.jsonl.old",
		"recall/0a.told", "recall/0b.ask", "recall/pending/0a-ABCDEF.held", "recall/pending/0a-ABCDEF.ok.0123abcd",
	} {
		put(t, filepath.Join(dir, name), "x", 0o600)
	}
	put(t, filepath.Join(dir, "key"), strings.Repeat("0a", 32), 0o600)
	put(t, filepath.Join(dir, "invocations.jsonl"), `{"boathook":1}`, 0o600)
	put(t, filepath.Join(dir, "invocations.jsonl.old"), `{"boathook":1}`, 0o600)
}

// Only names that are boathook's go, wherever the data are.
func TestPurgeOnlyTakesItsOwn(t *testing.T) {
	tests := []struct {
		name  string
		vars  map[string]string
		users []string // files of the user's, below the home directory
	}{
		{"default", nil, []string{".local/share/boathook/mine", ".config/boathook/boathook.env", ".config/boathook/policy.toml"}},
		{"a project", map[string]string{"GEMINI_PLUGIN_DATA": "proj"}, []string{"proj/install/setup.sh", "proj/key", "proj/worker.js", "proj/spool/job1", "proj/spool/new/mine", "proj/events.db.sql"}},
		{"Gemini's own", map[string]string{"GEMINI_PLUGIN_DATA": ".gemini"}, []string{".gemini/oauth_creds.json"}},
		{"config among the data", map[string]string{"XDG_CONFIG_HOME": "x", "XDG_DATA_HOME": "x"}, []string{"x/boathook/boathook.env", "x/boathook/policy.toml"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			env := world(t)
			vars := map[string]string{}
			for k, v := range tt.vars {
				vars[k] = filepath.Join(env.Home, v)
			}
			for _, path := range tt.users {
				put(t, filepath.Join(env.Home, path), "mine", 0o600)
			}
			before := tree(t, env.Home)
			p := install(t, with(env, vars), both)
			if tt.name == "a project" {
				put(t, filepath.Join(p.DataDir, "spool", "new", "1.json"), "x", 0o600)
			} else {
				record(t, p.DataDir)
			}
			uninstall(t, env, Request{Purge: true}) // without the variables
			same(t, before, tree(t, env.Home))
		})
	}
}

// A later install must not begin switched off; what is only called "off" stays.
func TestPurgeTakesTheSwitch(t *testing.T) {
	for text, ours := range map[string]bool{`{"v":1,"all":{"since":"2026-03-01T12:00:00Z"}}`: true, "mine": false} {
		env := world(t)
		before := tree(t, env.Home)
		install(t, env, both)
		path := filepath.Join(env.Home, ".config", "boathook", "off")
		put(t, path, text, 0o600)
		uninstall(t, env, Request{})
		if !exists(path) {
			t.Error("an uninstall alone takes the switch")
		}
		uninstall(t, env, Request{Purge: true})
		if exists(path) == ours {
			t.Errorf("%s: there %v", text, exists(path))
		}
		if ours {
			same(t, before, tree(t, env.Home))
		}
	}
}

// Every data directory that was ever used goes, also when the config names another one by now.
func TestPurgeAllThatWereUsed(t *testing.T) {
	env := world(t)
	before := tree(t, env.Home)
	install(t, env, both)
	record(t, dataDir(env))
	config := filepath.Join(env.Home, ".config", "boathook", "config.toml")
	elsewhere := filepath.Join(env.Home, "elsewhere")
	edit(t, config, `data_dir = "`+dataDir(env)+`"`, `data_dir = "`+elsewhere+`"`)
	install(t, env, both)
	record(t, elsewhere)
	a := both
	a.Config = filepath.Join(env.Home, "A", "c.toml")
	p := install(t, with(env, map[string]string{"GEMINI_PLUGIN_DATA": filepath.Join(env.Home, "A", "data")}), a)
	record(t, p.DataDir)
	uninstall(t, env, Request{Purge: true})
	same(t, before, tree(t, env.Home))
}

func TestPurgeThroughALink(t *testing.T) {
	env := world(t)
	install(t, env, both)
	record(t, dataDir(env))
	big := filepath.Join(env.Home, "big")
	if err := os.Rename(dataDir(env), big); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(big, dataDir(env)); err != nil {
		t.Fatal(err)
	}
	put(t, filepath.Join(env.Home, ".local", "mine"), "", 0o600)
	uninstall(t, env, Request{Purge: true})
	want := map[string]bool{".": true, "big": true, ".local": true, ".local/mine": true, ".local/share": true}
	for path := range tree(t, env.Home) {
		if !want[path] && path != ".local/share" {
			t.Errorf("%s is left", path)
		}
	}
}

// Without manifest and environment the marks say where config and data are.
func TestPurgeByTheMarks(t *testing.T) {
	env := world(t)
	vars := map[string]string{"XDG_CONFIG_HOME": filepath.Join(env.Home, "c"), "XDG_DATA_HOME": filepath.Join(env.Home, "d")}
	p := install(t, with(env, vars), both)
	record(t, p.DataDir)
	if exists(dataDir(env)) {
		t.Error("XDG_DATA_HOME does not count for the manifest")
	}
	if err := os.RemoveAll(filepath.Join(p.DataDir, "install")); err != nil {
		t.Fatal(err)
	}
	uninstall(t, env, Request{Purge: true})
	for _, path := range []string{p.Config, p.DataDir, geminiExtension(env), hooksFile(env)} {
		if _, err := os.Stat(path); err == nil && path != hooksFile(env) {
			t.Errorf("%s is left", path)
		}
	}
}

// The manifest is found through the marks, also when the environment of the install is not there any more.
func TestPurgeWithoutTheVariables(t *testing.T) {
	env := furnished(t)
	before := tree(t, env.Home)
	for _, again := range []string{"d", "e"} {
		vars := map[string]string{"XDG_CONFIG_HOME": filepath.Join(env.Home, "c"), "XDG_DATA_HOME": filepath.Join(env.Home, again)}
		p := install(t, with(env, vars), both)
		record(t, p.DataDir)
	}
	uninstall(t, env, Request{Purge: true})
	same(t, before, tree(t, env.Home))
}

// A hook that was on its way when the config went may still write: purge looks again.
func TestPurgeLooksAgain(t *testing.T) {
	dir := t.TempDir()
	record(t, dir)
	for n := range 3 {
		if err := removeData(dir); err != nil {
			t.Fatal(err)
		}
		if left := dataFiles(dir); len(left) > 0 {
			t.Errorf("%d: %q", n, left)
		}
		record(t, dir)
	}
}

// The project's hooks come out with those of the user, or alone when it is named; nothing in a repository counts by itself.
func TestUninstallWorkspace(t *testing.T) {
	env, one, two := world(t), t.TempDir(), t.TempDir()
	before := tree(t, one)
	for _, dir := range []string{one, two} {
		install(t, env, Request{Agents: []string{"antigravity"}, Workspace: dir})
	}
	install(t, env, both)
	uninstall(t, env, Request{Workspace: one})
	same(t, before, tree(t, one))
	if !exists(filepath.Join(two, ".agents", stubName)) || !exists(hooksFile(env)) {
		t.Error("others went too")
	}
	_, err := PlanUninstall(env, Request{Agents: []string{"gemini"}, Purge: true})
	wantRefused(t, err, "are still installed")
	put(t, filepath.Join(two, ".agents", "hooks.json"), "{ boathook-hook.sh", 0o644)
	p := uninstall(t, env, Request{})
	if len(p.Failures) != 1 || exists(geminiExtension(env)) || exists(hooksFile(env)) {
		t.Errorf("%q", p.Failures)
	}
	committed := t.TempDir()
	put(t, filepath.Join(committed, ".agents", stubName), text(t, filepath.Join(two, ".agents", stubName)), 0o755)
	if p := uninstall(t, env, Request{}); len(p.Changes) > 0 {
		t.Errorf("%q", p.Lines(true))
	}
	uninstall(t, env, Request{Workspace: committed})
	if exists(filepath.Join(committed, ".agents", stubName)) {
		t.Error("the named project keeps the script")
	}
}

// A config that goes is shown without its secrets.
func TestPurgeShowsNoSecret(t *testing.T) {
	vars := map[string]string{"PINTA_RELAY_TOKEN": "canary1", "GEMINI_PLUGIN_OPTION_HEADERS": "x-team=canary2,blue team canary5==", "PINTA_GUARD_ENDPOINT": "https://u:canary3@g/?token=canary4"}
	env := world(t)
	install(t, with(env, vars), both)
	p, err := PlanUninstall(env, Request{Purge: true})
	if err != nil {
		t.Fatal(err)
	}
	if out := strings.Join(p.Lines(true), "\n"); strings.Contains(out, "canary") || !strings.Contains(out, "-x-team") && !strings.Contains(out, "-headers") {
		t.Errorf("%s", out)
	}
}

// What hooks and 'boathook off' made before the first install goes too, and no directory that was there already.
func TestPurgeTakesWhatHooksMade(t *testing.T) {
	for _, name := range []string{"hooks alone", "the switch alone", "an install afterwards"} {
		for _, there := range []string{"", ".local", ".local/share", ".config"} {
			env := world(t)
			if err := os.MkdirAll(filepath.Join(env.Home, there), 0o700); err != nil {
				t.Fatal(err)
			}
			before := tree(t, env.Home)
			if name != "the switch alone" {
				if err := (spool.Spool{Dir: filepath.Join(dataDir(env), "spool")}).Append("01ARZ3NDEKTSV4RRFFQ69G5FAV", []byte("{}")); err != nil {
					t.Fatal(err)
				}
			}
			if name != "hooks alone" {
				clock := off.At(time.Now())
				span := clock.Begin(0)
				if err := off.Save(filepath.Join(env.Home, ".config", "boathook", "config.toml"), off.State{All: &span}, clock); err != nil {
					t.Fatal(err)
				}
			}
			if name == "an install afterwards" {
				install(t, env, both)
			}
			uninstall(t, env, Request{Purge: true})
			if diff := cmp.Diff(before, tree(t, env.Home)); diff != "" {
				t.Errorf("%s, %q was there: %s", name, there, diff)
			}
		}
	}
}

// TestPurgeTakesWhatAKilledSwitchLeft: of this version and of earlier ones, and nothing else of such a name.
func TestPurgeTakesWhatAKilledSwitchLeft(t *testing.T) {
	env := world(t)
	install(t, env, both)
	dir := filepath.Join(env.Home, ".config", "boathook")
	for _, name := range []string{"off.4711", off.LockFile, ".off" + atomicfile.TempMark + "0123abcd.tmp"} {
		put(t, filepath.Join(dir, name), "12\n", 0o600)
	}
	uninstall(t, env, Request{Purge: true})
	if exists(dir) {
		t.Errorf("%s stays: %v", dir, tree(t, dir))
	}
	install(t, env, both)
	for _, name := range []string{"off.notes", "off.4711x"} {
		put(t, filepath.Join(dir, name), "mine", 0o600)
	}
	put(t, filepath.Join(dir, off.LockFile), "mine", 0o600)
	uninstall(t, env, Request{Purge: true})
	for _, name := range []string{"off.notes", "off.4711x", off.LockFile} {
		if text(t, filepath.Join(dir, name)) != "mine" {
			t.Errorf("%s is gone", name)
		}
	}
}
