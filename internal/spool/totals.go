package spool

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strconv"
	"strings"

	"github.com/boathook/boathook/internal/lock"
	"github.com/boathook/boathook/internal/ownfile"
)

// Files of one number each, always of the same length: it is written in place, which takes no room on a full disk. The
// numbers only grow.
const (
	failedName      = "failed"
	quarantinedName = "quarantined"
)

// totalSize is nineteen digits, the most that an int64 has, and a line end.
const totalSize = 20

// Totals count since the spool was made.
type Totals struct {
	// Failed events could not be appended.
	Failed int64
	// Quarantined files were put aside.
	Quarantined int64
}

// CountFailed counts an event that could not be appended. It needs no room where the spool has been used before. A file
// system that takes no writes at all keeps no count either.
func (s Spool) CountFailed() error {
	err := s.countUp(failedName)
	if errors.Is(err, fs.ErrNotExist) {
		if err = s.makeDirs(); err == nil {
			err = s.countUp(failedName)
		}
	}
	if err != nil {
		return fmt.Errorf("count failed append: %w", err)
	}
	return nil
}

// Totals reads the numbers. It makes the file that CountFailed needs. An error that is fs.ErrNotExist means that there is
// no spool yet.
func (s Spool) Totals() (t Totals, err error) {
	if t.Failed, err = s.total(failedName); err == nil {
		t.Quarantined, err = s.total(quarantinedName)
	}
	if err != nil {
		return Totals{}, fmt.Errorf("read totals of spool %s: %w", s.Dir, err)
	}
	return t, nil
}

func (s Spool) countUp(name string) error {
	_, err := s.update(name, 1)
	return err
}

func (s Spool) total(name string) (int64, error) { return s.update(name, 0) }

// update adds to a number. A file that is missing is made with a number in it, so that its block is there when it is
// needed.
func (s Spool) update(name string, add int64) (int64, error) {
	if err := s.straight(); err != nil {
		return 0, err
	}
	f, err := ownfile.Open(s.path("", name), os.O_RDWR|os.O_CREATE)
	if err != nil {
		return 0, err
	}
	defer f.Close()
	unlock, err := lock.File(f)
	if err != nil {
		return 0, err
	}
	defer unlock()
	n, whole, err := readTotal(f)
	if err != nil || whole && add == 0 {
		return n, err
	}
	n += add
	_, err = f.WriteAt(fmt.Appendf(nil, "%0*d\n", totalSize-1, n), 0)
	return n, err
}

// readTotal reads the number. What is none counts as zero.
func readTotal(f *os.File) (n int64, whole bool, err error) {
	b := make([]byte, totalSize)
	size, err := f.ReadAt(b, 0)
	if err != nil && !errors.Is(err, io.EOF) {
		return 0, false, err
	}
	n, err = strconv.ParseInt(strings.TrimSpace(string(b[:size])), 10, 64)
	if err != nil || n < 0 {
		return 0, false, nil
	}
	return n, size == totalSize, nil
}
