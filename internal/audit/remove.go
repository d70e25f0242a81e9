package audit

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/boathook/boathook/internal/atomicfile"
	"github.com/boathook/boathook/internal/lock"
	"github.com/boathook/boathook/internal/ownfile"
)

// lateLines is how long a hook may still write into the log that it has open.
const lateLines = 50 * time.Millisecond

// Remove takes the lines that a function selects out of the log in dir, and out of the old one, and says how many they were. Hooks may
// write meanwhile. A log of another program's stays as it is.
func Remove(dir string, match func(line []byte) bool) (removed int, err error) {
	for _, name := range []string{File, File + ".old"} {
		n, rerr := removeFrom(filepath.Join(dir, name), match)
		removed += n
		if err = errors.Join(err, rerr); err != nil {
			err = fmt.Errorf("remove from the audit log: %w", err)
		}
	}
	return removed, err
}

func removeFrom(path string, match func([]byte) bool) (removed int, err error) {
	f, err := ownfile.Open(path, os.O_RDWR)
	if errors.Is(err, fs.ErrNotExist) {
		return 0, nil
	}
	if err != nil {
		return 0, err
	}
	defer func() { _ = f.Close() }() // it was only read
	if !ours(f) {
		return 0, nil
	}
	unlock, err := lock.File(f)
	if err != nil {
		return 0, err
	}
	defer unlock()
	text, err := io.ReadAll(f)
	if err != nil {
		return 0, err
	}
	kept, removed := without(text, match)
	if removed == 0 {
		return 0, nil
	}
	if err := atomicfile.Write(path, kept, 0o600); err != nil {
		return 0, err
	}
	time.Sleep(lateLines)
	late, err := io.ReadAll(f)
	if err != nil || len(late) == 0 {
		return removed, err
	}
	kept, n := without(late, match)
	out, err := ownfile.Open(path, os.O_WRONLY|os.O_APPEND)
	if err != nil {
		return removed, err
	}
	_, err = out.Write(kept)
	return removed + n, errors.Join(err, out.Close())
}

// without is a text without the lines that match.
func without(text []byte, match func([]byte) bool) (kept []byte, removed int) {
	for line := range bytes.Lines(text) {
		if len(bytes.TrimSpace(line)) > 0 && match(line) {
			removed++
			continue
		}
		kept = append(kept, line...)
	}
	return kept, removed
}
