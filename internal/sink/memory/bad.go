package memory

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	rows "github.com/boathook/boathook/internal/memory"
	"github.com/boathook/boathook/internal/ownfile"
	"github.com/boathook/boathook/internal/redact"
)

// BadFile is in the data directory: what the store refused for good, one event a line.
const BadFile = "memory-bad.jsonl"

// maxBad is how large the file may grow; what is refused beyond it is only counted.
const maxBad = 16 << 20

// Refused is a line of the file.
type Refused struct {
	Time   time.Time  `json:"time"`
	Event  string     `json:"event"`
	Reason string     `json:"reason"`
	Rows   rows.Batch `json:"rows"`
}

// putAside appends what an event told to the file, masked whatever the settings say.
func (s *Sink) putAside(event string, b rows.Batch, why error) error {
	line, err := json.Marshal(Refused{Time: s.Now().UTC(), Event: event, Reason: s.masked(why.Error()), Rows: b})
	if err != nil {
		return fmt.Errorf("put a refused row aside: %w", err)
	}
	line = append(s.Mask.JSON(line, redact.Counts{}), '\n')
	if err := ownfile.MkdirAll(s.DataDir); err != nil {
		return fmt.Errorf("put a refused row aside: %w", err)
	}
	f, err := ownfile.Open(filepath.Join(s.DataDir, BadFile), os.O_WRONLY|os.O_CREATE|os.O_APPEND)
	if err != nil {
		return fmt.Errorf("put a refused row aside: %w", err)
	}
	defer func() { _ = f.Close() }()
	if fi, err := f.Stat(); err == nil && fi.Size()+int64(len(line)) > maxBad {
		return nil
	}
	if _, err := f.Write(line); err != nil {
		return fmt.Errorf("put a refused row aside: %w", err)
	}
	if err := f.Sync(); err != nil {
		return fmt.Errorf("put a refused row aside: %w", err)
	}
	return nil
}

func (s *Sink) masked(text string) string { return s.Mask.Text(text, false, redact.Counts{}) }

// Bad counts what is put aside in a data directory.
func Bad(dataDir string) (events int, err error) {
	err = eachBad(dataDir, func([]byte) { events++ })
	return events, err
}

func eachBad(dataDir string, do func(line []byte)) error {
	f, err := ownfile.Open(filepath.Join(dataDir, BadFile), os.O_RDONLY)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("read what memory refused: %w", err)
	}
	defer func() { _ = f.Close() }()
	in := bufio.NewReader(f)
	for {
		line, err := in.ReadBytes('\n')
		if line = bytes.TrimSpace(line); len(line) > 0 {
			do(line)
		}
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return fmt.Errorf("read what memory refused: %w", err)
		}
	}
}
