package memoryfaults_test

import (
	"bytes"
	"context"
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/boathook/boathook/itest/postgres"
)

// TestCommands: each of memory's commands on PostgreSQL, by the three roles: what a role may not do is said, and nothing else.
func TestCommands(t *testing.T) {
	w := team(t)
	w.crowd.size = 10
	w.crowd.seed()
	w.crowd.speak(nil)
	w.drain()
	w.whole()
	id := w.firstID("checkout")
	extra := filepath.Join(w.Home, "extra.jsonl")
	w.Write(extra, `{"session":"extra","project":"`+w.Home+`","id":"1","role":"user","ts":"`+time.Now().UTC().Format(time.RFC3339)+`","text":"walrus on the runway"}`+"\n", 0o600)
	reads := [][]string{
		{"search", "--project", w.Home, "checkout"}, {"timeline", "--all-projects"}, {"show", id}, {"stats"}, {"export", "--all-projects"}, {"doctor"},
		{"migrate", "--dry-run"}, {"ingest", "--dry-run", extra}, {"backfill", "--dry-run"},
	}
	writes := [][]string{{"ingest", extra}, {"backfill"}}
	removes := [][]string{{"forget", "--all-projects", "--session", "gemini/session-0", "--yes"}, {"prune", "--yes"}}
	for _, role := range []struct {
		login            string
		writes, removing bool
	}{{"anna", false, false}, {"wim", true, false}, {"ada", true, true}} {
		w.Must("worker", "stop")
		w.env(w.as(role.login))
		for may, all := range map[string][][]string{"read": reads, "write": writes, "remove": removes} {
			for _, args := range all {
				if args[0] == "forget" && role.removing {
					continue // TestForget has it
				}
				r := w.Lab.Run(append([]string{"memory"}, args...)...)
				allowed := may == "read" || may == "write" && role.writes || may == "remove" && role.removing
				if args[0] == "backfill" || args[0] == "prune" {
					allowed = allowed || r.Code == 0 // there was nothing to do
				}
				if strings.Contains(r.Stdout+r.Stderr, w.secret) {
					t.Errorf("%s: memory %q tells the password: %s%s", role.login, args, r.Stdout, r.Stderr)
				}
				if !allowed && (r.Code == 0 || !strings.Contains(r.Stderr, "memory roles")) {
					t.Errorf("%s: memory %q: exit code %d, %s%s", role.login, args, r.Code, r.Stdout, r.Stderr)
				}
				if allowed && r.Code != 0 {
					t.Errorf("%s: memory %q: exit code %d, %s%s", role.login, args, r.Code, r.Stdout, r.Stderr)
				}
			}
		}
	}
	w.discreet()
}

// firstID is what a search finds first.
func (w *world) firstID(query string) string {
	w.Helper()
	var said struct {
		Results []struct{ ID string } `json:"results"`
	}
	out := w.Must("memory", "search", "--all-projects", "--json", query)
	if err := json.Unmarshal([]byte(out), &said); err != nil || len(said.Results) == 0 {
		w.Fatalf("memory search --json: %v: %s", err, out)
	}
	return said.Results[0].ID
}

// TestForget: an admin forgets everything; then no byte of it is in the files of boathook or of the server's tables.
func TestForget(t *testing.T) {
	w := team(t)
	w.crowd.size = 10
	w.crowd.speak(nil)
	w.drain()
	w.whole()
	w.Must("worker", "stop")
	base := filepath.Join(w.db.Server.Data, "base")
	w.db.Exec(t, "CHECKPOINT")
	if found := holding(t, base); len(found) == 0 {
		t.Fatal("the text is not in the server's files as it is")
	}
	w.env(w.as("ada"))
	r := w.Lab.Run("memory", "forget", "--all-projects", "--yes")
	t.Logf("%d\n%s%s", r.Code, r.Stdout, r.Stderr)
	if r.Code != 0 || !strings.Contains(strings.ToLower(r.Stdout), "vacuum") {
		t.Errorf("exit code %d: %s%s", r.Code, r.Stdout, r.Stderr)
	}
	if rows := w.postgresRows(); len(rows) != 0 {
		t.Errorf("%d rows are left", len(rows))
	}
	if found := holding(t, w.Data); len(found) > 0 {
		t.Errorf("the text is in %q", found)
	}
	w.vacuum()
	if found := holding(t, base); len(found) > 0 {
		t.Errorf("the text is in the tables' files %q", found)
	}
	// The write-ahead log is the server's, as the report says: what is in none of its segments any more is gone.
	for _, file := range holding(t, w.db.Server.Data) {
		if filepath.Base(filepath.Dir(file)) != "pg_wal" {
			t.Errorf("the text is in %s", file)
		}
	}
}

// vacuum does what the report says is still to be done, with the admin's login.
func (w *world) vacuum() {
	w.Helper()
	c, err := pgx.Connect(w.Context(), w.as("ada"))
	must(w.T, err)
	defer c.Close(context.Background())
	rows, err := c.Query(w.Context(), `SELECT relname FROM pg_class WHERE relname LIKE 'ltm\_%' AND relkind = 'r'`)
	must(w.T, err)
	tables, err := pgx.CollectRows(rows, pgx.RowTo[string])
	must(w.T, err)
	for _, table := range tables {
		_, err := c.Exec(w.Context(), "VACUUM (FULL, ANALYZE) "+table)
		must(w.T, err)
	}
	w.db.Exec(w.T, "CHECKPOINT")
}

// needle is in what a session said.
const needle = "upstream of shop 3"

// holding are the files below a folder that have it.
func holding(t *testing.T, dir string) (found []string) {
	t.Helper()
	must(t, filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return nil // what is gone by now
		}
		if b, err := os.ReadFile(path); err == nil && bytes.Contains(b, []byte(needle)) {
			found = append(found, path)
		}
		return nil
	}))
	return found
}

// TestEval: the measurement runs on PostgreSQL, in tables of its own.
func TestEval(t *testing.T) {
	d := postgres.Start(t, postgres.Options{Version: 17, Vector: true})
	w := newWorld(t, memoryOn+"provider = \"postgres\"\n")
	w.env(d.DSN)
	w.Must("memory", "migrate")
	corpus, questions := filepath.Join(w.Home, "turns.jsonl"), filepath.Join(w.Home, "q.jsonl")
	w.Write(corpus, `{"session":"s1","project":"p","id":"m1","role":"user","ts":"2026-11-01T10:00:00Z","text":"the walrus deploy fails with 502"}
{"session":"s1","project":"p","id":"m2","role":"assistant","ts":"2026-11-01T10:00:05Z","text":"the stale upstream socket was removed"}
{"session":"s2","project":"p","id":"m3","role":"user","ts":"2026-11-02T10:00:00Z","text":"rename the billing package"}
`, 0o600)
	w.Write(questions, `{"question":"walrus deploy 502","project":"p","gold":["m1"]}`+"\n", 0o600)
	out := w.Must("memory", "eval", "--store", "postgres", "--corpus", corpus, "--questions", questions, "--json")
	if !json.Valid([]byte(out)) || !strings.Contains(out, "mrr") {
		t.Errorf("memory eval --json: %s", out)
	}
	t.Log(out)
}
