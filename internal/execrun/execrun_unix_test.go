//go:build unix

package execrun

import (
	"io"
	"os"
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
