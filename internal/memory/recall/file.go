package recall

import (
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"

	"github.com/boathook/boathook/internal/ownfile"
)

// maxFile is how large a question or a block that waits may be.
const maxFile = 256 << 10

// write makes a file aside and moves it into place.
func write(path string, v any) error {
	text, err := json.Marshal(v)
	if err != nil {
		return fmt.Errorf("write %s: %w", filepath.Base(path), err)
	}
	if err := ownfile.Replace(path, text); err != nil {
		return fmt.Errorf("write %s: %w", filepath.Base(path), err)
	}
	return nil
}

func read(path string, v any) error {
	text, err := ownfile.Read(path, filepath.Dir(path), maxFile)
	if err != nil {
		return err
	}
	if err := json.Unmarshal(text, v); err != nil {
		return fmt.Errorf("read %s: it is damaged", filepath.Base(path))
	}
	return nil
}

// take reads a file that one process alone may use, and removes it.
func take(path string, v any) bool {
	if _, err := os.Lstat(path); err != nil {
		return false // as nearly always
	}
	var chance [4]byte
	_, _ = rand.Read(chance[:]) // never fails since Go 1.24
	mine := path + "." + hex.EncodeToString(chance[:])
	if err := os.Rename(path, mine); err != nil {
		return false // another was quicker
	}
	err := read(mine, v)
	_ = os.Remove(mine)
	return err == nil
}
