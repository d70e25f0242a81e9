//go:build unix

package userhook

import (
	"os"
	"path/filepath"
	"strconv"
	"testing"
)

func TestNested(t *testing.T) {
	proc := t.TempDir()
	write := func(name, text string) {
		t.Helper()
		path := filepath.Join(proc, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("boathook", "")
	write("other", "")
	process := func(pid, parent int, exe, cmdline string) {
		t.Helper()
		dir := strconv.Itoa(pid)
		write(dir+"/stat", dir+" (a) 9 (b) S "+strconv.Itoa(parent)+" 1 1")
		write(dir+"/cmdline", cmdline)
		if err := os.Symlink(filepath.Join(proc, exe), filepath.Join(proc, dir, "exe")); err != nil {
			t.Fatal(err)
		}
	}
	write("self/x", "")
	if got := nested(proc, 10); got != 0 {
		t.Errorf("without a program of its own: %d", got)
	}
	if err := os.Symlink(filepath.Join(proc, "boathook"), filepath.Join(proc, "self", "exe")); err != nil {
		t.Fatal(err)
	}
	process(10, 11, "other", "sh\x00-c\x00boathook hook\x00")
	process(11, 12, "boathook", "boathook\x00hook\x00--agent\x00claude\x00")
	process(12, 13, "boathook", "boathook\x00try\x00")
	process(13, 14, "boathook", "/b/boathook\x00exec\x00--\x00x\x00")
	process(14, 1, "other", "x\x00hook\x00")
	process(20, 20, "boathook", "boathook\x00hook\x00")
	for pid, want := range map[int]int{10: 2, 12: 1, 14: 0, 15: 0, 1: 0, 20: maxAncestors} {
		if got := nested(proc, pid); got != want {
			t.Errorf("%d: %d, want %d", pid, got, want)
		}
	}
}
