package cli

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/boathook/boathook/internal/memory/eval"
)

// TestMemoryEval: what is written to files is measured as what is generated, and nothing is left behind.
func TestMemoryEval(t *testing.T) {
	home := t.TempDir()
	t.Setenv("TMPDIR", filepath.Join(home, "tmp"))
	if err := os.Mkdir(filepath.Join(home, "tmp"), 0o700); err != nil {
		t.Fatal(err)
	}
	measure := func(args ...string) eval.Report {
		t.Helper()
		code, out, errs := runIn(t, home, append([]string{"memory", "eval", "--json"}, args...)...)
		if code != exitOK {
			t.Fatalf("%d: %s", code, errs)
		}
		var r struct {
			Store string
			eval.Report
		}
		if err := json.Unmarshal([]byte(out), &r); err != nil || r.Store != "sqlite" {
			t.Fatalf("%v: %s", err, out)
		}
		return r.Report
	}
	generated := measure()
	if generated.Turns < 500 || generated.All.Questions < 300 || generated.All.Turn.At10 < eval.GateTurnAt10 || len(generated.Kinds) != 7 {
		t.Errorf("%+v", generated)
	}
	code, out, errs := runIn(t, home, "memory", "eval", "--write", "corpus")
	if code != exitOK || !strings.Contains(out, "turns.jsonl") {
		t.Fatalf("%d: %s%s", code, out, errs)
	}
	read := measure("--corpus", "corpus/turns.jsonl", "--questions", filepath.Join(home, "corpus", "questions.jsonl"))
	if read.All != generated.All || read.Korean != generated.Korean {
		t.Errorf("from files %+v, generated %+v", read.All, generated.All)
	}
	if code, _, errs := runIn(t, home, "memory", "eval", "--write", "corpus"); code != exitFailed || !strings.Contains(errs, "exist") {
		t.Errorf("files are written over: %d: %s", code, errs)
	}
	text, err := os.ReadFile(filepath.Join(home, "corpus", "questions.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	var some []byte
	n := 0
	for line := range bytes.Lines(text) {
		if n++; n%20 == 0 {
			some = append(some, line...)
		}
	}
	if err := os.WriteFile(filepath.Join(home, "some.jsonl"), some, 0o600); err != nil {
		t.Fatal(err)
	}
	_, out, _ = runIn(t, home, "memory", "eval", "--corpus", "corpus/turns.jsonl", "--questions", "some.jsonl")
	for _, want := range []string{"questions", "on sqlite", "\nall ", "\nparaphrase ", "MRR", "p95"} {
		if !strings.Contains(out, want) {
			t.Errorf("%q is not in\n%s", want, out)
		}
	}
	for _, dir := range []string{os.TempDir(), filepath.Join(home, "tmp")} {
		if left, err := filepath.Glob(filepath.Join(dir, "boathook-eval-*")); err != nil || len(left) > 0 {
			t.Errorf("left behind: %v, %v", left, err)
		}
	}
}

func TestMemoryEvalRefuses(t *testing.T) {
	home := t.TempDir()
	write := func(name, text string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(home, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	const turn = `{"session":"s","project":"p","id":"1","role":"user","text":"a pump"}` + "\n"
	write("turns", turn)
	write("torn", turn+`{"session":"s"`)
	write("two", turn+`{"session":"s","project":"q","id":"2","text":"x"}`)
	write("questions", `{"question":"which pump?","project":"p","gold":["1"]}`)
	write("lost", `{"question":"which pump?","project":"p","gold":["7"]}`)
	write("nogold", "\n"+`{"question":"which pump?","project":"p"}`)
	for _, c := range []struct {
		name string
		args []string
		code int
		want string
	}{
		{"half", []string{"--corpus", "turns"}, exitUsage, "belong together"},
		{"a store", []string{"--store", "mongo"}, exitUsage, "sqlite or postgres"},
		{"to write another's", []string{"--write", "d", "--corpus", "turns", "--questions", "questions"}, exitUsage, "--write is for the generated corpus"},
		{"no file", []string{"--corpus", "absent", "--questions", "questions"}, exitFailed, "absent"},
		{"a torn line", []string{"--corpus", "torn", "--questions", "questions"}, exitFailed, "torn:2: "},
		{"no gold", []string{"--corpus", "turns", "--questions", "nogold"}, exitFailed, "nogold:2: gold is missing"},
		{"gold that isn't there", []string{"--corpus", "turns", "--questions", "lost"}, exitFailed, `no turn of the corpus has the id "7"`},
		{"a session of two projects", []string{"--corpus", "two", "--questions", "questions"}, exitFailed, "of project p and of q"},
		{"postgres without a connection", []string{"--store", "postgres"}, exitFailed, "memory.connectionStringEnv"},
	} {
		t.Run(c.name, func(t *testing.T) {
			code, _, errs := runIn(t, home, append([]string{"memory", "eval"}, c.args...)...)
			if code != c.code || !strings.Contains(errs, c.want) {
				t.Errorf("%d: %s", code, errs)
			}
		})
	}
	code, out, errs := runIn(t, home, "memory", "eval", "--corpus", "turns", "--questions", "questions")
	if code != exitOK || !strings.Contains(out, "1 turn of 1 session, 1 question") {
		t.Errorf("%d: %s%s", code, out, errs)
	}
}
