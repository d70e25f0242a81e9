//go:build unix

package doctor

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/oklog/ulid/v2"

	"github.com/boathook/boathook/hook/canon"
	"github.com/boathook/boathook/internal/install"
	"github.com/boathook/boathook/internal/lock"
	"github.com/boathook/boathook/internal/record"
	"github.com/boathook/boathook/internal/spool"
	"github.com/boathook/boathook/internal/store"
	"github.com/boathook/boathook/internal/wake"
	"github.com/boathook/boathook/internal/worker"
)

// TestMain is also the program that hooks and doctor start: it says its version, works as a worker, or holds a worker's
// lock and does nothing.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 {
		switch os.Args[1] {
		case "version":
			fmt.Printf("{\"version\":%q}\n", testVersion)
			return
		case "worker":
			dir := os.Args[3]
			o := worker.Options{DataDir: dir, Spool: spool.Spool{Dir: filepath.Join(dir, "spool")}, Idle: 100 * time.Millisecond}
			if worker.Run(context.Background(), o) != nil {
				os.Exit(1)
			}
			return
		case "hold":
			l, err := lock.TryLock(os.Args[2])
			if err != nil {
				os.Exit(1)
			}
			fmt.Println("held")
			time.Sleep(time.Minute)
			_ = l.Unlock()
			return
		}
	}
	os.Exit(m.Run())
}

const testVersion = "v1.2.3"

// canaries must not be said, wherever they are.
var canaries = []string{"canary-token-4711", "canary-header-4712", "canary-user-4713", "canary-query-4714", "canary-payload-4715", "canary-env-4716", "canary-pass-4717"}

// home is a home directory in which boathook was installed by the real installer.
type home struct {
	t    *testing.T
	dir  string
	work string
	vars map[string]string
	env  Env
	// installed is the program that the hooks call, another name of this one.
	installed string
}

// newHome has both agents' programs on its PATH and no boathook.
func newHome(t *testing.T) *home {
	t.Helper()
	root := t.TempDir()
	h := &home{t: t, dir: filepath.Join(root, "home"), work: filepath.Join(root, "work")}
	for _, dir := range []string{h.dir, h.work, filepath.Join(h.dir, ".gemini"), filepath.Join(h.dir, "bin")} {
		check(t, os.MkdirAll(dir, 0o700))
	}
	h.put("gemini-cli/package.json", `{"name":"@google/gemini-cli","version":"0.61.0"}`, 0o644)
	h.put("gemini-cli/bundle/gemini.js", "#!/bin/sh\nexit 1\n", 0o755)
	check(t, os.Symlink(filepath.Join(h.dir, "gemini-cli/bundle/gemini.js"), filepath.Join(h.dir, "bin/gemini")))
	h.put("bin/agy", "#!/bin/sh\necho agy 1.2.3\n", 0o755)
	self, err := os.Executable()
	check(t, err)
	this := filepath.Join(root, "this", "boathook")
	h.installed = filepath.Join(root, "installed", "boathook")
	for _, path := range []string{this, h.installed} {
		check(t, os.MkdirAll(filepath.Dir(path), 0o755))
		check(t, os.Link(self, path))
	}
	h.vars = map[string]string{"HOME": h.dir, "PATH": filepath.Join(h.dir, "bin") + ":/usr/bin:/bin"}
	h.env = Env{
		Install: install.Env{
			Home: h.dir, Exe: this, Version: testVersion, UID: os.Getuid(), GOOS: "linux",
			Managed: filepath.Join(root, "managed.toml"),
			Lookup:  func(name string) (string, bool) { v, ok := h.vars[name]; return v, ok },
		},
		Dir: h.work, Now: time.Now,
	}
	return h
}

// healthy is a home in which all is well: both agents are hooked, and events came.
func healthy(t *testing.T) *home {
	t.Helper()
	h := newHome(t)
	h.install(install.Request{Agents: []string{"gemini", "antigravity"}})
	h.insert(h.event("gemini", time.Now().Add(-time.Minute)), h.event("antigravity", time.Now().Add(-time.Second)))
	return h
}

func (h *home) install(req install.Request) {
	h.t.Helper()
	env := h.env.Install
	env.Exe = h.installed
	plan, err := install.PlanInstall(env, req)
	check(h.t, err)
	_, err = install.Install(env, req, plan)
	check(h.t, err)
}

func (h *home) path(name string) string {
	if filepath.IsAbs(name) {
		return name
	}
	return filepath.Join(h.dir, name)
}

func (h *home) put(name, text string, mode fs.FileMode) {
	h.t.Helper()
	path := h.path(name)
	check(h.t, os.MkdirAll(filepath.Dir(path), 0o700))
	// A process that is started meanwhile would hold the file open for writing, until it runs its own program: no other
	// could be started from the file.
	syscall.ForkLock.RLock()
	err := os.WriteFile(path, []byte(text), mode)
	syscall.ForkLock.RUnlock()
	check(h.t, errors.Join(err, os.Chmod(path, mode)))
}

func (h *home) read(name string) string {
	h.t.Helper()
	data, err := os.ReadFile(h.path(name))
	check(h.t, err)
	return string(data)
}

func (h *home) edit(name, old, new string) {
	h.t.Helper()
	was := h.read(name)
	if !strings.Contains(was, old) {
		h.t.Fatalf("%q is not in %s:\n%s", old, name, was)
	}
	info, err := os.Stat(h.path(name))
	check(h.t, err)
	h.put(name, strings.Replace(was, old, new, 1), info.Mode().Perm())
}

// config adds lines to the config, into the table that they begin with where it is there.
func (h *home) config(lines string) {
	text := "\n" + h.read(configName)
	table, rest, _ := strings.Cut(lines, "\n")
	if before, after, ok := strings.Cut(text, "\n"+table+"\n"); ok && strings.HasPrefix(table, "[") {
		text = before + "\n" + table + "\n" + rest + "\n" + after
	} else if strings.HasPrefix(table, "[") {
		text += "\n" + lines + "\n"
	} else {
		text = "\n" + lines + text
	}
	h.put(configName, text, 0o600)
}

const (
	configName    = ".config/boathook/config.toml"
	dataName      = ".local/share/boathook"
	extensionName = ".gemini/extensions/boathook"
	agyName       = ".gemini/config"
)

func (h *home) event(agent string, at time.Time) record.Record {
	return record.Record{
		V:        record.Version,
		Event:    canon.Event{ID: ulid.Make().String(), Time: at, Agent: agent, Event: canon.SessionStart, HostEvent: "SessionStart", SessionID: "s"},
		Decision: record.Decision{Action: canon.Allow, Expressed: canon.Allow, Source: "default"},
	}
}

func (h *home) insert(records ...record.Record) {
	h.t.Helper()
	h.store(func(s *store.Store) {
		for _, r := range records {
			b, err := json.Marshal(r)
			check(h.t, err)
			_, err = s.Insert(h.t.Context(), []store.Row{{Record: r, JSON: b}})
			check(h.t, err)
		}
	})
}

func (h *home) store(do func(*store.Store)) {
	h.t.Helper()
	check(h.t, os.MkdirAll(h.path(dataName), 0o700))
	s, err := store.Open(h.t.Context(), worker.StorePath(h.path(dataName)))
	check(h.t, err)
	do(s)
	check(h.t, s.Close())
}

// spooled puts an event into the spool that is as old as that.
func (h *home) spooled(age time.Duration) {
	h.t.Helper()
	r := h.event("gemini", time.Now().Add(-age))
	b, err := json.Marshal(r)
	check(h.t, err)
	dir := h.path(dataName + "/spool")
	check(h.t, spool.Spool{Dir: dir}.Append(r.ID, b))
	old := time.Now().Add(-age)
	check(h.t, os.Chtimes(filepath.Join(dir, "new", r.ID+".json"), old, old))
}

// stop ends a worker that was started.
func (h *home) stop() { _ = stopWorker(context.Background(), h.path(dataName+"/"+wake.LockFile)) }

func (h *home) run() *Report {
	h.t.Helper()
	r := Run(h.t.Context(), h.env)
	text, err := json.Marshal(r)
	check(h.t, err)
	for _, secret := range canaries {
		if strings.Contains(string(text), secret) {
			h.t.Errorf("%s is said in %s", secret, text)
		}
	}
	return r
}

// bad are the findings that are warnings or failures.
func bad(r *Report) []Finding {
	var out []Finding
	for _, f := range r.Findings {
		if f.Status == Warn || f.Status == Fail {
			out = append(out, f)
		}
	}
	return out
}

func check(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
