package cli

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/boathook/boathook/internal/doctor"
)

// hooked is a home with the hooks of both agents, and a token in the config.
func hooked(t *testing.T) *Env {
	t.Helper()
	root := t.TempDir()
	home := filepath.Join(root, "home")
	env := testEnv(home)
	env.Exe = filepath.Join(root, "boathook")
	vars := map[string]string{"PINTA_RELAY_TOKEN": "canary-token-4711", "PATH": "/nowhere"}
	env.LookupEnv = func(name string) (string, bool) { v, ok := vars[name]; return v, ok }
	if err := os.MkdirAll(home, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(env.Exe, []byte("#!/bin/sh\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	if code, out, stderr := in(t, env, "install", "gemini", "antigravity", "--yes"); code != exitOK {
		t.Fatalf("install: %d %s %s", code, out, stderr)
	}
	return env
}

// in runs a command line in a world, and looks for the token in all that it says.
func in(t *testing.T, env *Env, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	var out, errs bytes.Buffer
	world := *env
	world.Stdin, world.Stdout, world.Stderr = strings.NewReader(""), &out, &errs
	code = Run(t.Context(), &world, args)
	if strings.Contains(out.String()+errs.String(), "canary-token-4711") {
		t.Errorf("%v says the token: %s%s", args, out.String(), errs.String())
	}
	return code, out.String(), errs.String()
}

func TestDoctorOnAHealthyHome(t *testing.T) {
	code, out, stderr := in(t, hooked(t), "doctor")
	if code != exitOK || stderr != "" || !strings.HasSuffix(out, "\nnothing fails\n") {
		t.Errorf("exit %d, stderr %q:\n%s", code, stderr, out)
	}
	if !strings.Contains(out, "guard.token = (set)  (") {
		t.Errorf("the settings are not shown:\n%s", out)
	}
}

func TestDoctorFindsAndFixes(t *testing.T) {
	env := hooked(t)
	stub := filepath.Join(env.Home, ".gemini/config/boathook-hook.sh")
	if err := os.Remove(stub); err != nil {
		t.Fatal(err)
	}
	code, out, stderr := in(t, env, "doctor")
	if code != exitFailed || stderr != "" || !strings.Contains(out, "FAIL hooks of Antigravity") || !strings.Contains(out, "→ boathook install antigravity") {
		t.Errorf("exit %d, stderr %q:\n%s", code, stderr, out)
	}
	if !strings.Contains(out, "1 thing fails; 'boathook doctor --fix' mends 1 of that") {
		t.Errorf("summary:\n%s", out)
	}
	if code, out, _ := in(t, env, "doctor", "--fix", "--dry-run"); code != exitFailed || !strings.Contains(out, "would: install the hooks of Antigravity again") {
		t.Errorf("dry run: exit %d\n%s", code, out)
	}
	if _, err := os.Stat(stub); err == nil {
		t.Error("a dry run wrote the script")
	}
	if code, out, _ := in(t, env, "doctor", "--fix"); code != exitOK || !strings.Contains(out, "fixed: install the hooks of Antigravity again") {
		t.Errorf("fix: exit %d\n%s", code, out)
	}
	if code, out, _ := in(t, env, "doctor"); code != exitOK {
		t.Errorf("afterwards: exit %d\n%s", code, out)
	}
}

func TestDoctorPrintsJSON(t *testing.T) {
	env := hooked(t)
	if err := os.Remove(env.Exe); err != nil {
		t.Fatal(err)
	}
	code, out, stderr := in(t, env, "doctor", "--json", "--agent", "gemini-cli", "--agent", "agy")
	var doc struct {
		OK       bool
		Checks   []doctor.Finding
		Settings []struct{ Key, Value, Source string }
	}
	if err := json.Unmarshal([]byte(out), &doc); err != nil || stderr != "" {
		t.Fatalf("%v, stderr %q: %s", err, stderr, out)
	}
	if code != exitFailed || doc.OK || len(doc.Settings) < 40 {
		t.Errorf("exit %d: %s", code, out)
	}
	found := false
	for _, f := range doc.Checks {
		found = found || f.ID == "program.hooks" && f.Status == doctor.Fail && f.Fixable && f.Cure != ""
	}
	if !found {
		t.Errorf("the missing program is not found: %s", out)
	}
}

func TestDoctorAndStatusFitTheTerminal(t *testing.T) {
	env := hooked(t)
	if err := os.Remove(env.Exe); err != nil {
		t.Fatal(err)
	}
	env.IsTerminal = true
	for _, width := range []int{50, 80, 120} {
		env.Width = width
		for _, command := range []string{"doctor", "status"} {
			_, out, _ := in(t, env, command)
			if !strings.Contains(out, "\x1b[") && command == "doctor" {
				t.Error("no colours on a terminal")
			}
			for line := range strings.Lines(out) {
				line = withoutColours(strings.TrimRight(line, "\n"))
				if columns(line) > width && !onePiece(line) {
					t.Errorf("%s: %d columns on a terminal of %d: %s", command, columns(line), width, line)
				}
			}
		}
	}
}

// onePiece tells whether a line is all a path, a URL or a command, but for the label or an arrow.
func onePiece(line string) bool {
	const label = 5 + titleWidth + 1
	if len(line) > label && line[4] == ' ' && strings.TrimSpace(line[:4]) != "" {
		line = line[label:]
	}
	text := strings.TrimPrefix(strings.TrimLeft(line, " "), "→ ")
	text = strings.TrimRight(gluedCommand(glued(text)), " (,;")
	return !strings.Contains(text, " ") && whole(text)
}

// Nothing is cut, and what is to be copied is in one piece, however narrow the terminal is.
func TestDoctorCutsNothing(t *testing.T) {
	env := hooked(t)
	config := filepath.Join(env.Home, ".config/boathook/config.toml")
	text, err := os.ReadFile(config)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(config, append([]byte("privcy = \"minimal\"\n"), text...), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(config, 0o644); err != nil {
		t.Fatal(err)
	}
	env.IsTerminal = true
	for _, width := range []int{40, 50, 80} {
		env.Width = width
		_, out, _ := in(t, env, "doctor")
		for _, want := range []string{
			config + ":1:", filepath.Join(env.Home, ".local/share/boathook"), "chmod 600 " + config, "'boathook doctor --fix'",
		} {
			if !strings.Contains(out, want) {
				t.Errorf("%d columns: %q is not in\n%s", width, want, out)
			}
		}
		if strings.Contains(out, "data_dir =") || strings.Contains(out, "env_files =") || strings.Contains(out, "…") {
			t.Errorf("%d columns:\n%s", width, out)
		}
	}
}

func withoutColours(s string) string {
	return strings.NewReplacer(red, "", green, "", yellow, "", dim, "", reset, "").Replace(s)
}

func TestDoctorUsage(t *testing.T) {
	env := hooked(t)
	for _, tt := range []struct {
		args []string
		want string
	}{
		{[]string{"doctor", "--agent", "nobody"}, `unknown agent "nobody"`},
		{[]string{"doctor", "--dry-run"}, "--dry-run goes with --fix"},
		{[]string{"doctor", "gemini"}, "takes no arguments"},
		{[]string{"status", "gemini"}, "takes no arguments"},
	} {
		if code, _, stderr := in(t, env, tt.args...); code != exitUsage || !strings.Contains(stderr, tt.want) {
			t.Errorf("%v: exit %d, %q", tt.args, code, stderr)
		}
	}
}

func TestStatusSaysWhatFails(t *testing.T) {
	env := hooked(t)
	code, out, _ := in(t, env, "status")
	if code != exitOK || strings.Contains(out, "problem") || !strings.Contains(out, "events       none yet") {
		t.Errorf("exit %d:\n%s", code, out)
	}
	if err := os.Remove(filepath.Join(env.Home, ".gemini/config/boathook-hook.sh")); err != nil {
		t.Fatal(err)
	}
	code, out, _ = in(t, env, "status")
	if code != exitOK || !strings.Contains(out, "boathook-hook.sh: is missing") || !strings.Contains(out, "boathook doctor") {
		t.Errorf("exit %d:\n%s", code, out)
	}
}

func TestStatusOfDamagedDataFails(t *testing.T) {
	env := hooked(t)
	if err := os.WriteFile(filepath.Join(env.Home, ".local/share/boathook/events.db"), bytes.Repeat([]byte("no database"), 500), 0o600); err != nil {
		t.Fatal(err)
	}
	if code, out, stderr := in(t, env, "status", "--json"); code != exitFailed || !strings.Contains(out, `"installed":[{`) || !strings.Contains(stderr, "read data: ") {
		t.Errorf("exit %d: %s%s", code, out, stderr)
	}
}
