package torture

import (
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// mount puts a file system at dir for the length of the test. File modes do not bind root, so that only a mount makes a
// disk truly read-only or full.
func mount(t *testing.T, source, dir, kind string, flags uintptr, options string) {
	t.Helper()
	if err := syscall.Mount(source, dir, kind, flags, options); err != nil {
		t.Skipf("SKIPPED LOUDLY: mounting %s at %s needs privileges that are missing: %v", kind, dir, err)
	}
	t.Cleanup(func() {
		if err := syscall.Unmount(dir, syscall.MNT_DETACH); err != nil {
			t.Errorf("unmount %s: %v", dir, err)
		}
	})
}

func (b *bench) makeData(t *testing.T) {
	t.Helper()
	if err := os.MkdirAll(b.data, 0o700); err != nil {
		t.Fatal(err)
	}
}

// denies holds that the guard's answer comes through whatever the disk does.
func (b *bench) denies(t *testing.T) {
	t.Helper()
	if got := answer(t, b.hook("gemini", "BeforeTool"), strings.NewReader(hostileCall)); got != denyGemini {
		t.Errorf("hostile: answer %s", got)
	}
	if got := answer(t, b.hook("gemini", "BeforeTool"), strings.NewReader(harmlessCall)); got != "{}" {
		t.Errorf("harmless: answer %s", got)
	}
}

func TestReadOnlyDisk(t *testing.T) {
	b := newBench(t, "")
	b.makeData(t)
	mount(t, "tmpfs", b.data, "tmpfs", syscall.MS_RDONLY, "size=1m")
	b.denies(t)
}

func TestDataDirectoryIsAFile(t *testing.T) {
	b := newBench(t, "")
	b.write(t, b.data, "a file")
	b.denies(t)
}

// TestFullDisk: nothing fits, then there is room again and records are kept as if nothing had been.
func TestFullDisk(t *testing.T) {
	b := newBench(t, "")
	b.makeData(t)
	mount(t, "tmpfs", b.data, "tmpfs", 0, "size=4m,mode=0700")
	fill := filepath.Join(b.data, "fill")
	f, err := os.Create(fill)
	if err != nil {
		t.Fatal(err)
	}
	for block := make([]byte, 4096); ; {
		if _, err := f.Write(block); err != nil {
			break
		}
	}
	f.Close()
	b.denies(t)
	if err := os.Remove(fill); err != nil {
		t.Fatal(err)
	}
	b.denies(t)
	if n := len(b.records(t)); n != 2 {
		t.Errorf("%d records after there was room again, want 2", n)
	}
}

// hang mounts a FUSE file system that nobody serves: every access waits for ever.
func hang(t *testing.T, dir string) {
	t.Helper()
	fd, err := syscall.Open("/dev/fuse", syscall.O_RDWR|syscall.O_CLOEXEC, 0)
	if err != nil {
		t.Skipf("SKIPPED LOUDLY: a disk that hangs needs /dev/fuse: %v", err)
	}
	mount(t, "hang", dir, "fuse", 0, fmt.Sprintf("fd=%d,rootmode=40000,user_id=0,group_id=0", fd))
	// Runs before the unmounting: closing the connection fails what still waits.
	t.Cleanup(func() { _ = syscall.Close(fd) })
}

func TestHangingDataDirectory(t *testing.T) {
	b := newBench(t, "")
	b.makeData(t)
	hang(t, b.data)
	// What a program behind FUSE would have to answer for counts as the network's: the data are on this machine.
	sum := sha256.Sum256([]byte(b.data))
	local := fmt.Sprintf("/var/tmp/boathook-%d-%x", os.Geteuid(), sum[:6])
	t.Cleanup(func() { _ = os.RemoveAll(local) })
	b.denies(t)
	if files, err := os.ReadDir(filepath.Join(local, "spool")); err != nil || len(files) == 0 {
		t.Errorf("nothing is kept in %s: %v", local, err)
	}
}

// TestHangingConfig: without the settings nobody knows the guard, so that the answer is the neutral one; it must come.
func TestHangingConfig(t *testing.T) {
	b := newBench(t, "")
	hang(t, filepath.Dir(b.config))
	if got := answer(t, b.hook("gemini", "BeforeTool"), strings.NewReader(hostileCall)); got != "{}" {
		t.Errorf("answer %s", got)
	}
	if got := answer(t, b.hook("antigravity", "PreToolUse"), strings.NewReader("{}")); got != `{"decision":"allow"}` {
		t.Errorf("answer %s", got)
	}
}

// TestHangingWorkingDirectory: nothing is looked at on the disk before the verdict, not even where the session stands.
func TestHangingWorkingDirectory(t *testing.T) {
	b := newBench(t, "")
	dir := t.TempDir()
	hang(t, dir)
	for event, payload := range map[string]string{
		"BeforeTool": `{"cwd":"` + dir + `/repo",` + hostileCall[1:],
		"PreToolUse": `{"workspacePaths":["` + dir + `/repo"],"toolCall":{"name":"run_command","args":{"CommandLine":"` + hostile + `","Cwd":"` + dir + `"}}}`,
	} {
		agent := map[string]string{"BeforeTool": "gemini", "PreToolUse": "antigravity"}[event]
		if got := answer(t, b.hook(agent, event), strings.NewReader(payload)); !strings.Contains(got, `"deny"`) {
			t.Errorf("%s: answer %s", event, got)
		}
	}
	if all := b.records(t); len(all) != 2 || !has(all[0].Notes, "working directory") {
		t.Errorf("records %+v", all)
	}
}

// TestOddKeys: a key that is no key must cost neither the answer nor the record.
func TestOddKeys(t *testing.T) {
	for name, plant := range map[string]func(string) error{
		"a pipe":               func(path string) error { return syscall.Mkfifo(path, 0o600) },
		"an endless device":    func(path string) error { return os.Symlink("/dev/zero", path) },
		"a directory":          func(path string) error { return os.Mkdir(path, 0o700) },
		"a file with nonsense": func(path string) error { return os.WriteFile(path, []byte("nonsense"), 0o600) },
		"a huge file":          func(path string) error { return sparse(path) },
	} {
		t.Run(name, func(t *testing.T) {
			b := newBench(t, "")
			b.makeData(t)
			if err := plant(filepath.Join(b.data, "key")); err != nil {
				t.Fatal(err)
			}
			b.denies(t)
			if all := b.records(t); len(all) != 2 || !has(all[0].Notes, "machine key") {
				t.Errorf("records %+v", all)
			}
		})
	}
}

func sparse(path string) error {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	defer f.Close()
	return f.Truncate(8 << 30)
}
