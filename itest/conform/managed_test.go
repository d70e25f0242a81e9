package conform

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/boathook/boathook/itest/agentlab"
	"github.com/boathook/boathook/itest/build"
	"github.com/boathook/boathook/itest/mockmodel"
)

// TestManaged shows that agents run the hooks that root installed for everybody: a deny blocks, although the user and the
// repository switched all hooks off and the user's own config asks nobody; an event is recorded once, although the user has
// hooks of the same agent too; and uninstall gives back the same bytes.
func TestManaged(t *testing.T) {
	needNamespace(t)
	for _, a := range []Agent{claude(), codex(), copilot(), qwen(), gemini(), opencode()} {
		t.Run(a.ID, func(t *testing.T) {
			t.Parallel()
			a.InstallArgs = nil // neither trust nor further events
			l := NewLab(t, a)
			etc := l.ownMachine(t)
			l.Bring(t)
			l.Configure(t, build.Fixture(t, "judge"))
			managed := filepath.Join(etc, "boathook", "config.toml")
			agentlab.Must(t, os.MkdirAll(filepath.Dir(managed), 0o755))
			agentlab.Must(t, os.Rename(filepath.Join(l.Home, ".config", "boathook", "config.toml"), managed))
			agentlab.Must(t, os.Chmod(managed, 0o644))
			l.Write(t, filepath.Join(l.Home, ".config", "boathook", "config.toml"),
				fmt.Sprintf("data_dir = %q\n", filepath.Join(l.Home, ".local", "share", "boathook")))
			l.MustBoathook(t, nil, "install", a.ID, "--yes")
			was := agentlab.Tree(t, etc, nil)

			l.MustBoathook(t, nil, "install", "--managed", "--yes")
			l.weaken(t)
			seen := l.Session(t, Session{Prompt: mockmodel.Prompt(strict, "please"), Permit: true})
			if slices.Contains(seen.Files, "deny-me") || !slices.Contains(seen.Files, "beside") {
				t.Errorf("the managed hook's deny did not block: %q\n%s", seen.Files, seen.report)
			}
			denied := before(seen, "deny-me")
			if len(denied) != 1 || denied[0].Decision.Action != "deny" {
				t.Errorf("records of the call: %+v\n%s", denied, seen.report)
			}
			if text := seen.Results[callID("deny-me")]; !strings.Contains(text, "judge-says-no") {
				t.Errorf("the model was told %q", text)
			}

			l.MustBoathook(t, nil, "uninstall", "--managed", "--yes")
			if diff := cmp.Diff(was, agentlab.Tree(t, etc, nil)); diff != "" {
				t.Errorf("after an uninstall /etc is not as before (-before +after):\n%s", diff)
			}
		})
	}
}

// weaken switches hooks off wherever a user or a repository can.
func (l *Lab) weaken(tb testing.TB) {
	tb.Helper()
	off := `{"disableAllHooks": true}`
	switch l.Agent.ID {
	case "claude", "qwen":
		dir := "." + l.Agent.ID
		l.Write(tb, filepath.Join(l.Repo, dir, "settings.json"), off)
		l.Write(tb, filepath.Join(l.Work, dir, "settings.json"), off)
	case "gemini":
		for _, dir := range []string{l.Repo, l.Work} {
			l.Write(tb, filepath.Join(dir, ".gemini", "settings.json"), `{"hooksConfig": {"enabled": false}}`)
		}
	case "copilot":
		l.Write(tb, filepath.Join(l.Repo, ".github", "copilot", "settings.json"), off)
		l.Write(tb, filepath.Join(l.Home, ".copilot", "settings.json"), off)
	case "codex":
		config := filepath.Join(l.Home, ".codex", "config.toml")
		data, err := os.ReadFile(config)
		agentlab.Must(tb, err)
		l.Write(tb, config, string(data)+"\n[features]\nhooks = false\n")
	}
}

// inNamespace puts copies over /etc and an empty directory over /var/lib, for one process and what it starts.
const inNamespace = `mount --bind "$0" /etc && mount --bind "$1" /var/lib && shift && exec "$@"`

// ownMachine gives every process of the lab an /etc of its own, which is a copy, and an empty /var/lib.
func (l *Lab) ownMachine(tb testing.TB) (etc string) {
	tb.Helper()
	agentlab.Must(tb, os.Chmod(filepath.Dir(l.Root), 0o755)) // the program is everybody's
	etc, lib := filepath.Join(l.Root, "etc"), filepath.Join(l.Root, "lib")
	agentlab.Must(tb, os.MkdirAll(etc, 0o755))
	agentlab.Must(tb, os.MkdirAll(lib, 0o755))
	if out, err := exec.Command("cp", "-a", "/etc/.", etc).CombinedOutput(); err != nil {
		tb.Fatalf("copy /etc: %v: %s", err, out)
	}
	l.Wrap = []string{"unshare", "-m", "sh", "-c", inNamespace, etc, lib}
	return etc
}

// needNamespace skips the test where nothing can be put over /etc.
func needNamespace(tb testing.TB) {
	tb.Helper()
	if runtime.GOOS != "linux" || os.Getuid() != 0 {
		tb.Skip("a managed install needs root, and a mount namespace that keeps it from this machine's own /etc: run this as root on Linux")
	}
	dir := tb.TempDir()
	if out, err := exec.Command("unshare", "-m", "sh", "-c", `mount --bind "$0" /var/lib`, dir).CombinedOutput(); err != nil {
		tb.Skipf("a managed install needs a mount namespace that keeps it from this machine's own /etc, and none can be made here (%v: %s)", err, out)
	}
}
