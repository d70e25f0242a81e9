package spool

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/boathook/boathook/internal/atomicfile"
	"github.com/boathook/boathook/internal/ownfile"
)

const reasonSuffix = ".reason"

// maxReason bounds what is kept of a reason.
const maxReason = 4 << 10

// Bad is a quarantined file.
type Bad struct {
	Name   string
	Reason string
	Size   int64
	Time   time.Time // when the file was last written
}

// Quarantine moves a waiting file that is no event out of the way, with the reason beside it. What is moved may be
// anything, a link or a directory too: it is renamed, never opened. The reason is written first, so that a full disk
// leaves the file where it is.
func (s Spool) Quarantine(name, reason string) error {
	if !isEventName(name) {
		return fmt.Errorf("quarantine %q: %w", name, ErrID)
	}
	err := s.straight("new", "bad")
	if err == nil {
		err = ownfile.MkdirAll(s.path("bad", ""))
	}
	if err != nil {
		return fmt.Errorf("quarantine %s: %w", name, err)
	}
	to, err := s.freeBadName(name)
	if err != nil {
		return fmt.Errorf("quarantine %s: %w", name, err)
	}
	note := to + reasonSuffix
	_ = os.Remove(note) // left by a crash between here and the rename
	if err := writeFile(note, []byte(truncate(reason)+"\n"), false); err != nil {
		return fmt.Errorf("quarantine %s: %w", name, err)
	}
	if err := atomicfile.Rename(s.path("new", name), to); err != nil {
		_ = os.Remove(note)
		return fmt.Errorf("quarantine %s: %w", name, err)
	}
	_ = s.countUp(quarantinedName) // the file is out of the way, counted or not
	return nil
}

// Quarantined lists the files that were quarantined, in the order of their names.
func (s Spool) Quarantined() ([]Bad, error) {
	names, err := s.list("bad")
	if err != nil {
		return nil, fmt.Errorf("list quarantine %s: %w", s.Dir, err)
	}
	slices.Sort(names)
	var out []Bad
	for _, name := range names {
		if strings.HasSuffix(name, reasonSuffix) {
			continue
		}
		fi, err := os.Lstat(s.path("bad", name))
		if err != nil {
			continue // removed meanwhile
		}
		// A missing reason is no reason to hide the file.
		reason, _ := readOwn(s.path("bad", name+reasonSuffix), maxReason+1)
		out = append(out, Bad{
			Name: name, Reason: strings.TrimSuffix(string(reason), "\n"), Size: fi.Size(), Time: fi.ModTime(),
		})
	}
	return out, nil
}

// freeBadName is a path in bad/ where nothing is yet: an earlier file of the same name is kept.
func (s Spool) freeBadName(name string) (string, error) {
	path := s.path("bad", name)
	for i := 1; ; i++ {
		_, err := os.Lstat(path)
		if errors.Is(err, fs.ErrNotExist) {
			return path, nil
		}
		if err != nil {
			return "", err
		}
		path = s.path("bad", name+"."+strconv.Itoa(i))
	}
}

func truncate(reason string) string {
	if len(reason) > maxReason {
		reason = reason[:maxReason]
	}
	return reason
}
