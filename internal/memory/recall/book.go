package recall

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/boathook/boathook/internal/lock"
	"github.com/boathook/boathook/internal/ownfile"
)

// Dir is the folder in the data directory.
const Dir = "recall"

// Book knows what sessions were told, what is asked at their next event, and what waits for a person. All of it may be used
// concurrently, by any number of processes. Sessions and ids stand in it as keyed hashes.
type Book struct {
	// Data is the data directory.
	Data string
	// Hash is the keyed hash of this machine.
	Hash func(string) string
	Now  func() time.Time
}

// What is kept: a session that rests for longer is begun anew by its agent.
const (
	keepTold  = 30 * 24 * time.Hour
	keepText  = 24 * time.Hour
	maxTold   = 1 << 20
	idLength  = 16
	nameLimit = 32
)

var errNoKey = errors.New("keep what was told: there is no machine key")

func (b Book) dir() string { return filepath.Join(b.Data, Dir) }

func (b Book) name(session string) (string, error) {
	h := b.Hash(session)
	if len(h) < nameLimit {
		return "", errNoKey
	}
	return h[:nameLimit], nil
}

func (b Book) path(session, kind string) (string, error) {
	name, err := b.name(session)
	return filepath.Join(b.dir(), name+kind), err
}

func (b Book) short(id string) string {
	h := b.Hash(id)
	return h[:min(len(h), idLength)]
}

// Told gives a function that says whether a session was told an item. Where nothing can be read it was told nothing: Claim has the last
// word.
func (b Book) Told(session string) func(id string) bool {
	path, err := b.path(session, ".told")
	if err != nil {
		return nil
	}
	f, err := ownfile.Open(path, os.O_RDONLY)
	if err != nil {
		return nil
	}
	defer f.Close()
	known, err := readTold(f)
	if err != nil {
		return nil
	}
	return func(id string) bool { return known[b.short(id)] }
}

// readTold reads the newest of what was told: what somebody else has written into the file, or a session that never ends, may make it longer
// than a hook has time for.
func readTold(f *os.File) (map[string]bool, error) {
	fi, err := f.Stat()
	if err != nil {
		return nil, fmt.Errorf("read what was told: %w", err)
	}
	text, err := io.ReadAll(io.NewSectionReader(f, max(0, fi.Size()-maxTold), maxTold))
	if err != nil {
		return nil, fmt.Errorf("read what was told: %w", err)
	}
	known := map[string]bool{}
	for line := range strings.Lines(string(text)) {
		if line = strings.TrimSpace(line); len(line) == idLength { // a torn one is none
			known[line] = true
		}
	}
	return known, nil
}

// Claim says which of these items the session was not told yet, and notes that it is told them now: of any number of processes one
// gets an item. With an error nothing may be told, or it would be told again and again.
func (b Book) Claim(session string, ids []string) (fresh []string, err error) {
	path, err := b.path(session, ".told")
	if err != nil {
		return nil, err
	}
	f, err := ownfile.Open(path, os.O_RDWR)
	if errors.Is(err, fs.ErrNotExist) {
		if err := ownfile.MkdirAll(b.dir()); err != nil {
			return nil, fmt.Errorf("keep what was told: %w", err)
		}
		b.prune(pruneAtOnce)
		f, err = ownfile.Open(path, os.O_RDWR|os.O_CREATE)
	}
	if err != nil {
		return nil, fmt.Errorf("keep what was told: %w", err)
	}
	defer f.Close()
	unlock, err := lock.File(f)
	if err != nil {
		return nil, fmt.Errorf("keep what was told: %w", err)
	}
	defer unlock()
	known, err := readTold(f)
	if err != nil {
		return nil, err
	}
	var lines strings.Builder
	lines.WriteString("\n") // what was torn ends here
	for _, id := range ids {
		if s := b.short(id); !known[s] {
			known[s] = true
			fresh = append(fresh, id)
			lines.WriteString(s + "\n")
		}
	}
	if len(fresh) == 0 {
		return nil, nil
	}
	if _, err := f.Seek(0, io.SeekEnd); err != nil {
		return nil, fmt.Errorf("keep what was told: %w", err)
	}
	if _, err := f.WriteString(lines.String()); err != nil {
		return nil, fmt.Errorf("keep what was told: %w", err)
	}
	return fresh, nil
}

// Prune removes what is too old in a data directory, all of it: for who has the time.
func Prune(data string, now time.Time) {
	Book{Data: data, Now: func() time.Time { return now }}.prune(-1)
}

// pruneAtOnce is how many files a hook looks at.
const pruneAtOnce = 200

// prune removes what is too old, of so many files at most. It runs when a session is new. Only regular files of the directories
// themselves go.
func (b Book) prune(most int) {
	now := b.Now()
	for _, d := range []struct {
		dir  string
		keep map[string]time.Duration
	}{
		{b.dir(), map[string]time.Duration{".told": keepTold, ".ask": keepText}},
		{b.pendingDir(), map[string]time.Duration{".held": keepText, ".ok": keepText}},
	} {
		for _, n := range listed(d.dir, most) {
			keep, ours := d.keep[filepath.Ext(n.Name())]
			if !ours {
				keep = keepText // what a process that was killed left
			}
			if info, err := n.Info(); err == nil && info.Mode().IsRegular() && now.Sub(info.ModTime()) > keep {
				_ = os.Remove(filepath.Join(d.dir, n.Name()))
			}
		}
	}
}

// listed are some of the files of a directory that is no link, all of them where most is negative.
func listed(dir string, most int) []fs.DirEntry {
	if fi, err := os.Lstat(dir); err != nil || !fi.IsDir() {
		return nil
	}
	d, err := os.Open(dir)
	if err != nil {
		return nil
	}
	defer d.Close()
	names, _ := d.ReadDir(most) // what was read until an error is something
	return names
}
