package postgres_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/boathook/boathook/internal/memory"
	store "github.com/boathook/boathook/internal/memory/postgres"
	"github.com/boathook/boathook/itest/postgres"
)

// TestMigrations: from each version the tables are brought up to date, by several at once, and rows stay.
func TestMigrations(t *testing.T) {
	_, latest, err := migrated(t, postgres.Start(t, postgres.Options{Version: 15}).DSN).Version(t.Context())
	if err != nil || latest < 3 {
		t.Fatal(latest, err)
	}
	for from := range latest + 1 {
		d := postgres.Start(t, postgres.Options{Version: 15})
		s := opened(t, store.Options{DSN: d.DSN})
		if err := s.MigrateTo(t.Context(), from); err != nil {
			t.Fatal(from, err)
		}
		if have, _, err := s.Version(t.Context()); err != nil || have != from {
			t.Errorf("at %d: version %d, %v", from, have, err)
		}
		if _, err := s.Write(t.Context(), story("a")); from < latest && !errors.Is(err, memory.ErrOlder) {
			t.Errorf("at %d: %v", from, err)
		}
		if from > 0 {
			d.Exec(t, "INSERT INTO ltm_projects (tenant_id, project_hash) VALUES ('default', 'kept')")
		}
		var wait sync.WaitGroup
		for range 5 {
			wait.Go(func() {
				if err := opened(t, store.Options{DSN: d.DSN}).Migrate(t.Context()); err != nil {
					t.Errorf("from %d: %v", from, err)
				}
			})
		}
		wait.Wait()
		if done, err := s.Write(t.Context(), story("a")); err != nil || done.New != 3 && from < latest {
			t.Errorf("from %d: wrote %+v, %v", from, done, err)
		}
		if from > 0 {
			d.Exec(t, "SELECT 1 / (SELECT count(*) FROM ltm_projects WHERE project_hash = 'kept')::int")
		}
	}
}

// TestVectorsLater: without pgvector memory works by keywords and says so; once it was added, what was stored is found by vectors too.
func TestVectorsLater(t *testing.T) {
	d := postgres.Start(t, postgres.Options{Version: 17, Vector: true})
	owner := "later_" + d.Name
	d.Exec(t, fmt.Sprintf("CREATE ROLE %[1]s LOGIN PASSWORD '%[1]s'; ALTER SCHEMA public OWNER TO %[1]s", owner))
	t.Cleanup(func() { d.Exec(t, "DROP OWNED BY "+owner+" CASCADE; DROP ROLE "+owner) })
	s := migrated(t, d.As(owner, owner)) // an owner may not create it
	if _, err := s.Write(t.Context(), story("a")); err != nil {
		t.Fatal(err)
	}
	ask := memory.Query{Filter: shop(), Vector: []float32{1, 0, 0}, Model: "small", Limit: 5}
	_, findErr := s.Find(t.Context(), ask)
	_, listErr := s.Unembedded(t.Context(), "small", 3, 10)
	embedErr := s.Embed(t.Context(), "small", 3, []memory.Embedding{{Chunk: 1, Vector: []float32{1, 0, 0}}})
	for _, err := range []error{findErr, listErr, embedErr} {
		if !errors.Is(err, memory.ErrNoVectors) {
			t.Errorf("without pgvector: %v", err)
		}
	}
	got, err := s.Stats(t.Context(), shop())
	if err != nil || got.Vectors || !strings.Contains(strings.Join(got.Notes, " "), "keywords alone") {
		t.Errorf("%+v, %v", got, err)
	}
	d.Exec(t, "CREATE EXTENSION vector")
	if got, err := s.Stats(t.Context(), shop()); err != nil || !strings.Contains(strings.Join(got.Notes, " "), "memory migrate") {
		t.Errorf("%+v, %v", got, err)
	}
	if err := opened(t, store.Options{DSN: d.As(owner, owner)}).Migrate(t.Context()); err != nil {
		t.Fatal(err)
	}
	embedAll(t, s, "small", 3)
	if found, err := s.Find(t.Context(), ask); err != nil || len(found.Hits) != 3 {
		t.Errorf("found %+v, %v", found, err)
	}
	if got, err := s.Stats(t.Context(), shop()); err != nil || !got.Vectors || len(got.Notes) != 0 || got.Embedded["small"] != 3 {
		t.Errorf("%+v, %v", got, err)
	}
}

// TestWriters: fifty at once, who tell of the same sessions in another order each, and some of whose connections die meanwhile, leave every
// row once.
func TestWriters(t *testing.T) {
	d := postgres.Start(t, postgres.Options{Version: 17, Vector: true})
	migrated(t, d.DSN)
	const writers, sessions, each = 50, 10, 6
	n := postgres.Between(t, d.Server.Addr())
	var wait sync.WaitGroup
	for w := range writers {
		wait.Go(func() {
			s := opened(t, store.Options{DSN: d.At(n.Addr()), Connections: 1})
			for k := range each {
				b := memory.Batch{}
				for i := range sessions {
					of := (i*[]int{1, 3, 7, 9}[w%4] + w + k) % sessions // all of them, in an order of its own
					id := fmt.Sprintf("claude/%d", of)
					b.Sessions = append(b.Sessions, memory.Session{ID: id, Agent: "claude", Project: fmt.Sprint("p", of%3)})
					b.Messages = append(b.Messages,
						memory.Message{Session: id, Role: "user", Text: fmt.Sprint("said by all ", k), Time: time.Unix(int64(1e9+k), 0), Source: memory.FromHook, Origin: fmt.Sprint(k)},
						memory.Message{Session: id, Role: "user", Text: fmt.Sprint("said by ", w, " ", k), Time: time.Unix(int64(2e9+k), 0), Source: memory.FromHook, Origin: fmt.Sprint(w, k)})
				}
				for tries := 0; ; tries++ {
					_, err := s.Write(t.Context(), b)
					if err == nil {
						break
					}
					if !errors.Is(err, memory.ErrUnavailable) || tries == 50 {
						t.Error(err)
						return
					}
					time.Sleep(20 * time.Millisecond)
				}
			}
		})
	}
	for range 5 {
		time.Sleep(300 * time.Millisecond)
		n.Cut()
	}
	wait.Wait()
	s := opened(t, store.Options{DSN: d.DSN})
	got, err := s.Stats(t.Context(), memory.Filter{AllProjects: true})
	want := sessions*each + sessions*each*writers
	if err != nil || got.Messages != want || got.Chunks != want || got.Sessions != sessions || got.Projects != 3 {
		t.Errorf("%+v, not %d messages, %v", got, want, err)
	}
	for p := range 3 {
		in := memory.Filter{Projects: []string{fmt.Sprint("p", p)}}
		found, err := s.Find(t.Context(), memory.Query{Filter: in, Terms: []string{"said"}, Limit: 1})
		if stats, serr := s.Stats(t.Context(), in); err != nil || serr != nil || found.Documents != stats.Chunks || found.Frequency["said"] != stats.Chunks {
			t.Errorf("p%d has %d chunks, %d are counted, %d have the term; %v", p, stats.Chunks, found.Documents, found.Frequency["said"], err)
		}
	}
}

// TestNoByteLeft: after forgetting and a vacuum no file of the tables has the text, its words or what the planner knows of them.
func TestNoByteLeft(t *testing.T) {
	d := postgres.StartAlone(t, postgres.Options{Version: 17, Vector: true, Settings: map[string]string{"shared_buffers": "32MB"}})
	s := migrated(t, d.DSN)
	const canary = "zanzibarquokka7261"
	for n := range 40 {
		b := story("a")
		b.Sessions[0].Summary, b.Sessions[0].Root = "about "+canary, "/home/"+canary
		b.Sessions[0].ID = fmt.Sprint("claude/", n)
		for i := range b.Messages {
			b.Messages[i].Session = b.Sessions[0].ID
			b.Messages[i].Text += fmt.Sprint(" ", canary, n, " ", canary, strings.Repeat(" filler of a page "+fmt.Sprint(n), 200))
			b.Messages[i].Content = fmt.Appendf(nil, `{"x":"%s"}`, canary)
		}
		b.ToolCalls[0].Session, b.ToolCalls[0].Command = b.Sessions[0].ID, "echo "+canary
		b.ToolCalls[0].Args = fmt.Appendf(nil, `{"command":"echo %s"}`, canary)
		if _, err := s.Write(t.Context(), b); err != nil {
			t.Fatal(err)
		}
	}
	embedAll(t, s, "small", 3)
	d.Exec(t, "ANALYZE")
	d.Exec(t, "CHECKPOINT")
	if len(filesWith(t, d, canary)) == 0 {
		t.Fatal("the text is in no file before: the test finds nothing")
	}
	found, err := s.Find(t.Context(), memory.Query{Filter: shop(), Terms: []string{canary}, Limit: 1})
	if err != nil || len(found.Hits) != 1 {
		t.Fatalf("%+v, %v", found, err)
	}
	done, err := s.Forget(t.Context(), memory.Selection{Filter: shop(), Text: canary})
	if err != nil || done.Messages != 80 || !strings.Contains(done.Pending, "VACUUM") {
		t.Fatalf("%+v, %v", done, err)
	}
	if n, err := s.Occurs(t.Context(), canary); err != nil || n != 0 {
		t.Errorf("it occurs in %d places, %v", n, err)
	}
	if err := s.Vacuum(t.Context()); err != nil {
		t.Fatal(err)
	}
	if files := filesWith(t, d, canary); len(files) > 0 {
		t.Errorf("the text is in %q", files)
	}
}

// filesWith are the files of tables and indexes that have a text, with the names of what they are.
func filesWith(t *testing.T, d *postgres.Database, text string) (out []string) {
	t.Helper()
	c, err := pgx.Connect(t.Context(), d.DSN)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close(context.Background())
	files, err := filepath.Glob(filepath.Join(d.Server.Data, "base", "*", "*"))
	if err != nil || len(files) == 0 {
		t.Fatal(len(files), err)
	}
	for _, file := range files {
		b, err := os.ReadFile(file)
		if err != nil || !strings.Contains(string(b), text) {
			continue
		}
		var name string
		err = c.QueryRow(t.Context(), "SELECT coalesce((SELECT relname FROM pg_class WHERE pg_relation_filenode(oid)::text = $1), 'no table')",
			filepath.Base(file)).Scan(&name)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, name)
	}
	return out
}
