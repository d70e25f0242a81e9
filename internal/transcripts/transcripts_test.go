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

// seenCalls are the calls of an agent's records below a home, a line each.
func seenCalls(t *testing.T, home, agent string) []string {
	t.Helper()
	var out []string
	for _, f := range Find(context.Background(), home, nil, agent, time.Time{}) {
		skipped, err := f.Read(context.Background(), func(c Call) error {
			e := c.Event()
			what := e.Tool.Command
			if what == "" {
				what = strings.Join(e.Tool.Paths, " ")
			}
			if c.Session == "" || c.Time.IsZero() || c.Agent != agent {
				t.Errorf("%s: %+v", f.Path, c)
			}
			out = append(out, fmt.Sprintf("%s %s: %s", e.CWD, e.Tool.Name, what))
			return nil
		})
		if err != nil || skipped != 0 {
			t.Errorf("%s: %d skipped, %v", f.Path, skipped, err)
		}
	}
	return out
}

// TestRecordedSessions: the calls of sessions that the real agents recorded (Qwen's and opencode's files are of their documented forms).
func TestRecordedSessions(t *testing.T) {
	for agent, want := range map[string][]string{
		"claude": {
			"/home/user/proj bash: echo hi", "/home/user/proj write_file: /home/user/proj/a.txt",
			"/home/user/proj read_file: /home/user/proj/a.txt", "/home/user/proj bash: date +%N", "/home/user/proj bash: date +%N",
			"/home/user/proj bash: echo out; echo err >&2; exit 3", "/home/user/proj edit_file: /home/user/proj/a.txt",
		},
		"codex": {
			"/home/user/proj bash: echo hi", "/home/user/proj edit_file: a.txt", "/home/user/proj bash: date +%N",
			"/home/user/proj bash: date +%N", "/home/user/proj bash: echo out; echo err >&2; exit 3", "/home/user/proj todo: ",
		},
		"gemini": {
			"/home/user/shop bash: echo hi-from-shell > shell_out.txt; cat shell_out.txt", "/home/user/shop list_dir: .",
			"/home/user/shop write_file: written.txt", "/home/user/shop read_file: written.txt", "/home/user/shop read_file: written.txt",
			"/home/user/shop edit_file: written.txt", "/home/user/shop read_file: does-not-exist.txt",
			"/home/user/shop bash: echo oops >&2; exit 3", "/home/user/shop bash: sleep 0.3; echo same",
			"/home/user/shop bash: sleep 0.3; echo same",
		},
		"copilot":  {"/home/user/proj bash: echo hi", "/home/user/proj bash: git push --force origin main"},
		"qwen":     {"/home/user/proj bash: rm -rf dist"},
		"opencode": {"/home/user/proj bash: git stash drop"},
	} {
		if diff := cmp.Diff(want, seenCalls(t, filepath.Join("testdata", "home"), agent)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", agent, diff)
		}
	}
}

// TestCodexShells: Codex has had several shells, with a line or with words.
func TestCodexShells(t *testing.T) {
	for _, tt := range []struct{ payload, want string }{
		{`{"type":"function_call","name":"shell","arguments":"{\"command\":[\"bash\",\"-lc\",\"ls | wc\"],\"workdir\":\"sub\"}"}`, "/p/sub ls | wc"},
		{`{"type":"function_call","name":"shell_command","arguments":"{\"command\":\"ls -l\",\"workdir\":\"/q\"}"}`, "/q ls -l"},
		{`{"type":"function_call","name":"shell","arguments":{"command":["rm","a b"]}}`, "/p rm 'a b'"},
		{`{"type":"local_shell_call","action":{"type":"exec","command":["git","status"],"working_directory":"/r"}}`, "/r git status"},
		{`{"type":"function_call","name":"write_stdin","arguments":"{\"chars\":\"y\"}"}`, ""},
		{`{"type":"function_call","name":"exec_command","arguments":"no JSON"}`, ""},
	} {
		l := codex()
		l.line([]byte(`{"type":"turn_context","payload":{"cwd":"/p"}}`))
		calls, ok := l.line([]byte(`{"type":"response_item","payload":` + tt.payload + `}`))
		got := ""
		for _, c := range calls {
			got += c.CWD + " " + c.Command
		}
		if got != tt.want || !ok {
			t.Errorf("%s: %q, want %q", tt.payload, got, tt.want)
		}
	}
}

// TestLongAndBrokenLines are passed over and counted.
func TestLongAndBrokenLines(t *testing.T) {
	text := `{"type":"tool.execution_start","data":{"toolName":"bash","toolCallId":"1"` + "\n" +
		`{"x":"` + strings.Repeat("x", maxLine) + "\"}\n" +
		`{"type":"tool.execution_start","data":{"toolName":"bash","toolCallId":"2","arguments":{"command":"ls"}}}` + "\n" +
		`{"type":"tool.execution_start","data":{"toolName":"bash","toolCallId":"2","arguments":{"command":"ls"}}}`
	n := 0
	skipped, err := readLines(context.Background(), strings.NewReader(text), copilot(), func(Call) error { n++; return nil })
	if skipped != 2 || n != 1 || err != nil {
		t.Errorf("%d skipped, %d calls, %v", skipped, n, err)
	}
}

// FuzzTranscripts: no reader panics, whatever an agent's file holds.
func FuzzTranscripts(f *testing.F) {
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
	f.Fuzz(func(t *testing.T, text []byte) {
		for _, fresh := range []func() lineReader{claude, codex, copilot, qwen, func() lineReader { return &geminiLines{} }} {
			_, err := readLines(context.Background(), strings.NewReader(string(text)), fresh(), func(c Call) error {
				c.Event()
				return nil
			})
			if err != nil {
				t.Error(err)
			}
		}
	})
}
