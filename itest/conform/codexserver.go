package conform

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/boathook/boathook/itest/agentlab"
)

// When Codex asks its user (every command that it does not know to be harmless, or those for which the model asks for leave),
// and what the user says.
const (
	untrusted, onRequest = "untrusted", "on-request"
	decline, accept      = "decline", "accept"
)

// codexServer is Codex's app server (JSON-RPC, a line each way), as an editor starts it. It is for one goroutine.
type codexServer struct {
	in  io.WriteCloser
	out *bufio.Reader
	ids int
	// all is every line that the server said.
	all bytes.Buffer
	// policy says when Codex asks; answer is what the user says. Asked are the commands in question.
	policy, answer string
	asked          []string
}

type codexMessage struct {
	ID     json.RawMessage `json:"id,omitempty"`
	Method string          `json:"method,omitempty"`
	Params json.RawMessage `json:"params,omitempty"`
	Result json.RawMessage `json:"result,omitempty"`
	Error  json.RawMessage `json:"error,omitempty"`
}

// codexTurn is one turn under an approval policy, in which the user gives one answer to all questions.
func codexTurn(tb testing.TB, l *Lab, prompt, policy, answer string) Outcome {
	tb.Helper()
	return withCodexServer(tb, l, func(c *codexServer) error {
		c.policy, c.answer = policy, answer
		return c.turn(l.Work, prompt)
	})
}

// trustCodexHooks has Codex trust the hooks of the user that are there, as its own review does.
func trustCodexHooks(tb testing.TB, l *Lab) {
	tb.Helper()
	withCodexServer(tb, l, func(c *codexServer) error { return c.trust(l.Work) })
}

// withCodexServer starts a server, talks to it and ends it.
func withCodexServer(tb testing.TB, l *Lab, talk func(*codexServer) error) Outcome {
	tb.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), agentlab.Timeout)
	defer cancel()
	cmd := l.Command(ctx, l.Work, codexEnv(), codexProgram(tb), "app-server")
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	in, err := cmd.StdinPipe()
	agentlab.Must(tb, err)
	out, err := cmd.StdoutPipe()
	agentlab.Must(tb, err)
	agentlab.Must(tb, cmd.Start())
	server := &codexServer{in: in, out: bufio.NewReaderSize(out, 1<<20)}
	if err = server.greet(); err == nil {
		err = talk(server)
	}
	_ = in.Close() // it ends when nobody speaks to it
	_, _ = io.Copy(&server.all, server.out)
	wait := cmd.Wait()
	_ = agentlab.Kill(cmd) // what it left behind in its group, if anything
	if err != nil {
		tb.Fatalf("codex app-server: %v (it ended with %v)\n%s\n%s", err, wait, tail(server.all.String(), 4000), &stderr)
	}
	return Outcome{
		Result: agentlab.Result{Stdout: server.all.String(), Stderr: stderr.String(), Code: cmd.ProcessState.ExitCode()},
		Asked:  server.asked,
	}
}

func (c *codexServer) greet() error {
	if err := c.call("initialize", map[string]any{
		"clientInfo": map[string]any{"name": "conform", "title": "conform", "version": "1"}, "capabilities": map[string]any{},
	}, nil); err != nil {
		return err
	}
	return c.send(map[string]any{"method": "initialized"})
}

// turn starts a thread and has it do one prompt.
func (c *codexServer) turn(dir, prompt string) error {
	var started struct {
		Thread struct {
			ID string `json:"id"`
		} `json:"thread"`
	}
	params := map[string]any{"cwd": dir, "approvalPolicy": c.policy, "sandbox": "danger-full-access"}
	if c.policy == onRequest {
		params["sandbox"] = "workspace-write" // there has to be something that a model can ask to go beyond
	}
	if err := c.call("thread/start", params, &started); err != nil {
		return err
	}
	if err := c.call("turn/start", map[string]any{
		"threadId": started.Thread.ID, "input": []any{map[string]any{"type": "text", "text": prompt, "text_elements": []any{}}},
	}, nil); err != nil {
		return err
	}
	for {
		m, err := c.next()
		if err != nil || m.Method == "turn/completed" {
			return err
		}
	}
}

func (c *codexServer) trust(dir string) error {
	var listed struct {
		Data []struct {
			Hooks []struct {
				Key  string `json:"key"`
				Hash string `json:"currentHash"`
			} `json:"hooks"`
		} `json:"data"`
	}
	if err := c.call("hooks/list", map[string]any{"cwds": []string{dir}}, &listed); err != nil {
		return err
	}
	state := map[string]any{}
	for _, d := range listed.Data {
		for _, h := range d.Hooks {
			state[h.Key] = map[string]any{"trusted_hash": h.Hash}
		}
	}
	return c.call("config/batchWrite", map[string]any{
		"edits": []any{map[string]any{"keyPath": "hooks.state", "value": state, "mergeStrategy": "upsert"}}, "reloadUserConfig": true,
	}, nil)
}

// call asks and waits for the answer; whatever the server wants meanwhile is answered, and what it tells is kept.
func (c *codexServer) call(method string, params, into any) error {
	c.ids++
	id := fmt.Sprint(c.ids)
	if err := c.send(map[string]any{"id": c.ids, "method": method, "params": params}); err != nil {
		return err
	}
	for {
		m, err := c.next()
		switch {
		case err != nil:
			return fmt.Errorf("wait for the answer to %s: %w", method, err)
		case m.Method != "" || string(m.ID) != id:
		case m.Error != nil:
			return fmt.Errorf("%s: %s", method, m.Error)
		case into == nil:
			return nil
		default:
			if err := json.Unmarshal(m.Result, into); err != nil {
				return fmt.Errorf("read the answer to %s, %s: %w", method, m.Result, err)
			}
			return nil
		}
	}
}

// next is the server's next message. Questions are answered here.
func (c *codexServer) next() (codexMessage, error) {
	line, err := c.out.ReadString('\n')
	c.all.WriteString(line)
	if err != nil {
		return codexMessage{}, fmt.Errorf("read from the server: %w", err)
	}
	var m codexMessage
	if err := json.Unmarshal([]byte(line), &m); err != nil {
		return codexMessage{}, fmt.Errorf("read %q: %w", line, err)
	}
	if m.Method == "" || m.ID == nil {
		return m, nil
	}
	if !strings.HasSuffix(m.Method, "/requestApproval") {
		return m, c.send(map[string]any{"id": m.ID, "error": map[string]any{"code": -32601, "message": "not here"}})
	}
	var question struct {
		Command string `json:"command"`
	}
	if err := json.Unmarshal(m.Params, &question); err != nil {
		return m, fmt.Errorf("read the question %s: %w", m.Params, err)
	}
	c.asked = append(c.asked, question.Command)
	return m, c.send(map[string]any{"id": m.ID, "result": map[string]any{"decision": c.answer}})
}

func (c *codexServer) send(v any) error {
	b, err := json.Marshal(v)
	if err != nil {
		return fmt.Errorf("make a message: %w", err)
	}
	if _, err := c.in.Write(append(b, '\n')); err != nil {
		return fmt.Errorf("write to the server: %w", err)
	}
	return nil
}
