package ownfile

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// MadeFile is where a directory says which directories were made with it, where those are more than itself under boathook's
// name: 'uninstall --purge' takes them away too, and no others.
const MadeFile = ".boathook-made"

// maxMade bounds what is read of it.
const maxMade = 64 << 10

// MakeRecorded is MkdirAll for a directory that boathook keeps for itself, with a record of what was made for it. That the
// record can't be written is no reason to be without the directory.
func MakeRecorded(dir string) error {
	err := os.Mkdir(dir, 0o700)
	if err == nil {
		record(dir, nil)
		return usable(dir)
	}
	if !errors.Is(err, fs.ErrNotExist) {
		return MkdirAll(dir)
	}
	var above []string
	for up := filepath.Dir(dir); up != filepath.Dir(up); up = filepath.Dir(up) {
		if _, err := os.Lstat(up); !errors.Is(err, fs.ErrNotExist) {
			break
		}
		above = append(above, up)
	}
	if err := MkdirAll(dir); err != nil {
		return err
	}
	record(dir, above)
	return nil
}

func record(dir string, above []string) {
	if filepath.Base(dir) != "boathook" { // a directory of that name goes by its name
		above = append([]string{dir}, above...)
	}
	if len(above) == 0 {
		return
	}
	f, err := Open(filepath.Join(dir, MadeFile), os.O_WRONLY|os.O_CREATE|os.O_EXCL)
	if err != nil {
		return
	}
	var text strings.Builder
	for _, path := range above {
		text.WriteString(strconv.Quote(path) + "\n")
	}
	_, _ = f.WriteString(text.String())
	_ = f.Close()
}

// Made lists what was made with a directory, the deepest first. Only the directory itself and those above it count.
func Made(dir string) []string {
	text, err := Read(filepath.Join(dir, MadeFile), dir, maxMade)
	if err != nil {
		return nil
	}
	var out []string
	for line := range strings.Lines(string(text)) {
		path, err := strconv.Unquote(strings.TrimSpace(line))
		if err != nil || !filepath.IsAbs(path) {
			continue
		}
		if rel, err := filepath.Rel(path, dir); err == nil && rel != ".." && !strings.HasPrefix(rel, ".."+string(filepath.Separator)) {
			out = append(out, filepath.Clean(path))
		}
	}
	return out
}
