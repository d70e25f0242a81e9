package cli

import (
	"bytes"
	"context"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/spf13/cobra"
)

// everyHelp gives the help of each command and topic as a terminal of a width shows it; 0 is a pipe.
func everyHelp(t *testing.T, width int) map[string]string {
	t.Helper()
	out := map[string]string{}
	var walk func(c *cobra.Command)
	walk = func(c *cobra.Command) {
		var text, errs bytes.Buffer
		env := testEnv(t.TempDir())
		env.Stdin, env.Stdout, env.Stderr, env.IsTerminal, env.Width = strings.NewReader(""), &text, &errs, width > 0, width
		if code := Run(context.Background(), env, append([]string{"help"}, strings.Fields(c.CommandPath())[1:]...)); code != exitOK {
			t.Errorf("%s: exit %d, %s", c.CommandPath(), code, errs.String())
		}
		out[c.CommandPath()] = text.String()
		for _, below := range c.Commands() {
			walk(below)
		}
	}
	walk(newRoot(testEnv(t.TempDir())))
	return out
}

// TestHelpFitsTheTerminal: nothing is wider than it, but for one word of a command that a shell would not take in parts.
func TestHelpFitsTheTerminal(t *testing.T) {
	for width, most := range map[int]int{50: 50, 80: 80, 120: helpColumns, 0: helpColumns} {
		widest := 0
		for name, text := range everyHelp(t, width) {
			for line := range strings.Lines(text) {
				line = strings.TrimRight(line, "\n")
				word := strings.TrimSuffix(strings.TrimSuffix(strings.TrimSpace(line), ` \`), " |")
				if n := columns(line); n > most && len(shellWords(word)) > 1 {
					t.Errorf("%s at %d: %d columns: %s", name, width, n, line)
				} else if n <= most {
					widest = max(widest, n)
				}
				if strings.TrimRight(line, " ") != line {
					t.Errorf("%s at %d: spaces at the end of %q", name, width, line)
				}
			}
		}
		if widest < most-3 {
			t.Errorf("at %d only %d columns are used", width, widest)
		}
	}
}

// TestHelpLosesNothingToItsWidth: narrow or wide, it says the same words.
func TestHelpLosesNothingToItsWidth(t *testing.T) {
	words := func(s string) string {
		return strings.Join(strings.Fields(strings.ReplaceAll(s, " \\\n", "\n")), "")
	}
	wide := everyHelp(t, 120)
	for name, narrow := range everyHelp(t, 50) {
		if words(narrow) != words(wide[name]) {
			t.Errorf("%s:\n%s\n\n%s", name, narrow, wide[name])
		}
	}
}

// TestFlagsNameTheirValues: one form everywhere, and none of pflag's words for types.
func TestFlagsNameTheirValues(t *testing.T) {
	for name, text := range everyHelp(t, 0) {
		_, flags, _ := strings.Cut(text, "\nFlags:\n")
		for line := range strings.Lines(flags) {
			_, rest, isFlag := strings.Cut(line, "--")
			if !isFlag || !strings.HasPrefix(strings.TrimLeft(line, " "), "-") {
				continue
			}
			head, _, _ := strings.Cut(rest, "  ")
			_, value, _ := strings.Cut(strings.TrimSpace(head), " ")
			if value != strings.ToUpper(value) {
				t.Errorf("%s: %s", name, line)
			}
		}
	}
}

// TestFlagsNameEveryAgent: whoever takes --agent says which there are.
func TestFlagsNameEveryAgent(t *testing.T) {
	var walk func(c *cobra.Command)
	n := 0
	walk = func(c *cobra.Command) {
		if f := c.Flags().Lookup("agent"); f != nil && c.Name() != "backfill" { // which reads the records of those that keep any
			n++
			for _, id := range agentNames() {
				if _, list, _ := strings.Cut(f.Usage, ": "); !strings.Contains(", "+list+",", ", "+id+",") {
					t.Errorf("%s --agent does not name %s: %s", c.CommandPath(), id, f.Usage)
				}
			}
		}
		for _, below := range c.Commands() {
			walk(below)
		}
	}
	walk(newRoot(testEnv(t.TempDir())))
	if n < 8 {
		t.Errorf("%d commands take --agent", n)
	}
}

// TestBrokenCommandsStayCommands: a shell takes the lines as it takes the one.
func TestBrokenCommandsStayCommands(t *testing.T) {
	for _, tt := range []struct {
		in    string
		width int
		want  []string
	}{
		{"echo '{a b}' | boathook hook --agent gemini --event X", 30, []string{"echo '{a b}' | boathook hook \\", "--agent gemini --event X"}},
		{"echo '{a b}' | boathook hook --agent gemini", 26, []string{"echo '{a b}' | boathook \\", "hook --agent gemini"}},
		{"echo '{a long word of it}' | boathook", 14, []string{"echo \\", "'{a long word of it}' |", "boathook"}},
	} {
		got := item{name: tt.in, command: true}.breakName(tt.width)
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("%s: %s", tt.in, diff)
		}
	}
}

func TestLayout(t *testing.T) {
	const in = `A paragraph that
goes on.

  name   text
         more of it
  other  'boathook doctor --fix' mends

  boathook log --json --tool bash | jq -r '.tool  | .command'`
	for width, want := range map[int]string{
		100: `A paragraph that goes on.

  name   text more of it
  other  'boathook doctor --fix' mends

  boathook log --json --tool bash | jq -r '.tool  | .command'
`,
		46: `A paragraph that goes on.

  name   text more of it
  other  'boathook doctor --fix' mends

  boathook log --json --tool bash | jq -r \
      '.tool  | .command'
`,
		20: `A paragraph that
goes on.

  name
      text more of
      it
  other
      'boathook doctor --fix'
      mends
`,
	} {
		text := in
		if width == 20 {
			text, _, _ = strings.Cut(in, "\n\n  boathook")
		}
		if got := layout(text, width); got != want {
			t.Errorf("at %d:\n%s", width, got)
		}
	}
}
