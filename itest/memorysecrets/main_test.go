// Package memorysecrets_test holds the built programs, from the hook to what memory answers and on both stores, to what they promise of
// texts: secrets and what is marked as private stand nowhere, what is forgotten leaves no byte, and what was stored by whomever is
// harmless when it is told.
package memorysecrets_test

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/boathook/boathook/itest/build"
	"github.com/boathook/boathook/itest/hooklab"
	"github.com/boathook/boathook/itest/postgres"
)

func TestMain(m *testing.M) {
	code := m.Run()
	build.Cleanup()
	os.Exit(code)
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// short has folders in whose names a socket's path fits.
type short struct{ *testing.T }

func (s short) TempDir() string {
	s.Helper()
	dir, err := os.MkdirTemp("", "bhs")
	must(s.T, err)
	s.Cleanup(func() {
		if err := os.RemoveAll(dir); err != nil {
			s.Error(err)
		}
	})
	return dir
}

// world is a user with memory on, whose settings name an embedder and a collector that the test plays.
type world struct {
	*testing.T
	*hooklab.Lab
	db      *postgres.Database
	project string

	mu   sync.Mutex
	sent bytes.Buffer // what went to the embedder and the collector, without headers
}

// Helper is the test's.
func (w *world) Helper() { w.T.Helper() }

// onBoth runs a test on either store.
func onBoth(t *testing.T, test func(w *world)) {
	for _, store := range []string{"sqlite", "postgres"} {
		t.Run(store, func(t *testing.T) { test(newWorld(t, store)) })
	}
}

func newWorld(t *testing.T, store string) *world {
	t.Helper()
	w := &world{T: t}
	w.Lab = hooklab.New(short{t}, "")
	second, err := os.ReadFile(filepath.Join(filepath.Dir(build.Boathook(t)), "boathook-memory"))
	must(t, err)
	w.Write(filepath.Join(filepath.Dir(w.Bin), "boathook-memory"), string(second), 0o700)
	server := httptest.NewServer(http.HandlerFunc(w.hear))
	t.Cleanup(server.Close)
	w.settings(store, "on", server.URL)
	if store == "postgres" {
		w.db = postgres.StartAlone(t, postgres.Options{Version: 17, Vector: true, Settings: map[string]string{"log_statement": "all", "wal_recycle": "off", "max_wal_size": "64MB", "min_wal_size": "32MB"}})
		w.Write(filepath.Join(filepath.Dir(w.Config), "boathook.env"), "BOATHOOK_MEMORY_DSN="+w.db.DSN+"\n", 0o600)
		w.Must("memory", "migrate")
	}
	w.project = w.repo("shop")
	t.Cleanup(func() {
		if t.Failed() {
			t.Logf("worker.log:\n%s", w.WorkerLog())
		}
	})
	return w
}

func (w *world) settings(store, inject, url string) {
	w.Configure(fmt.Sprintf(`[audit]
enabled = true
[telemetry]
endpoint = %q
[llm]
baseUrl = "%s/v1"
apiKey = %q
[memory]
enabled = true
provider = %q
inject = %q
exclude = ["~/clients/**", "*.pem"]
[memory.embedding]
provider = "openai-compatible"
model = "m"
dimensions = 8
[memory.retrieval]
deadlineMs = 4000
embedderMs = 1000
maxContextTokens = 3000
topK = 20
`, url, url, apiKey, store, inject))
}

// apiKey is a secret of the settings.
const apiKey = "canary-of-the-settings-4f1d"

// hear is the embedder and the collector.
func (w *world) hear(out http.ResponseWriter, in *http.Request) {
	var body io.Reader = in.Body
	if in.Header.Get("Content-Encoding") == "gzip" {
		var err error
		if body, err = gzip.NewReader(in.Body); err != nil {
			w.Error(err)
			return
		}
	}
	text, err := io.ReadAll(body)
	if err != nil {
		return // it gave up
	}
	w.mu.Lock()
	w.sent.Write(text)
	w.mu.Unlock()
	if !strings.HasSuffix(in.URL.Path, "/embeddings") {
		return
	}
	var asked struct {
		Input []string `json:"input"`
	}
	_ = json.Unmarshal(text, &asked) // what is asked otherwise has no answer
	type row struct {
		Index     int       `json:"index"`
		Embedding []float32 `json:"embedding"`
	}
	rows := []row{}
	for n := range asked.Input {
		rows = append(rows, row{n, []float32{1, float32(n % 7), 0, 0, 1, 0, 0, 1}})
	}
	_ = json.NewEncoder(out).Encode(map[string]any{"data": rows, "model": "m"}) // who hung up doesn't want it
}

// repo makes a project.
func (w *world) repo(name string) string {
	w.Helper()
	dir := filepath.Join(w.Home, name)
	must(w.T, os.MkdirAll(dir, 0o700))
	if out, err := exec.Command("git", "init", "-q", dir).CombinedOutput(); err != nil {
		w.Fatalf("git init: %v: %s", err, out)
	}
	return dir
}

// fire has an agent's hook told an event of a session in the project.
func (w *world) fire(agent, event, session string, more map[string]any) string {
	w.Helper()
	p := map[string]any{"session_id": session, "cwd": w.project, "hook_event_name": event}
	for k, v := range more {
		p[k] = v
	}
	text, err := json.Marshal(p)
	must(w.T, err)
	return w.Hook(agent, event, string(text))
}

// events are an agent's names of what happens.
var events = map[string]struct{ prompt, before, after, stop, end string }{
	"gemini": {"BeforeAgent", "BeforeTool", "AfterTool", "AfterAgent", "SessionEnd"},
	"claude": {"UserPromptSubmit", "PreToolUse", "PostToolUse", "Stop", "SessionEnd"},
	"codex":  {"UserPromptSubmit", "PreToolUse", "PostToolUse", "Stop", ""},
}

// turn is a prompt, a call and an answer of an agent, each with a text.
func (w *world) turn(agent, session, prompt, command, output, answer string) {
	w.Helper()
	e := events[agent]
	w.fire(agent, e.prompt, session, map[string]any{"prompt": prompt})
	tool := "Bash"
	if agent == "gemini" {
		tool = "run_shell_command"
	}
	call := map[string]any{"tool_name": tool, "tool_use_id": "c-" + session, "tool_input": map[string]any{"command": command}}
	w.fire(agent, e.before, session, call)
	call["tool_response"] = map[string]any{"stdout": output, "stderr": "", "interrupted": false}
	if agent == "gemini" {
		call["tool_response"] = map[string]any{"llmContent": output, "returnDisplay": output}
	}
	w.fire(agent, e.after, session, call)
	w.fire(agent, e.stop, session, map[string]any{"prompt": prompt, "prompt_response": answer, "last_assistant_message": answer})
}

// drain has everything kept.
func (w *world) drain() { w.Helper(); w.Must("worker", "drain", "--wait", "60s") }

// where names the files below a folder in which a text stands.
func where(t testing.TB, root string, texts ...string) (found []string) {
	t.Helper()
	must(t, filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return nil //nolint:nilerr // what is gone by now
		}
		b, err := os.ReadFile(path)
		if err != nil {
			return nil //nolint:nilerr // the same
		}
		for _, text := range texts {
			if bytes.Contains(b, []byte(text)) {
				found = append(found, strings.TrimPrefix(path, root)+": "+text)
			}
		}
		return nil
	}))
	return found
}

// nowhere holds that texts are in no file of the data directory or of the server, and were sent to nobody.
func (w *world) nowhere(what string, texts ...string) {
	w.Helper()
	if found := where(w.T, w.Data, texts...); found != nil {
		w.Errorf("%s: the data directory has %q", what, found)
	}
	if w.db != nil {
		w.db.Server.Exec(w.T, "CHECKPOINT")
		if found := where(w.T, w.db.Server.Data, texts...); found != nil {
			w.Errorf("%s: PostgreSQL's files have %q", what, found)
		}
		if found := where(w.T, filepath.Dir(w.db.Server.Log), texts...); found != nil {
			w.Errorf("%s: PostgreSQL's log has %q", what, found)
		}
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, text := range texts {
		if strings.Contains(w.sent.String(), text) {
			w.Errorf("%s: %q was sent", what, text)
		}
	}
}

// answers are what the commands and the MCP server say of memory.
func (w *world) answers(query string) string {
	w.Helper()
	var all strings.Builder
	for _, args := range [][]string{
		{"memory", "search", "--all-projects", "--limit", "50", query}, {"memory", "search", "--all-projects", "--json", query}, {"memory", "timeline", "--all-projects"},
		{"memory", "export", "--all-projects"}, {"memory", "stats", "--json"}, {"memory", "doctor", "--json"}, {"status", "--json"}, {"doctor", "--json"}, {"log", "--json"},
		{"memory", "show", "--pending"},
	} {
		r := w.Lab.Run(args...)
		all.WriteString(r.Stdout + r.Stderr)
	}
	all.WriteString(w.mcp(map[string]any{"query": query, "limit": 50, "max_tokens": 20000}))
	return all.String()
}

// mcp asks the server for agents.
func (w *world) mcp(search map[string]any) string {
	w.Helper()
	cmd := exec.Command(w.Bin, "mcp", "--config", w.Config, "--project", w.project)
	cmd.Env, cmd.Dir = w.Environ(), w.project
	in, err := cmd.StdinPipe()
	must(w.T, err)
	out, err := cmd.StdoutPipe()
	must(w.T, err)
	must(w.T, cmd.Start())
	answers := json.NewDecoder(out)
	ask := func(id int, method string, params any) (text string) {
		text1, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": id, "method": method, "params": params})
		must(w.T, err)
		_, err = in.Write(append(text1, '\n'))
		must(w.T, err)
		var answer json.RawMessage
		must(w.T, answers.Decode(&answer))
		return string(answer)
	}
	ask(1, "initialize", map[string]any{"protocolVersion": "2025-06-18", "capabilities": map[string]any{}, "clientInfo": map[string]any{"name": "t", "version": "1"}})
	_, err = io.WriteString(in, `{"jsonrpc":"2.0","method":"notifications/initialized"}`+"\n")
	must(w.T, err)
	said := ask(2, "tools/call", map[string]any{"name": "memory_search", "arguments": search})
	must(w.T, in.Close())
	_ = cmd.Wait() // its input ended
	return said
}
