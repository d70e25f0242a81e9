// Package geminirun runs the real Gemini CLI for the integration tests: in a throw-away home and repository, against a mock
// model, headless or on a pseudo-terminal. It also runs boathook in that home and reads its log back as JSON.
// Only tests import it.
package geminirun

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/boathook/boathook/itest/agents"
	"github.com/boathook/boathook/itest/build"
	"github.com/boathook/boathook/itest/mockgemini"
	"github.com/boathook/boathook/itest/procs"
)

// MCPServer is the name that the lab's settings give to the echo server of the Model Context Protocol.
const MCPServer = "lab"

// Lab is one user's world: a home, a repository to work in, and a boathook of its own to install.
type Lab struct {
	// Root holds everything else.
	Root string
	// Home is the user's home, Repo a git repository, Work the folder in it that the agent is started in.
	Home, Repo, Work string
	// Bin is the boathook that this lab installs, there from Install on. A test may damage it.
	Bin string
	// Env is added to the environment of every process of the lab, as "NAME=value".
	Env []string

	script string
	model  *mockgemini.Server
}

// New makes a lab below a new temporary folder. With a name, everything lives in a folder so called.
func New(tb testing.TB, name string) *Lab {
	tb.Helper()
	root := filepath.Join(tempDir(tb), name)
	l := &Lab{
		Root: root, Home: filepath.Join(root, "home"), Repo: filepath.Join(root, "repo"),
		Work: filepath.Join(root, "repo", "sub"), Bin: filepath.Join(root, "bin", "boathook"),
		script: agents.Gemini(tb),
	}
	tb.Cleanup(func() {
		if err := procs.End(filepath.Dir(l.Bin)); err != nil {
			tb.Error(err) // the folder could not be removed
		}
	})
	l.furnish(tb)
	return l
}

// tempDir is like tb.TempDir, but resolves symbolic links, as the agent does.
func tempDir(tb testing.TB) string {
	tb.Helper()
	dir, err := filepath.EvalSymlinks(tb.TempDir())
	if err != nil {
		tb.Fatal(err)
	}
	return dir
}

// Refurnish moves home and repository aside and makes new ones in the same place, so that what two runs left behind
// can be compared without a word about paths. It returns where the old home is.
func (l *Lab) Refurnish(tb testing.TB, aside string) string {
	tb.Helper()
	old := filepath.Join(l.Root, aside)
	must(tb, os.MkdirAll(old, 0o755))
	must(tb, os.Rename(l.Home, filepath.Join(old, "home")))
	must(tb, os.Rename(l.Repo, filepath.Join(old, "repo")))
	l.furnish(tb)
	return filepath.Join(old, "home")
}

// Model starts the mock model that the next runs talk to.
func (l *Lab) Model(tb testing.TB, s mockgemini.Scenario) *mockgemini.Server {
	tb.Helper()
	l.model = mockgemini.Start(tb, s)
	return l.model
}

func (l *Lab) furnish(tb testing.TB) {
	tb.Helper()
	for _, dir := range []string{filepath.Join(l.Home, ".gemini"), l.Work, filepath.Dir(l.Bin)} {
		must(tb, os.MkdirAll(dir, 0o755))
	}
	git := exec.Command("git", "init", "-q", l.Repo)
	git.Env = l.environ()
	if out, err := git.CombinedOutput(); err != nil {
		tb.Fatalf("git init: %v\n%s", err, out)
	}
	l.WriteSettings(tb, nil)
}

// WriteSettings writes the user's settings of the Gemini CLI: no updates, no statistics, a key instead of a login, the echo
// server; extra keys are added at the top level.
func (l *Lab) WriteSettings(tb testing.TB, extra map[string]any) {
	tb.Helper()
	settings := map[string]any{
		"general":   map[string]any{"enableAutoUpdate": false, "enableAutoUpdateNotification": false},
		"privacy":   map[string]any{"usageStatisticsEnabled": false},
		"telemetry": map[string]any{"enabled": false},
		"security":  map[string]any{"auth": map[string]any{"selectedType": "gemini-api-key"}},
		"mcpServers": map[string]any{
			MCPServer: map[string]any{"command": build.Fixture(tb, "mcpecho")},
		},
	}
	for k, v := range extra {
		settings[k] = v
	}
	b, err := json.MarshalIndent(settings, "", "  ")
	must(tb, err)
	must(tb, os.WriteFile(filepath.Join(l.Home, ".gemini", "settings.json"), b, 0o600))
}

// environ is the whole environment of a process in the lab; nothing of the tests' own environment but PATH gets in.
func (l *Lab) environ(extra ...string) []string {
	env := []string{
		"PATH=" + os.Getenv("PATH"), "HOME=" + l.Home, "TERM=xterm-256color", "LANG=C.UTF-8", "NO_COLOR=1",
		"GEMINI_API_KEY=fake-key", "GEMINI_TELEMETRY_ENABLED=false", "GEMINI_CLI_TRUST_WORKSPACE=true",
	}
	if l.model != nil {
		env = append(env, "GOOGLE_GEMINI_BASE_URL="+l.model.URL())
	}
	return append(append(env, l.Env...), extra...)
}

func copyFile(tb testing.TB, from, to string) {
	tb.Helper()
	b, err := os.ReadFile(from)
	must(tb, err)
	must(tb, os.WriteFile(to, b, 0o755))
}

// RemoveBin removes the lab's boathook, whatever it is now.
func (l *Lab) RemoveBin(tb testing.TB) {
	tb.Helper()
	must(tb, os.RemoveAll(l.Bin))
}

// PutBin puts another program where the lab's boathook was removed from.
func (l *Lab) PutBin(tb testing.TB, program string) {
	tb.Helper()
	copyFile(tb, program, l.Bin)
}

// EmptyWork removes what the agent's tools made, so that the next session starts as the first did.
func (l *Lab) EmptyWork(tb testing.TB) {
	tb.Helper()
	must(tb, os.RemoveAll(l.Work))
	must(tb, os.Mkdir(l.Work, 0o755))
}

func must(tb testing.TB, err error) {
	tb.Helper()
	if err != nil {
		tb.Fatal(err)
	}
}
