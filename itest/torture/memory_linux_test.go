package torture

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
)

const remembers = "[memory]\nenabled = true\ninject = \"on\"\n"

// newMemory is a bench whose memory knows of an incident in the project that it gives.
func newMemory(t *testing.T, settings string) (b *bench, shop string) {
	t.Helper()
	b = newBench(t, patient+remembers+settings)
	shop = filepath.Join(b.home, "shop")
	if err := os.MkdirAll(filepath.Join(shop, ".git"), 0o700); err != nil {
		t.Fatal(err)
	}
	b.learn(t, shop)
	return b, shop
}

// learn tells memory of the incident.
func (b *bench) learn(t *testing.T, shop string) {
	t.Helper()
	var lines strings.Builder
	for i, text := range []string{"the widget deployment fails with ERR_WIDGET_CORRUPT", "ERR_WIDGET_CORRUPT: the index was stale, widgetctl reindex mended it"} {
		role := []string{"user", "assistant"}[i]
		fmt.Fprintf(&lines, `{"session":"old","project":%q,"id":"%d","role":%q,"ts":"2026-01-31T14:30:0%dZ","text":%q}`+"\n", shop, i, role, i, text)
	}
	cmd := exec.Command(b.bin, "memory", "ingest", "--config", b.config, "-")
	cmd.Env, cmd.Stdin = []string{"HOME=" + b.home, "PATH=" + os.Getenv("PATH")}, strings.NewReader(lines.String())
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
}

// prompts answers a prompt of Claude Code's about the incident.
func (b *bench) prompts(t *testing.T, shop, session string) string {
	t.Helper()
	payload, err := json.Marshal(map[string]string{
		"session_id": session, "cwd": shop, "hook_event_name": "UserPromptSubmit", "prompt": "the widget deployment fails again with ERR_WIDGET_CORRUPT",
	})
	if err != nil {
		t.Fatal(err)
	}
	return answer(t, b.hook("claude", "UserPromptSubmit"), strings.NewReader(string(payload)))
}

// TestMemoryInTrouble: whatever became of what memory keeps, a prompt is answered as if there were none, and a call is judged.
func TestMemoryInTrouble(t *testing.T) {
	patch := func(at int64, size int) func(*testing.T, *bench) {
		return func(t *testing.T, b *bench) {
			f, err := os.OpenFile(b.memory(""), os.O_RDWR, 0)
			must(t, err)
			_, err = f.WriteAt([]byte(strings.Repeat("\xff\x07", size/2)), at)
			must(t, err)
			must(t, f.Close())
		}
	}
	instead := func(make func(path string) error) func(*testing.T, *bench) {
		return func(t *testing.T, b *bench) {
			b.forgets(t)
			must(t, make(b.memory("")))
		}
	}
	told := func(make func(path string) error) func(*testing.T, *bench) {
		return func(t *testing.T, b *bench) { must(t, make(filepath.Join(b.data, "recall"))) }
	}
	for name, harm := range map[string]func(*testing.T, *bench){
		"a header that is none": patch(0, 100),
		"a damaged first page":  patch(100, 3000),
		"damaged pages":         patch(12_288, 100_000),
		"no bytes":              func(t *testing.T, b *bench) { must(t, os.Truncate(b.memory(""), 0)) },
		"few bytes":             func(t *testing.T, b *bench) { must(t, os.Truncate(b.memory(""), 50)) },
		"half of it":            func(t *testing.T, b *bench) { must(t, os.Truncate(b.memory(""), 40_960)) },
		"nothing":               instead(func(string) error { return nil }),
		"a directory":           instead(func(path string) error { return os.Mkdir(path, 0o700) }),
		"a pipe":                instead(func(path string) error { return syscall.Mkfifo(path, 0o600) }),
		"a device":              instead(func(path string) error { return os.Symlink("/dev/zero", path) }),
		"a link to nowhere":     instead(func(path string) error { return os.Symlink("/nonexistent/x", path) }),
		"a log that is a pipe":  func(t *testing.T, b *bench) { must(t, syscall.Mkfifo(b.memory("-wal"), 0o600)) },
		"an index that is none": func(t *testing.T, b *bench) { must(t, os.Mkdir(b.memory("-shm"), 0o700)) },
		"a lock": func(t *testing.T, b *bench) {
			f, err := os.OpenFile(b.memory(""), os.O_RDWR, 0)
			must(t, err)
			t.Cleanup(func() { _ = f.Close() })
			must(t, syscall.FcntlFlock(f.Fd(), syscall.F_SETLK, &syscall.Flock_t{Type: syscall.F_WRLCK}))
		},
		"notes in a file": told(func(path string) error { return os.WriteFile(path, nil, 0o600) }),
		"notes in a pipe": told(func(path string) error { return syscall.Mkfifo(path, 0o600) }),
		"notes on a disk that hangs": func(t *testing.T, b *bench) {
			dir := filepath.Join(b.data, "recall")
			must(t, os.Mkdir(dir, 0o700))
			hang(t, dir)
		},
		"notes on a full disk": func(t *testing.T, b *bench) {
			dir := filepath.Join(b.data, "recall")
			must(t, os.Mkdir(dir, 0o700))
			mount(t, "tmpfs", dir, "tmpfs", 0, "nr_inodes=1,mode=0700")
		},
	} {
		t.Run(name, func(t *testing.T) {
			b, shop := newMemory(t, "")
			b.withoutLog(t)
			release := b.holdWorker(t)
			defer release()
			harm(t, b)
			for _, session := range []string{"s1", "s2"} {
				if got := b.prompts(t, shop, session); got != "" {
					t.Errorf("the prompt is told %s", got)
				}
			}
			b.denies(t)
		})
	}
}

// TestMemoryInACrowd: of any number of prompts of one session one is told an item, and those of other sessions are told it too.
func TestMemoryInACrowd(t *testing.T) {
	b, shop := newMemory(t, "[memory.retrieval]\ndeadlineMs = 5000\n")
	var mu sync.Mutex
	got := map[string]int{}
	var all sync.WaitGroup
	for i := range 60 {
		session := []string{"same", "other", fmt.Sprint("s", i)}[i%3]
		all.Go(func() {
			if strings.Contains(b.prompts(t, shop, session), "widgetctl") {
				mu.Lock()
				got[session]++
				mu.Unlock()
			}
		})
	}
	all.Wait()
	for session, n := range got {
		if n != 1 {
			t.Errorf("%s is told %d times", session, n)
		}
	}
	if got["same"] != 1 || got["other"] != 1 {
		t.Errorf("told are %v", got)
	}
}

func (b *bench) memory(suffix string) string { return filepath.Join(b.data, "memory.db"+suffix) }

// withoutLog leaves the file alone: with its log beside it, SQLite would mend what is done to it.
func (b *bench) withoutLog(t *testing.T) {
	t.Helper()
	for _, suffix := range []string{"-wal", "-shm"} {
		if err := os.Remove(b.memory(suffix)); err != nil && !os.IsNotExist(err) {
			t.Fatal(err)
		}
	}
}

func (b *bench) forgets(t *testing.T) {
	t.Helper()
	b.withoutLog(t)
	must(t, os.Remove(b.memory("")))
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
