package transcripts_test

import (
	"database/sql"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/boathook/boathook/internal/transcripts"
	_ "github.com/boathook/boathook/internal/store" // it brings the driver
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
