package backfill

import (
	"bufio"
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/boathook/boathook/internal/machinekey"
	"github.com/boathook/boathook/internal/ownfile"
	"github.com/boathook/boathook/internal/transcripts"
)

// StateName is the file's in the data directory: a line for each record that a store took whole. A record's path stands there as a
// hash by the machine's key.
const StateName = "memory.backfill"

// maxState bounds the file: one that grew beyond is begun anew, which costs a reading.
const maxState = 64 << 20

// done is a line: of a record, of which the store took all that stood in it at that time.
type done struct {
	V    int    `json:"v"`
	File string `json:"file"`
	// Into is the store, and what was to be left out.
	Into    string `json:"into"`
	Size    int64  `json:"size"`
	Changed int64  `json:"changed"`
}

// state is which records need not be read again.
type state struct {
	path string
	key  machinekey.Key
	into string
	done map[string]done
	f    *os.File
}

// readState reads the file. What is damaged in it is passed over: then a record is read once more, which changes nothing.
func readState(dataDir, into string) (*state, error) {
	key, err := machinekey.Load(dataDir)
	if err != nil {
		return nil, err
	}
	s := &state{path: filepath.Join(dataDir, StateName), key: key, done: map[string]done{}}
	s.into = s.hash("into", into)
	text, err := ownfile.Read(s.path, "", maxState)
	if errors.Is(err, fs.ErrNotExist) {
		return s, nil
	}
	if errors.Is(err, ownfile.ErrTooLong) {
		return s, os.Remove(s.path)
	}
	if err != nil {
		return nil, fmt.Errorf("read how far the backfill is: %w", err)
	}
	in := bufio.NewScanner(bytes.NewReader(text))
	for in.Scan() {
		var d done
		if json.Unmarshal(in.Bytes(), &d) == nil && d.V == 1 {
			s.done[d.File+d.Into] = d
		}
	}
	return s, nil
}

func (s *state) hash(kind, text string) string {
	mac := hmac.New(sha256.New, s.key)
	_, _ = io.WriteString(mac, "memory.backfill\x00"+kind+"\x00"+text)
	return hex.EncodeToString(mac.Sum(nil)[:16])
}

// has tells whether a record is as it was when the store took it.
func (s *state) has(f transcripts.File) bool {
	d, ok := s.done[s.hash("file", f.Path)+s.into]
	return ok && d.Size == f.Size && d.Changed == f.Changed.UnixNano()
}

// add remembers a record that the store has. It is looked at before it was read: what came meanwhile makes it another.
func (s *state) add(f transcripts.File) error {
	d := done{V: 1, File: s.hash("file", f.Path), Into: s.into, Size: f.Size, Changed: f.Changed.UnixNano()}
	if s.f == nil {
		file, err := ownfile.Open(s.path, os.O_WRONLY|os.O_CREATE|os.O_APPEND)
		if err != nil {
			return fmt.Errorf("remember how far the backfill is: %w", err)
		}
		s.f = file
	}
	line, err := json.Marshal(d)
	if err != nil {
		return err
	}
	if _, err := s.f.Write(append(append([]byte("\n"), line...), '\n')); err != nil {
		return fmt.Errorf("remember how far the backfill is: %w", err)
	}
	s.done[d.File+d.Into] = d
	return nil
}

func (s *state) close() error {
	if s.f == nil {
		return nil
	}
	return s.f.Close()
}

// unchanged is how long nobody has written to a record before its sessions count as over, slack what a hook may tell after that.
const (
	unchanged = time.Hour
	slack     = time.Minute
)
