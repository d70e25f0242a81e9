package install

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/boathook/boathook/internal/audit"
	"github.com/boathook/boathook/internal/lock"
	"github.com/boathook/boathook/internal/ownfile"
	"github.com/boathook/boathook/internal/selfwatch"
	"github.com/boathook/boathook/internal/wake"
)

// dataNames are all names that boathook has in a data directory, beside the installer's own. A name that ends in a slash is
// a directory, which goes when it is empty.
var dataNames = []string{
	"spool/new/*.json", "spool/tmp/*.json", "spool/bad/*.json", "spool/bad/*.reason", "spool/new/", "spool/tmp/", "spool/bad/",
	"spool/dropped", "spool/dropped.*", "spool/failed", "spool/quarantined", "spool/enforce.lock", "spool/",
	"pending/*.json", "pending/*.allow", "pending/*.pass", "pending/*.times", "pending/*.json.????????", "pending/*.allow.????????", "pending/*.pass.????????", "pending/",
	"policy/trusted", "policy/trusted.????????????", "policy/",
	"events.db", "events.db-wal", "events.db-shm", "events.db-journal", "events.db.corrupt-*", "key", "key.????????",
	audit.File, audit.File + ".old", selfwatch.File, selfwatch.File + ".????????",
	"memory.db", "memory.db-wal", "memory.db-shm", "memory.db-journal", "memory.db.corrupt-*", "memory.lock", "memory.backfill*", "memory.forgotten*",
	"memory-bad.jsonl", "memory-audit.jsonl", "memory-audit.jsonl.old", "memory.sock", ".memory.sock",
	"recall/pending/*.held", "recall/pending/*.ok", "recall/pending/*.????????", "recall/pending/", "recall/*.told", "recall/*.ask", "recall/*.????????", "recall/",
	".boathook-doctor-*", wake.StampFile, "worker.log", "worker.log.old", "worker.log.1", "worker.flush", wake.LockFile, ownfile.MadeFile,
}

// dataFiles lists what of boathook's is in a data directory, what is inside another before it.
func dataFiles(dir string) []string {
	var out []string
	for _, pattern := range dataNames {
		matches, _ := filepath.Glob(filepath.Join(globEscape(dir), pattern)) // the patterns are fine
		for _, path := range matches {
			info, err := os.Lstat(path)
			socket := strings.HasSuffix(pattern, ".sock") && err == nil && info.Mode().Type() == os.ModeSocket
			if err != nil || linked(dir, path) || info.IsDir() != strings.HasSuffix(pattern, "/") || !info.IsDir() && !info.Mode().IsRegular() && !socket {
				continue
			}
			if strings.HasPrefix(pattern, "key") && info.Size() != keySize {
				continue // another's
			}
			if strings.HasPrefix(pattern, audit.File) && !audit.Ours(path) {
				continue // pinta-gemini's, where the directory was its own
			}
			if info.IsDir() && !onlyThese(path, out) {
				continue
			}
			out = append(out, path)
		}
	}
	return out
}

// linked tells whether a path leads through a link below the data directory: what is there is not boathook's.
func linked(dir, path string) bool {
	for up := filepath.Dir(path); len(up) > len(dir); up = filepath.Dir(up) {
		if !isDir(up) {
			return true
		}
	}
	return false
}

// keySize is that of the machine's key: 32 bytes in hex.
const keySize = 64

func onlyThese(dir string, paths []string) bool {
	entries, err := os.ReadDir(dir)
	return err == nil && !slices.ContainsFunc(entries, func(e os.DirEntry) bool { return !slices.Contains(paths, filepath.Join(dir, e.Name())) })
}

func globEscape(dir string) string {
	return strings.NewReplacer(`*`, `\*`, `?`, `\?`, `[`, `\[`, `\`, `\\`).Replace(dir)
}

// A worker may take ten seconds to end: it finishes the event that it has in hand. A hook that was past looking at its
// config when that went away writes within a second.
const (
	stopTries = 500
	stopPause = 20 * time.Millisecond
	looks     = 5
	maxLooks  = 40
)

var lookPause = 150 * time.Millisecond // shorter in tests

// removeData removes what is boathook's from a data directory, and looks again until nothing comes back.
func removeData(dir string) error {
	for n, quiet := 0, 0; quiet < looks; n++ {
		if n == maxLooks {
			return fmt.Errorf("remove data in %s: something writes there again and again; end the agents that still run", dir)
		}
		if n > 0 {
			time.Sleep(lookPause)
		}
		quiet++
		if len(dataFiles(dir)) == 0 {
			continue
		}
		quiet = 0
		if err := removeOnce(dir); err != nil {
			return err
		}
	}
	return nil
}

func removeOnce(dir string) error {
	free, err := stopWorker(dir)
	if err != nil {
		return err
	}
	defer free()
	for _, path := range dataFiles(dir) {
		if err := os.Remove(path); err != nil && exists(path) && !isDir(path) { // a directory: a hook has just written there
			return fmt.Errorf("remove data: %w", err)
		}
	}
	return nil
}

func isDir(path string) bool {
	info, err := os.Lstat(path)
	return err == nil && info.IsDir()
}

// stopWorker ends the worker and keeps another from starting while the data go. The process id in the lock's file counts
// only while the lock is held.
func stopWorker(dataDir string) (free func(), err error) {
	path := filepath.Join(dataDir, wake.LockFile)
	if !exists(path) {
		return func() {}, nil
	}
	asked := 0
	for range stopTries {
		if l, err := lock.TryLock(path); err == nil {
			return func() { _ = l.Unlock() }, nil
		}
		pid, _ := lock.Holder(path) // none: it has just taken the lock, or let it go
		if pid > 1 && pid != os.Getpid() && pid != asked && lock.Held(path) {
			asked = pid
			_ = terminate(pid)
		}
		time.Sleep(stopPause)
	}
	return nil, fmt.Errorf("stop worker (process %d): it did not end within %s; end it and run this again", asked, stopTries*stopPause)
}
