package codextrust

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/boathook/boathook/internal/tomledit"
)

// TestMain is also a codex: one that answers as the recording does, in a directory of the question's own.
func TestMain(m *testing.M) {
	if len(os.Args) == 2 && os.Args[1] == "app-server" {
		serve(os.Stdin, os.Stdout)
		return
	}
	os.Exit(m.Run())
}

func serve(in io.Reader, out io.Writer) {
	home := os.Getenv("CODEX_HOME")
	data, err := os.ReadFile(filepath.Join(home, "hooks.json"))
	if err != nil || os.Getenv("HOME") == os.Getenv("REAL_HOME") {
		os.Exit(1)
	}
	source := filepath.Join(home, "hooks.json")
	list, err := Hooks(source, data)
	if err != nil || strings.Contains(string(data), "silent") {
		time.Sleep(time.Minute)
	}
	lines := bufio.NewScanner(in)
	for lines.Scan() {
		var m struct {
			ID     int
			Method string
		}
		_ = json.Unmarshal(lines.Bytes(), &m)
		switch m.Method {
		case "initialize":
			fmt.Fprintln(out, `{"method":"configWarning","params":{}}`)
			fmt.Fprintf(out, `{"id":%d,"result":{"userAgent":"boathook/0.171.0 (Linux)"}}`+"\n", m.ID)
		case "hooks/list":
			var hooks []map[string]any
			for _, h := range list {
				hooks = append(hooks, map[string]any{"key": h.Key, "currentHash": h.Hash})
			}
			hooks = append(hooks, map[string]any{"key": "/etc/codex/hooks.json:stop:0:0", "currentHash": "sha256:0"})
			text, _ := json.Marshal(map[string]any{"id": m.ID, "result": map[string]any{"data": []any{map[string]any{
				"hooks": hooks, "warnings": []string{"skipping prompt hook in " + source}, "errors": []any{},
			}}}})
			fmt.Fprintf(out, "%s\n", text)
		}
	}
}

const source = "/home/user/.codex/hooks.json"

func recorded(t *testing.T) (hooks []byte, hashes map[string]string) {
	t.Helper()
	hooks, err := os.ReadFile("testdata/0.171.0/hooks.json")
	text, failed := os.ReadFile("testdata/0.171.0/hashes.json")
	if err != nil || failed != nil || json.Unmarshal(text, &hashes) != nil {
		t.Fatal(err, failed)
	}
	return hooks, hashes
}

func TestKeysAndHashesAreCodexOwn(t *testing.T) {
	data, want := recorded(t)
	list, err := Hooks(source, data)
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]string{}
	for _, h := range list {
		if _, known := want[h.Key]; known || h.Event != "PostToolUseFailure" { // no event of Codex's
			got[h.Key] = h.Hash
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestSource(t *testing.T) {
	real, link := t.TempDir(), filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(real, link); err != nil {
		t.Fatal(err)
	}
	real, _ = filepath.EvalSymlinks(real)
	if got := Source(link, false); got != filepath.Join(link, "hooks.json") {
		t.Errorf("in the home directory: %s", got)
	}
	if got := Source(link, true); got != filepath.Join(real, "hooks.json") {
		t.Errorf("with CODEX_HOME: %s", got)
	}
}

func TestStates(t *testing.T) {
	h := Hook{Key: "k", Hash: "sha256:1"}
	for text, want := range map[string]State{
		"":                              Untrusted,
		"[hooks.state.k]\nenabled=true": Untrusted,
		"[hooks.state.k]\ntrusted_hash='sha256:1'":                  Trusted,
		"[hooks.state.k]\ntrusted_hash='sha256:2'":                  Modified,
		"[hooks.state.k]\ntrusted_hash='sha256:1'\nenabled = false": Disabled,
		"hooks = { state = { k = { trusted_hash='sha256:1' } } }":   Trusted,
	} {
		tree, err := tomledit.Tree([]byte(text))
		if got := StateOf(tree, h); err != nil || got != want {
			t.Errorf("%s: %s, %v; want %s", text, got, err, want)
		}
	}
	for text, want := range map[string]bool{"": false, "[features]\nhooks = true": false, "features.hooks = false": true, "[features]\ncodex_hooks = false": true} {
		if tree, err := tomledit.Tree([]byte(text)); err != nil || HooksOff(tree) != want {
			t.Errorf("%q: %v", text, err)
		}
	}
}

func TestAsk(t *testing.T) {
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	data, want := recorded(t)
	answer, err := Ask(t.Context(), exe, "/bin", source, data)
	if err != nil {
		t.Fatal(err)
	}
	for key, hash := range want {
		if answer.Hashes[key] != hash {
			t.Errorf("%s: %s, want %s", key, answer.Hashes[key], hash)
		}
	}
	if answer.Version != "0.171.0" || len(answer.Problems) != 1 || !strings.Contains(answer.Problems[0], source) || answer.Hashes["/etc/codex/hooks.json:stop:0:0"] != "" {
		t.Errorf("%+v", answer)
	}
}

func TestACodexThatDoesNotAnswer(t *testing.T) {
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
	defer cancel()
	if _, err := Ask(ctx, exe, "/bin", source, []byte(`{"hooks":{},"silent":1}`)); err == nil || !strings.Contains(err.Error(), "in time") {
		t.Errorf("it hangs: %v", err)
	}
	if _, err := Ask(t.Context(), "/bin/false", "/bin", source, []byte(`{}`)); err == nil || !strings.Contains(err.Error(), "ask codex") {
		t.Errorf("it fails: %v", err)
	}
}
