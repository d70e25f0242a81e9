// Package torture runs the built `boathook hook` on hostile payloads, in hostile places, and many at once. The answer must
// always be the host's own, the exit code 0, stderr empty, and a command that can still be read must reach the guard.
package torture

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/boathook/boathook/itest/build"
	"github.com/boathook/boathook/itest/mockguard"
	"github.com/boathook/boathook/itest/procs"
)

func TestMain(m *testing.M) {
	code := m.Run()
	build.Cleanup()
	os.Exit(code)
}

// hostile is what the guard denies wherever it sees it.
const hostile = "rm -rf /precious"

const (
	denyGemini      = `{"decision":"deny","reason":"not that","systemMessage":"not that"}`
	denyAntigravity = `{"decision":"deny","reason":"not that"}`
)

// bench is one installed hook: a binary of its own (so that its workers can be told from others), a config, a guard.
type bench struct {
	bin, home, config, data string
	guard                   *mockguard.Server
}

// patient gives hooks the highest limit, where what is tested is not that they keep one.
const patient = "hook.deadline_ms = 12000\n"

func newBench(t *testing.T, settings string) *bench {
	t.Helper()
	dir := t.TempDir()
	b := &bench{
		bin: filepath.Join(dir, "bin", "boathook"), home: filepath.Join(dir, "home"),
		config: filepath.Join(dir, "home", ".config", "boathook", "config.toml"), data: filepath.Join(dir, "home", "data"),
	}
	b.guard = mockguard.Start(t, func(r mockguard.Request) mockguard.Verdict {
		if strings.Contains(r.Body, hostile) {
			return mockguard.Verdict{Decision: mockguard.Deny, Reason: "not that"}
		}
		return mockguard.Verdict{Decision: mockguard.Allow}
	})
	copyFile(t, build.Boathook(t), b.bin)
	// Two cores shared with other tests: the verdict is what counts here, not how soon it comes.
	b.write(t, b.config, fmt.Sprintf("data_dir = %q\n%s\n[guard]\nendpoint = %q\ntimeout_ms = 15000\n", b.data, settings, b.guard.URL()))
	t.Cleanup(func() {
		if err := procs.End(filepath.Dir(b.bin)); err != nil {
			t.Error(err)
		}
	})
	return b
}

func (b *bench) write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

func copyFile(t *testing.T, from, to string) {
	t.Helper()
	data, err := os.ReadFile(from)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(filepath.Dir(to), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(to, data, 0o700); err != nil {
		t.Fatal(err)
	}
}

// hook is a call of the binary, not yet started.
func (b *bench) hook(agent, event string) *exec.Cmd {
	cmd := exec.Command(b.bin, "hook", "--agent", agent, "--event", event, "--config", b.config)
	cmd.Env = []string{"HOME=" + b.home, "PATH=" + os.Getenv("PATH")}
	cmd.Dir = filepath.Dir(b.bin)
	return cmd
}

// answer runs a hook and holds it to the contract that never changes: exit code 0, nothing on stderr, at most one line.
// patience is when a test gives up; no time is asserted.
const patience = time.Minute

func answer(t *testing.T, cmd *exec.Cmd, stdin io.Reader) string {
	t.Helper()
	var out, errs bytes.Buffer
	cmd.Stdin, cmd.Stdout, cmd.Stderr = stdin, &out, &errs
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	late := time.AfterFunc(patience, func() { _ = cmd.Process.Kill() })
	defer late.Stop()
	if err := cmd.Wait(); err != nil {
		t.Fatalf("hook: %v", err)
	}
	if errs.Len() > 0 {
		t.Errorf("stderr: %s", errs.String())
	}
	line := strings.TrimSuffix(out.String(), "\n")
	if strings.Contains(line, "\n") || line != "" && !json.Valid([]byte(line)) {
		t.Errorf("not one JSON value: %q", line)
	}
	return line
}

// record is what these tests look at of a stored record.
type record struct {
	ID        string `json:"id"`
	Agent     string `json:"agent"`
	HostEvent string `json:"host_event"`
	SessionID string `json:"session_id"`
	Tool      *struct {
		Command string `json:"command"`
	} `json:"tool"`
	Decision struct {
		Action, Expressed, Source, Reason string
	} `json:"decision"`
	Guard *struct {
		Outcome    string  `json:"outcome"`
		DurationMS float64 `json:"duration_ms"`
	} `json:"guard"`
	Hook struct {
		LatencyMS    float64 `json:"latency_ms"`
		PayloadBytes int     `json:"payload_bytes"`
		AgentLabel   string  `json:"agent_label"`
	} `json:"hook"`
	Notes []string `json:"notes"`
}

// records are all that is stored, through the command that a user has.
func (b *bench) records(t *testing.T) []record {
	t.Helper()
	cmd := exec.Command(b.bin, "log", "--json", "--config", b.config)
	cmd.Env = []string{"HOME=" + b.home, "PATH=" + os.Getenv("PATH")}
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	if err := cmd.Run(); err != nil {
		t.Fatalf("boathook log: %v\n%s", err, errs.String())
	}
	var all []record
	for line := range strings.Lines(out.String()) {
		var r record
		if err := json.Unmarshal([]byte(line), &r); err != nil {
			t.Fatalf("%v in %q", err, line)
		}
		all = append(all, r)
	}
	return all
}

func has(notes []string, part string) bool {
	for _, n := range notes {
		if strings.Contains(n, part) {
			return true
		}
	}
	return false
}
