//go:build unix

package backfill

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/ncruces/go-sqlite3/driver"
	"github.com/ncruces/go-sqlite3/ext/fts5"

	"github.com/boathook/boathook/internal/memory"
	"github.com/boathook/boathook/internal/memory/sqlite"
)

// childOf is the variable that makes this program a backfill: the data directory and the home.
const childOf = "BOATHOOK_TEST_BACKFILL"

func TestMain(m *testing.M) {
	data, home, is := strings.Cut(os.Getenv(childOf), "\n")
	if !is {
		os.Exit(m.Run())
	}
	if err := child(data, home); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func child(data, home string) error {
	ctx := context.Background()
	s, err := sqlite.Open(ctx, filepath.Join(data, sqlite.FileName))
	if err != nil {
		return err
	}
	_, err = Run(ctx, options(slow{s}, data, home))
	return err
}

// slow is a store that takes its time, so that a kill finds it at work.
type slow struct{ memory.Store }

func (s slow) Write(ctx context.Context, b memory.Batch) (memory.Written, error) {
	time.Sleep(time.Millisecond)
	w, err := s.Store.Write(ctx, b)
	time.Sleep(time.Millisecond)
	return w, err
}

// manySessions is a home with copies of the recorded sessions of Claude Code and Gemini CLI, each a session of its own.
func manySessions(t *testing.T, n int) string {
	t.Helper()
	home := pastHome(t)
	for _, of := range [][2]string{
		{".claude/projects/-home-user-proj/df280fd7-9b2e-4bdc-b1a0-27afed0ea9d4.jsonl", "df280fd7"},
		{".gemini/tmp/shop/chats/session-2026-11-30T09-27-b7eef73b.jsonl", "b7eef73b"},
	} {
		path := filepath.Join(home, filepath.FromSlash(of[0]))
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for i := range n {
			id := fmt.Sprintf("%08d", i)
			copied := strings.ReplaceAll(path, of[1], id)
			if err := os.WriteFile(copied, []byte(strings.ReplaceAll(string(text), of[1], id)), 0o600); err != nil {
				t.Fatal(err)
			}
			if err := os.Chtimes(copied, ended, ended); err != nil {
				t.Fatal(err)
			}
		}
	}
	return home
}

// tables are the contents of all tables of a memory, but for when a row was written.
func tables(t *testing.T, data string) []string {
	t.Helper()
	db, err := driver.Open("file:"+filepath.ToSlash(filepath.Join(data, sqlite.FileName))+"?mode=ro", fts5.Register)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	var names []string
	list, err := db.QueryContext(t.Context(), "SELECT name FROM sqlite_master WHERE type = 'table' AND name LIKE 'ltm~_%' ESCAPE '~' ORDER BY name")
	if err != nil {
		t.Fatal(err)
	}
	for list.Next() {
		var name string
		if err := list.Scan(&name); err != nil {
			t.Fatal(err)
		}
		if !strings.HasPrefix(name, "ltm_index") { // an index of its own layout
			names = append(names, name)
		}
	}
	var out []string
	for _, name := range names {
		rows, err := db.QueryContext(t.Context(), "SELECT * FROM "+name+" ORDER BY 1")
		if err != nil {
			t.Fatal(err)
		}
		columns, err := rows.Columns()
		if err != nil {
			t.Fatal(err)
		}
		for rows.Next() {
			values, into := make([]any, len(columns)), make([]any, len(columns))
			for i := range values {
				into[i] = &values[i]
			}
			if err := rows.Scan(into...); err != nil {
				t.Fatal(err)
			}
			line := name
			for i, c := range columns {
				if c != "created_at" && c != "updated_at" {
					line += fmt.Sprintf(" %s=%s", c, fmt.Sprint(values[i]))
				}
			}
			out = append(out, line)
		}
		if err := rows.Err(); err != nil {
			t.Fatal(err)
		}
	}
	return out
}

// TestKilled: a backfill that is killed again and again, anywhere, ends with the tables of one that was not.
func TestKilled(t *testing.T) {
	home := manySessions(t, 40)
	whole := t.TempDir()
	if err := child(whole, home); err != nil {
		t.Fatal(err)
	}
	want := tables(t, whole)
	if len(want) < 200 {
		t.Fatalf("only %d rows", len(want))
	}
	data := t.TempDir()
	kills, r := 0, rand.New(rand.NewPCG(6, 8))
	for done := false; !done; {
		cmd := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^$")
		cmd.Env = append(os.Environ(), childOf+"="+data+"\n"+home)
		cmd.Stderr = os.Stderr
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		finished := make(chan error, 1)
		go func() { finished <- cmd.Wait() }()
		var after <-chan time.Time // at last nobody kills it
		if kills < 15 {
			after = time.After(time.Duration(20+r.IntN(30*(1+kills))) * time.Millisecond)
		}
		select {
		case err := <-finished:
			if err != nil {
				t.Fatal(err)
			}
			done = true
		case <-after:
			if err := cmd.Process.Signal(syscall.SIGKILL); err == nil {
				kills++
			}
			done = <-finished == nil // it was faster
		}
	}
	t.Logf("%d kills", kills)
	if kills == 0 {
		t.Error("it was never killed")
	}
	if diff := cmp.Diff(want, tables(t, data)); diff != "" {
		t.Errorf("-uninterrupted +killed %d times:\n%s", kills, diff)
	}
}
