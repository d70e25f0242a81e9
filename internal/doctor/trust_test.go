//go:build unix

package doctor

import (
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/boathook/boathook/internal/install"
	"github.com/boathook/boathook/internal/lock"
	"github.com/boathook/boathook/internal/wake"
	"github.com/boathook/boathook/internal/worker"
)

// inProject is a home whose only hooks are in a project.
func inProject(t *testing.T) (h *home, script string) {
	t.Helper()
	h = newHome(t)
	check(t, os.MkdirAll(filepath.Join(h.work, ".git"), 0o755))
	h.install(install.Request{Agents: []string{"antigravity"}, Workspace: h.work})
	return h, filepath.Join(h.work, ".agents", "boathook-hook.sh")
}

// server counts who comes.
func server(t *testing.T) (url string, asked *atomic.Int32) {
	t.Helper()
	asked = &atomic.Int32{}
	s := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { asked.Add(1) }))
	t.Cleanup(s.Close)
	return s.URL, asked
}

// A repository's config is not read: nothing goes to its endpoint, no worker gets it, no mode of what it names changes.
func TestAProjectsConfigIsNotFollowed(t *testing.T) {
	h, script := inProject(t)
	t.Cleanup(h.stop)
	url, asked := server(t)
	h.put("secret", "x", 0o664)
	evil := filepath.Join(h.work, "c.toml")
	h.put(evil, "data_dir = \""+h.path(dataName)+"\"\nenv_files = [\""+h.path(".gemini/pinta-gemini.env")+"\"]\n[telemetry]\nendpoint = \""+url+
		"/v1/traces\"\nclient_key = \""+h.path("secret")+"\"\n[guard]\nendpoint = \""+url+"\"\n", 0o600)
	h.put(".gemini/pinta-gemini.env", "PINTA_RELAY_TOKEN=canary-token-4711", 0o600)
	h.put(script, strings.ReplaceAll(h.read(script), h.path(configName), evil), 0o755)
	h.spooled(2 * time.Hour)
	r := h.run()
	if r.Config != h.path(configName) || r.find("hooks.antigravity", Fail) == nil {
		t.Errorf("config %s, %+v", r.Config, bad(r))
	}
	Mend(t.Context(), h.env, r, false)
	if got := h.read(script); strings.Contains(got, evil) || !strings.Contains(got, h.path(configName)) {
		t.Errorf("not installed again:\n%s", got)
	}
	time.Sleep(100 * time.Millisecond) // a worker would send at once
	if n := asked.Load(); n > 0 {
		t.Errorf("%d requests", n)
	}
	if info, err := os.Stat(h.path("secret")); err != nil || info.Mode().Perm() != 0o664 {
		t.Errorf("%v %v", info.Mode(), err)
	}
}

// A repository does not say where --fix writes, nor what is started.
func TestAProjectsPathsAreNotFollowed(t *testing.T) {
	h, script := inProject(t)
	h.put(script, strings.ReplaceAll(h.read(script), h.path(configName), h.path(".ssh/config.toml")), 0o755)
	Mend(t.Context(), h.env, h.run(), false)
	if _, err := os.Lstat(h.path(".ssh")); err == nil {
		t.Error("a directory was made where the repository says")
	}

	h, script = inProject(t)
	h.put(filepath.Join(h.work, "evil"), "#!/bin/sh\ntouch \"$0.ran\"\necho '{\"version\":\"v9\"}'\n", 0o755)
	h.edit(script, "program='"+h.installed, "program='"+filepath.Join(h.work, "evil"))
	r := h.run()
	Mend(t.Context(), h.env, r, true)
	Mend(t.Context(), h.env, r, false)
	h.run()
	if _, err := os.Lstat(filepath.Join(h.work, "evil.ran")); err == nil {
		t.Error("the repository's program was started")
	}

	h, script = inProject(t)
	h.put("secret", "x", 0o600)
	check(t, os.Remove(script))
	check(t, os.Symlink(h.path("secret"), script))
	Mend(t.Context(), h.env, h.run(), false)
	if info, err := os.Stat(h.path("secret")); err != nil || info.Mode().Perm() != 0o600 || h.read("secret") != "x" {
		t.Errorf("%v %v", info.Mode(), err)
	}
}

// In the user's own files an edited program is said and not started, unless an install wrote it there.
func TestAnEditedProgramIsNotStarted(t *testing.T) {
	h := healthy(t)
	evil := h.path("evil")
	h.put(evil, "#!/bin/sh\ntouch \"$0.ran\"\n", 0o755)
	for _, name := range []string{extensionName + "/hooks/hooks.json", agyName + "/boathook-hook.sh"} {
		h.put(name, strings.ReplaceAll(h.read(name), h.installed, evil), 0o755)
	}
	r := h.run()
	if f := r.find("program.hooks", Warn); f == nil || !strings.Contains(f.Text, "was not started") || !strings.Contains(f.Cure, "boathook install gemini") {
		t.Errorf("%+v", r.Findings[1])
	}
	Mend(t.Context(), h.env, r, false)
	if _, err := os.Lstat(evil + ".ran"); err == nil {
		t.Error("it was started")
	}
}

// Root starts nothing of a user's and mends nothing there: what it makes would be root's.
func TestRootInAnothersHome(t *testing.T) {
	if os.Getuid() != 0 {
		t.Skip("SKIPPED LOUDLY: to give files away takes root")
	}
	h := healthy(t)
	h.another("#!/bin/sh\ntouch /tmp/\"$0.ran\" \"$0.ran\"\n", 0o755)
	h.put("bin/agy", "#!/bin/sh\ntouch \"$0.ran\"\necho 1.2.3\n", 0o755)
	h.spooled(time.Hour)
	check(t, filepath.WalkDir(h.dir, func(path string, _ fs.DirEntry, err error) error {
		check(t, err)
		return os.Lchown(path, 65534, 65534)
	}))
	r := h.run()
	mended := Mend(t.Context(), h.env, r, false)
	for _, m := range mended {
		if !strings.Contains(m.Error, "this is root") {
			t.Errorf("%+v", m)
		}
	}
	if len(mended) == 0 {
		t.Error("nothing was to be mended")
	}
	for _, path := range []string{h.installed + ".ran", h.path("bin/agy.ran")} {
		if _, err := os.Lstat(path); err == nil {
			t.Errorf("%s: it was started", path)
		}
	}
	check(t, filepath.WalkDir(h.dir, func(path string, e fs.DirEntry, err error) error {
		check(t, err)
		info, err := e.Info()
		check(t, err)
		if uid, _ := owner(info); uid != 65534 {
			t.Errorf("%s is root's", path)
		}
		return nil
	}))
	if lock.Held(h.path(dataName + "/" + wake.LockFile)) {
		t.Error("a worker runs")
	}
}

// What stands beside an agent's program is read within bounds, and said so.
func TestPackageFilesOfAnyKind(t *testing.T) {
	for name, put := range map[string]func(path string) error{
		"fifo": func(path string) error { return syscall.Mkfifo(path, 0o600) },
		"zero": func(path string) error { return os.Symlink("/dev/zero", path) },
		"long": func(path string) error {
			return os.WriteFile(path, []byte(`{"name":"@google/gemini-cli","version":"0.61.0-`+strings.Repeat("x", 100<<10)+`"}`), 0o600)
		},
	} {
		h := newHome(t)
		path := h.path("gemini-cli/package.json")
		check(t, os.Remove(path))
		check(t, put(path))
		for _, f := range h.run().Findings {
			if len(f.Text) > 1000 || strings.Contains(f.Text, "did not end") {
				t.Errorf("%s: %s: %.300s", name, f.ID, f.Text)
			}
		}
	}
}

// Several doctors that mend the same don't fail because another was faster.
func TestSeveralMendAtOnce(t *testing.T) {
	h := healthy(t)
	t.Cleanup(h.stop)
	old := time.Now().Add(-3 * time.Hour)
	h.put(dataName+"/"+wake.StampFile, "", 0o600)
	check(t, os.Chtimes(h.path(dataName+"/"+wake.StampFile), old, old))
	check(t, os.Chmod(h.path(configName), 0o644))
	check(t, os.Remove(h.path(extensionName+"/hooks/hooks.json")))
	check(t, os.Remove(h.path(agyName+"/boathook-hook.sh")))
	h.put(dataName+"/"+worker.LogFile, "", 0o644)
	r := h.run()
	var all sync.WaitGroup
	for range 5 {
		all.Go(func() {
			for _, m := range Mend(t.Context(), h.env, r, false) {
				if m.Error != "" {
					t.Errorf("%s: %s", m.What, m.Error)
				}
			}
		})
	}
	all.Wait()
}
