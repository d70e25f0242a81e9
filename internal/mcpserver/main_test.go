package mcpserver_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/boathook/boathook/internal/config"
	"github.com/boathook/boathook/internal/memory"
	"github.com/boathook/boathook/internal/memory/open"
	"github.com/boathook/boathook/internal/memory/sqlite"
)

// built is a directory with both programs, built once.
var built = sync.OnceValues(func() (string, error) {
	const module = "github.com/boathook/boathook"
	dir, err := os.MkdirTemp("", "boathook-mcp")
	if err != nil {
		return "", err
	}
	if out, err := exec.Command("go", "build", "-o", dir, module, module+"/cmd/boathook-memory").CombinedOutput(); err != nil {
		return "", fmt.Errorf("go build: %w: %s", err, out)
	}
	return dir, nil
})

// program is the path of one of them.
func program(t *testing.T, name string) string {
	t.Helper()
	dir, err := built()
	must(t, err)
	if runtime.GOOS == "windows" {
		name += ".exe"
	}
	return filepath.Join(dir, name)
}

func TestMain(m *testing.M) {
	code := m.Run()
	if dir, err := built(); err == nil {
		_ = os.RemoveAll(dir)
	}
	os.Exit(code)
}

// world is a machine with a memory of two projects, and an agent's connection to the server.
type world struct {
	*testing.T
	home, data, config string
	here, other        string // the projects' directories
	store              *sqlite.Store
	client             *mcp.ClientSession
	stdout, stderr     *recording
}

// recording keeps what went through.
type recording struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (r *recording) Write(p []byte) (int, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.text.Write(p)
}

func (r *recording) String() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.text.String()
}

func newWorld(t *testing.T) *world {
	t.Helper()
	home, err := filepath.EvalSymlinks(t.TempDir())
	must(t, err)
	w := &world{T: t, home: home, data: filepath.Join(home, "data"), config: filepath.Join(home, "config.toml")}
	w.here, w.other = filepath.Join(home, "here"), filepath.Join(home, "other")
	for _, dir := range []string{w.data, filepath.Join(w.here, ".git"), filepath.Join(w.here, "sub"), filepath.Join(w.other, ".git")} {
		must(t, os.MkdirAll(dir, 0o700))
	}
	w.setting("[memory]\nenabled = true")
	return w
}

func (w *world) setting(text string) {
	w.Helper()
	must(w.T, os.WriteFile(w.config, []byte("data_dir = "+fmt.Sprintf("%q", w.data)+"\n"+text+"\n"), 0o600))
}

// project is the key of a directory's project.
func (w *world) project(dir string) string {
	w.Helper()
	r, err := open.Projects(w.data, config.Settings{})
	must(w.T, err)
	p, err := r.Of(dir)
	must(w.T, err)
	return p.Key
}

// remember stores what was said and done in a session of a project.
func (w *world) remember(dir, session string, outcome string, rows ...any) {
	w.Helper()
	if w.store == nil {
		s, err := sqlite.Open(w.Context(), filepath.Join(w.data, sqlite.FileName))
		must(w.T, err)
		w.store = s
		w.Cleanup(func() { must(w.T, s.Close()) })
	}
	id, began := memory.SessionID("claude", session), time.Now().Add(-72*time.Hour)
	b := memory.Batch{Sessions: []memory.Session{{
		ID: id, Project: w.project(dir), Root: dir, Agent: "claude", Started: began, Ended: began.Add(time.Hour), Active: began.Add(time.Hour),
		Outcome: outcome, Summary: "summary of " + session,
	}}}
	for n, row := range rows {
		at, origin := began.Add(time.Duration(n)*time.Minute), fmt.Sprint(session, n)
		switch r := row.(type) {
		case string:
			role := memory.RoleUser
			if n%2 == 1 {
				role = memory.RoleAssistant
			}
			b.Messages = append(b.Messages, memory.Message{Session: id, Role: role, Time: at, Text: r, Source: memory.FromHook, Origin: origin})
		case memory.ToolCall:
			r.Session, r.Time, r.Source, r.Origin = id, at, memory.FromHook, origin
			b.ToolCalls = append(b.ToolCalls, r)
		}
	}
	_, err := w.store.Write(w.Context(), b)
	must(w.T, err)
}

// connect starts the program as an agent does, in a directory.
func (w *world) connect(dir string, args ...string) {
	w.Helper()
	w.connectTo("boathook-memory", dir, append([]string{"--config", w.config}, args...)...)
}

func (w *world) connectTo(name, dir string, args ...string) {
	w.Helper()
	cmd := exec.Command(program(w.T, name), append([]string{"mcp"}, args...)...)
	cmd.Dir, cmd.Env = dir, append(os.Environ(), "HOME="+w.home)
	w.stdout, w.stderr = &recording{}, &recording{}
	cmd.Stderr = w.stderr
	in, err := cmd.StdinPipe()
	must(w.T, err)
	out, err := cmd.StdoutPipe()
	must(w.T, err)
	must(w.T, cmd.Start())
	client := mcp.NewClient(&mcp.Implementation{Name: "an agent", Version: "1"}, nil)
	w.client, err = client.Connect(w.Context(), &mcp.IOTransport{
		Reader: struct {
			io.Reader
			io.Closer
		}{io.TeeReader(out, w.stdout), out}, Writer: in,
	}, nil)
	must(w.T, err)
	w.Cleanup(func() {
		_ = in.Close() // that is how an agent ends it
		_, _ = io.Copy(w.stdout, out)
		if err := cmd.Wait(); err != nil {
			w.Errorf("the server ended with %v", err)
		}
		w.onlyProtocol()
	})
}

// onlyProtocol: a line that is none of the protocol's ends an agent's connection.
func (w *world) onlyProtocol() {
	w.Helper()
	for line := range strings.Lines(w.stdout.String()) {
		var m struct{ JSONRPC string }
		if err := json.Unmarshal([]byte(line), &m); err != nil || m.JSONRPC != "2.0" {
			w.Errorf("stdout has %q", line)
		}
	}
	if w.stdout.String() == "" {
		w.Error("nothing was said")
	}
	if text := w.stderr.String(); text != "" {
		w.Errorf("stderr has %q", text)
	}
}

// ask calls a tool. Its data goes into out; the text is given.
func (w *world) ask(tool string, args map[string]any, out any) string {
	w.Helper()
	text, failed := w.call(tool, args, out)
	if failed {
		w.Fatalf("%s %v: %s", tool, args, text)
	}
	return text
}

// refused calls a tool that can't answer, and gives what it says.
func (w *world) refused(tool string, args map[string]any) string {
	w.Helper()
	text, failed := w.call(tool, args, nil)
	if !failed {
		w.Fatalf("%s %v: %s", tool, args, text)
	}
	return text
}

func (w *world) call(tool string, args map[string]any, out any) (text string, failed bool) {
	w.Helper()
	ctx, cancel := context.WithTimeout(w.Context(), time.Minute)
	defer cancel()
	res, err := w.client.CallTool(ctx, &mcp.CallToolParams{Name: tool, Arguments: args})
	if err != nil {
		return err.Error(), true
	}
	for _, c := range res.Content {
		if t, ok := c.(*mcp.TextContent); ok {
			text += t.Text
		}
	}
	if out != nil && !res.IsError {
		data, err := json.Marshal(res.StructuredContent)
		must(w.T, err)
		must(w.T, json.Unmarshal(data, out))
	}
	return text, res.IsError
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
