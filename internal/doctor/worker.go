package doctor

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"
	"time"

	"github.com/boathook/boathook/internal/lock"
	"github.com/boathook/boathook/internal/shellquote"
	"github.com/boathook/boathook/internal/wake"
	"github.com/boathook/boathook/internal/worker"
)

func workerChecks() []Check {
	return []Check{
		{ID: "worker.running", Title: "worker", Run: workerRunning},
		{ID: "worker.files", Title: "worker's files", Run: workerFiles},
		{ID: "worker.log", Title: "worker's log", Run: workerLog},
	}
}

func workerRunning(_ context.Context, w *World) []Result {
	path := w.data(wake.LockFile)
	if !lock.Held(path) {
		return ok("none runs; a hook starts one when there is something to do")
	}
	pid, _ := lock.Holder(path)
	return ok("process %d", pid)
}

// workerFiles finds what keeps a worker from starting.
func workerFiles(_ context.Context, w *World) []Result {
	var out []Result
	for _, name := range []string{wake.LockFile, wake.StampFile} {
		path := w.data(name)
		info, err := os.Lstat(path)
		if err == nil && !info.Mode().IsRegular() {
			out = append(out, fail("rm -r "+shellquote.Word(path), "%s is no regular file: no worker can start", path).
				with("rm "+path, "remove "+path, remove(path)))
		}
	}
	if r := deadStamp(w); r != nil && len(out) == 0 {
		out = append(out, *r)
	}
	return orOK(out, "in order")
}

// deadStamp tells of a worker that ended without a word: one in good order removes its stamp.
func deadStamp(w *World) *Result {
	path := w.data(wake.StampFile)
	info, err := os.Lstat(path)
	if err != nil || lock.Held(w.data(wake.LockFile)) || time.Since(info.ModTime()).Abs() < waitsLong {
		return nil
	}
	r := Result{
		Status: Info, Text: fmt.Sprintf("the worker of %s was killed, or could not start; the next hook starts another", info.ModTime().Format("2006-01-02 15:04")),
		Cure: "look at " + w.data(worker.LogFile),
	}.with("rm "+path, "remove the stamp "+path, remove(path))
	return &r
}

// freshLog is how old a line of the log may be to say something about now.
const freshLog = 24 * time.Hour

// workerLog shows the last error, if that was lately.
func workerLog(_ context.Context, w *World) []Result {
	path := w.data(worker.LogFile)
	line, err := lastError(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return ok("empty")
	case err != nil:
		return []Result{warn("ls -l "+path, "%s can't be read (%s)", path, cause(err))}
	case line == "":
		return ok("no error")
	}
	at, known := logTime(line)
	if known && w.Now().Sub(at) > freshLog {
		return info("no error since %s", at.Format("2006-01-02 15:04"))
	}
	return []Result{warn("tail "+path, "%s", w.Foreign(line))}
}

// logTail is how much of the log's end is read.
const logTail = 64 << 10

// lastError is the last line of a log that is an error; warnings are of what passes.
func lastError(path string) (string, error) {
	info, err := os.Stat(path)
	if err != nil {
		return "", err
	}
	if !info.Mode().IsRegular() {
		return "", errors.New("not a regular file")
	}
	f, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	data, err := io.ReadAll(io.NewSectionReader(f, max(0, info.Size()-logTail), logTail))
	if err != nil {
		return "", err
	}
	last := ""
	for line := range strings.Lines(string(data)) {
		if strings.Contains(line, "level=ERROR") {
			last = strings.TrimSpace(line)
		}
	}
	return last, nil
}

func logTime(line string) (time.Time, bool) {
	_, text, ok := strings.Cut(line, "time=")
	if !ok {
		return time.Time{}, false
	}
	text, _, _ = strings.Cut(text, " ")
	at, err := time.Parse(time.RFC3339, text)
	return at, err == nil
}

// restart ends a worker that is stuck, starts another, and gives it a moment to empty the spool.
func restart(w *World) (key, what string, do func(context.Context) error) {
	return "worker", "start the worker anew", func(ctx context.Context) error {
		if err := stopWorker(ctx, w.data(wake.LockFile)); err != nil {
			return err
		}
		wake.Forget(w.Settings.DataDir)
		getenv := func(name string) string { return w.variable(name) }
		err := wake.Start(wake.Options{Exe: w.Install.Exe, DataDir: w.Settings.DataDir, Config: w.Settings.Path, Getenv: getenv})
		if err != nil {
			return err
		}
		for range 100 {
			if names, err := w.Spool().Pending(); err == nil && len(names) == 0 {
				return nil
			}
			if !pause(ctx, 100*time.Millisecond) {
				return ctx.Err()
			}
		}
		return nil // it is at work, and the next look shows how far
	}
}

// stopWorker asks the holder of the lock to end. The process id in the file counts only while the lock is held.
func stopWorker(ctx context.Context, path string) error {
	asked := 0
	for range 200 {
		if !lock.Held(path) {
			return nil
		}
		if pid, _ := lock.Holder(path); pid > 1 && pid != os.Getpid() && pid != asked {
			asked = pid
			_ = terminate(pid) // it may have ended by itself
		}
		if !pause(ctx, 50*time.Millisecond) {
			return ctx.Err()
		}
	}
	return fmt.Errorf("the worker (process %d) does not end; end it yourself", asked)
}

func pause(ctx context.Context, d time.Duration) bool {
	select {
	case <-ctx.Done():
		return false
	case <-time.After(d):
		return true
	}
}
