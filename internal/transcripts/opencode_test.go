package transcripts_test

import (
	"database/sql"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	_ "github.com/boathook/boathook/internal/store" // it brings the driver
	"github.com/boathook/boathook/internal/transcripts"
)

// TestOpencodeDatabase: opencode 1.18 keeps its sessions in tables.
func TestOpencodeDatabase(t *testing.T) {
	home := t.TempDir()
	dir := filepath.Join(home, ".local", "share", "opencode")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, "opencode.db")
	db, err := sql.Open("sqlite3", "file:"+filepath.ToSlash(path))
	if err != nil {
		t.Fatal(err)
	}
	for _, stmt := range []string{
		"CREATE TABLE session (id text PRIMARY KEY, directory text NOT NULL)",
		"CREATE TABLE part (id text PRIMARY KEY, message_id text, session_id text, time_created integer, data text)",
		"INSERT INTO session VALUES ('ses_1', '/home/user/proj')",
		`INSERT INTO part VALUES ('prt_1', 'msg_1', 'ses_1', 1, '{"type":"text","text":"hi"}')`,
		`INSERT INTO part VALUES ('prt_2', 'msg_1', 'ses_1', 2, '{"type":"tool","tool":"bash","callID":"c","state":{"status":"completed","input":{"command":"echo hi > out.txt"},"time":{"start":1796059064356}}}')`,
		`INSERT INTO part VALUES ('prt_3', 'msg_1', 'ses_1', 3, '{"type":"tool","tool":"read","callID":"d","state":{"input":{"filePath":"/etc/passwd"},"time":{"start":1796059064356}}}')`,
	} {
		if _, err := db.ExecContext(t.Context(), stmt); err != nil {
			t.Fatal(err)
		}
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, f := range transcripts.Find(t.Context(), home, nil, "opencode", time.Time{}) {
		if skipped, err := f.Read(t.Context(), func(c transcripts.Call) error {
			got = append(got, c.CWD+" "+c.Tool+" "+string(c.Input))
			return nil
		}); err != nil || skipped != 0 {
			t.Errorf("%d skipped, %v", skipped, err)
		}
	}
	want := []string{`/home/user/proj bash {"command":"echo hi > out.txt"}`, `/home/user/proj read {"filePath":"/etc/passwd"}`}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	entries, err := os.ReadDir(dir)
	if err != nil || len(entries) != 1 {
		t.Errorf("there is more than the database: %v, %v", entries, err)
	}
}

// TestOpencodeConversations: who said a part stands in its message's row; a child session's are its parent's.
func TestOpencodeConversations(t *testing.T) {
	home := t.TempDir()
	dir := filepath.Join(home, ".local", "share", "opencode")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	db, err := sql.Open("sqlite3", "file:"+filepath.ToSlash(filepath.Join(dir, "opencode.db")))
	if err != nil {
		t.Fatal(err)
	}
	for _, stmt := range []string{
		"CREATE TABLE session (id text PRIMARY KEY, parent_id text, directory text NOT NULL)",
		"CREATE TABLE message (id text PRIMARY KEY, session_id text, time_created integer, data text)",
		"CREATE TABLE part (id text PRIMARY KEY, message_id text, session_id text, time_created integer, data text)",
		"INSERT INTO session VALUES ('ses_1', NULL, '/home/user/proj'), ('ses_2', 'ses_1', '/home/user/proj')",
		`INSERT INTO message VALUES ('msg_1', 'ses_1', 1, '{"role":"user"}'), ('msg_3', 'ses_2', 1, '{"role":"user"}')`,
		`INSERT INTO message VALUES ('msg_2', 'ses_1', 1, '{"role":"assistant","modelID":"m","tokens":{"input":5,"output":2,"reasoning":1,"cache":{"read":3,"write":0}}}')`,
		`INSERT INTO part VALUES ('prt_1', 'msg_1', 'ses_1', 1, '{"type":"text","text":"hi"}')`,
		`INSERT INTO part VALUES ('prt_2', 'msg_1', 'ses_1', 2, '{"type":"text","synthetic":true,"text":"a file"}')`,
		`INSERT INTO part VALUES ('prt_3', 'msg_2', 'ses_1', 3, '{"type":"text","text":"I look"}')`,
		`INSERT INTO part VALUES ('prt_4', 'msg_2', 'ses_1', 4, '{"type":"tool","tool":"bash","callID":"c","state":{"status":"completed","input":{"command":"false"},"output":"x","metadata":{"exit":1},"time":{"start":1796059064356,"end":1796059065356}}}')`,
		`INSERT INTO part VALUES ('prt_5', 'msg_2', 'ses_1', 5, '{"type":"step-finish"}'), ('prt_6', 'msg_2', 'ses_1', 6, '{"type":"novel"}')`,
		`INSERT INTO part VALUES ('prt_7', 'msg_3', 'ses_2', 7, '{"type":"text","text":"look there"}')`,
	} {
		if _, err := db.ExecContext(t.Context(), stmt); err != nil {
			t.Fatal(err)
		}
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	var got []string
	var told transcripts.Told
	for _, f := range transcripts.Find(t.Context(), home, nil, "opencode", time.Time{}) {
		if told, err = f.Conversation(t.Context(), func(it transcripts.Item) error {
			line := it.Session + it.Subagent + " "
			if m := it.Message; m != nil {
				line += m.Role + " " + m.Text + " " + m.Generated + fmt.Sprint(m.Tokens)
			} else {
				line += it.Use.Command + it.Use.Tool + " " + it.Use.Status + " " + it.Use.Duration.String() + " " + it.Use.ID
			}
			got = append(got, line)
			return nil
		}); err != nil {
			t.Error(err)
		}
	}
	want := []string{"ses_1 user hi 0", "ses_1 user a file context0", "ses_1 assistant I look 11", "ses_1 bash error 1s msg_2/c", "ses_1ses_2 user look there subagent0"}
	if diff := cmp.Diff(want, got); diff != "" || told.Unknown != 1 {
		t.Errorf("%+v -want +got:\n%s", told, diff)
	}
}
