package audit

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/boathook/boathook/internal/atomicfile"
	"github.com/boathook/boathook/internal/lock"
	"github.com/boathook/boathook/internal/ownfile"
)

// Gone stands in the place of a query that was forgotten.
const Gone = "[forgotten]"

// Forget takes the queries out of the lines that a function selects, and says how many they were: who did something when stays. Others may
// write meanwhile.
func (l Log) Forget(match func(line []byte) bool) (changed int, err error) {
	for _, name := range []string{File, File + ".old"} {
		n, ferr := forgetIn(filepath.Join(l.Dir, name), match)
		if changed += n; ferr != nil {
			err = errors.Join(err, fmt.Errorf("forget in %s: %w", name, ferr))
		}
	}
	return changed, err
}

func forgetIn(path string, match func([]byte) bool) (changed int, err error) {
	f, err := ownfile.Open(path, os.O_RDWR)
	if errors.Is(err, fs.ErrNotExist) {
		return 0, nil
	}
	if err != nil {
		return 0, err
	}
	defer func() { _ = f.Close() }() // it was only read
	unlock, err := lock.File(f)
	if err != nil {
		return 0, err
	}
	defer unlock()
	text, err := io.ReadAll(f)
	if err != nil {
		return 0, err
	}
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	for line := range bytes.Lines(text) {
		if !match(line) {
			out.Write(line)
			continue
		}
		changed++
		var e Entry
		if json.Unmarshal(line, &e) != nil {
			continue // nobody can say what it is
		}
		e.Query, e.Error = Gone, ""
		if err := enc.Encode(e); err != nil {
			return 0, err
		}
	}
	if changed == 0 {
		return 0, nil
	}
	return changed, atomicfile.Write(path, out.Bytes(), 0o600)
}
