package worker

import (
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

func TestLogRotates(t *testing.T) {
	path := filepath.Join(t.TempDir(), LogFile)
	must(t, os.WriteFile(path, []byte(strings.Repeat("x", maxLog)), 0o600)) // left by an earlier worker
	for range 2 {
		l := &logFile{path: path}
		log := slog.New(slog.NewTextHandler(l, nil))
		for n := range 3 * maxLog / 2 / 1024 {
			log.Warn(strings.Repeat("y", 1024), "n", n)
		}
		l.close()
	}
	for _, name := range []string{path, path + ".old"} {
		fi, err := os.Stat(name)
		must(t, err)
		if fi.Size() == 0 || fi.Size() > maxLog {
			t.Errorf("%s has %d bytes", name, fi.Size())
		}
		if runtime.GOOS != "windows" && fi.Mode().Perm() != 0o600 {
			t.Errorf("%s has mode %v", name, fi.Mode())
		}
	}
	if names, _ := filepath.Glob(path + "*"); len(names) != 2 {
		t.Fatalf("logs %v", names)
	}
}

func TestLogWithoutADirectoryIsDropped(t *testing.T) {
	l := &logFile{path: filepath.Join(t.TempDir(), "gone", LogFile)}
	if _, err := fmt.Fprintln(l, "x"); err == nil {
		t.Fatal("written")
	}
	l.close()
}

func TestRunLogsToItsOwnFile(t *testing.T) {
	o := options(t)
	o.Log = nil
	must(t, o.Spool.Append(id(1), []byte("poison")))
	must(t, Run(t.Context(), o))
	b, err := os.ReadFile(filepath.Join(o.DataDir, LogFile))
	must(t, err)
	if !strings.Contains(string(b), "quarantined") || !strings.Contains(string(b), id(1)) {
		t.Fatalf("log says %s", b)
	}
}
