//go:build unix

package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// installer runs install and uninstall in a home of its own, with somebody at the terminal who says answer.
type installer struct {
	t        *testing.T
	env      *Env
	out, err bytes.Buffer
}

func newInstaller(t *testing.T) *installer {
	t.Helper()
	i := &installer{t: t, env: testEnv(t.TempDir())}
	i.env.Exe = filepath.Join(t.TempDir(), "boathook")
	i.write(i.env.Exe, "")
	if err := os.Chmod(i.env.Exe, 0o755); err != nil {
		t.Fatal(err)
	}
	return i
}

func (i *installer) write(path, text string) {
	i.t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		i.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		i.t.Fatal(err)
	}
}

func (i *installer) run(answer string, wantCode int, args ...string) string {
	i.t.Helper()
	i.out.Reset()
	i.err.Reset()
	i.env.Stdin, i.env.Stdout, i.env.Stderr = strings.NewReader(answer), &i.out, &i.err
	if code := Run(context.Background(), i.env, args); code != wantCode {
		i.t.Fatalf("%v: exit %d, want %d\n%s%s", args, code, wantCode, &i.out, &i.err)
	}
	return i.out.String() + i.err.String()
}

func (i *installer) installed() bool {
	_, err := os.Stat(filepath.Join(i.env.Home, ".gemini", "extensions", "boathook", "hooks", "hooks.json"))
	return err == nil
}

func (i *installer) has(text string, parts ...string) {
	i.t.Helper()
	for _, part := range parts {
		if !strings.Contains(text, part) {
			i.t.Errorf("%q is not in:\n%s", part, text)
		}
	}
}

func TestInstallAsksFirst(t *testing.T) {
	i := newInstaller(t)
	i.env.IsTerminal = true
	i.env.LookupEnv = func(name string) (string, bool) { return "1", name == "NO_COLOR" }
	for _, answer := range []string{"n\n", "", "\n", "yep\n"} {
		i.has(i.run(answer, exitRefused, "install", "gemini"), "Make these changes? [y/N]", "nothing was changed")
		if entries, err := os.ReadDir(i.env.Home); err != nil || len(entries) > 0 || i.installed() {
			t.Fatalf("%q: the home has %v, %v", answer, entries, err)
		}
	}
	i.has(i.run("", exitOK, "help", "exit-codes"), "the answer was not")
	i.has(i.run("y\n", exitOK, "install", "gemini"), "hooks.json (new file, ", "installed.", "restart Gemini CLI", "boathook log -f", "boathook uninstall gemini")
	if !i.installed() {
		t.Error("not installed")
	}
	i.has(i.run("", exitOK, "install", "gemini"), "nothing to change: gemini has these hooks already")
	i.has(i.run("y\n", exitOK, "uninstall"), "uninstalled.", "the config "+filepath.Join(i.env.Home, ".config"), "--purge' removes that too")
	i.has(i.run("", exitOK, "uninstall"), "nothing to change")
}

func TestInstallNeedsATerminalOrYes(t *testing.T) {
	i := newInstaller(t)
	i.has(i.run("y\n", exitRefused, "install", "gemini"), "no terminal to ask on", "--dry-run", "--yes")
	i.has(i.run("", exitOK, "install", "gemini", "--dry-run"), "create directory", "dry run")
	if entries, _ := os.ReadDir(i.env.Home); len(entries) > 0 {
		t.Errorf("the home has %v", entries)
	}
	i.run("", exitOK, "install", "gemini", "--yes")
	i.has(i.run("", exitOK, "uninstall", "--purge", "--dry-run"), "remove boathook's data in", "what boathook has in it", "dry run")
	i.run("", exitOK, "uninstall", "--purge", "--yes")
	if entries, _ := os.ReadDir(i.env.Home); len(entries) > 0 {
		t.Errorf("the home has %v", entries)
	}
}

func TestInstallExitCodes(t *testing.T) {
	i := newInstaller(t)
	i.has(i.run("", exitFailed, "install"), "find agents: none of gemini, antigravity, claude", "name one")
	i.has(i.run("", exitUsage, "install", "claude", "--on-failure", "hang"), "--on-failure is block or continue")
	i.has(i.run("", exitUsage, "install", "emacs"), `unknown agent "emacs"`, "gemini, antigravity")
	i.has(i.run("", exitUsage, "install", "gemini", "--detect"), "not both")
	i.has(i.run("", exitFailed, "install", "--detect"), "none of gemini, antigravity")
	i.has(i.run("", exitUsage, "uninstall", "emacs"), `unknown agent "emacs"`)
	i.write(filepath.Join(i.env.Home, ".gemini", "config", "hooks.json"), "{\n}//")
	i.has(i.run("", exitRefused, "install", "antigravity", "--yes"), "hooks.json:2:2", "comment")
	i.has(i.run("", exitRefused, "install", "antigravity", "--workspace", ".", "--dry-run=false"), "not the root of a git repository", "--yes")
	i.run("", exitOK, "install", "antigravity", "--workspace", ".", "--yes")
}

// Without a name all agents that are there are one plan and one question; what can't be changed keeps none of the others.
func TestInstallWhatIsThere(t *testing.T) {
	i := newInstaller(t)
	i.env.IsTerminal = true
	settings := filepath.Join(i.env.Home, ".claude", "settings.json")
	i.write(settings, "{\n  // mine\n}")
	i.write(filepath.Join(i.env.Home, ".codex", "config.toml"), "")
	i.write(filepath.Join(i.env.Home, ".cursor", "mcp.json"), "{}")
	out := i.run("y\n", exitFailed, "install")
	i.has(out, "can't: edit "+settings+": line 2:3: a comment", ".codex/hooks.json (new file", ".cursor/hooks.json (new file", "installed.", "install: edit", "the rest was done")
	if n := strings.Count(out, "Make these changes?"); n != 1 {
		t.Errorf("asked %d times", n)
	}
	i.write(settings, "{}")
	i.has(i.run("", exitOK, "install", "--yes"), "edit "+settings, "Cursor runs the hooks in "+settings+", too: there they stay silent", "boathook uninstall claude codex cursor")
	i.has(i.run("", exitOK, "install", "--yes", "--json"), `"applied":false`)
	i.has(i.run("y\n", exitOK, "uninstall"), settings, "uninstalled.")
	if text, err := os.ReadFile(settings); err != nil || string(text) != "{}" {
		t.Errorf("%q, %v", text, err)
	}
}

func TestInstallJSON(t *testing.T) {
	i := newInstaller(t)
	i.env.LookupEnv = func(name string) (string, bool) { return "s3cr\x1bet", name == "PINTA_RELAY_TOKEN" }
	var got struct {
		Applied bool
		Plan    struct {
			Changes []struct {
				Op, Path string
				Diff     []string
			}
			Imported []struct{ Key, Value, Source string }
		}
	}
	if err := json.Unmarshal([]byte(i.run("", exitOK, "install", "gemini", "--json", "--dry-run")), &got); err != nil {
		t.Fatal(err)
	}
	if got.Applied || len(got.Plan.Changes) == 0 || len(got.Plan.Imported) != 1 || got.Plan.Imported[0].Value != "(set)" {
		t.Errorf("%+v", got)
	}
	out := i.run("", exitOK, "install", "gemini", "--json", "--yes")
	if err := json.Unmarshal([]byte(out), &got); err != nil || !got.Applied || strings.Contains(out, "s3cr") {
		t.Errorf("%v %s", err, out)
	}
}

// A file that is shown can't move the cursor or hide what it says.
func TestInstallShowsNoEscapeSequences(t *testing.T) {
	i := newInstaller(t)
	i.write(filepath.Join(i.env.Home, ".gemini", "config", "hooks.json"), "{\"a\u009b31m\u202e\": {}}")
	out := i.run("", exitOK, "install", "antigravity", "--dry-run")
	if strings.ContainsFunc(out, func(r rune) bool { return r != '\n' && hidden(r) }) {
		t.Errorf("%q", out)
	}
	i.has(out, `\x9b31m\u{202e}`)
}

// With --json a failure is JSON on stdout too, whatever it was.
func TestInstallFailuresAsJSON(t *testing.T) {
	i := newInstaller(t)
	hooks := filepath.Join(i.env.Home, ".gemini", "config", "hooks.json")
	i.write(hooks, "{ broken boathook-hook.sh")
	for _, tt := range []struct {
		code int
		args []string
	}{
		{exitRefused, []string{"install"}}, // the only agent that is here has a broken file
		{exitUsage, []string{"install", "emacs"}},
		{exitUsage, []string{"install", "gemini", "--events", "foo"}},
		{exitUsage, []string{"install", "antigravity", "--workspace", ""}},
		{exitUsage, []string{"install", "antigravity", "--workspace", "nowhere"}},
		{exitUsage, []string{"uninstall", "--workspace", ""}},
		{exitRefused, []string{"install", "gemini"}},
		{exitRefused, []string{"install", "antigravity", "--yes"}},
		{exitFailed, []string{"uninstall", "--yes"}},
	} {
		i.run("", tt.code, append(tt.args, "--json")...)
		var got struct {
			Error string `json:"error"`
			Code  int    `json:"exit_code"`
		}
		if err := json.Unmarshal(i.out.Bytes(), &got); err != nil || got.Error == "" || got.Code != tt.code {
			t.Errorf("%v: %v %s", tt.args, err, &i.out)
		}
	}
	home := i.env.Home
	i.env.Home = ""
	i.has(i.run("", exitUsage, "install", "gemini", "--yes"), "HOME is not set")
	i.env.Home = home
}

// What can't be undone keeps the rest from nothing: it is named, and the exit code says so.
func TestUninstallDoesWhatItCan(t *testing.T) {
	i := newInstaller(t)
	i.run("", exitOK, "install", "gemini", "antigravity", "--yes")
	i.has(i.run("", exitOK, "install", "gemini", "antigravity", "--yes"), "gemini and antigravity have these hooks already")
	i.write(filepath.Join(i.env.Home, ".gemini", "config", "hooks.json"), "{ broken boathook-hook.sh")
	i.has(i.run("", exitFailed, "uninstall", "--yes"), "uninstalled.", "hooks.json:1:3", "the rest was done")
	if i.installed() {
		t.Error("gemini's hooks are still there")
	}
}

// New files are named before the question; --diff shows them whole. The question comes last.
func TestInstallPlanIsShort(t *testing.T) {
	i := newInstaller(t)
	i.env.IsTerminal = true
	i.env.LookupEnv = func(name string) (string, bool) {
		v, ok := map[string]string{"NO_COLOR": "1", "PINTA_GUARD_ENDPOINT": "http://127.0.0.1:1/"}[name]
		return v, ok
	}
	short := i.run("n\n", exitRefused, "install", "gemini", "antigravity")
	if n := strings.Count(short, "\n"); n > 30 {
		t.Errorf("%d lines", n)
	}
	tail := short[strings.Index(short, "takes over guard.endpoint = http://127.0.0.1:1/"):]
	i.has(tail, "[y/N]")
	if whole := i.run("n\n", exitRefused, "install", "gemini", "--diff"); !strings.Contains(whole, "+{") {
		t.Errorf("%s", whole)
	}
}

// Whether somebody is asked or not, new files are named alone, unless --diff asks for them, and every directory is named.
func TestInstallIsAsShortWithoutATerminal(t *testing.T) {
	for _, args := range [][]string{{"--dry-run"}, {"--yes"}} {
		i := newInstaller(t)
		short := i.run("", exitOK, append([]string{"install", "gemini", "antigravity"}, args...)...)
		if n := strings.Count(short, "\n"); n > 36 {
			t.Errorf("%v: %d lines\n%s", args, n, short)
		}
		i.has(short, "create directory "+filepath.Join(i.env.Home, ".local")+"\n", "config.toml (new file, ")
	}
	i := newInstaller(t)
	i.has(i.run("", exitOK, "install", "gemini", "--dry-run", "--diff"), "    +{", "    +[guard]")
	i.run("", exitOK, "install", "gemini", "--yes")
	i.has(i.run("", exitOK, "uninstall", "--purge", "--dry-run", "--diff"), "    -[guard]")
	i.has(i.run("", exitOK, "uninstall", "--help"), "show removed files whole")
}

// TestInstallSaysThatHooksAreOff: the switch of before outlives an uninstall.
func TestInstallSaysThatHooksAreOff(t *testing.T) {
	i := newInstaller(t)
	if out := i.run("", exitOK, "install", "gemini", "--yes"); strings.Contains(out, "hooks are off") {
		t.Errorf("%s", out)
	}
	i.run("", exitOK, "off")
	i.run("", exitOK, "uninstall", "--yes")
	i.has(i.run("", exitOK, "install", "gemini", "--yes"), "hooks are off everywhere until 'boathook on'")
	i.run("", exitOK, "uninstall", "--purge", "--yes")
	if out := i.run("", exitOK, "install", "gemini", "--yes"); strings.Contains(out, "hooks are off") {
		t.Errorf("after a purge: %s", out)
	}
}
