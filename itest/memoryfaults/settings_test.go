package memoryfaults_test

import (
	"encoding/json"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/boathook/boathook/itest/build"
)

// doctor is what `boathook memory doctor --json` says of the store and of what waits for it: their words and their cures.
func (w *world) doctor() (text, cure string) {
	w.Helper()
	r := w.Lab.Run("memory", "doctor", "--json")
	var said struct {
		Checks []struct{ ID, Status, Text, Cure string } `json:"checks"`
	}
	if err := json.Unmarshal([]byte(r.Stdout), &said); err != nil {
		w.Fatalf("memory doctor --json: %v: %s%s", err, r.Stdout, r.Stderr)
	}
	for _, c := range said.Checks {
		if (c.ID == "memory.store" || c.ID == "memory.flow") && (c.Status == "fail" || c.Status == "warn") {
			text, cure = text+c.Text+"\n", cure+c.Cure+"\n"
		}
	}
	if text == "" {
		w.Errorf("memory doctor finds nothing wrong with the store: %s", r.Stdout)
	}
	return text, cure
}

// says has all of a user's commands that look at memory say what they know, and holds that none tells the secret.
func (w *world) says() {
	w.Helper()
	for _, args := range [][]string{
		{"status"}, {"doctor"}, {"memory", "doctor"}, {"memory", "stats"}, {"memory", "search", "walrus"}, {"memory", "timeline"},
		{"memory", "migrate", "--dry-run"}, {"memory", "export"}, {"memory", "backfill", "--dry-run"}, {"log", "--json"}, {"worker", "status"},
		{"config", "show"}, {"telemetry", "status"}, {"memory", "forget", "--all-projects", "--dry-run"}, {"worker", "drain", "--wait", "1s"},
	} {
		r := w.Lab.Run(args...)
		if strings.Contains(r.Stdout+r.Stderr, w.secret) {
			w.Errorf("boathook %q tells the password:\n%s%s", args, r.Stdout, r.Stderr)
		}
	}
	w.discreet()
}

// TestSettings: what is wrong with the settings is said in clear words, with what cures it; mended, everything is kept.
func TestSettings(t *testing.T) {
	w := team(t)
	w.crowd.size = 5
	other := w.otherVersion()
	good := w.as("wim")
	wrong, err := url.Parse(good)
	must(t, err)
	wrong.User = url.UserPassword("wim", w.secret+"-not")
	nowhere, err := url.Parse(good)
	must(t, err)
	nowhere.Path = "/no_such_database"
	config := memoryOn + "provider = \"postgres\"\n"
	for _, row := range []struct {
		name, dsn, config string
		program           func()
		// text and cure are in what doctor says, log in what the worker does.
		text, cure, log string
	}{
		{name: "password", dsn: wrong.String(), text: "password authentication failed", cure: "boathook.env", log: "password authentication failed"},
		{name: "database", dsn: nowhere.String(), text: "no_such_database", cure: "BOATHOOK_MEMORY_DSN", log: "no_such_database"},
		{name: "no connection string", dsn: "postgres://wim:" + w.secret + "@127.0.0.1:port/x", text: "no URL", cure: "boathook.env", log: "no URL"},
		{name: "tenant", dsn: good, config: config + "tenant = \"nope\"\n", text: "not one of tenant nope", cure: "memory.tenant", log: "not one of tenant nope"},
		{name: "missing", dsn: good, program: func() { must(t, os.Remove(w.second())) }, text: "is not beside", cure: "one directory", log: "is not beside"},
		{name: "version", dsn: good, program: func() { w.install(other) }, text: "v9.9.9", cure: "one directory", log: "v9.9.9"},
		{name: "reader", dsn: w.as("anna"), cure: "roles --sql", log: "denies"},
	} {
		t.Run(row.name, func(t *testing.T) {
			if row.config == "" {
				row.config = config
			}
			if row.program != nil {
				row.program()
			}
			w.Must("worker", "stop") // one that runs has what it needs
			w.env(row.dsn)
			w.Configure(row.config)
			w.crowd.speak(nil)
			why := w.waits()
			t.Log(why)
			if !strings.Contains(why, row.log) || !strings.Contains(w.WorkerLog(), row.log) {
				t.Errorf("status says %q, worker.log\n%s", why, w.WorkerLog())
			}
			text, cure := w.doctor()
			t.Logf("doctor: %s → %s", text, cure)
			if !strings.Contains(text, row.text) || !strings.Contains(cure, row.cure) {
				t.Errorf("doctor says %q → %q", text, cure)
			}
			w.says()
			w.install(build.Boathook(t))
			w.env(good)
			w.Configure(config)
			w.crowd.speak(nil)
			w.Until("what waited, kept without anybody's help", func() bool {
				s := w.state().Memory
				return s.Behind == 0 && s.Error == ""
			})
			w.drain()
			w.whole()
		})
	}
	w.crowd.patient()
}

// install puts a boathook-memory beside boathook; its path is that of boathook beside it.
func (w *world) install(from string) {
	w.Helper()
	b, err := os.ReadFile(filepath.Join(filepath.Dir(from), "boathook-memory"))
	must(w.T, err)
	must(w.T, os.RemoveAll(w.second())) // one that runs can't be written to
	w.Write(w.second(), string(b), 0o700)
}

// otherVersion builds a boathook-memory of another version, and returns the path that a boathook beside it would have.
func (w *world) otherVersion() string {
	w.Helper()
	root, err := build.Root()
	must(w.T, err)
	dir := w.TempDir()
	cmd := exec.Command("go", "build", "-ldflags=-s -w -X github.com/boathook/boathook/internal/version.Version=v9.9.9", "-o", dir, "./cmd/boathook-memory")
	cmd.Dir, cmd.Env = root, append(os.Environ(), "CGO_ENABLED=0", "GOWORK=off")
	if out, err := cmd.CombinedOutput(); err != nil {
		w.Fatalf("build boathook-memory: %v\n%s", err, out)
	}
	return filepath.Join(dir, "boathook")
}
