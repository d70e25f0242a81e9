package chunk

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/boathook/boathook/internal/memory"
)

func TestMessagePieces(t *testing.T) {
	para := strings.Repeat("The deployment failed since the image could not be pulled. ", 10)
	m := memory.Message{ID: "m1", Session: "gemini/s", Role: memory.RoleAssistant, Time: time.Unix(1, 0), Text: para + "\n\n" + para + "\n\n" + para}
	chunks := Message(m)
	if len(chunks) != 2 {
		t.Fatalf("%d chunks", len(chunks))
	}
	for i, c := range chunks {
		if c.Piece != i || c.Message != "m1" || c.Session != m.Session || c.Role != m.Role || !c.Time.Equal(m.Time) || len(c.Terms) == 0 {
			t.Errorf("%d: %+v", i, c)
		}
		if len(c.Text) > size || strings.TrimSpace(c.Text) != c.Text {
			t.Errorf("%d: %d bytes", i, len(c.Text))
		}
	}
	if !strings.HasPrefix(chunks[1].Text, "The deployment") {
		t.Errorf("cut within a paragraph: %q", chunks[1].Text[:30])
	}
	if Message(memory.Message{Text: " \n "}) != nil {
		t.Error("a message that says nothing is a chunk")
	}
}

func TestLongLine(t *testing.T) {
	text := strings.Repeat("가나다라마바사", 2000)
	var all strings.Builder
	for _, c := range Message(memory.Message{Text: text}) {
		if !utf8.ValidString(c.Text) || len(c.Text) > size {
			t.Fatalf("%d bytes, valid %t", len(c.Text), utf8.ValidString(c.Text))
		}
		all.WriteString(c.Text)
	}
	if all.String() != text {
		t.Error("something is lost")
	}
	many := Message(memory.Message{Text: strings.Repeat(strings.Repeat("word ", 230)+"\n\n", 500) + "the end"})
	if len(many) != maxPieces || !strings.HasSuffix(many[maxPieces-1].Text, "the end") {
		t.Errorf("%d pieces, the last is %q", len(many), many[len(many)-1].Text)
	}
}

func TestCall(t *testing.T) {
	c := memory.ToolCall{
		ID: "c1", Session: "claude/s", Tool: "bash", Kind: "shell", Status: memory.StatusError, Command: "cd web && sudo docker compose up -d | tee log",
		Output: strings.Repeat("line\n", 1000) + "port is already allocated", Error: "exit code 1",
	}
	chunks := Call(c)
	if len(chunks) != 1 {
		t.Fatalf("%d chunks", len(chunks))
	}
	got := chunks[0]
	if got.Role != memory.RoleTool || got.Tool != "bash" || got.Status != memory.StatusError || got.Command != c.Command || got.Call != "c1" {
		t.Errorf("%+v", got)
	}
	for _, want := range []string{"$ cd web && sudo docker compose", "exit code 1", "port is already allocated", "…"} {
		if !strings.Contains(got.Text, want) {
			t.Errorf("no %q in %s", want, got.Text)
		}
	}
	if len(got.Text) > 4000 {
		t.Errorf("%d bytes", len(got.Text))
	}
	other := c
	other.Status = memory.StatusSuccess
	if diff := cmp.Diff(chunks[0].Text, Call(other)[0].Text); diff != "" {
		t.Errorf("the text depends on the status: %s", diff)
	}
}

func TestArguments(t *testing.T) {
	c := memory.ToolCall{
		Tool: "edit_file", Kind: "write", Paths: []string{"internal/api/user.go"},
		Args: json.RawMessage(`{"file_path":"internal/api/user.go","old_string":"a","new_string":"` + strings.Repeat("b", 5000) + `","n":5}`),
	}
	got := Call(c)[0]
	if !strings.HasPrefix(got.Text, "edit_file\ninternal/api/user.go\nnew_string: bbb") || strings.Contains(got.Text, "file_path") || len(got.Text) > 1000 {
		t.Errorf("%d: %.200s", len(got.Text), got.Text)
	}
	if diff := cmp.Diff([]string{"go"}, got.Tags); diff != "" {
		t.Error(diff)
	}
}

func TestTags(t *testing.T) {
	for command, want := range map[string]string{
		"git push && gh pr create":                  "git github",
		"cd x; GOFLAGS=-v go test ./... 2>&1 | tee": "go test",
		"npm run test:unit":                         "js npm test",
		"timeout 60 kubectl get pods":               "k8s",
		"psql -c 'select 1'":                        "sql",
		"/usr/bin/docker ps":                        "docker",
		"echo git":                                  "",
		"$(git rev-parse HEAD)":                     "git",
		"":                                          "",
		"pytest -q":                                 "python test",
	} {
		if got := strings.Join(callTags(memory.ToolCall{Command: command}), " "); got != want {
			t.Errorf("%s: %q, want %q", command, got, want)
		}
	}
	for file, want := range map[string]string{
		"a/b_test.go": "go test", "Dockerfile.dev": "docker", `C:\x\Page.TSX`: "js", "package.json": "config js npm", "README": "", "x/test_a.py": "python test",
	} {
		if got := strings.Join(callTags(memory.ToolCall{Paths: []string{file}}), " "); got != want {
			t.Errorf("%s: %q, want %q", file, got, want)
		}
	}
	if got := wordTags("Docker 컨테이너가 죽어요, PostgreSQL too"); !slices.Equal(got, []string{"docker", "sql"}) {
		t.Errorf("%v", got)
	}
}

// FuzzChunks: any text is cut into sound pieces, twice the same.
func FuzzChunks(f *testing.F) {
	f.Add("a\n\nb", "git push", "out")
	f.Add(strings.Repeat("가. ", 900), "", strings.Repeat("x", 5000))
	f.Fuzz(func(t *testing.T, text, command, output string) {
		m := memory.Message{Text: strings.ToValidUTF8(text, "?")}
		c := memory.ToolCall{Tool: "bash", Command: strings.ToValidUTF8(command, "?"), Output: strings.ToValidUTF8(output, "?")}
		all := append(Message(m), Call(c)...)
		if diff := cmp.Diff(all, append(Message(m), Call(c)...)); diff != "" {
			t.Error(diff)
		}
		for _, got := range all {
			if !utf8.ValidString(got.Text) || strings.TrimSpace(got.Text) == "" || len(got.Tags) > maxTags {
				t.Errorf("%+v", got)
			}
		}
	})
}
