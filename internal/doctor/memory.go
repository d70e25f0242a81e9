package doctor

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"
	"time"

	"github.com/boathook/boathook/internal/duration"
	"github.com/boathook/boathook/internal/llm"
	"github.com/boathook/boathook/internal/memory"
	"github.com/boathook/boathook/internal/memory/open"
	"github.com/boathook/boathook/internal/memory/remote"
	"github.com/boathook/boathook/internal/shellquote"
	"github.com/boathook/boathook/internal/sink/progress"
)

func memoryChecks() []Check {
	return []Check{
		{ID: "memory.state", Title: "memory", Run: memoryState},
		{ID: "memory.store", Title: "memory's store", Run: memoryStore},
		{ID: "memory.flow", Title: "memory's flow", Run: memoryFlow},
		{ID: "memory.embedder", Title: "memory's embedder", Run: memoryEmbedder},
		{ID: "memory.project", Title: "memory's project", Run: memoryProject},
	}
}

func memoryState(_ context.Context, w *World) []Result {
	m := w.Settings.Memory
	if !m.Enabled {
		return info("off: nothing is kept, and nothing goes into prompts; 'boathook memory enable' turns it on")
	}
	if w.Settings.Minimal {
		return []Result{warn("edit "+w.configFile()+": privacy = \"standard\", or run: boathook memory disable",
			"on, but privacy is minimal: no contents are kept, and so nothing new is remembered")}
	}
	text := "on, kept in " + map[string]string{open.SQLite: "SQLite", open.Postgres: "PostgreSQL"}[m.Provider]
	switch m.Inject {
	case "on":
		text += "; what fits a prompt goes into it"
	case "review":
		text += "; what fits a prompt waits for you ('boathook memory show --pending')"
	default:
		text += "; nothing goes into prompts"
	}
	if !m.Redact {
		return []Result{warn("edit "+w.configFile()+": enabled = true, under [memory.redaction]", "%s; it is not masked once more when it is kept and told", text)}
	}
	return ok("%s", text)
}

// memoryOthers tells whether memory belongs to another user, whom this one only looks at.
func (w *World) memoryOthers() bool { return w.Install.UID == 0 && w.Actor != 0 }

func memoryStore(ctx context.Context, w *World) []Result {
	m := w.Settings.Memory
	switch {
	case !m.Enabled:
		return nil
	case w.memoryOthers():
		return info("can't be looked at: it belongs to another user")
	case m.Provider == open.Postgres && w.Offline:
		return info("PostgreSQL is not asked: --offline")
	}
	s, err := open.Store(ctx, open.Options{DataDir: w.Settings.DataDir, Settings: w.Settings, Exe: w.Install.Exe, ReadOnly: true})
	if errors.Is(err, fs.ErrNotExist) {
		return info("nothing is kept yet: the next session begins it, 'boathook memory backfill' reads the old ones")
	}
	var stats memory.Stats
	if err == nil {
		defer func() { _ = s.Close() }() // it was only read
		stats, err = s.Stats(ctx, memory.Filter{AllProjects: true})
	}
	if err != nil {
		return []Result{fail(w.memoryCure(func(kind error) bool { return errors.Is(err, kind) }), "%s", w.Foreign(err.Error()))}
	}
	out := ok("%s, tables of version %d, %s, %s, %s", stats.Backend, stats.Version, Size(stats.Bytes), Count(int64(stats.Sessions), "session"), Count(int64(stats.Chunks), "text"))
	for _, note := range stats.Notes {
		out = append(out, Result{Status: Info, Text: w.Foreign(note)})
	}
	return out
}

// memoryCure is what to do about a store that can't be had. is tells whether that is of a kind.
func (w *World) memoryCure(is func(error) bool) string {
	m := w.Settings.Memory
	env := "edit " + filepath.Join(filepath.Dir(w.Settings.Path), "boathook.env") + ": "
	switch {
	case is(remote.ErrMissing), is(remote.ErrVersion):
		return "install both programs of one version into one directory: make build, or go install github.com/boathook/boathook/...@latest"
	case is(memory.ErrOlder):
		return "boathook memory migrate"
	case is(memory.ErrNewer):
		return "install the newer boathook again"
	case m.Provider == open.Postgres && (m.DSN == "" || is(memory.ErrConnectionString)):
		return env + m.DSNEnv + "=postgres://… (a URL with user, password, host and database)"
	case is(memory.ErrLogin):
		return env + "the login or the password in " + m.DSNEnv + " (" + m.DSNSource + ")"
	case is(memory.ErrDenied):
		cure := "boathook memory roles --sql --login NAME=ROLE,TENANT (what the login has to be granted)"
		if m.Tenant != "" {
			cure += ", or edit " + w.configFile() + ": memory.tenant"
		}
		return cure
	case m.Provider == open.Postgres:
		return "see whether the server runs and " + m.DSNEnv + " (" + m.DSNSource + ") leads to it; hooks go on without memory, and what is recorded waits"
	}
	return "ls -l " + shellquote.Word(w.Settings.DataDir)
}

// told tells of what kind an error was of which only the text is left.
func told(text string) func(error) bool {
	return func(err error) bool {
		return strings.Contains(text, err.Error()) || errors.Is(err, remote.ErrMissing) && strings.Contains(text, remote.Program+" is not beside") ||
			errors.Is(err, remote.ErrVersion) && strings.Contains(text, " and "+remote.Program+" is ")
	}
}

// slow is how far behind memory may be before somebody should look.
const slow = 15 * time.Minute

func memoryFlow(ctx context.Context, w *World) []Result {
	if !w.Settings.Memory.Enabled {
		return nil
	}
	s, err := w.Open(ctx)
	if err != nil {
		return nil // the store's own checks say it
	}
	defer func() { _ = s.Close() }() // it was only read
	const newest = 2_000
	m, err := progress.MemoryOf(ctx, s, w.Now(), w.Now().Add(-24*time.Hour), newest)
	lag := time.Duration(m.Lag) * time.Second
	switch {
	case err != nil:
		return []Result{warn("boathook memory stats", "%s", w.Foreign(err.Error()))}
	case !m.Known:
		return info("the worker has not begun with it: the next event starts one")
	case m.Tries > 0:
		return []Result{warn(w.memoryCure(told(m.Error)), "%s, after %s: %s; it is tried again, and nothing is lost", waits(m.Behind), progress.Failed(m.Tries), w.Foreign(m.Error))}
	case m.Behind > 0 && lag > slow:
		return []Result{warn("boathook worker drain", "%s, the oldest for %s", waits(m.Behind), duration.Text(lag.Round(time.Second)))}
	}
	text := "all is kept"
	if m.Behind > 0 {
		text = waits(m.Behind)
	}
	if m.Asked > 0 {
		text += fmt.Sprintf("; within a day %s, %.0f %% found something, 95 %% within %.0f ms of %d", Count(int64(m.Asked), "question"), 100*m.HitRate, m.Latency["p95"], w.Settings.Memory.Deadline.Milliseconds())
	}
	return ok("%s", text)
}

// waits says how many events wait.
func waits(n int64) string {
	if n == 1 {
		return "1 event waits to be kept"
	}
	return Count(n, "event") + " wait to be kept"
}

// embedderTime is more than a hook gives it, so that a slow one is told apart from none.
const embedderTime = 3 * time.Second

func memoryEmbedder(ctx context.Context, w *World) []Result {
	m := w.Settings.Memory
	if !m.Enabled || m.Embedding.Provider == "none" {
		return nil
	}
	e, err := llm.NewEmbedder(w.Settings)
	if err != nil {
		return []Result{warn("edit "+filepath.Join(filepath.Dir(w.Settings.Path), "boathook.env")+" or "+w.configFile(), "%s: only keywords are looked for", w.Foreign(err.Error()))}
	}
	defer e.Close()
	if w.Offline {
		return info("%s by %s is not asked: --offline", e.Model(), e.Provider())
	}
	ctx, cancel := context.WithTimeout(ctx, embedderTime)
	defer cancel()
	start := time.Now()
	v, err := e.Query(ctx, "port already in use")
	took := time.Since(start)
	if err != nil {
		cure := "see whether its server runs: hooks go on with keywords alone"
		var said *llm.Error
		if errors.As(err, &said) && said.Misconfigured {
			cure = "edit " + w.configFile() + ": memory.embedding.* and llm.* ('boathook help config')"
		}
		return []Result{warn(cure, "%s", w.Foreign(err.Error()))}
	}
	text := fmt.Sprintf("%s by %s, %d numbers, %d ms", e.Model(), e.Provider(), len(v), took.Milliseconds())
	if took > m.EmbedderDeadline {
		return []Result{warn("edit "+w.configFile()+": embedderMs = …, under [memory.retrieval]", "%s: a prompt's hook waits %d ms for it, and goes on with keywords alone", text, m.EmbedderDeadline.Milliseconds())}
	}
	return ok("%s", text)
}

func memoryProject(_ context.Context, w *World) []Result {
	m := w.Settings.Memory
	if !m.Enabled || w.Dir == "" || w.Dir == w.Install.Home || w.memoryOthers() {
		return nil
	}
	projects, err := open.Projects(w.Settings.DataDir, w.Settings)
	if err != nil {
		return []Result{warn("ls -l "+shellquote.Word(w.Settings.DataDir), "%s", w.Foreign(err.Error()))}
	}
	p, err := projects.Of(w.Dir)
	switch {
	case err != nil:
		return []Result{warn("look for a disk that hangs: ls -l "+shellquote.Word(w.Dir), "%s", w.Foreign(err.Error()))}
	case p.Private:
		id := p.Remote
		if id == "" {
			id = "ID"
		}
		return []Result{{Status: Info, Text: w.Foreign(p.Root + " is this machine's own in the team's memory, since nobody has said what the team calls it"),
			Cure: "boathook memory enable --project-id " + shellquote.Word(strings.TrimSpace(id))}}
	}
	return ok("%s, in %s", w.Foreign(p.Name), w.Foreign(p.Root))
}
