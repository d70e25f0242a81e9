package memory

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/boathook/boathook/itest/agentlab"
	"github.com/boathook/boathook/itest/conform"
)

// resume are the arguments by which an agent goes on with its last session.
func resume(l *conform.Lab) []string {
	if l.Agent.ID == "claude" {
		return []string{"--continue"}
	}
	return []string{"--resume", "latest"}
}

func TestRemembers(t *testing.T) {
	for _, a := range driven() {
		t.Run(a.ID, func(t *testing.T) {
			l := conform.NewLabFor(t, a, plays)
			settings(t, l, on)
			incident(t, l)
			if got := blocks(l); got != nil {
				t.Errorf("nothing was known yet, and the model is told %q", got)
			}
			t.Run("same project", func(t *testing.T) { tells(t, l) })
			t.Run("unrelated", func(t *testing.T) { tellsNothing(t, l, "poem", unrelated) })
			t.Run("other project", func(t *testing.T) {
				elsewhere(t, l, func() { tellsNothing(t, l, "question", asked) })
			})
		})
	}
}

// tells holds that the next session is told what worked, once, and within the budget.
func tells(t *testing.T, l *conform.Lab) {
	seen := ask(t, l, "question", asked)
	got := blocks(l)
	if len(got) == 0 {
		t.Fatalf("the model is told nothing; the records say %s", recalls(t, l))
	}
	if !strings.Contains(got[0], mended) || !strings.Contains(got[0], "Previously Successful Commands") {
		t.Errorf("what is told lacks the command that worked:\n%s", got[0])
	}
	if n := len([]rune(got[0])); n > budget*4 {
		t.Errorf("%d characters are more than %d tokens", n, budget)
	}
	if requests := len(l.Model.Requests()); seen.Requests != requests {
		t.Errorf("%d requests, %d before", requests, seen.Requests)
	}
	first := len(got)
	ask(t, l, "question", asked, resume(l)...)
	for _, r := range l.Model.Requests() {
		if n := strings.Count(r.Body, mended); n > 1 && n > first {
			t.Errorf("the second prompt of the session is told again (%d times):\n%s", n, r.Body)
		}
	}
	if text := recalls(t, l); !strings.Contains(text, `"outcome":"repeated"`) && !strings.Contains(text, `"outcome":"nothing"`) {
		t.Errorf("the records of the second prompt say %s", text)
	}
}

func tellsNothing(t *testing.T, l *conform.Lab, play, words string) {
	t.Helper()
	ask(t, l, play, words)
	if got := blocks(l); got != nil {
		t.Errorf("the model is told %q", got)
	}
	if l.Model.Heard(mended) {
		t.Error("the model has heard of the command")
	}
}

// elsewhere does something in another project.
func elsewhere(tb testing.TB, l *conform.Lab, do func()) {
	tb.Helper()
	repo, work := l.Repo, l.Work
	defer func() { l.Repo, l.Work = repo, work }()
	l.Repo = filepath.Join(l.Root, "other")
	l.Work = filepath.Join(l.Repo, "sub")
	agentlab.Must(tb, os.MkdirAll(l.Work, 0o755))
	if out, err := exec.Command("git", "init", "-q", l.Repo).CombinedOutput(); err != nil {
		tb.Fatalf("git init: %v\n%s", err, out)
	}
	do()
}

// recalls are what the records say of memory.
func recalls(tb testing.TB, l *conform.Lab) string {
	tb.Helper()
	var out strings.Builder
	for line := range strings.Lines(l.MustBoathook(tb, nil, "log", "--json").Stdout) {
		if _, after, ok := strings.Cut(line, `"recall":`); ok {
			out.WriteString(after[:min(len(after), 200)] + "\n")
		}
	}
	return out.String()
}

// TestOffIsAsWithout: with memory off, and where nothing of what is known helps, the model is asked the same, byte for byte, as without
// boathook.
func TestOffIsAsWithout(t *testing.T) {
	for _, a := range driven() {
		t.Run(a.ID, func(t *testing.T) {
			l := conform.NewLabFor(t, a, plays)
			requests(t, l, "question", asked) // whatever an agent does in its first session
			question, poem := requests(t, l, "question", asked), requests(t, l, "poem", unrelated)
			settings(t, l, "enabled = false")
			if diff := cmp.Diff(question, requests(t, l, "question", asked)); diff != "" {
				t.Errorf("memory off (-without +with):\n%s", diff)
			}
			settings(t, l, on)
			incident(t, l)
			if diff := cmp.Diff(poem, requests(t, l, "poem", unrelated)); diff != "" {
				t.Errorf("memory on, and of no help (-without +with):\n%s", diff)
			}
		})
	}
}

// unrelated is a prompt about nothing that was done before.
const unrelated = "write a haiku about the sea in November"

// requests are what the model is asked in one session.
func requests(tb testing.TB, l *conform.Lab, play, words string) []string {
	tb.Helper()
	ask(tb, l, play, words)
	var out []string
	for _, r := range l.Model.Requests() {
		out = append(out, r.Path+"\n"+agentlab.Normalize(r.Body))
	}
	return out
}
