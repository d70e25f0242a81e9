package cli

import (
	"bytes"
	"context"
	"slices"
	"strings"
	"testing"
	"time"
)

// run executes a command line in a home of its own.
func run(t *testing.T, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	return runIn(t, t.TempDir(), args...)
}

func runIn(t *testing.T, home string, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	var out, errs bytes.Buffer
	env := testEnv(home)
	env.Stdin, env.Stdout, env.Stderr = strings.NewReader(""), &out, &errs
	code = Run(context.Background(), env, args)
	return code, out.String(), errs.String()
}

func testEnv(home string) *Env {
	return &Env{
		LookupEnv: func(string) (string, bool) { return "", false },
		Home:      home, Dir: home,
		Now: func() time.Time { return time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC) },
	}
}

func TestExitCodes(t *testing.T) {
	tests := []struct {
		name   string
		args   []string
		code   int
		stderr string
	}{
		{"no arguments teach", nil, exitOK, ""},
		{"help", []string{"--help"}, exitOK, ""},
		{"unknown command", []string{"instal"}, exitUsage, `boathook: unknown command "instal": did you mean "install"?` + "\n" + `Run 'boathook --help' for usage.`},
		{"nothing like it", []string{"frobnicate"}, exitUsage, "boathook: unknown command \"frobnicate\"\n"},
		{"quotes in it", []string{`a"b`}, exitUsage, `unknown command "a\"b"`},
		{"unknown flag", []string{"version", "--jsn"}, exitUsage, "boathook: unknown flag: --jsn: did you mean --json?\n"},
		{"unknown flag like no other", []string{"version", "--frobnicate"}, exitUsage, "boathook: unknown flag: --frobnicate\n"},
		{"a flag without its dash", []string{"install", "--dryrun"}, exitUsage, "boathook: unknown flag: --dryrun: did you mean --dry-run?\n"},
		{"unknown short flag", []string{"log", "-fx"}, exitUsage, "boathook: unknown flag: -x\n"},
		{"no number", []string{"log", "-n", "abc"}, exitUsage, `boathook: --lines (-n) wants a whole number, not "abc"`},
		{"no number, long", []string{"log", "--lines=1.5"}, exitUsage, `boathook: --lines (-n) wants a whole number, not "1.5"`},
		{"too large a number", []string{"log", "-n", "99999999999999999999"}, exitUsage, `boathook: --lines (-n) wants a whole number, not "9`},
		{"no switch", []string{"log", "--json=maybe"}, exitUsage, `boathook: --json wants true or false, not "maybe"`},
		{"no list", []string{"log", "--event", `a"b`}, exitUsage, `boathook: --event wants names with commas between, not "a\"b"`},
		{"no value", []string{"log", "--since"}, exitUsage, "boathook: --since wants a value\n"},
		{"no value, short", []string{"log", "-n"}, exitUsage, "boathook: -n wants a value\n"},
		{"no value, long", []string{"log", "--lines"}, exitUsage, "boathook: --lines wants a value\n"},
		{"no time", []string{"worker", "drain", "--wait", "soon"}, exitUsage, `boathook: --wait wants a time like 30s, 5m, 1h or 2d, not "soon"`},
		{"no time, another", []string{"verify", "watch", "--for", "-1h"}, exitUsage, `boathook: --for wants a time like 30s, 5m, 1h or 2d, not "-1h"`},
		{"days", []string{"worker", "stop", "--wait", "1d"}, exitOK, ""},
		{"argument too many", []string{"version", "now"}, exitUsage, `"now"`},
		{"help for a topic", []string{"help", "exit-codes"}, exitOK, ""},
		{"help for a command", []string{"help", "completion", "bash"}, exitOK, ""},
		{"help for nothing", []string{"help", "foo"}, exitUsage, "boathook: no such command or help topic: foo\n"},
		{"help for nearly nothing", []string{"help", "instal"}, exitUsage, `no such command or help topic: instal: did you mean "install"?`},
		{"help for half of it", []string{"help", "log", "foo"}, exitUsage, "no such command or help topic: log foo"},
		{"a command below", []string{"worker", "drian"}, exitUsage, `boathook: unknown command "drian": did you mean "drain"?` + "\nRun 'boathook worker --help' for usage."},
		{"another", []string{"telemetry", "staus"}, exitUsage, `boathook: unknown command "staus": did you mean "status"?`},
		{"no prefix twice", []string{"log", "x"}, exitUsage, `boathook: log takes no arguments, and "x" is one`},
		{"no prefix twice, below", []string{"verify", "watch", "x"}, exitUsage, `boathook: verify watch takes no arguments, and "x" is one`},
		{"a topic", []string{"config"}, exitOK, ""},
		{"a topic as a command", []string{"config", "list"}, exitUsage, `config is a help topic and not a command: there is nothing like "list"`},
		{"completion", []string{"completion"}, exitOK, ""},
		{"completion of no shell", []string{"completion", "foo"}, exitUsage, `no completion for "foo": there are bash, fish, powershell, zsh`},
		{"completion of two", []string{"completion", "bash", "zsh"}, exitUsage, "takes no arguments"},
		{"decode of a file", []string{"decode", "a b.json"}, exitUsage, "write < 'a b.json'"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			code, _, stderr := run(t, tt.args...)
			if strings.Contains(stderr, "strconv") || strings.Contains(stderr, "parse error") {
				t.Errorf("Go's own words: %s", stderr)
			}
			if code != tt.code || !strings.Contains(stderr, tt.stderr) {
				t.Errorf("exit %d, stderr %q; want %d, %q", code, stderr, tt.code, tt.stderr)
			}
			if tt.code == exitOK && stderr != "" {
				t.Errorf("stderr %q", stderr)
			}
		})
	}
}

func TestHelpFitsAScreen(t *testing.T) {
	_, out, _ := run(t, "--help")
	if lines := strings.Count(out, "\n"); lines > 50 {
		t.Errorf("the main help has %d lines:\n%s", lines, out)
	}
	for line := range strings.Lines(out) {
		if len(strings.TrimRight(line, "\n")) > 120 {
			t.Errorf("wider than 120 columns: %s", line)
		}
	}
}

func TestEveryCommandSaysWhatItDoes(t *testing.T) {
	for _, c := range newRoot(testEnv(t.TempDir())).Commands() {
		if c.Short == "" {
			t.Errorf("%s has no short help", c.Name())
		}
		if c.GroupID == groupTopics {
			if _, out, _ := run(t, "help", c.Name()); strings.Count(out, "\n") < 5 {
				t.Errorf("%s says nothing: %s", c.Name(), out)
			}
		} else if c.Long == "" && c.Name() != "version" {
			t.Errorf("%s has no long help", c.Name())
		}
	}
}

func TestFlagsComplete(t *testing.T) {
	tests := []struct {
		args []string
		want string
	}{
		{[]string{"log", "--agent", ""}, "antigravity"},
		{[]string{"log", "--event", ""}, "tool:before"},
		{[]string{"log", "--decision", ""}, "review"},
		{[]string{"log", "--tool", ""}, "run_shell_command"},
		{[]string{"hook", "--event", ""}, "PreToolUse"},
		{[]string{"decode", "--agent", ""}, "gemini"},
		{[]string{"install", "--events", ""}, "default"},
		{[]string{"help", ""}, "exit-codes"},
		{[]string{"completion", ""}, "fish"},
		{[]string{"schema", ""}, "record"},
	}
	for _, tt := range tests {
		if got := completions(t, tt.args...); !slices.Contains(got, tt.want) {
			t.Errorf("%v: %v", tt.args, got)
		}
	}
}

// completions asks as a shell does, and fails when files are offered too.
func completions(t *testing.T, args ...string) []string {
	t.Helper()
	_, out, _ := run(t, append([]string{"__complete"}, args...)...)
	lines := strings.Split(strings.TrimSpace(out), "\n")
	if last := lines[len(lines)-1]; last != ":4" {
		t.Errorf("%v: directive %s: files are offered", args, last)
	}
	names := lines[:len(lines)-1]
	for i, line := range names {
		names[i], _, _ = strings.Cut(line, "\t")
	}
	return names
}

// What is offered depends on what was typed before.
func TestCompletionKnowsWhatWasTyped(t *testing.T) {
	gemini := "SessionStart BeforeAgent BeforeTool AfterTool AfterAgent PreCompress Notification SessionEnd BeforeModel AfterModel BeforeToolSelection"
	agents := "gemini antigravity claude codex copilot cursor windsurf cline qwen amp opencode"
	tests := []struct {
		args []string
		want string
	}{
		{[]string{"install", ""}, agents},
		{[]string{"install", "gemini", ""}, strings.TrimPrefix(agents, "gemini ")},
		{[]string{"install", "antigravity", "gemini", ""}, strings.TrimPrefix(agents, "gemini antigravity ")},
		{[]string{"uninstall", "gemini", ""}, strings.TrimPrefix(agents, "gemini ")},
		{[]string{"install", "gemini", "--events", ""}, "default all " + gemini},
		{[]string{"install", "gemini", "--events", "default,BeforeT"}, "default,BeforeTool default,BeforeToolSelection"},
		{[]string{"decode", "--agent", "gemini", "--event", ""}, gemini},
		{[]string{"hook", "--agent", "gemini", "--event", "Pre"}, "PreCompress"},
		{[]string{"decode", "--event", "PreT"}, "PreToolUse"},
		{[]string{"log", "--event", "!compact"}, "!compact:before !compact:after !compact:*"},
		{[]string{"log", "--event", "tool:*,!PreC"}, "tool:*,!PreCompress tool:*,!PreCompact"},
		{[]string{"log", "--grep", ""}, ""},
		{[]string{"version", ""}, ""},
	}
	for _, tt := range tests {
		if got := strings.Join(completions(t, tt.args...), " "); got != tt.want {
			t.Errorf("%v: %q, want %q", tt.args, got, tt.want)
		}
	}
}

// Topics are named as one types them.
func TestHelpNamesTopics(t *testing.T) {
	_, out, _ := run(t, "--help")
	for _, want := range []string{"Help topics:\n", "  boathook help config      Every setting", "  boathook help exit-codes  What the exit codes"} {
		if !strings.Contains(out, want) {
			t.Errorf("no %q in\n%s", want, out)
		}
	}
}

// Somebody who types `boathook hook` wonders what it does; stdout stays an agent's.
func TestHookTypedShowsItsHelp(t *testing.T) {
	code, out, stderr := run(t, "hook")
	if code != exitUsage || out != "" || !strings.Contains(stderr, "exit     0, always") {
		t.Errorf("exit %d: %q, %q", code, out, stderr)
	}
}

func TestDecodeTellsWhoMustType(t *testing.T) {
	for _, typed := range []bool{true, false} {
		var out, errs bytes.Buffer
		env := testEnv(t.TempDir())
		env.Stdin, env.Stdout, env.Stderr, env.Typed = strings.NewReader("{}"), &out, &errs, typed
		code := Run(t.Context(), env, []string{"decode", "--agent", "gemini", "--event", "BeforeTool"})
		if told := strings.Contains(errs.String(), "reading the payload from stdin; end with Ctrl-D"); code != 0 || told != typed {
			t.Errorf("typed %t: exit %d, %q", typed, code, errs.String())
		}
	}
}
