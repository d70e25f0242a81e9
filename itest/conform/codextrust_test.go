package conform

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/boathook/boathook/itest/agentlab"
	"github.com/boathook/boathook/itest/build"
	"github.com/boathook/boathook/itest/mockmodel"
)

// TestCodexTrust shows that 'install codex --trust' has Codex run boathook's hooks and nobody else's, that it says itself that
// the hashes are right, and that hooks whose places another one shifts are trusted again by another install.
func TestCodexTrust(t *testing.T) {
	for _, linked := range []bool{false, true} {
		name := "in the home directory"
		if linked {
			name = "CODEX_HOME behind a link"
		}
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			l := NewLab(t, codex())
			dir := filepath.Join(l.Home, ".codex")
			if linked {
				real := filepath.Join(l.Root, "elsewhere")
				agentlab.Must(t, os.Rename(dir, real))
				agentlab.Must(t, os.Symlink(real, dir))
				l.Env = append(l.Env, "CODEX_HOME="+dir)
			}
			bin := filepath.Join(l.Root, "path")
			agentlab.Must(t, os.MkdirAll(bin, 0o755))
			agentlab.Must(t, os.Symlink(codexProgram(t), filepath.Join(bin, "codex")))
			l.Env = append(l.Env, "PATH="+bin+string(filepath.ListSeparator)+os.Getenv("PATH"))
			theirs := filepath.Join(l.Root, "theirs")
			hooks, other := filepath.Join(dir, "hooks.json"), `{"hooks":[{"type":"command","command":"echo ran >> '`+theirs+`'"}]}`
			l.Write(t, hooks, `{"hooks":{"PreToolUse":[`+other+`]}}`)
			was := codexFiles(t, dir)
			l.Configure(t, build.Fixture(t, "judge"))
			l.Bring(t)

			out := l.MustBoathook(t, nil, "install", "codex", "--yes").Stdout
			if !strings.Contains(out, "--trust") || l.runsPreToolUse(t) {
				t.Errorf("without --trust Codex ran the hook, or nobody said that it does not:\n%s", out)
			}
			out = l.MustBoathook(t, nil, "install", "codex", "--yes", "--trust").Stdout
			if !strings.Contains(out, "has the same hashes") || !l.runsPreToolUse(t) {
				t.Errorf("with --trust Codex did not run the hook, or has other hashes:\n%s", out)
			}
			data, err := os.ReadFile(hooks)
			agentlab.Must(t, err)
			l.Write(t, hooks, strings.Replace(string(data), other, other+","+other, 1))
			if l.runsPreToolUse(t) {
				t.Error("another hook before it did not take its trust away")
			}
			l.MustBoathook(t, nil, "install", "codex", "--yes", "--trust")
			if !l.runsPreToolUse(t) {
				t.Error("trusted again, Codex did not run it")
			}
			if _, err := os.Stat(theirs); err == nil {
				t.Error("a hook of others was trusted")
			}
			data, err = os.ReadFile(hooks)
			agentlab.Must(t, err)
			l.Write(t, hooks, strings.Replace(string(data), other+","+other, other, 1))
			l.MustBoathook(t, nil, "uninstall", "codex", "--yes")
			if diff := cmp.Diff(was, codexFiles(t, dir)); diff != "" {
				t.Errorf("after an uninstall (-before +after):\n%s", diff)
			}
		})
	}
}

// codexFiles are the two files that install edits.
func codexFiles(tb testing.TB, dir string) string {
	tb.Helper()
	var all string
	for _, name := range []string{"config.toml", "hooks.json"} {
		data, err := os.ReadFile(filepath.Join(dir, name))
		agentlab.Must(tb, err)
		all += name + "\n" + string(data)
	}
	return all
}

// runsPreToolUse runs a session and tells whether a hook before a tool was there.
func (l *Lab) runsPreToolUse(tb testing.TB) bool {
	tb.Helper()
	seen := l.Session(tb, Session{Prompt: mockmodel.Prompt(calm, "please"), Permit: true})
	if !slices.Contains(seen.Files, "plain") {
		tb.Fatalf("the session did nothing:\n%s", seen.report)
	}
	return len(before(seen, "")) > 0
}
