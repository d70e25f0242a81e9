//go:build unix

package execrun

import (
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/boathook/boathook/hook/canon"
)

const geminiTool = `{"session_id":"s","tool_name":"run_shell_command","tool_input":{"command":"rm x"}}`

const geminiWhole = `{"session_id":"s","transcript_path":"/t","cwd":"/w","hook_event_name":"BeforeTool","timestamp":"2026-01-01T00:00:00Z","tool_name":"run_shell_command","tool_input":{"command":"rm x"}}`

func run(stdin io.Reader, args ...string) string {
	r := Run(Env{
		Stdin: stdin, Lookup: func(string) (string, bool) { return "", false }, Environ: os.Environ(), Quiet: time.Minute,
		Stamp: func(e *canon.Event) {
			e.ID, e.SpanID, e.Time = "01JNEXAMP0E000000000000000", "0123456789abcdef", time.Unix(1, 0).UTC()
		},
	}, args)
	return string(r.Stdout) + string(r.Stderr)
}

func TestExec(t *testing.T) {
	const deny = `{"decision":"deny","reason":"no","systemMessage":"no"}` + "\n"
	sh := func(line string, options ...string) []string {
		return append(append([]string{"--agent", "gemini", "--event=BeforeTool"}, options...), "--", "/bin/sh", "-c", line)
	}
	for name, tc := range map[string]struct {
		args     []string
		in, want string
	}{
		"deny":                       {sh(`grep -q '"command":"rm x"' && echo '{"action":"deny","reason":"no"}'`), geminiTool, deny},
		"allow":                      {sh("cat >/dev/null"), geminiTool, "{}\n"},
		"crash":                      {sh("exit 2"), geminiTool, "{}\n"},
		"crash, closed":              {sh("exit 2", "--fail", "closed"), geminiTool, closed("exit_2")},
		"fail is no choice":          {sh("exit 2", "--fail=shut"), geminiTool, closed("exit_2")},
		"garbage":                    {sh("echo no"), geminiTool, "{}\n"},
		"hang, closed":               {sh("sleep 600", "--timeout", "100", "--fail=closed"), geminiTool, closed("timeout")},
		"a broken payload, closed":   {sh("cat >/dev/null", "--fail=closed"), "{{{", closed("the payload is not one sound JSON object")},
		"a broken payload":           {sh(`echo '{"action":"deny","reason":"no"}'`), "{{{", deny},
		"no program":                 {[]string{"--agent", "gemini", "--event", "BeforeTool"}, geminiTool, "{}\n"},
		"without --":                 {[]string{"--agent", "gemini", "--event", "BeforeTool", "/bin/sh", "-c", `echo '{"action":"deny","reason":"no"}'`, "--agent", "x"}, geminiTool, deny},
		"an event that never denies": {[]string{"--agent", "gemini", "--event", "AfterAgentX", "--fail=closed", "--", "false"}, geminiTool, "{}\n"},
		"found out":                  {[]string{"--", "/bin/sh", "-c", `echo '{"action":"deny","reason":"no"}'`}, geminiWhole, deny},
		"nobody":                     {[]string{"--", "/bin/sh", "-c", "echo x"}, "{}", ""},
	} {
		if got := run(strings.NewReader(tc.in), tc.args...); got != tc.want {
			t.Errorf("%s: %q, want %q", name, got, tc.want)
		}
	}
}

func closed(why string) string {
	reason := "boathook exec: the program gave no answer (" + why + ") and --fail is closed"
	return `{"decision":"deny","reason":"` + reason + `","systemMessage":"` + reason + `"}` + "\n"
}

// TestArguments: whatever somebody wrote, an agent waits.
func TestArguments(t *testing.T) {
	for line, want := range map[string]arguments{
		"":                                {timeout: defaultTimeout},
		"--":                              {timeout: defaultTimeout, command: []string{}},
		"--agent":                         {timeout: defaultTimeout},
		"--agent -- x":                    {timeout: defaultTimeout, command: []string{"x"}},
		"--unknown y --agent=a -- x -- z": {timeout: defaultTimeout, agent: "a", closed: true, command: []string{"x", "--", "z"}},
		"--fial closed -- x":              {timeout: defaultTimeout, closed: true, command: []string{"x"}},
		"-fail open -agent=a -- x -y":     {timeout: defaultTimeout, agent: "a", command: []string{"x", "-y"}},
		"-fail closed -- x":               {timeout: defaultTimeout, closed: true, command: []string{"x"}},
		"--timeout 99999999 x":            {timeout: maxTimeout, command: []string{"x"}},
		"--timeout no x":                  {timeout: defaultTimeout, command: []string{"x"}},
		"--environment trusted -- x":      {timeout: defaultTimeout, trusted: true, command: []string{"x"}},
		"--environment=ignored x":         {timeout: defaultTimeout, command: []string{"x"}},
		"--environment keep -- x":         {timeout: defaultTimeout, command: []string{"x"}},
		"--fail open x":                   {timeout: defaultTimeout, command: []string{"x"}},
	} {
		if diff := cmp.Diff(want, parse(strings.Fields(line)), cmp.AllowUnexported(arguments{})); diff != "" {
			t.Errorf("%q: %s", line, diff)
		}
	}
}

// TestTheEvent: the program gets the canonical event, as one line.
func TestTheEvent(t *testing.T) {
	got := filepath.Join(t.TempDir(), "event")
	run(strings.NewReader(geminiTool), "--agent", "gemini", "--event", "BeforeTool", "--", "/bin/sh", "-c", `cat > "$0"`, got)
	text, err := os.ReadFile(got)
	if err != nil || !strings.Contains(string(text), `"event":"tool:before"`) || !strings.HasSuffix(string(text), "}\n") {
		t.Errorf("%s, %v", text, err)
	}
}

// TestTheEnvironment: what a repository's .env may have set has no say in what the program is.
func TestTheEnvironment(t *testing.T) {
	evil := []string{
		"PATH=" + os.Getenv("PATH"), "TOKEN=kept", "HOME=/evil", "PYTHONPATH=/evil", "PYTHONSTARTUP=/evil", "NODE_OPTIONS=--require=/evil", "LD_PRELOAD=/evil.so",
		"LD_LIBRARY_PATH=/evil", "DYLD_INSERT_LIBRARIES=/evil", "BASH_ENV=/evil", "ENV=/evil", "PERL5OPT=-M/evil", "RUBYOPT=-r/evil",
	}
	home := t.TempDir()
	seen := func(env []string, options ...string) string {
		got := filepath.Join(t.TempDir(), "env")
		r := Run(Env{
			Stdin: strings.NewReader(geminiTool), Lookup: func(string) (string, bool) { return "", false }, Environ: env, Quiet: time.Minute,
			AccountHome: func() string { return home }, Stamp: func(e *canon.Event) { e.Time = time.Unix(1, 0).UTC() },
		}, append(append([]string{"--agent", "gemini", "--event", "BeforeTool", "--fail=closed"}, options...), "--", "/bin/sh", "-c", `env > "$0"`, got))
		text, err := os.ReadFile(got)
		if err != nil {
			t.Fatalf("%v; answered %s", err, r.Stdout)
		}
		return "\n" + string(text)
	}
	for _, options := range [][]string{nil, {"--environment", "ignored"}, {"--environment=keep"}} {
		env := seen(evil, options...)
		if strings.Contains(env, "evil") || !strings.Contains(env, "\nHOME="+home+"\n") || !strings.Contains(env, "\nTOKEN=kept\n") || strings.Count(env, "\nHOME=") != 1 {
			t.Errorf("%v: the program got %s", options, env)
		}
	}
	harmless := []string{evil[0], "HOME=/evil", "PYTHONPATH=/evil", "NODE_OPTIONS=--require=/evil"} // to /bin/sh
	if env := seen(harmless, "--environment", "trusted"); !strings.Contains(env, "\nHOME=/evil\n") || !strings.Contains(env, "\nPYTHONPATH=/evil\n") {
		t.Errorf("trusted: the program got %s", env)
	}
}

// TestAPthFileDoesNotJudge: Python runs the .pth files that it finds below HOME, before the program's first line.
func TestAPthFileDoesNotJudge(t *testing.T) {
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("SKIPPED LOUDLY: there is no python3 here")
	}
	evil, judge := t.TempDir(), filepath.Join(t.TempDir(), "judge.py")
	site := exec.Command(python, "-c", "import site; print(site.getusersitepackages())")
	site.Env = append(os.Environ(), "HOME="+evil)
	dir, err := site.Output()
	if err != nil {
		t.Fatal(err)
	}
	into := strings.TrimSpace(string(dir))
	if !strings.HasPrefix(into, evil) {
		t.Skipf("SKIPPED LOUDLY: this python3 has its packages in %s", into)
	}
	pth := "import os; os.write(1, b'{\"action\":\"allow\"}'); os._exit(0)\n"
	if err := os.MkdirAll(into, 0o700); err != nil {
		t.Fatal(err)
	}
	for file, text := range map[string]string{filepath.Join(into, "x.pth"): pth, judge: `print('{"action":"deny","reason":"no"}')`} {
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for options, deny := range map[string]bool{"--environment=ignored": true, "--environment=trusted": false} {
		r := Run(Env{
			Stdin: strings.NewReader(geminiTool), Lookup: func(string) (string, bool) { return "", false }, Environ: append(os.Environ(), "HOME="+evil), Quiet: time.Minute,
			AccountHome: func() string { return t.TempDir() }, Stamp: func(e *canon.Event) { e.Time = time.Unix(1, 0).UTC() },
		}, []string{"--agent", "gemini", "--event", "BeforeTool", "--timeout=15000", "--fail=closed", options, "--", python, judge})
		if got := strings.Contains(string(r.Stdout), `"decision":"deny","reason":"no"`); got != deny {
			t.Errorf("%s: %s", options, r.Stdout)
		}
	}
}
