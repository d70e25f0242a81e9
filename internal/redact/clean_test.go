package redact

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// cleanFiles are texts as agents read and write them, without a secret.
func cleanFiles(tb testing.TB) map[string]string {
	tb.Helper()
	names, err := filepath.Glob("testdata/clean/*.txt")
	if err != nil || len(names) < 10 {
		tb.Fatalf("testdata/clean: %v, %d files", err, len(names))
	}
	files := map[string]string{}
	for _, name := range names {
		b, err := os.ReadFile(name)
		if err != nil {
			tb.Fatal(err)
		}
		files[filepath.Base(name)] = string(b)
	}
	return files
}

// corpus repeats the clean files, numbered like a tool that reads them, to size.
func corpus(tb testing.TB, size int) string {
	var b strings.Builder
	for files := cleanFiles(tb); b.Len() < size; {
		for _, text := range files {
			b.WriteString(text)
		}
	}
	return b.String()[:size]
}

// TestClean: nothing in source code, logs and documents is taken for a secret,
// as text, as a tool's answer, nested in JSON, and with line numbers.
func TestClean(t *testing.T) {
	var r *Redactor
	for name, text := range cleanFiles(t) {
		t.Run(name, func(t *testing.T) {
			for _, line := range strings.SplitAfter(text, "\n") {
				if diff := cmp.Diff(line, r.Text(line, true, nil)); diff != "" {
					t.Errorf("a line (-want +got):\n%s", diff)
				}
			}
			if diff := cmp.Diff(text, r.Text(text, true, nil)); diff != "" {
				t.Errorf("text (-want +got):\n%s", diff)
			}
			inner, _ := json.Marshal(map[string]any{"content": text})
			for _, v := range []any{text, map[string]any{"llmContent": []any{text}}, string(inner), string(inner[1:])} {
				src, _ := json.Marshal(map[string]any{"tool_response": v})
				if out := r.JSON(src, nil); !bytes.Equal(out, src) {
					t.Errorf("JSON (-want +got):\n%s", cmp.Diff(string(src), string(out)))
				}
			}
			if src := []byte(text); json.Valid(src) && !bytes.Equal(r.JSON(src, nil), src) {
				t.Error("changed as JSON")
			}
		})
	}
}

// TestCleanPieces: nor in texts that are cut between lines, and listed.
func TestCleanPieces(t *testing.T) {
	var all string
	for _, text := range cleanFiles(t) {
		all += text
	}
	var r *Redactor
	for _, size := range []int{200, 997, 4001} {
		var pieces []string
		for rest := all; rest != ""; {
			n := min(len(rest), size)
			n = max(strings.LastIndexByte(rest[:n], '\n')+1, 1)
			pieces, rest = append(pieces, strings.TrimSuffix(rest[:n], "\n")), rest[n:]
		}
		src, _ := json.Marshal(map[string]any{"tool_response": pieces})
		if out := r.JSON(src, nil); !bytes.Equal(out, src) {
			t.Errorf("of %d bytes each (-want +got):\n%s", size, cmp.Diff(string(src), string(out)))
		}
	}
}

// TestCleanValues are members that look as if they mattered.
func TestCleanValues(t *testing.T) {
	var r *Redactor
	image := strings.Repeat("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJ+/", 2000)
	for _, in := range []string{
		`{"session_id":"123e4567-e89b-12d3-a456-426614174000","hook_event_name":"BeforeTool","tool_name":"read_file"}`,
		`{"tool_response":{"image":"data:image/png;base64,` + image + `"}}`,
		`{"tool_response":{"sha":"8df0d7c1f5b8e0a4c6d2e9f7a1b3c5d7e9f0a2b4","n":12345678901234567890,"f":4.111111111111112e15}}`,
		`{"usage":{"input_tokens":1234567890123,"cached_tokens":4096,"token":"the"},"ts":1764500000000,"ns":1764500000000000000}`,
		`{"tool_input":{"file_path":"/src/password/token.go","old_string":"token = getToken()","new_string":"password := os.Getenv(\"DB_PASSWORD\")"}}`,
		`{"tool_input":{"command":"PASSWORD=\"${PASSWORD}\" tool --password \"$PW\" -H 'Authorization: Bearer $TOKEN'"}}`,
		`{"token":"123e4567-e89b-12d3-a456-426614174000","auth":"none","credentials":"include","cookie":"","cookies":[]}`,
		`{"a":1.0,"b":-0,"c":1e9,"d":[true,false,null],"e":{},"f":"\u00e9\ud83d\ude00\/"}`,
		`{"headers":[{"name":"Authorization","value":"Bearer ${TOKEN}"},{"name":"Host","value":"x"}]}`,
	} {
		if diff := cmp.Diff(in, string(r.JSON([]byte(in), nil))); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
	}
}

func BenchmarkText(b *testing.B) {
	text := corpus(b, 1<<20)
	var r *Redactor
	report(b, len(text), func() { r.Text(text, true, nil) })
}

func BenchmarkJSON(b *testing.B) {
	var responses []string
	for range 16 { // below the limit of a string each, so that all is scanned
		responses = append(responses, corpus(b, 64<<10))
	}
	src, _ := json.Marshal(map[string]any{"tool_response": responses})
	var r *Redactor
	report(b, len(src), func() { r.JSON(src, nil) })
}

func report(b *testing.B, size int, f func()) {
	b.SetBytes(int64(size))
	start := time.Now()
	for b.Loop() {
		f()
	}
	b.ReportMetric(time.Since(start).Seconds()*1000/float64(b.N)/float64(size)*(1<<20), "ms/MiB")
}

func BenchmarkNew(b *testing.B) {
	for b.Loop() {
		New(Options{})
	}
}
