package cli

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/boathook/boathook/hook/canon"
	"github.com/boathook/boathook/internal/record"
)

// Each choice selects what it says, of what is stored and of what waits, and what is deleted is what was shown.
func TestPurgeSelects(t *testing.T) {
	tests := []struct {
		name string
		args []string
		left string
	}{
		{"a session", []string{"--session", "s1"}, "0 2 4 6"},
		{"an agent", []string{"--agent", "Antigravity"}, "0 1 2 3"},
		{"a project", []string{"--project", "work/../work"}, "1 2 4 5 7"},
		{"before a day", []string{"--before", "2026-03-04"}, "3 4 5 6 7"},
		{"all that is given", []string{"--before", "2026-03-04", "--session", "s1"}, "0 2 3 4 5 6 7"},
		{"nothing", []string{"--session", "s9"}, "0 1 2 3 4 5 6 7"},
		{"all", []string{"--all"}, ""},
	}
	for _, tt := range tests {
		for _, stored := range []bool{true, false} {
			t.Run(fmt.Sprintf("%s stored %t", tt.name, stored), func(t *testing.T) {
				home := t.TempDir()
				spoolEvents(t, home, 0, 8, func(i int, r *record.Record) {
					r.SessionID, r.Time, r.Event.Event = fmt.Sprintf("s%d", i%2), time.Date(2026, 3, 1+i, 1, 0, 0, 0, time.UTC), canon.ToolBefore
					if i > 3 {
						r.Agent = "antigravity"
					}
					if i%3 == 0 {
						r.Project = filepath.Join(home, "work")
					}
				})
				if stored {
					if code, _, errs := live(t, home, "worker", "--once"); code != exitOK {
						t.Fatal(errs)
					}
				}
				args := append([]string{"purge"}, tt.args...)
				if code, _, errs := live(t, home, append(args, "--dry-run")...); code != exitOK {
					t.Fatal(errs)
				}
				gone := 8 - len(strings.Fields(tt.left))
				code, out, errs := live(t, home, append(args, "--yes", "--json")...)
				want := fmt.Sprintf(`"events":%d`, gone)
				if code != exitOK || strings.Count(out, want) != map[bool]int{true: 2, false: 1}[gone > 0] {
					t.Errorf("exit %d: %s%s, want %s twice", code, out, errs, want)
				}
				_, out, _ = live(t, home, "log", "--json")
				var left []string
				for i := range 8 {
					if strings.Contains(out, fmt.Sprintf(`"command":"command %d"`, i)) {
						left = append(left, fmt.Sprint(i))
					}
				}
				if got := strings.Join(left, " "); got != tt.left {
					t.Errorf("left %s, want %s", got, tt.left)
				}
			})
		}
	}
}

// What no destination has got is said, with how much it is.
func TestPurgeTellsWhatIsNotSent(t *testing.T) {
	home := configured(t, "http://127.0.0.1:1/v1/traces")
	spoolEvents(t, home, 0, 2, nil)
	if code, _, errs := live(t, home, "worker", "--once"); code != exitOK {
		t.Fatal(errs)
	}
	spoolEvents(t, home, 2, 1, nil)
	code, out, errs := live(t, home, "purge", "--all", "--dry-run")
	if code != exitOK || !strings.Contains(out, "3 events") || !strings.Contains(out, "3 not sent yet (traces), and never will be") {
		t.Errorf("exit %d: %s%s", code, out, errs)
	}
}

// With --all the files go that hold contents beside the store; without it none does.
func TestPurgeAllTakesFiles(t *testing.T) {
	home := t.TempDir()
	data := filepath.Join(home, ".local", "share", "boathook")
	spoolEvents(t, home, 0, 1, nil)
	if err := os.MkdirAll(filepath.Join(data, "spool", "bad", "dir"), 0o700); err != nil {
		t.Fatal(err)
	}
	files := []string{"invocations.jsonl", "invocations.jsonl.old", "events.db.corrupt-1", "spool/bad/x.json", "spool/bad/x.json.reason", "key", "worker.log"}
	for _, name := range files {
		if err := os.WriteFile(filepath.Join(data, name), []byte(`{"boathook":1}`+"\n"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	there := func() (out []string) {
		for _, name := range append(files, "spool/bad/dir") {
			if _, err := os.Lstat(filepath.Join(data, name)); err == nil {
				out = append(out, name)
			}
		}
		return out
	}
	if code, _, errs := live(t, home, "purge", "--agent", "gemini", "--yes"); code != exitOK || len(there()) != len(files)+1 {
		t.Errorf("exit %d: %s: %v", code, errs, there())
	}
	if code, out, errs := live(t, home, "purge", "--all", "--yes"); code != exitOK || !strings.Contains(out, "6 files") {
		t.Errorf("exit %d: %s%s", code, out, errs)
	}
	if got := strings.Join(there(), " "); got != "key worker.log" {
		t.Error(got)
	}
}

func TestPurgeRefuses(t *testing.T) {
	home := t.TempDir()
	spoolEvents(t, home, 0, 1, nil)
	for _, tt := range []struct {
		args []string
		code int
		want string
	}{
		{nil, exitUsage, "wants to know what"},
		{[]string{"--session", ""}, exitUsage, "wants to know what"},
		{[]string{"--all", "--session", "x"}, exitUsage, "no other choice"},
		{[]string{"--agent", "nobody"}, exitUsage, "is none of gemini"},
		{[]string{"--before", "soon"}, exitUsage, "is no time"},
		{[]string{"--all"}, exitRefused, "--yes"},
		{[]string{"--all", "--json"}, exitRefused, "--yes"},
	} {
		if code, _, errs := live(t, home, append([]string{"purge"}, tt.args...)...); code != tt.code || !strings.Contains(errs, tt.want) {
			t.Errorf("%v: exit %d: %s", tt.args, code, errs)
		}
	}
	if _, out, _ := live(t, home, "log", "--json"); strings.Count(out, "\n") != 1 {
		t.Errorf("left: %s", out)
	}
}
