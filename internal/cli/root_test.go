package cli

import (
	"bytes"
	"context"
	"strings"
	"testing"
	"time"
)

// run executes a command line in a home of its own.
func run(t *testing.T, stdin string, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	return runIn(t, t.TempDir(), stdin, args...)
}

func runIn(t *testing.T, home, stdin string, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	var out, errs bytes.Buffer
	env := testEnv(home)
	env.Stdin, env.Stdout, env.Stderr = strings.NewReader(stdin), &out, &errs
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
		{"unknown command", []string{"instal"}, exitUsage, "unknown command"},
		{"unknown flag", []string{"version", "--jsn"}, exitUsage, "unknown flag: --jsn"},
		{"argument too many", []string{"version", "now"}, exitUsage, `"now"`},
		{"help for a topic", []string{"help", "exit-codes"}, exitOK, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			code, _, stderr := run(t, "", tt.args...)
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
	_, out, _ := run(t, "", "--help")
	if lines := strings.Count(out, "\n"); lines > 42 {
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
		if c.Runnable() && c.Long == "" && c.Name() != "version" {
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
		{[]string{"hook", "--event", ""}, "PreToolUse"},
		{[]string{"decode", "--agent", ""}, "gemini"},
		{[]string{"schema", ""}, "record"},
	}
	for _, tt := range tests {
		_, out, _ := run(t, "", append([]string{"__complete"}, tt.args...)...)
		if !strings.Contains(out, tt.want) {
			t.Errorf("%v: %s", tt.args, out)
		}
	}
}
