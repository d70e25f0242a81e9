package spool

import (
	"fmt"
	"os"
	"slices"
	"time"
)

// PruneBad bounds what is quarantined: files that were written before a time go (none for the zero time), and the oldest
// while all of them are larger than the spool may be. It tells how many went.
func (s Spool) PruneBad(before time.Time) (removed int, err error) {
	bad, err := s.Quarantined()
	if err != nil {
		return 0, err
	}
	slices.SortStableFunc(bad, func(a, b Bad) int { return a.Time.Compare(b.Time) })
	var total int64
	for _, b := range bad {
		total += b.Size
	}
	for _, b := range bad {
		if !b.Time.Before(before) && (s.MaxBytes <= 0 || total <= s.MaxBytes) {
			continue
		}
		path := s.path("bad", b.Name)
		// What was put aside may be a directory; nothing is followed.
		if err := os.RemoveAll(path); err != nil {
			return removed, fmt.Errorf("remove quarantined %s: %w", b.Name, err)
		}
		_ = os.Remove(path + reasonSuffix)
		total -= b.Size
		removed++
	}
	return removed, nil
}
