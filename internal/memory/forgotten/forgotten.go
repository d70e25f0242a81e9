// Package forgotten remembers what a person had memory forget, so that neither a hook's event that waits, nor a transcript, nor a backfill
// brings it back. It knows rows, sessions and projects by hashes alone, made with the machine's key, and times: nobody can read out of
// the file what it was. The file is memory.forgotten in the data directory, a line each:
//
//	v1 row|session|project|all|summary HASH SINCE UNTIL .
//
// with the times in microseconds since 1970, 0 for none. Who writes to a store has its batches filtered here before. Whoever wants a
// thing to come back removes the file. Filter and Add may be called concurrently, and by several processes.
package forgotten

import (
	"bufio"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/boathook/boathook/internal/machinekey"
	"github.com/boathook/boathook/internal/ownfile"
)

// FileName is the file's in the data directory.
const FileName = "memory.forgotten"

// The kinds of entries.
const (
	// Row is a message or a call: ID is its group (merge.Group of its id), which is what it says in its session.
	Row = "row"
	// Session and Project are by their keys; All is everything. They forget what was said from Since until Until.
	Session = "session"
	Project = "project"
	All     = "all"
	// Summary is a session whose summary may quote what was forgotten.
	Summary = "summary"
)

// Entry is one thing that was forgotten.
type Entry struct {
	Kind, ID string
	// Since is included, Until isn't; zero is no bound.
	Since, Until time.Time
}

// Book is what was forgotten in one data directory.
type Book struct {
	path, dir string

	mu      sync.Mutex
	key     machinekey.Key
	size    int64
	changed time.Time
	known   map[string][]span
}

// span is from and to, in microseconds; 0 is no bound.
type span struct{ from, to int64 }

func (s span) has(at time.Time) bool {
	t := at.UnixMicro()
	return (s.from == 0 || t >= s.from) && (s.to == 0 || t < s.to)
}

// Open makes a book. It reads nothing yet, and makes no file.
func Open(dataDir string) *Book {
	return &Book{path: filepath.Join(dataDir, FileName), dir: dataDir}
}

// Path is the book's file, whether there is one or not.
func (b *Book) Path() string { return b.path }

// hash is what stands in the file for a thing.
func (b *Book) hash(kind, id string) string {
	mac := hmac.New(sha256.New, b.key)
	_, _ = io.WriteString(mac, "memory.forgotten\x00"+kind+"\x00"+id)
	return hex.EncodeToString(mac.Sum(nil)[:16])
}

func (b *Book) loadKey() error {
	if b.key != nil {
		return nil
	}
	key, err := machinekey.Load(b.dir)
	if err == nil {
		b.key = key
	}
	return err
}

// Add remembers entries, on the disk before it returns: only then may the things be removed.
func (b *Book) Add(entries ...Entry) error {
	if len(entries) == 0 {
		return nil
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if err := b.refresh(); err != nil {
		return err
	}
	if err := b.loadKey(); err != nil {
		return err
	}
	var text strings.Builder
	for _, e := range entries {
		s := span{micro(e.Since), micro(e.Until)}
		hash := b.hash(e.Kind, e.ID)
		if b.covers(e.Kind+hash, s) {
			continue
		}
		fmt.Fprintf(&text, "v1 %s %s %d %d .\n", e.Kind, hash, s.from, s.to)
	}
	if text.Len() == 0 {
		return nil
	}
	f, err := ownfile.Open(b.path, os.O_WRONLY|os.O_CREATE|os.O_APPEND)
	if err != nil {
		return fmt.Errorf("remember what is forgotten: %w", err)
	}
	// A line that a killed process left unfinished ends here: an empty one does no harm.
	_, err = f.WriteString("\n" + text.String())
	if serr := f.Sync(); err == nil {
		err = serr
	}
	if cerr := f.Close(); err == nil {
		err = cerr
	}
	if err != nil {
		return fmt.Errorf("remember what is forgotten: %w", err)
	}
	return b.refresh()
}

// covers tells whether an entry says nothing new.
func (b *Book) covers(name string, s span) bool {
	for _, k := range b.known[name] {
		if (k.from == 0 || s.from != 0 && k.from <= s.from) && (k.to == 0 || s.to != 0 && k.to >= s.to) {
			return true
		}
	}
	return false
}

func micro(t time.Time) int64 {
	if t.IsZero() {
		return 0
	}
	return t.UnixMicro()
}

// refresh reads the file where it has changed.
func (b *Book) refresh() error {
	info, err := os.Lstat(b.path)
	if errors.Is(err, fs.ErrNotExist) {
		b.known, b.size, b.changed = nil, 0, time.Time{}
		return nil
	}
	if err != nil {
		return fmt.Errorf("read what is forgotten: %w", err)
	}
	if b.known != nil && info.Size() == b.size && info.ModTime().Equal(b.changed) {
		return nil
	}
	if err := b.loadKey(); err != nil {
		return err
	}
	f, err := ownfile.Open(b.path, os.O_RDONLY)
	if err != nil {
		return fmt.Errorf("read what is forgotten: %w", err)
	}
	defer func() { _ = f.Close() }() // it was only read
	known, err := parse(f)
	if err != nil {
		return fmt.Errorf("read %s: %w", b.path, err)
	}
	b.known, b.size, b.changed = known, info.Size(), info.ModTime()
	return nil
}

// parse reads the lines. One that it does not know is an error: to pass over it could bring back what was forgotten; but for the
// last one, if a killed process left it unfinished.
func parse(in io.Reader) (map[string][]span, error) {
	out := map[string][]span{}
	r := bufio.NewReader(in)
	for n := 1; ; n++ {
		line, err := r.ReadString('\n')
		whole := err == nil
		if err != nil && !errors.Is(err, io.EOF) {
			return nil, err
		}
		if f := strings.Fields(line); len(f) > 0 {
			name, s, ok := entry(f)
			switch {
			case ok:
				out[name] = append(out[name], s)
			case whole && f[0] != "v1"[:min(len(f[0]), 2)]:
				return nil, fmt.Errorf("line %d is of another version of boathook", n)
			}
		}
		if !whole {
			return out, nil
		}
	}
}

func entry(f []string) (name string, s span, ok bool) {
	if len(f) != 6 || f[0] != "v1" || f[5] != "." || len(f[2]) != 32 {
		return "", s, false
	}
	var err, err2 error
	s.from, err = strconv.ParseInt(f[3], 10, 64)
	s.to, err2 = strconv.ParseInt(f[4], 10, 64)
	return f[1] + f[2], s, err == nil && err2 == nil
}
