package conform

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/boathook/boathook/itest/agentlab"
	"github.com/boathook/boathook/itest/agents"
)

// ampRuntime is the process in which Amp has a plugin run: Amp's own program and its own runtime, which speak JSON lines.
type ampRuntime struct {
	tb    testing.TB
	cmd   *exec.Cmd
	stdin io.WriteCloser
	lines chan ampLine
	last  int
	// approve answers where a plugin asks the user. Nil is an Amp without a user interface.
	approve func(title, message string) bool
}

type ampLine struct {
	Type   string          `json:"type"`
	ID     string          `json:"id"`
	Method string          `json:"method"`
	Event  string          `json:"event"`
	Params json.RawMessage `json:"params"`
	Result json.RawMessage `json:"result"`
	Error  json.RawMessage `json:"error"`
}

// ampPatience is how long the runtime may take to answer anything.
const ampPatience = time.Minute

func ampProgram(tb testing.TB) string {
	tb.Helper()
	return filepath.Join(agents.Modules(tb, "amp"), "@ampcode", "cli-"+agents.Platform(), "amp")
}

// startAmpRuntime loads a plugin as Amp does.
func startAmpRuntime(tb testing.TB, l *Lab, plugin string) *ampRuntime {
	tb.Helper()
	cmd := exec.Command(ampProgram(tb), ampRuntimeFile(tb, l), plugin)
	cmd.Dir = l.Work
	cmd.Env = l.Environ("BUN_BE_BUN=1", "AMP_PLUGIN_URI=file://"+plugin, "AMP_PLUGIN_NAME=boathook",
		"AMP_PLUGIN_RUNTIME_LOG_FILE="+filepath.Join(l.Root, "amp-runtime.log"))
	stdin, err := cmd.StdinPipe()
	agentlab.Must(tb, err)
	stdout, err := cmd.StdoutPipe()
	agentlab.Must(tb, err)
	agentlab.Must(tb, cmd.Start())
	r := &ampRuntime{tb: tb, cmd: cmd, stdin: stdin, lines: make(chan ampLine, 16)}
	go func() {
		defer close(r.lines)
		in := bufio.NewScanner(stdout)
		in.Buffer(nil, 64<<20)
		for in.Scan() {
			var line ampLine
			if json.Unmarshal(in.Bytes(), &line) == nil {
				r.lines <- line
			}
		}
	}()
	r.until(func(line ampLine) bool { return line.Event == "runtime.ready" || line.Method == "runtime.ready" })
	return r
}

// ampRuntimeFile is the runtime itself, which Amp unpacks for as long as a plugin runs: a plugin is told where.
func ampRuntimeFile(tb testing.TB, l *Lab) string {
	tb.Helper()
	path := filepath.Join(l.Root, "plugin-runtime.ts")
	if _, err := os.Stat(path); err == nil {
		return path
	}
	scout := filepath.Join(l.Root, "scout.ts")
	l.Write(tb, scout, fmt.Sprintf("import { copyFileSync } from \"node:fs\"\ncopyFileSync(process.argv[1], %q)\nexport default function () {}\n", path))
	home := filepath.Join(l.Root, "scout-home") // whatever Amp makes there is none of the lab's
	agentlab.Must(tb, os.MkdirAll(home, 0o755))
	out := l.Run(tb, l.Root, []string{"HOME=" + home}, ampProgram(tb), "plugins", "exec", scout, "session.start", "--data", `{"thread":{"id":"T-1"}}`)
	if _, err := os.Stat(path); err != nil {
		tb.Fatalf("Amp loaded no plugin: %v\n%s%s", err, out.Stdout, out.Stderr)
	}
	return path
}

func (r *ampRuntime) stop() {
	_ = r.stdin.Close()
	_ = r.cmd.Process.Kill() // it may have ended by itself
	for range r.lines {
		continue // what it still had to say
	}
	_ = r.cmd.Wait() // killed
}

// tell gives the plugin an event as Amp does, and returns what it answers.
func (r *ampRuntime) tell(event string, payload map[string]any) map[string]any {
	r.tb.Helper()
	r.last++
	id := fmt.Sprint(r.last)
	method, params := event, any(payload)
	if event == "session.start" {
		method, params = "event", map[string]any{"event": event, "data": payload}
	}
	r.send(map[string]any{"type": "request", "id": id, "method": method, "params": params})
	line := r.until(func(line ampLine) bool { return line.Type == "response" && line.ID == id })
	if len(line.Error) > 0 {
		r.tb.Errorf("the plugin's handler of %s ended with an error, for which Amp stops the thread: %s", event, line.Error)
	}
	var result map[string]any
	_ = json.Unmarshal(line.Result, &result) // a handler may return nothing
	return result
}

func (r *ampRuntime) send(v any) {
	r.tb.Helper()
	b, err := json.Marshal(v)
	agentlab.Must(r.tb, err)
	_, err = r.stdin.Write(append(b, '\n'))
	agentlab.Must(r.tb, err)
}

// until serves the runtime's own requests until a line is the one that is waited for.
func (r *ampRuntime) until(wanted func(ampLine) bool) ampLine {
	r.tb.Helper()
	limit := time.After(ampPatience)
	for {
		select {
		case line, open := <-r.lines:
			if !open {
				r.tb.Fatal("Amp's plugin runtime ended")
			}
			if line.Type == "request" {
				r.serve(line)
			}
			if wanted(line) {
				return line
			}
		case <-limit:
			r.tb.Fatal("Amp's plugin runtime does not answer")
		}
	}
}

func (r *ampRuntime) serve(line ampLine) {
	r.tb.Helper()
	answer := map[string]any{"type": "response", "id": line.ID, "result": nil}
	switch line.Method {
	case "client.info":
		answer["result"] = map[string]any{"ampURL": "https://ampcode.com/", "executorKind": "local"}
	case "ui.confirm":
		var asked struct {
			Options struct {
				Title   string `json:"title"`
				Message string `json:"message"`
			} `json:"options"`
		}
		agentlab.Must(r.tb, json.Unmarshal(line.Params, &asked))
		if r.approve == nil {
			answer["error"] = "PluginUIUnavailableError: there is no user interface"
		} else {
			answer["result"] = r.approve(asked.Options.Title, asked.Options.Message)
		}
	}
	r.send(answer)
}
