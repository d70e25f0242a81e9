package sdk

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// languages are how the example of each is run.
func languages(t *testing.T) map[string][]string {
	t.Helper()
	return map[string][]string{
		"python":     {"python3", "../examples/judge/judge.py"},
		"typescript": {"node", "../examples/judge/judge.mjs"},
	}
}

func runnable(t *testing.T, program string) {
	t.Helper()
	if _, err := exec.LookPath(program); err != nil {
		t.Skipf("SKIPPED LOUDLY: there is no %s here, so that its helper is not tested", program)
	}
}

// TestVectors: the same events have the same decisions in every language; examples/judge has the test of the one in Go.
func TestVectors(t *testing.T) {
	files, err := filepath.Glob("../testdata/vectors/*.json")
	if err != nil || len(files) == 0 {
		t.Fatalf("no vectors: %v", err)
	}
	for language, command := range languages(t) {
		t.Run(language, func(t *testing.T) {
			runnable(t, command[0])
			for _, file := range files {
				t.Run(filepath.Base(file), func(t *testing.T) { vector(t, command, file) })
			}
		})
	}
}

func vector(t *testing.T, command []string, file string) {
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var v struct {
		What     string
		Event    json.RawMessage
		Decision map[string]any
	}
	if err := json.Unmarshal(text, &v); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(command[0], command[1:]...)
	var errs bytes.Buffer
	cmd.Stdin, cmd.Stderr = bytes.NewReader(v.Event), &errs
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v: %s", err, errs.String())
	}
	got := map[string]any{}
	if len(out) > 0 {
		if err := json.Unmarshal(out, &got); err != nil {
			t.Fatalf("%s: %v", out, err)
		}
	}
	if diff := cmp.Diff(v.Decision, got); diff != "" {
		t.Errorf("%s: %s", v.What, diff)
	}
	if len(v.Decision) == 0 && len(out) > 0 {
		t.Errorf("no objection is silence, not %s", out)
	}
}

// TestSlips: what a hook does wrong is told by the exit code, and never opens what it wanted closed.
func TestSlips(t *testing.T) {
	const event = `{"id":"01JNEXAMP0E000000000000000","event":"tool:before","host_event":"BeforeTool","agent":"gemini"}`
	for _, tc := range []struct {
		name, python, typescript, in string
		out                          string
		code                         int
	}{
		{"it raises", "def judge(e): raise KeyError('x')\nboathook.main(judge)", "main(() => { throw new Error('x') })", event, "", 1},
		{"it raises, closed", "def judge(e): raise KeyError('x')\nboathook.main(judge, fail_closed=True)", "main(() => { throw new Error('x') }, { failClosed: true })", event, `"deny"`, 1},
		{"it raises later", "def judge(e): raise SystemExit(0)\nboathook.main(judge)", "main(() => new Promise(() => setTimeout(() => { throw new Error('x') })))", event, "", 1},
		{"it prints", "import subprocess\ndef judge(e):\n  print('noise')\n  subprocess.run(['echo', 'more'])\n  return boathook.deny('no')\nboathook.main(judge)",
			"main(() => { console.log('noise'); process.stdout.write('more'); return deny('no') })", event, `{"action":"deny","reason":"no"}`, 0},
		{"another dialect", "boathook.main(lambda e: {'decision': 'deny'})", "main(() => ({ decision: 'deny' }))", event, `"deny"`, 0},
		{"an action that is none", "boathook.main(lambda e: {'action': 'block', 'reason': 'r'})", "main(() => ({ action: 'block', reason: 'r' }))", event, `{"action":"deny","reason":"r"}`, 0},
		{"an input that is none", "boathook.main(lambda e: {'input': [1]})", "main(() => ({ input: [1] }))", event, `"deny"`, 0},
		{"a reason that is no text", "boathook.main(lambda e: boathook.deny(ValueError('r')))", "main(() => deny(new RangeError('r')))", event, `{"action":"deny","reason":"`, 0},
		{"an input that is no JSON", "boathook.main(lambda e: {'input': {'a': {1, 2}}})", "main(() => ({ input: { a: 1n } }))", event, `"deny"`, 0},
		{"an input without an end", "a = {}\na['a'] = a\nboathook.main(lambda e: {'input': a})", "const a = {}; a.a = a; main(() => ({ input: a }))", event, `"deny"`, 0},
		{"no event", "boathook.main(lambda e: boathook.deny('no'))", "main(() => deny('no'))", `{"tool_name":"Bash"}`, "", 1},
		{"no JSON", "boathook.main(lambda e: boathook.deny('no'))", "main(() => deny('no'))", "no", "", 1},
		{"a lone surrogate", "boathook.main(lambda e: boathook.deny(e['prompt']))", "main((e) => deny(e.prompt))", event[:len(event)-1] + `,"prompt":"\ud800"}`, `"deny"`, 0},
	} {
		t.Run(tc.name, func(t *testing.T) {
			dir := t.TempDir()
			for name, text := range map[string]string{
				"boathook.py": Python, "boathook.mjs": JavaScript, "h.py": "import boathook\n" + tc.python + "\n",
				"h.mjs": "import { main, deny } from './boathook.mjs';\n" + tc.typescript + "\n",
			} {
				if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			for program, file := range map[string]string{"python3": "h.py", "node": "h.mjs"} {
				t.Run(program, func(t *testing.T) {
					runnable(t, program)
					cmd := exec.Command(program, file)
					cmd.Dir, cmd.Stdin = dir, strings.NewReader(tc.in)
					out, _ := cmd.Output()
					said := strings.ReplaceAll(strings.ReplaceAll(string(out), ": ", ":"), ", ", ",")
					if (tc.out == "") != (said == "") || !strings.Contains(said, tc.out) || cmd.ProcessState.ExitCode() != tc.code {
						t.Errorf("%q, exit %d; want %q, %d", out, cmd.ProcessState.ExitCode(), tc.out, tc.code)
					}
				})
			}
		})
	}
}
