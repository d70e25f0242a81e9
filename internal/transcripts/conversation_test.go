package transcripts

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// talkOf is what a record tells, a line each.
func talkOf(t *testing.T, f File) ([]string, Told) {
	t.Helper()
	var out []string
	told, err := f.Conversation(context.Background(), func(it Item) error {
		out = append(out, itemLine(it))
		if it.Session == "" {
			t.Errorf("%s: an item of no session: %+v", f.Path, it)
		}
		return nil
	})
	if err != nil {
		t.Errorf("%s: %v", f.Path, err)
	}
	return out, told
}

func itemLine(it Item) string {
	if m := it.Message; m != nil {
		text := m.Text
		if len(text) > 60 {
			text = text[:60]
		}
		line := fmt.Sprintf("%s: %q", m.Role, text)
		if m.Generated != "" {
			line += " [" + m.Generated + "]"
		}
		if m.Tokens > 0 {
			line += fmt.Sprintf(" %d+%d=%d", m.Input, m.Output, m.Tokens)
		}
		return line
	}
	u := it.Use
	what := u.Event().Tool.Command
	if what == "" {
		what = strings.Join(u.Event().Tool.Paths, " ")
	}
	out := u.Output
	if len(out) > 40 {
		out = out[:40]
	}
	return fmt.Sprintf("%s %s → %s %q", u.Event().Tool.Name, what, u.Status, out)
}

// TestRecordedConversations: what was said and done in sessions that the real agents recorded (Qwen's and opencode's files are of their
// documented forms).
func TestRecordedConversations(t *testing.T) {
	for agent, want := range map[string][]string{
		"claude": {
			`user: "SCN:s1 go"`,
			`assistant: "start" 100+20=120`,
			`bash echo hi → success "hi"`,
			`write_file /home/user/proj/a.txt → success "File created successfully at: /home/user"`,
			`read_file /home/user/proj/a.txt → success "1\tA\n2\t"`,
			`bash date +%N → success "571365685"`,
			`bash date +%N → success "568587036"`,
			`bash echo out; echo err >&2; exit 3 → error "Exit code 3\nout\nerr"`,
			`edit_file /home/user/proj/a.txt → success "The file /home/user/proj/a.txt has been "`,
			`assistant: "done **final**" 100+20=120`,
		},
		"codex": {
			`user: "<environment_context>\n  <cwd>/home/user/proj</cwd>\n  <shell>" [context]`,
			`user: "SCN:c1 go"`,
			`assistant: "start"`,
			`bash echo hi → success "hi\n"`,
			`edit_file a.txt → success "Success. Updated the following files:\nA "`,
			`bash date +%N → success "636528788\n"`,
			`bash date +%N → success "632759470\n"`,
			`bash echo out; echo err >&2; exit 3 → error "out\nerr\n"`,
			`todo  → error "unsupported call: update_plan"`,
			`assistant: "done **final**"`,
		},
		"gemini": {
			`user: "<session_context>\nThis is the Gemini CLI. We are setting up " [context]`,
			`user: "SCENARIO:full hi"`,
			`gemini: "Let me run." 1000+20=1035`,
			`bash echo hi-from-shell > shell_out.txt; cat shell_out.txt → success "<untrusted_context>\nOutput: hi-from-shel"`,
			`list_dir . → success "Directory listing for /home/user/shop:\ns"`,
			`write_file written.txt → success "Successfully created and wrote to new fi"`,
			`read_file written.txt → success "hello\nworld\n"`,
			`read_file written.txt → success "hello\nworld\n"`,
			`edit_file written.txt → success "Successfully modified file: /home/user/s"`,
			`read_file does-not-exist.txt → error ""`,
			`bash echo oops >&2; exit 3 → error "<untrusted_context>\nOutput: oops\nExit Co"`,
			`bash sleep 0.3; echo same → success "<untrusted_context>\nOutput: same\nProcess"`,
			`bash sleep 0.3; echo same → success "<untrusted_context>\nOutput: same\nProcess"`,
			`gemini: "All done." 1090+29=1134`,
		},
		"copilot": {
			`user: "go"`,
			`bash echo hi → success "hi\n<shellId: 0 completed with exit code "`,
			`bash git push --force origin main → error "error: src refspec main does not match a"`,
			`assistant: "All done."`,
		},
		"qwen": {
			`user: "go"`,
			`assistant: "I clean up."`,
			`bash rm -rf dist → success "ok"`,
		},
		"opencode": {
			`bash git stash drop → success ""`,
		},
	} {
		var got []string
		for _, f := range Find(context.Background(), filepath.Join("testdata", "home"), nil, agent, time.Time{}) {
			lines, told := talkOf(t, f)
			got = append(got, lines...)
			if told.Skipped != 0 || told.Unknown != 0 || told.Items != len(lines) {
				t.Errorf("%s: %+v", f.Path, told)
			}
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", agent, diff)
		}
	}
}

// TestQwenRecorded: Qwen Code 0.24.4 on its own, all permitted and nothing permitted.
func TestQwenRecorded(t *testing.T) {
	for name, want := range map[string][]string{
		"qwen-0.24.4-calm.jsonl": {
			`user: "SCN:calm please"`,
			`bash echo made > plain; echo plain-ran → success "Command: echo made > plain; echo plain-r"`,
			`bash echo made > twin-a; echo twin-a-ran → success "Command: echo made > twin-a; echo twin-a"`,
			`bash echo made > twin-b; echo twin-b-ran → success "Command: echo made > twin-b; echo twin-b"`,
			`bash echo oops-context-me; exit 3 → error "Command: echo oops-context-me; exit 3\nDi"`,
			`assistant: "All done." 100+20=120`,
		},
		"qwen-0.24.4-refused.jsonl": {
			`user: "SCN:bare please"`,
			`bash echo made > plain; echo plain-ran → blocked ""`,
			`bash echo made > rewrite-me; echo rewrite-me-ran → blocked ""`,
			`bash echo made > refuse-me; echo refuse-me-ran → blocked ""`,
			`assistant: "All done." 100+20=120`,
		},
	} {
		f, ok := At("qwen", filepath.Join("testdata", "talk", name))
		if !ok {
			t.Fatalf("%s is no record by its name", name)
		}
		got, told := talkOf(t, f)
		if diff := cmp.Diff(want, got); diff != "" || told.Skipped+told.Unknown != 0 {
			t.Errorf("%s: %+v (-want +got):\n%s", name, told, diff)
		}
	}
}

// write puts a record into a home and gives it back as a file.
func write(t *testing.T, rel string, lines ...string) File {
	t.Helper()
	home := t.TempDir()
	path := filepath.Join(home, rel)
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(strings.Join(lines, "\n")), 0o600); err != nil {
		t.Fatal(err)
	}
	files := Find(context.Background(), home, nil, "", time.Time{})
	if len(files) != 1 {
		t.Fatalf("%d files were found", len(files))
	}
	return files[0]
}

const geminiChat = ".gemini/tmp/p/chats/session-2026-01-01T00-00-abcdefgh.jsonl"

func user(id, text string) string {
	return `{"id":"` + id + `","timestamp":"2026-01-01T00:00:00Z","type":"user","content":[{"text":"` + text + `"}]}`
}

// TestGeminiTakesBack: records are written again, taken back and made anew (Gemini CLI 0.61).
func TestGeminiTakesBack(t *testing.T) {
	const meta = `{"sessionId":"s","projectHash":"h","startTime":"2026-01-01T00:00:00Z","kind":"main"}`
	for name, tt := range map[string]struct {
		lines []string
		want  []string
		told  Told
	}{
		"the last of an id, in the place of the first": {
			[]string{meta, user("a", "one"), user("b", "two"), user("a", "one more")}, []string{`user: "one more"`, `user: "two"`}, Told{Items: 2},
		},
		"taken back with all that follows": {
			[]string{meta, user("a", "one"), user("b", "two"), user("c", "three"), `{"$rewindTo":"b"}`, user("d", "four")},
			[]string{`user: "one"`, `user: "four"`}, Told{Items: 2},
		},
		"to what is not there is to nothing": {[]string{meta, user("a", "one"), `{"$rewindTo":"x"}`, user("d", "four")}, []string{`user: "four"`}, Told{Items: 1}},
		"a checkpoint": {
			[]string{
				meta, user("a", "one"), user("b", "two"), `{"$set":{"messages":[` + user("b", "two, made anew") + `,` + user("c", "three") + `]}}`,
				user("c", "three, again"), `{"$rewindTo":"zz"}`, `{"$set":{"messages":[` + user("b", "two, made anew") + `,` + user("c", "three") + `]}}`,
				user("c", "three, again"), user("d", "four"),
			},
			[]string{`user: "two, made anew"`, `user: "three, again"`, `user: "four"`}, Told{Items: 3},
		},
		"a checkpoint of nothing": {[]string{meta, user("a", "one"), `{"$set":{"messages":[]}}`}, nil, Told{}},
		"other settings":          {[]string{meta, user("a", "one"), `{"$set":{"lastUpdated":"x"}}`}, []string{`user: "one"`}, Told{Items: 1}},
		"a torn last line": {
			[]string{meta, user("a", "one"), `{"id":"b","timestamp":"2026-01-01T00:00:00Z","type":"user","con`}, []string{`user: "one"`}, Told{Items: 1, Skipped: 1},
		},
		"kinds that nobody knows": {
			[]string{meta, user("a", "one"), `{"$something":1}`, `{"id":"q","type":"novel","content":"x"}`}, []string{`user: "one"`}, Told{Items: 1, Unknown: 2},
		},
		"what was put beside a prompt": {
			[]string{meta, `{"id":"a","timestamp":"2026-01-01T00:00:00Z","type":"user","content":[{"text":"one"},{"text":"<hook_context>old</hook_context>"}]}`},
			[]string{`user: "one"`}, Told{Items: 1},
		},
		"a prompt that is a text": {[]string{meta, `{"id":"a","type":"user","content":"one"}`}, []string{`user: "one"`}, Told{Items: 1}},
		"an error": {
			[]string{meta, `{"id":"a","type":"error","content":"quota"}`}, []string{`error: "quota"`}, Told{Items: 1},
		},
		"calls that were cancelled and blocked": {
			[]string{meta, `{"id":"a","type":"gemini","content":"","toolCalls":[{"id":"1","name":"run_shell_command","args":{"command":"ls"},"status":"cancelled"},` +
				`{"id":"2","name":"run_shell_command","args":{"command":"rm x"},"status":"error","result":[{"functionResponse":{"response":{"error":"Tool execution blocked: no"}}}]}]}`},
			[]string{`bash ls → blocked ""`, `bash rm x → blocked ""`}, Told{Items: 2},
		},
	} {
		got, told := talkOf(t, write(t, geminiChat, tt.lines...))
		if diff := cmp.Diff(tt.want, got); diff != "" || told != tt.told {
			t.Errorf("%s: %+v (-want +got):\n%s", name, told, diff)
		}
	}
}

// TestGeminiBefore: a session was one object before 0.20.
func TestGeminiBefore(t *testing.T) {
	f := write(t, strings.TrimSuffix(geminiChat, "l"), `{"sessionId":"s","projectHash":"h","messages":[`+user("a", "one")+`,{"id":"b","timestamp":"2026-01-01T00:00:01Z",`+
		`"type":"gemini","content":"ok","model":"m","tokens":{"input":1,"output":2,"total":3},"toolCalls":[{"id":"c","name":"read_file","args":{"file_path":"x"},"status":"success"}]}]}`)
	got, _ := talkOf(t, f)
	if diff := cmp.Diff([]string{`user: "one"`, `gemini: "ok" 1+2=3`, `read_file x → success ""`}, got); diff != "" {
		t.Error(diff)
	}
}

// TestSubagents: what they do is told of their parent's session, as their hooks tell it; what they are asked is no prompt.
func TestSubagents(t *testing.T) {
	for name, f := range map[string]File{
		"gemini": write(t, ".gemini/tmp/p/chats/parent/sub.jsonl", `{"sessionId":"sub","kind":"subagent"}`, user("a", "do it")),
		"claude": write(t, ".claude/projects/p/parent/subagents/agent-1.jsonl",
			`{"type":"user","uuid":"u","sessionId":"parent","agentId":"sub","isSidechain":true,"message":{"role":"user","content":"do it"}}`),
		"codex": write(t, ".codex/sessions/2026/01/01/rollout-x.jsonl", `{"type":"session_meta","payload":{"id":"sub","session_id":"parent","cwd":"/p"}}`,
			`{"type":"response_item","payload":{"type":"message","id":"m","role":"user","content":[{"type":"input_text","text":"do it"}]}}`),
	} {
		n := 0
		_, err := f.Conversation(context.Background(), func(it Item) error {
			n++
			if it.Session != "parent" || it.Subagent != "sub" || it.Message.Generated != "subagent" || it.Message.Text != "do it" {
				t.Errorf("%s: %+v %+v", name, it, it.Message)
			}
			return nil
		})
		if err != nil || n != 1 {
			t.Errorf("%s: %d, %v", name, n, err)
		}
	}
}

// TestGenerated: what agents write in their user's name is told apart.
func TestGenerated(t *testing.T) {
	for text, want := range map[string][2]string{
		"fix it":                          {"fix it", ""},
		"a < b and c > d":                 {"a < b and c > d", ""},
		"<command-name>/x</command-name>": {"<command-name>/x</command-name>", "command"},
		"<system-reminder>\nno\n</system-reminder>":                                 {"<system-reminder>\nno\n</system-reminder>", "reminder"},
		"fix it\n<system-reminder>\nno\n</system-reminder>\n":                       {"fix it", ""},
		"<current_datetime>1</current_datetime>\n\nfix it":                          {"fix it", ""},
		"This session is being continued from a previous conversation that ran out": {"This session is being continued from a previous conversation that ran out", "summary"},
		"<environment_context>\n<cwd>/p</cwd>\n</environment_context>":              {"<environment_context>\n<cwd>/p</cwd>\n</environment_context>", "context"},
	} {
		if rest, by := said(text); rest != want[0] || by != want[1] {
			t.Errorf("%q: %q, %q", text, rest, by)
		}
	}
}

// TestQueue: a call waits for its result, but not for ever.
func TestQueue(t *testing.T) {
	var got []string
	q := newQueue(func(it Item) error { got = append(got, itemLine(it)); return nil })
	use := func(id string) Item { return Item{Use: &Use{Call: Call{ID: id}}} }
	for _, id := range []string{"a", "b"} {
		if err := q.begin(use(id)); err != nil {
			t.Fatal(err)
		}
	}
	_ = q.end("b", func(u *Use) { u.Output = "second" })
	if len(got) != 0 {
		t.Fatalf("told before the first had ended: %q", got)
	}
	_ = q.end("a", func(u *Use) { u.Output = "first" })
	if len(got) != 2 || !strings.Contains(got[0], "first") || !strings.Contains(got[1], "second") {
		t.Errorf("%q", got)
	}
	got = nil
	_ = q.begin(use("never"))
	for range maxWaiting {
		_ = q.add(Item{Message: &Message{Role: "user", Text: "x"}})
	}
	if len(got) != maxWaiting+1 {
		t.Errorf("%d of %d were told", len(got), maxWaiting+1)
	}
}

// FuzzConversations: no reader panics or tells of an item that is none, whatever an agent's file holds; and it tells the same twice.
func FuzzConversations(f *testing.F) {
	_ = filepath.WalkDir(filepath.Join("testdata", "home"), func(path string, d os.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() {
			text, err := os.ReadFile(path)
			if err != nil {
				f.Fatal(err)
			}
			f.Add(text)
		}
		return err
	})
	f.Add([]byte(user("a", "one") + "\n{\"$rewindTo\":\"a\"}\n{\"$set\":{\"messages\":[" + user("a", "x") + "]}}\n" + user("b", "y")))
	dir := f.TempDir()
	f.Fuzz(func(t *testing.T, text []byte) {
		for i, s := range sources() {
			name := []string{"x.jsonl", "rollout-x.jsonl", "rollout-y.jsonl", "chats/s.jsonl", "events.jsonl", "q.jsonl", "", "storage/part/m/p.json"}[i]
			if name == "" {
				continue // a database, which SQLite reads
			}
			path := filepath.Join(dir, s.agent, name)
			if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(path, text, 0o600); err != nil {
				t.Fatal(err)
			}
			var told [2][]string
			for turn := range told {
				_, err := File{Agent: s.agent, Path: path, talk: s.talk}.Conversation(t.Context(), func(it Item) error {
					if (it.Message == nil) == (it.Use == nil) {
						t.Errorf("%s: %+v", s.agent, it)
					}
					told[turn] = append(told[turn], itemLine(it))
					return nil
				})
				if err != nil {
					t.Error(err)
				}
			}
			if diff := cmp.Diff(told[0], told[1]); diff != "" {
				t.Errorf("%s: %s", s.agent, diff)
			}
		}
	})
}
