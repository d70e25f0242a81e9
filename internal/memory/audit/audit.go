// Package audit is the log of who looked into memory, took something out of it or carried it away: memory-audit.jsonl in the data
// directory, a line for each search, forget and export. The commands and the MCP server write it; what they give is masked already.
package audit

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/boathook/boathook/internal/atomicfile"
	"github.com/boathook/boathook/internal/lock"
	"github.com/boathook/boathook/internal/memory"
	"github.com/boathook/boathook/internal/ownfile"
)

// File is the log's name; with .old that of the one before it.
const File = "memory-audit.jsonl"

const (
	// MaxBytes is what the log takes before it begins anew.
	MaxBytes = 8 << 20
	// maxQuery bounds what is kept of a query.
	maxQuery = 1024
)

// The actions.
const (
	Search  = "search"
	Show    = "show"
	Forget  = "forget"
	Prune   = "prune"
	Export  = "export"
	Approve = "approve"
	Reject  = "reject"
)

// Entry is one thing that somebody did.
type Entry struct {
	Time   time.Time `json:"time"`
	Action string    `json:"action"`
	// Via is cli or mcp, Who the account, Agent the agent below which it ran, if it did.
	Via   string `json:"via"`
	Who   string `json:"who"`
	Agent string `json:"agent,omitempty"`
	// Query is masked, and cut.
	Query  string         `json:"query,omitempty"`
	Filter *memory.Filter `json:"filter,omitempty"`
	// Rows are ids that were asked for, Count how many rows it concerned.
	Rows  []string `json:"rows,omitempty"`
	Count int      `json:"count"`
	// DryRun and Anonymize are a forget's.
	DryRun    bool   `json:"dry_run,omitempty"`
	Anonymize bool   `json:"anonymize,omitempty"`
	Error     string `json:"error,omitempty"`
}

// Log is the log of a data directory. Any number of processes may write it.
type Log struct {
	Dir string
	// Most is how many bytes it may take; zero is MaxBytes.
	Most int64
}

// Add writes a line. A command that must be in the log fails where this does.
func (l Log) Add(e Entry) error {
	e.Time = e.Time.UTC()
	e.Query = cut(e.Query, maxQuery)
	e.Rows = e.Rows[:min(len(e.Rows), 100)]
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(e); err != nil {
		return fmt.Errorf("write %s: %w", File, err)
	}
	if err := l.write(b.Bytes()); err != nil {
		return fmt.Errorf("write %s: %w", filepath.Join(l.Dir, File), err)
	}
	return nil
}

func (l Log) write(line []byte) error {
	path := filepath.Join(l.Dir, File)
	for {
		f, err := ownfile.Open(path, os.O_RDWR|os.O_CREATE|os.O_APPEND)
		if errors.Is(err, fs.ErrNotExist) {
			if err = ownfile.MkdirAll(l.Dir); err == nil {
				f, err = ownfile.Open(path, os.O_RDWR|os.O_CREATE|os.O_APPEND)
			}
		}
		if err != nil {
			return err
		}
		again, err := l.append(f, path, line)
		if cerr := f.Close(); err == nil {
			err = cerr
		}
		if err != nil || !again {
			return err
		}
	}
}

// append writes the line under the file's lock; again says that the file was full, and has been put aside.
func (l Log) append(f *os.File, path string, line []byte) (again bool, err error) {
	unlock, err := lock.File(f)
	if err != nil {
		return false, err
	}
	defer unlock()
	mine, err := f.Stat()
	if err != nil {
		return false, err
	}
	there, err := os.Lstat(path)
	if errors.Is(err, fs.ErrNotExist) || err == nil && !os.SameFile(mine, there) {
		return true, nil // another has put it aside meanwhile
	}
	most := l.Most
	if most <= 0 {
		most = MaxBytes
	}
	if err == nil && mine.Size() > 0 && mine.Size()+int64(len(line)) > most {
		return true, atomicfile.Rename(path, path+".old")
	}
	if err != nil {
		return false, err
	}
	var last [1]byte
	if n := mine.Size(); n > 0 {
		if _, err := f.ReadAt(last[:], n-1); err == nil && last[0] != '\n' {
			line = append([]byte{'\n'}, line...) // what a full disk left of a line ends first
		}
	}
	_, err = f.Write(line)
	return false, err
}

// Read gives the entries of the log, the oldest first, at most the newest so many. Lines that are none are left out.
func (l Log) Read(most int) ([]Entry, error) {
	var out []Entry
	for _, name := range []string{File + ".old", File} {
		f, err := ownfile.Open(filepath.Join(l.Dir, name), os.O_RDONLY)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return nil, fmt.Errorf("read %s: %w", name, err)
		}
		s := bufio.NewScanner(f)
		s.Buffer(nil, 1<<20)
		for s.Scan() {
			var e Entry
			if json.Unmarshal(s.Bytes(), &e) == nil && e.Action != "" {
				out = append(out, e)
			}
		}
		err = s.Err()
		_ = f.Close() // it was only read
		if err != nil {
			return nil, fmt.Errorf("read %s: %w", name, err)
		}
	}
	return out[max(0, len(out)-most):], nil
}

func cut(text string, most int) string {
	if len(text) <= most {
		return text
	}
	for most > 0 && text[most]&0xc0 == 0x80 {
		most--
	}
	return text[:most] + "…"
}
