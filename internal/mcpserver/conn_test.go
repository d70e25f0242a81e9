package mcpserver_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"
)

const (
	greeting = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"an agent","version":"1"}}}` +
		"\n" + `{"jsonrpc":"2.0","method":"notifications/initialized"}` + "\n"
	question = `{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"memory_search","arguments":{"query":"EADDRINUSE deploy"}}}`
)

// reply is an answer of the server.
type reply struct {
	ID    any
	Error struct{ Code int }
	// Result is what it gives, as JSON.
	Result json.RawMessage
}

// told runs the program on an input that ends at once.
func (w *world) told(input string) (replies []reply) {
	w.Helper()
	cmd := exec.Command(program(w.T, "boathook-memory"), "mcp", "--config", w.config)
	cmd.Dir, cmd.Env, cmd.Stdin = w.here, append(os.Environ(), "HOME="+w.home), strings.NewReader(input)
	var out, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &stderr
	if err := cmd.Run(); err != nil || stderr.Len() > 0 {
		w.Fatalf("%v: %s", err, stderr.String())
	}
	for line := range strings.Lines(out.String()) {
		var r reply
		must(w.T, json.Unmarshal([]byte(line), &r))
		replies = append(replies, r)
	}
	return replies
}

// TestInputThatEndsAtOnce: what was asked before its end is answered.
func TestInputThatEndsAtOnce(t *testing.T) {
	w := newWorld(t)
	w.incident(w.here, "s1")
	const many = 30
	var input strings.Builder
	input.WriteString(greeting)
	for id := range many {
		input.WriteString(fmt.Sprintf(question, id+2) + "\n")
	}
	// The last line need not end, and who takes a question back waits for no answer.
	input.WriteString(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":2}}` + "\n" + `{"jsonrpc":"2.0","id":"last","method":"ping"}`)
	have := map[string]bool{}
	for _, r := range w.told(input.String()) {
		have[fmt.Sprint(r.ID)] = r.Error.Code == 0 && len(r.Result) > 0
	}
	for id := 3; id < many+2; id++ {
		if !have[fmt.Sprint(id)] {
			t.Errorf("question %d has no answer", id)
		}
	}
	if !have["1"] || !have["last"] {
		t.Errorf("answered are %v", have)
	}
	if replies := w.told(""); len(replies) != 0 {
		t.Errorf("nobody asked, and it says %+v", replies)
	}
}

// TestLinesThatAreNoMessages are answered with an error, and those behind them as ever.
func TestLinesThatAreNoMessages(t *testing.T) {
	w := newWorld(t)
	w.incident(w.here, "s1")
	for name, tc := range map[string]struct {
		line, id string
		code     int
	}{
		"no JSON":      {"Content-Length: 5", "<nil>", -32700},
		"torn":         {`{"jsonrpc":"2.0","id":5,"meth`, "<nil>", -32700},
		"not UTF-8":    {"\xff\xfe", "<nil>", -32700},
		"null":         {"null", "<nil>", -32600},
		"nothing":      {"{}", "<nil>", -32600},
		"no batch":     {"[]", "<nil>", -32600},
		"a number":     {"7", "<nil>", -32600},
		"a version":    {`{"jsonrpc":"1.0","id":5,"method":"ping"}`, "5", -32600},
		"too long":     {`{"jsonrpc":"2.0","id":5,"method":"tools/call","params":{"name":"` + strings.Repeat("x", 2<<20) + `"}}`, "5", -32600},
		"much of it":   {strings.Repeat("[", 20<<20), "<nil>", -32600},
		"no such tool": {`{"jsonrpc":"2.0","id":5,"method":"tools/call","params":{"name":"x"}}`, "5", -32602},
		"no such call": {`{"jsonrpc":"2.0","id":5,"method":"x"}`, "5", -32601},
		"a batch":      {`[{"jsonrpc":"2.0","id":5,"method":"x"},3]`, "5", -32601},
	} {
		found, answered := false, false
		for _, r := range w.told(greeting + tc.line + "\r\n\n" + fmt.Sprintf(question, 9) + "\n") {
			found = found || fmt.Sprint(r.ID) == tc.id && r.Error.Code == tc.code
			answered = answered || fmt.Sprint(r.ID) == "9" && bytes.Contains(r.Result, []byte("fuser"))
		}
		if !found || !answered {
			t.Errorf("%s: refused %t, what follows is answered %t", name, found, answered)
		}
	}
}
