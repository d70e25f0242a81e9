//go:build unix

package install

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode"

	"github.com/google/go-cmp/cmp"
)

// nasty are directory names that a careless command line would break on, or run.
var nasty = []string{
	"plain", "a space", "it's", `"double"`, "$HOME", "$GEMINI_CWD", "$GEMINI_PROJECT_DIR/x", "${extensionPath}", "${/}", "$$", "end$",
	"`id`", "$(id)", `back\slash`, `end\`, "new\nline", "tab\there", "한글 é", "*?[a]", "-dash", "~", "a;b&c|d>e<f", "#x", "!x", "%s", "{a,b}", "'\\''", "$'x'", `$"y"`,
}

// recorder is a program that writes down how it was called, and answers with $ANSWER.
const recorder = `#!/bin/sh
for a in "$@"; do printf '%s\0' "$a"; done >"$RECORD"
cat >"$RECORD.stdin"
env >"$RECORD.env"
echo noise >&2
printf '%s' "$ANSWER"
exit ${STATUS:-0}
`

// geminiReads does to a hook's command what Gemini CLI 0.61.0 does before bash sees it.
func geminiReads(command string) string {
	command = regexp.MustCompile(`\$\{(.*?)\}`).ReplaceAllStringFunc(command, func(m string) string {
		switch m {
		case "${extensionPath}", "${workspacePath}":
			return "/SUBSTITUTED"
		case "${/}", "${pathSeparator}":
			return "/"
		}
		return m
	})
	for _, name := range []string{"GEMINI_PROJECT_DIR", "GEMINI_CWD", "GEMINI_PLANS_DIR", "GEMINI_SESSION_ID", "CLAUDE_PROJECT_DIR"} {
		command = strings.ReplaceAll(command, "$"+name, "'/SUBSTITUTED'")
	}
	return command
}

// homeNamed makes a home and a program under a name.
func homeNamed(t *testing.T, name string) Env {
	t.Helper()
	root := filepath.Join(t.TempDir(), name)
	env := worldIn(t, filepath.Join(root, "home"))
	env.Exe = filepath.Join(root, "bin", "boathook")
	put(t, env.Exe, recorder, 0o755)
	if err := os.MkdirAll(env.Home, 0o755); err != nil {
		t.Fatal(err)
	}
	return env
}

// call runs a command as an agent does and returns its output and the arguments that the program saw.
func call(t *testing.T, vars []string, argv ...string) (out string, args []string) {
	t.Helper()
	record := filepath.Join(t.TempDir(), "record")
	cmd := exec.Command(argv[0], argv[1:]...)
	cmd.Env = append(append(os.Environ(), "RECORD="+record), vars...)
	cmd.Stdin = strings.NewReader(`{"stdin":true}`)
	var stderr strings.Builder
	cmd.Stderr = &stderr
	b, err := cmd.Output()
	if err != nil {
		t.Errorf("%q: %v", argv, err)
	}
	if stderr.Len() > 0 {
		t.Errorf("%q says on stderr: %s", argv, stderr.String())
	}
	seen, err := os.ReadFile(record)
	if err != nil {
		return string(b), nil
	}
	if got := text(t, record+".stdin"); got != `{"stdin":true}` {
		t.Errorf("stdin was %q", got)
	}
	for _, line := range strings.Split(text(t, record+".env"), "\n") {
		for _, bad := range []string{"GODEBUG=", "GOGC=", "GOMEMLIMIT=", "GOTRACEBACK=", "SSL_CERT_FILE=", "SSL_CERT_DIR=", "GOMAXPROCS="} {
			if strings.HasPrefix(line, bad) {
				t.Errorf("%s reached the program", line)
			}
		}
	}
	return string(b), strings.Split(strings.TrimSuffix(string(seen), "\x00"), "\x00")
}

var poison = []string{"GODEBUG=x", "GOGC=1", "GOMEMLIMIT=1", "GOTRACEBACK=crash", "SSL_CERT_FILE=/x", "SSL_CERT_DIR=/x", "GOMAXPROCS=1"}

func geminiCommand(t *testing.T, env Env, event string) string {
	t.Helper()
	var file struct {
		Hooks map[string][]struct{ Hooks []struct{ Command string } }
	}
	if err := json.Unmarshal([]byte(text(t, filepath.Join(geminiExtension(env), "hooks", "hooks.json"))), &file); err != nil {
		t.Fatal(err)
	}
	return file.Hooks[event][0].Hooks[0].Command
}

func TestGeminiCommandLine(t *testing.T) {
	for _, name := range nasty {
		t.Run(name, func(t *testing.T) {
			env := homeNamed(t, name)
			install(t, env, Request{Agents: []string{"gemini"}})
			command := geminiReads(geminiCommand(t, env, "BeforeTool"))
			want := []string{"hook", "--agent", "gemini", "--event", "BeforeTool", "--config", filepath.Join(env.Home, ".config", "boathook", "config.toml")}
			for _, shell := range []string{"bash", "sh"} {
				out, args := call(t, append(poison, "ANSWER={}"), shell, "-c", command)
				if diff := cmp.Diff(want, args); diff != "" || out != "{}" {
					t.Errorf("%s: %s\n%s", shell, out, diff)
				}
			}
		})
	}
}

func antigravityCommand(t *testing.T, env Env, event string) string {
	t.Helper()
	var file map[string]map[string][]struct {
		Command string
		Hooks   []struct{ Command string }
	}
	if err := json.Unmarshal([]byte(text(t, hooksFile(env))), &file); err != nil {
		t.Fatal(err)
	}
	h := file["boathook"][event][0]
	if len(h.Hooks) > 0 {
		return h.Hooks[0].Command
	}
	return h.Command
}

// split is what Python's shlex.split does, in POSIX mode.
func split(s string) []string {
	var out []string
	var word strings.Builder
	inWord, quote := false, rune(0)
	escaped := false
	for _, r := range s {
		switch {
		case escaped:
			if quote == '"' && r != '"' && r != '\\' {
				word.WriteRune('\\')
			}
			word.WriteRune(r)
			escaped = false
		case r == '\\' && quote != '\'':
			escaped, inWord = true, true
		case quote != 0 && r == quote:
			quote = 0
		case quote != 0:
			word.WriteRune(r)
		case r == '\'' || r == '"':
			quote, inWord = r, true
		case unicode.IsSpace(r):
			if inWord {
				out = append(out, word.String())
			}
			word.Reset()
			inWord = false
		default:
			word.WriteRune(r)
			inWord = true
		}
	}
	if inWord {
		out = append(out, word.String())
	}
	return out
}

// Some of Antigravity's programs give the command to a shell, some split it as a shell would and run the first word.
func TestAntigravityCommandLine(t *testing.T) {
	for _, name := range nasty {
		t.Run(name, func(t *testing.T) {
			env := homeNamed(t, name)
			install(t, env, Request{Agents: []string{"antigravity"}})
			command := antigravityCommand(t, env, "PreToolUse")
			want := []string{"hook", "--agent", "antigravity", "--event", "PreToolUse", "--config", filepath.Join(env.Home, ".config", "boathook", "config.toml")}
			deny := `{"decision":"deny","reason":"no"}`
			for how, argv := range map[string][]string{"sh": {"sh", "-c", command}, "bash": {"bash", "-c", command}, "split": split(command)} {
				out, args := call(t, append(poison, "ANSWER="+deny), argv...)
				if diff := cmp.Diff(want, args); diff != "" || strings.TrimSpace(out) != deny {
					t.Errorf("%s: %s\n%s", how, out, diff)
				}
			}
		})
	}
}

func TestPlainPathsStandWithoutQuotes(t *testing.T) {
	env := homeNamed(t, "plain-1.0_x@y")
	install(t, env, Request{Agents: []string{"antigravity"}})
	if got := antigravityCommand(t, env, "Stop"); strings.ContainsAny(got, `'"\`) {
		t.Errorf("%s", got)
	}
}

// What a project's .env puts into Gemini CLI's environment must not make its bash say or skip anything.
func TestShellVariablesDoNotCount(t *testing.T) {
	env := homeNamed(t, "a b")
	install(t, env, Request{Agents: []string{"gemini"}})
	startup := filepath.Join(t.TempDir(), "startup")
	put(t, startup, "echo welcome; exit 0\n", 0o644)
	command := geminiCommand(t, env, "BeforeTool")
	hostile := []string{"BASH_ENV=" + startup, "ENV=" + startup, "SHELLOPTS=noexec:xtrace", "BASHOPTS=extdebug", "SHLVL=0", "LD_PRELOAD=/none.so"}
	for _, v := range geminiShell {
		hostile = append(hostile, v.name+"="+v.value.(string)) // as Gemini does: the hook's own come last
	}
	if out, args := call(t, append(hostile, "ANSWER={}"), "bash", "-c", command); out != "{}" || len(args) != 7 {
		t.Errorf("%q %q", out, args)
	}
}
