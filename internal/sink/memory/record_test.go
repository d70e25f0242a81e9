package memory

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	rows "github.com/boathook/boathook/internal/memory"
	"github.com/boathook/boathook/internal/record"
)

// gemini is a payload of Gemini CLI's.
func gemini(path, members string) string {
	return fmt.Sprintf(`{"session_id":"0a1b","transcript_path":%q,"cwd":"/home/user/shop","hook_event_name":"x","timestamp":"2026-11-30T09:27:45Z",%s}`, path, members)
}

// chat is a session of Gemini CLI's as its hooks tell it: the answer's pieces are put together differently.
func chat(t *testing.T, path string) []record.Record {
	return []record.Record{
		made(t, 0, "gemini", "SessionStart", gemini(path, `"source":"startup"`)),
		made(t, 1, "gemini", "BeforeAgent", gemini(path, `"prompt":"why is it slow"`)),
		made(t, 4, "gemini", "AfterAgent", gemini(path, `"prompt":"why is it slow","prompt_response":"The index  is missing. \nAll  done.","stop_hook_active":false`)),
		made(t, 5, "gemini", "SessionEnd", gemini(path, `"reason":"exit"`)),
	}
}

// chatFile is what Gemini CLI itself keeps of it.
func chatFile(at time.Time) string {
	lines := []string{
		`{"sessionId":"0a1b","projectHash":"h","startTime":%q,"lastUpdated":%q,"kind":"main"}`,
		`{"id":"m1","timestamp":%q,"type":"user","content":[{"text":"why is it slow"}]}`,
		`{"id":"m2","timestamp":%q,"type":"gemini","content":"The index is missing. All done.","tokens":{"input":1000,"output":20,"cached":0,"thoughts":0,"tool":0,"total":1020},"model":"gemini-2.5-flash"}`,
	}
	var b strings.Builder
	for i, l := range lines {
		when := at.Add(time.Duration(i) * time.Second).Format(time.RFC3339)
		if i == 0 {
			l = fmt.Sprintf(l, when, when)
		} else {
			l = fmt.Sprintf(l, when)
		}
		b.WriteString(l + "\n")
	}
	return b.String()
}

// TestRecord: what a session's own record says is remembered, in place of what hooks had said of the same.
func TestRecord(t *testing.T) {
	w := newWorld(t)
	path := filepath.Join(w.dir, ".gemini", "tmp", "shop", "chats", "session-2026-11-30T09-27-0a1b.jsonl")
	write(t, path, chatFile(begin.Add(time.Second)))
	w.insert(chat(t, path)...)
	if passed := w.pass(); passed.Behind {
		t.Errorf("%+v", passed)
	}
	lines := w.memory()
	if count(lines, "user: why is it slow") != 1 || count(lines, "gemini: The index is missing. All done.") != 1 || count(lines, "assistant: ") != 0 {
		t.Errorf("%s", strings.Join(lines, "\n"))
	}
	if count(lines, ": why is it slow — The index is missing. All done.") != 1 {
		t.Errorf("%s", strings.Join(lines, "\n"))
	}
	counts, err := w.events.Counters(t.Context())
	must(t, err)
	if counts[CountTranscripts] != 1 {
		t.Errorf("%v", counts)
	}
}

// TestPlaces: only what lies where the agent keeps its records is read: no link leads out of there, and nothing else is opened.
func TestPlaces(t *testing.T) {
	w := newWorld(t)
	chats := filepath.Join(w.dir, ".gemini", "tmp", "shop", "chats")
	text := chatFile(begin)
	outside := filepath.Join(w.dir, "repo", ".gemini", "tmp", "shop", "chats", "session-2026-11-30T09-27-0a1b.jsonl")
	good := filepath.Join(chats, "session-2026-11-30T09-27-0a1b.jsonl")
	write(t, good, text)
	write(t, outside, text)
	link := filepath.Join(chats, "session-2026-11-30T09-28-0a1b.jsonl")
	must(t, os.Symlink(outside, link))
	must(t, os.Symlink(filepath.Dir(outside), filepath.Join(w.dir, ".gemini", "tmp", "linked")))
	must(t, os.MkdirAll(filepath.Join(chats, "session-dir.jsonl"), 0o700))
	for path, want := range map[string]bool{
		good: true, outside: false, link: false, filepath.Join(w.dir, ".gemini", "tmp", "linked", filepath.Base(outside)): false,
		filepath.Join(chats, "session-dir.jsonl"): false, filepath.Join(chats, "session-none.jsonl"): false, "": false,
		"session.jsonl": false, chats + "/../chats/" + filepath.Base(good): false, "/etc/passwd": false,
	} {
		if f, _ := fileAt(w.dir, "gemini", path); (f != nil) != want {
			t.Errorf("%s: %v", path, f)
		}
	}
	if f, _ := fileAt(w.dir, "claude", good); f != nil {
		t.Error("one agent's record was taken for another's")
	}
	if f, _ := fileAt("", "gemini", good); f != nil {
		t.Error("without a home")
	}
}

// TestBrokenRecords: no record keeps a session from being finished.
func TestBrokenRecords(t *testing.T) {
	for name, text := range map[string]string{"empty": "", "no JSON": "{\n{{{\n\x00\xff", "another session": strings.ReplaceAll(chatFile(begin), "0a1b", "ffff")} {
		w := newWorld(t)
		path := filepath.Join(w.dir, ".gemini", "tmp", "shop", "chats", "session-2026-11-30T09-27-0a1b.jsonl")
		write(t, path, text)
		w.insert(chat(t, path)...)
		if passed := w.pass(); passed.Behind {
			t.Errorf("%s: %+v", name, passed)
		}
		if lines := w.memory(); count(lines, "assistant: The index") != 1 || count(lines, "session ") != 1 {
			t.Errorf("%s: %s", name, strings.Join(lines, "\n"))
		}
	}
}

// TestActivityLog stands in for a record that is gone.
func TestActivityLog(t *testing.T) {
	w := newWorld(t)
	shop := filepath.Join(w.dir, ".gemini", "tmp", "shop")
	body := `data: {"candidates":[{"content":{"parts":[{"text":"hm","thought":true},{"text":"The index "}]}}]}` + "\n\n" +
		`data: {"candidates":[{"content":{"parts":[{"text":"is missing."}]}}],"usageMetadata":{"promptTokenCount":9,"candidatesTokenCount":4,"totalTokenCount":13}}` + "\n"
	quoted, err := json.Marshal(body)
	must(t, err)
	at := begin.Add(2 * time.Second).UnixMilli()
	log := fmt.Sprintf(`{"type":"console","payload":{"type":"log"},"sessionId":"0a1b","timestamp":%[1]d}
{"type":"network","payload":{"id":"r1","timestamp":%[1]d,"method":"POST","url":"https://x/v1beta/models/gemini-2.5-flash:streamGenerateContent?alt=sse","body":"{}","pending":true},"timestamp":%[1]d}
not JSON
{"type":"network","payload":{"id":"r2","pending":false,"response":{"status":200,"body":%[2]s}},"timestamp":%[1]d}
{"type":"network","payload":{"id":"r1","pending":false,"response":{"status":200,"body":%[2]s,"durationMs":500}},"timestamp":%[1]d}
`, at, quoted)
	write(t, filepath.Join(shop, "logs", "session-0a1b.jsonl"), log)
	w.insert(chat(t, filepath.Join(shop, "chats", "session-2026-11-30T09-27-0a1b.jsonl"))...)
	w.pass()
	lines := w.memory()
	if count(lines, "gemini: The index is missing.") != 1 {
		t.Errorf("%s", strings.Join(lines, "\n"))
	}
	w.restart()
	c := w.cursor()
	again := c
	again.Event = 0
	must(t, w.events.SetCursor(t.Context(), &c, again))
	w.pass()
	if n := len(w.memory()); n != len(lines) {
		t.Errorf("%d rows, then %d", len(lines), n)
	}
}

// scribe is a model that a test decides about.
type scribe func(string) (string, error)

func (f scribe) Summarize(_ context.Context, text string) (string, error) { return f(text) }

// TestSummaries: the model's line, one line, or the extract where it gives none.
func TestSummaries(t *testing.T) {
	for name, tc := range map[string]struct {
		scribe scribe
		want   string
	}{
		"model": {func(text string) (string, error) {
			if !strings.Contains(text, "asked: the build of s1") || !strings.Contains(text, "ran: make build → error") {
				t.Errorf("asked about %s", text)
			}
			return " The build\nwas mended. ", nil
		}, "outcome=success: The build was mended."},
		"failure": {func(string) (string, error) { return "", errors.New("429") }, "— succeeded: make all —"},
		"silence": {func(string) (string, error) { return " ", nil }, "— succeeded: make all —"},
	} {
		w := newWorld(t, talk(t, 0, "s1")...)
		w.restart(func(c *Config) { c.Summarize = tc.scribe })
		w.pass()
		if lines := w.memory(); count(lines, tc.want) != 1 {
			t.Errorf("%s: %s", name, lines[0])
		}
	}
}

// FuzzActivity: no log makes a message that has no text, or takes a reader down.
func FuzzActivity(f *testing.F) {
	f.Add(`{"type":"network","payload":{"id":"r1","url":"/models/m:generateContent","response":{"status":200,"body":"{\"candidates\":[{\"content\":{\"parts\":[{\"text\":\"x\"}]}}]}"}}}`)
	f.Add("{}\n[]\n")
	f.Fuzz(func(t *testing.T, text string) {
		_ = eachAnswer(t.Context(), strings.NewReader(text), func(m rows.Message) error {
			if strings.TrimSpace(m.Text) == "" || m.Origin == "" {
				t.Errorf("%+v", m)
			}
			return nil
		})
	})
}
