//go:build unix

package hookrun

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestAHostThatIsGone: a hook ends quietly, and waits for the drain all the same.
func TestAHostThatIsGone(t *testing.T) {
	l := newLab(t, "hook.flush_ms = 10000\nhook.deadline_ms = 12000\n")
	cmd := l.process("SessionEnd", true)
	r, w, err := os.Pipe()
	must(t, err)
	must(t, r.Close())
	cmd.Stdout = w
	must(t, cmd.Start())
	must(t, w.Close())
	l.seen(t, "drain")
	l.seen(t, "worker")
	must(t, os.WriteFile(filepath.Join(l.data, "go"), nil, 0o600))
	if err := cmd.Wait(); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(filepath.Join(l.data, "went")); err != nil {
		t.Errorf("the hook did not wait: %v", err)
	}
}

// TestRootObeysNoUsersDataDir: where root's hook writes is not another user's to say.
func TestRootObeysNoUsersDataDir(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("SKIPPED LOUDLY: to act as somebody else takes root")
	}
	for name, there := range map[string]func(l *lab, roots string) error{
		"by its path": func(l *lab, roots string) error {
			return os.WriteFile(l.config, []byte("data_dir = '"+filepath.Join(roots, "sub")+"'\n"), 0o600)
		},
		"by a link": func(l *lab, roots string) error {
			if err := os.Symlink(roots, l.data); err != nil {
				return err
			}
			return os.Lchown(l.data, 1234, 1234)
		},
	} {
		l, roots := newLab(t, ""), t.TempDir()
		must(t, there(l, roots))
		must(t, os.Chown(l.config, 1234, 1234))
		cmd := l.process("SessionStart", true)
		if out, err := cmd.CombinedOutput(); err != nil || string(out) != "{}\n" {
			t.Fatalf("%s: %q, %v", name, out, err)
		}
		if entries, err := os.ReadDir(roots); err != nil || len(entries) > 0 {
			t.Errorf("%s: root made %v, %v", name, entries, err)
		}
	}
}

// TestRootObeysNoOthersSwitch: it lies beside root's config, and is not root's.
func TestRootObeysNoOthersSwitch(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("SKIPPED LOUDLY: to give a file away takes root")
	}
	l := newLab(t, "[guard]\nfail = 'closed'\n")
	path := filepath.Join(l.home, "off")
	must(t, os.WriteFile(path, []byte(`{"v":1,"all":{"since":"2020-01-01T00:00:00Z"}}`), 0o600))
	must(t, os.Chown(path, 1234, 1234))
	if got := l.run("gemini", "BeforeTool", rm); !strings.Contains(got, `"deny"`) {
		t.Errorf("%s", got)
	}
}

// ends waits for a process's end, not only for its answer.
func ends(t *testing.T, l *lab, event, payload string) string {
	t.Helper()
	cmd := l.process(event, true)
	cmd.Stdin = strings.NewReader(payload)
	out, err := cmd.StdoutPipe()
	must(t, err)
	must(t, cmd.Start())
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil && !errors.Is(err, io.EOF) {
		t.Error(err)
	}
	done := make(chan error, 1)
	go func() { done <- cmd.Wait() }()
	select {
	case err := <-done:
		if err != nil {
			t.Error(err)
		}
	case <-time.After(time.Minute):
		_ = cmd.Process.Kill()
		t.Fatal(fmt.Sprint("it answered ", line, " and does not end"))
	}
	return line
}
