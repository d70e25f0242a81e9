package transcripts

import (
	"encoding/json"
	"path/filepath"
	"slices"
	"strings"

	"github.com/boathook/boathook/internal/callspec"
	"github.com/boathook/boathook/internal/shellquote"
)

// codexLines reads ~/.codex/sessions/YYYY/MM/DD/rollout-….jsonl, as of Codex 0.171 and before.
type codexLines struct{ cwd, session string }

func codex() lineReader { return &codexLines{} }

// codexPayload is what of a line is of interest: of session_meta and turn_context, and of the items of calls.
type codexPayload struct {
	Type      string          `json:"type"`
	ID        string          `json:"id"`
	CallID    string          `json:"call_id"`
	CWD       string          `json:"cwd"`
	Name      string          `json:"name"`
	Arguments json.RawMessage `json:"arguments"`
	Input     json.RawMessage `json:"input"`
	Action    json.RawMessage `json:"action"`
}

func (s *codexLines) line(text []byte) ([]Call, bool) {
	var l struct {
		Timestamp string          `json:"timestamp"`
		Type      string          `json:"type"`
		Payload   json.RawMessage `json:"payload"`
	}
	if json.Unmarshal(text, &l) != nil {
		return nil, false
	}
	if l.Type != "response_item" && l.Type != "session_meta" && l.Type != "turn_context" {
		return nil, true
	}
	var p codexPayload
	if json.Unmarshal(l.Payload, &p) != nil {
		return nil, true
	}
	if l.Type != "response_item" {
		if p.CWD != "" {
			s.cwd = p.CWD
		}
		if l.Type == "session_meta" {
			s.session = p.ID
		}
		return nil, true
	}
	c, is := p.call(s.cwd)
	if !is {
		return nil, true
	}
	c.ID, c.Session, c.Time = p.CallID, s.session, timeOf(l.Timestamp)
	return []Call{c}, true
}

// call is what an item asks for. The agent's hooks see each of its shells as Bash, with a command line.
func (p codexPayload) call(cwd string) (Call, bool) {
	switch p.Type {
	case "custom_tool_call":
		input, _ := json.Marshal(map[string]string{"command": textOf(p.Input)}) // texts always marshal
		return Call{Call: callspec.Call{Tool: p.Name, Input: input, CWD: cwd}}, p.Name != ""
	case "local_shell_call":
		return codexShell(p.Action, cwd)
	case "function_call":
		input := objectOf(p.Arguments)
		if slices.Contains([]string{"shell", "shell_command", "exec_command", "container.exec", "local_shell"}, p.Name) {
			return codexShell(input, cwd)
		}
		if p.Name == "write_stdin" { // text for a program that runs already: no hook is asked about it
			return Call{}, false
		}
		return Call{Call: callspec.Call{Tool: p.Name, Input: input, CWD: cwd}}, p.Name != ""
	}
	return Call{}, false
}

// codexShell reads a shell's arguments: a line, or the words of one.
func codexShell(raw json.RawMessage, cwd string) (Call, bool) {
	var a struct {
		Cmd        json.RawMessage `json:"cmd"`
		Command    json.RawMessage `json:"command"`
		Workdir    string          `json:"workdir"`
		WorkingDir string          `json:"working_directory"`
	}
	if json.Unmarshal(raw, &a) != nil {
		return Call{}, false
	}
	line := argvOrLine(a.Cmd)
	if line == "" {
		line = argvOrLine(a.Command)
	}
	for _, dir := range []string{a.Workdir, a.WorkingDir} {
		switch {
		case filepath.IsAbs(dir):
			cwd = dir
		case dir != "" && cwd != "":
			cwd = filepath.Join(cwd, dir)
		}
	}
	return Call{Call: callspec.Call{Command: line, CWD: cwd}}, line != ""
}

// argvOrLine is a command line: as it stands, or of the words of one; of bash -lc LINE that line.
func argvOrLine(raw json.RawMessage) string {
	if line := textOf(raw); line != "" {
		return line
	}
	var argv []string
	if json.Unmarshal(raw, &argv) != nil || len(argv) == 0 {
		return ""
	}
	shell := strings.TrimSuffix(filepath.Base(argv[0]), ".exe")
	if len(argv) == 3 && slices.Contains([]string{"bash", "sh", "zsh"}, shell) && slices.Contains([]string{"-c", "-lc"}, argv[1]) {
		return argv[2]
	}
	words := make([]string, len(argv))
	for i, w := range argv {
		words[i] = shellquote.Word(w)
	}
	return strings.Join(words, " ")
}
