package worker

import (
	"errors"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"sync"

	"github.com/boathook/boathook/internal/ownfile"
)

// LogFile is the worker's log in the data directory. The one before it has ".old" behind its name.
const LogFile = "worker.log"

// maxLog is the size at which the log becomes the old one.
const maxLog = 1 << 20

// NewLog is the log of a data directory, for a worker and its sinks. Its file is opened when something is written.
func NewLog(dataDir string) *slog.Logger {
	return slog.New(slog.NewTextHandler(&logFile{path: filepath.Join(dataDir, LogFile)}, nil))
}

// logFile is a log that is opened when something is written, and can't make the worker fail. slog calls it one line at a
// time.
type logFile struct {
	path string
	mu   sync.Mutex // a sink that did not end in time may still write
	f    *os.File
	size int64
}

func (l *logFile) Write(b []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if err := l.open(); err != nil {
		return 0, err
	}
	if l.size > 0 && l.size+int64(len(b)) > maxLog {
		l.closeFile()
		if err := os.Rename(l.path, l.path+".old"); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return 0, err
		}
		if err := l.open(); err != nil {
			return 0, err
		}
	}
	n, err := l.f.Write(b)
	l.size += int64(n)
	return n, err
}

func (l *logFile) open() error {
	if l.f != nil {
		return nil
	}
	f, err := ownfile.Open(l.path, os.O_WRONLY|os.O_CREATE|os.O_APPEND)
	if err != nil {
		return err
	}
	fi, err := f.Stat()
	if err != nil {
		_ = f.Close()
		return err
	}
	l.f, l.size = f, fi.Size()
	return nil
}

func (l *logFile) close() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.closeFile()
}

func (l *logFile) closeFile() {
	if l.f != nil {
		_ = l.f.Close()
		l.f = nil
	}
}
