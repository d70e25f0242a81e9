package scaffold

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

func TestNewHooks(t *testing.T) {
	if _, err := New("perl", ""); err == nil || !strings.Contains(err.Error(), "go, python, typescript") {
		t.Errorf("perl: %v", err)
	}
	for _, tc := range []struct{ language, version string }{{"go", "v1.2.3"}, {"go", "devel+abc"}, {"python", ""}, {"typescript", ""}} {
		h, err := New(tc.language, tc.version)
		if err != nil {
			t.Fatal(err)
		}
		if h.Unreleased != (tc.version == "devel+abc") {
			t.Errorf("%s %s: unreleased %v", tc.language, tc.version, h.Unreleased)
		}
		for _, f := range h.Files {
			if len(f.Text) == 0 || !strings.HasSuffix(f.Text, "\n") {
				t.Errorf("%s: %s is empty or ends in its last line", tc.language, f.Path)
			}
			if f.Path == "go.mod" && strings.Contains(f.Text, "require") != (tc.version == "v1.2.3") {
				t.Errorf("%s: %s", tc.version, f.Text)
			}
		}
	}
}

// TestTheyPassTheirTests: a new hook works as it is, and its own test says so; it denies what it should.
func TestTheyPassTheirTests(t *testing.T) {
	const event = `{"id":"01JNEXAMP0E000000000000000","time":"2026-01-01T00:00:00Z","span_id":"0123456789abcdef","agent":"claude","event":"tool:before","host_event":"PreToolUse","tool":{"name":"bash","host_name":"Bash","kind":"shell","command":"git push --force"}}`
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	for _, language := range Languages() {
		t.Run(language, func(t *testing.T) {
			h, err := New(language, "devel")
			if err != nil {
				t.Fatal(err)
			}
			if _, err := exec.LookPath(h.Test[0]); err != nil {
				t.Skipf("SKIPPED LOUDLY: there is no %s here", h.Test[0])
			}
			dir := t.TempDir()
			for _, f := range h.Files {
				text := f.Text
				if f.Path == "go.mod" { // what Go would find
					text += "\nrequire github.com/boathook/boathook v0.0.0\n\nreplace github.com/boathook/boathook => " + root + "\n"
				}
				if err := os.WriteFile(filepath.Join(dir, f.Path), []byte(text), f.Mode); err != nil {
					t.Fatal(err)
				}
			}
			run := func(stdin string, words ...string) string {
				t.Helper()
				cmd := exec.Command(words[0], words[1:]...)
				cmd.Dir, cmd.Stdin = dir, strings.NewReader(stdin)
				cmd.Env = append(os.Environ(), "GOFLAGS=-mod=mod", "GOPROXY=off", "GOWORK=off")
				out, err := cmd.CombinedOutput()
				if err != nil {
					t.Fatalf("%s: %v\n%s", words, err, out)
				}
				return string(out)
			}
			run("", h.Test...)
			if language == "go" {
				run("", "go", "build", "-o", "hook", ".")
			}
			words := make([]string, len(h.Command))
			for i, w := range h.Command {
				words[i] = strings.Replace(w, "DIR", dir, 1)
			}
			if out := run(event, words...); !strings.Contains(out, "Force pushes are made by people.") {
				t.Errorf("it answers %q", out)
			}
			if out := run(strings.Replace(event, " --force", "", 1), words...); out != "" {
				t.Errorf("no objection is %q", out)
			}
		})
	}
}
