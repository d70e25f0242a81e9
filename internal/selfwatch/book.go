package selfwatch

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"

	"github.com/boathook/boathook/internal/ownfile"
)

// File is the name of the list in the data directory.
const File = "known-files.json"

const (
	bookVersion = 1
	maxBook     = 1 << 20
)

// Book is what files are known to be.
type Book struct {
	V     int            `json:"v"`
	Files map[string]Sum `json:"files"`
}

// Read reads the list. One that is not there is empty.
func Read(dataDir string) (Book, error) {
	b := Book{V: bookVersion, Files: map[string]Sum{}}
	path := filepath.Join(dataDir, File)
	text, err := ownfile.Read(path, path, maxBook)
	if errors.Is(err, fs.ErrNotExist) {
		return b, nil
	}
	if err != nil {
		return b, fmt.Errorf("read known files: %w", err)
	}
	var have Book
	if err := json.Unmarshal(text, &have); err != nil || have.V != bookVersion {
		return b, fmt.Errorf("read known files: %s is none of this boathook's", path)
	}
	if have.Files != nil {
		b.Files = have.Files
	}
	return b, nil
}

// Paths are the files on the list.
func (b Book) Paths() []string {
	out := make([]string, 0, len(b.Files))
	for path := range b.Files {
		out = append(out, path)
	}
	return out
}

// Learn takes what files are now for what is known of them, and forgets all others.
func (b *Book) Learn(now map[string]Sum) (changed bool) {
	changed = !maps.Equal(b.Files, now)
	b.Files = maps.Clone(now)
	return changed
}

// Expect takes over what one of boathook's own commands changed: of a file that is after it what it was before, what was known
// stays known, so that no command covers for what somebody else did earlier.
func (b *Book) Expect(before, after map[string]Sum) (changed bool) {
	for path, is := range after {
		was, looked := before[path]
		known, have := b.Files[path]
		if looked && was == is && have || have && known == is {
			continue
		}
		b.Files[path], changed = is, true
	}
	return changed
}

// Write writes the list.
func (b Book) Write(dataDir string) error {
	text, err := json.Marshal(b)
	if err != nil {
		return fmt.Errorf("write known files: %w", err)
	}
	path := filepath.Join(dataDir, File)
	tmp := fmt.Sprintf("%s.%08x", path, rand.Uint32())
	f, err := ownfile.Open(tmp, os.O_WRONLY|os.O_CREATE|os.O_EXCL)
	if err != nil {
		return fmt.Errorf("write known files: %w", err)
	}
	_, err = f.Write(append(text, '\n'))
	if cerr := f.Close(); err == nil {
		err = cerr
	}
	if err == nil {
		err = os.Rename(tmp, path)
	}
	if err != nil {
		_ = os.Remove(tmp)
		return fmt.Errorf("write known files: %w", err)
	}
	return nil
}
