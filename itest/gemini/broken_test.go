package gemini_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/boathook/boathook/itest/build"
	"github.com/boathook/boathook/itest/geminirun"
)

// TestBrokenBinaryIsInvisible damages the installed binary in every way that makes a bare command block the CLI, and
// compares each session with one without boathook.
func TestBrokenBinaryIsInvisible(t *testing.T) {
	l := geminirun.New(t, "")
	l.Model(t, everything())
	control := l.Headless(t, geminirun.Direct, "please do").Normal()
	l.Refurnish(t, "control")
	l.Install(t)
	checkCommandRuns(t, l)
	for _, c := range []struct {
		name   string
		damage func(*testing.T)
	}{
		{"deleted", func(*testing.T) { l.RemoveBin(t) }},
		{"not executable", func(t *testing.T) { check(t, os.WriteFile(l.Bin, []byte("text\n"), 0o644)) }},
		{"a folder", func(t *testing.T) { check(t, os.Mkdir(l.Bin, 0o755)) }},
		{"other processor", func(t *testing.T) { l.PutBin(t, build.Foreign(t, "hello")) }},
		{"stack overflow", func(t *testing.T) { l.PutBin(t, build.Fixture(t, "overflow")) }},
		{"killed", func(t *testing.T) { l.PutBin(t, build.Fixture(t, "sigkill")) }},
		{"garbage on stderr, exit code 3", func(t *testing.T) { l.PutBin(t, build.Fixture(t, "garbage")) }},
	} {
		t.Run(c.name, func(t *testing.T) {
			l.RemoveBin(t)
			c.damage(t)
			l.EmptyWork(t)
			got := l.Headless(t, geminirun.Direct, "please do").Normal()
			if diff := cmp.Diff(control, got); diff != "" {
				t.Errorf("the user sees a difference (-control +broken):\n%s", diff)
			}
		})
	}
}

// checkCommandRuns makes sure that damage to the lab's binary is damage to what the CLI runs.
func checkCommandRuns(t *testing.T, l *geminirun.Lab) {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(l.Home, ".gemini", "extensions", "boathook", "hooks", "hooks.json"))
	check(t, err)
	if !strings.Contains(string(b), l.Bin) {
		t.Fatalf("the installed hooks do not run %s:\n%s", l.Bin, b)
	}
}

func check(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
