package memorysecrets_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
)

// TestForgotten: what is forgotten, by whatever is chosen, leaves no byte in any file while a worker runs, three agents have said it, others
// were told it, blocks wait for a person, and hooks and a record of an agent's own bring it again.
func TestForgotten(t *testing.T) {
	onBoth(t, func(w *world) {
		old := w.agentsRecord()
		worker := w.Worker()
		texts := map[string]string{}
		for n, how := range []string{"session", "project", "time", "query", "row", "anonymize"} {
			texts[how] = w.story(n, how)
		}
		w.drain()
		w.told(texts)
		backlog := w.backlog(texts)
		for _, how := range []string{"session", "query", "row", "anonymize", "time", "project"} {
			args := append([]string{"memory", "forget", "--yes", "--json"}, w.choice(how, texts[how])...)
			var r struct {
				Absent  bool
				Remains []string
				Pending string
			}
			if out := w.Lab.Run(args...); json.Unmarshal([]byte(out.Stdout), &r) != nil || !r.Absent {
				w.Errorf("%q: %s%s", args, out.Stdout, out.Stderr)
			}
			w.vacuum()
			w.nowhereAtRest(how, texts[how])
		}
		// It comes again: from hooks that were late, from the agent's own record, and to a worker that begins anew.
		must(t, worker.Stop())
		for n, record := range backlog {
			w.Put(record, map[string]any{"id": strings.ToUpper(fmt.Sprint(record["id"])[:24] + fmt.Sprintf("%02d", n))})
		}
		old()
		w.Must("memory", "backfill")
		w.Worker()
		w.drain()
		if out := w.Must("memory", "export", "--all-projects"); out != "" {
			for how, text := range texts {
				if strings.Contains(out, text) {
					w.Errorf("%s: it is back: %.600s", how, out)
				}
			}
		}
	})
}

// story is told by three agents, one of them in a project of its own where that is to be forgotten.
func (w *world) story(n int, how string) (text string) {
	w.Helper()
	text = fmt.Sprintf("heron%dmarsh of the widget index", n)
	project := w.project
	if how == "project" {
		w.project = w.repo("gone")
		defer func() { w.project = project }()
	}
	for agent := range events {
		said := "the widget deployment fails: " + text
		w.turn(agent, how+"-session-"+agent, said, "widgetctl reindex # "+text, "stale: "+text, "it was stale: "+text)
		if end := events[agent].end; end != "" { // of a session that goes on nobody is told
			w.fire(agent, end, how+"-session-"+agent, map[string]any{"reason": "exit"})
		}
	}
	return text
}

// told has other sessions be told of it, and blocks wait.
func (w *world) told(texts map[string]string) {
	w.Helper()
	said := ""
	for agent := range map[string]bool{"gemini": true, "claude": true} {
		for how := range texts {
			said += w.fire(agent, events[agent].prompt, "asks-"+how+agent, map[string]any{"prompt": "why does the widget deployment fail, is the index stale?"})
		}
	}
	if !strings.Contains(said, "heron") {
		w.Errorf("nobody was told anything: %.400s", said)
	}
	config, err := os.ReadFile(w.Config)
	must(w.T, err)
	w.Write(w.Config, strings.Replace(string(config), `inject = "on"`, `inject = "review"`, 1), 0o600)
	for n := range 3 {
		w.fire("claude", "UserPromptSubmit", fmt.Sprint("reviewed-", n), map[string]any{"prompt": "why does the widget deployment fail, is the index stale?"})
	}
	if out := w.Must("memory", "show", "--pending"); !strings.Contains(out, "heron") {
		w.Errorf("nothing waits: %s", out)
	}
	w.drain()
}

// backlog are records that come late.
func (w *world) backlog(texts map[string]string) (out []map[string]any) {
	w.Helper()
	for how, text := range texts {
		for line := range strings.Lines(w.Must("log", "--json")) {
			var record map[string]any
			must(w.T, json.Unmarshal([]byte(line), &record))
			if strings.HasPrefix(fmt.Sprint(record["session_id"]), how+"-session-") && strings.Contains(line, text) {
				out = append(out, record)
			}
		}
	}
	if len(out) < 20 {
		w.Fatalf("only %d records", len(out))
	}
	return out
}

// choice is how something is chosen.
func (w *world) choice(how, text string) []string {
	w.Helper()
	switch how {
	case "project":
		return []string{"--project", filepath.Join(w.Home, "gone")}
	case "query":
		return []string{"--all-projects", "--query", text}
	case "time":
		return []string{"--project", w.project, "--since", "1d"}
	case "row":
		w.Must("memory", "search", "--all-projects", text) // the log of searches has it then
		var args []string
		for agent := range events {
			for _, m := range regexp.MustCompile(`"id":"([mt][a-z2-7]+-[0-9]+)"`).FindAllStringSubmatch(w.Must("memory", "timeline", "--json", "--session", agent+"/row-session-"+agent), -1) {
				args = append(args, "--row", m[1])
			}
		}
		if len(args) < 8 {
			w.Errorf("rows: %q", args)
		}
		return args
	case "anonymize":
		return []string{"--all-projects", "--query", text, "--anonymize"}
	}
	var args []string
	for agent := range events {
		if agent != "codex" {
			w.Must("memory", "forget", "--yes", "--session", agent+"/session-session-"+agent)
		}
		args = []string{"--session", "codex/session-session-codex"}
	}
	return args
}

// vacuum is what a person has to do on PostgreSQL: docs/memory.md says so.
func (w *world) vacuum() {
	w.Helper()
	if w.db == nil {
		return
	}
	for _, table := range w.tables() {
		w.db.Exec(w.T, "VACUUM (FULL, ANALYZE) "+table)
	}
	w.db.Exec(w.T, "SELECT pg_switch_wal()")
	w.db.Exec(w.T, "CHECKPOINT")
	w.db.Exec(w.T, "SELECT pg_switch_wal()")
	w.db.Exec(w.T, "CHECKPOINT")
}

// tables are memory's.
func (w *world) tables() (names []string) {
	w.Helper()
	c, err := pgx.Connect(w.Context(), w.db.DSN)
	must(w.T, err)
	defer func() { _ = c.Close(w.Context()) }()
	rows, err := c.Query(w.Context(), `SELECT relname::text FROM pg_class WHERE relkind = 'r' AND relname LIKE 'ltm\_%'`)
	must(w.T, err)
	names, err = pgx.CollectRows(rows, pgx.RowTo[string])
	must(w.T, err)
	return names
}

// nowhereAtRest is nowhere without what was sent, and without the server's log: this one was told to keep every statement.
func (w *world) nowhereAtRest(how, text string) {
	w.Helper()
	if found := where(w.T, w.Data, text); found != nil {
		w.Errorf("%s: the data directory has %q", how, found)
	}
	if w.db == nil {
		return
	}
	if found := where(w.T, w.db.Server.Data, text); found != nil {
		w.Errorf("%s: PostgreSQL's files have %q", how, found)
	}
}

// agentsRecord gives a function that writes an agent's own record which tells all of it again.
func (w *world) agentsRecord() func() {
	at := time.Now().Add(-time.Minute).UTC().Format(time.RFC3339)
	return func() {
		for n, how := range []string{"session", "project", "time", "query", "row", "anonymize"} {
			cwd := w.project
			if how == "project" {
				cwd = filepath.Join(w.Home, "gone")
			}
			session := how + "-session-claude"
			text := fmt.Sprintf("the widget deployment fails: heron%dmarsh of the widget index", n)
			line, err := json.Marshal(map[string]any{"type": "user", "sessionId": session, "uuid": "u" + how, "timestamp": at, "cwd": cwd, "message": map[string]any{"role": "user", "content": text}})
			must(w.T, err)
			w.Write(filepath.Join(w.Home, ".claude", "projects", "shop", session+".jsonl"), string(line)+"\n", 0o600)
		}
	}
}
