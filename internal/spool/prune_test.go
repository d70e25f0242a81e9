package spool

import (
	"os"
	"testing"
	"time"
)

func TestPruneBad(t *testing.T) {
	start := time.Unix(1_700_000_000, 0)
	for name, tc := range map[string]struct {
		max    int64
		before time.Time
		left   []string
	}{
		"none":       {0, time.Time{}, []string{id(0), id(1), id(2), id(3)}},
		"by age":     {0, start.Add(2 * time.Hour), []string{id(2), id(3)}},
		"by size":    {250, time.Time{}, []string{id(2), id(3)}},
		"both":       {350, start.Add(time.Hour), []string{id(1), id(2), id(3)}},
		"everything": {0, start.Add(99 * time.Hour), nil},
	} {
		t.Run(name, func(t *testing.T) {
			check := func(err error) {
				t.Helper()
				if err != nil {
					t.Fatal(err)
				}
			}
			s := Spool{Dir: t.TempDir(), MaxBytes: tc.max}
			for n := range 4 {
				check(s.Append(id(n), make([]byte, 100)))
				check(s.Quarantine(id(n)+suffix, "no event"))
				at := start.Add(time.Duration(n) * time.Hour)
				check(os.Chtimes(s.path("bad", id(n)+suffix), at, at))
			}
			removed, err := s.PruneBad(tc.before)
			check(err)
			bad, err := s.Quarantined()
			check(err)
			var left []string
			for _, b := range bad {
				left = append(left, b.Name[:26])
			}
			names, err := s.list("bad")
			check(err)
			if removed != 4-len(tc.left) || len(left) != len(tc.left) || len(names) != 2*len(left) {
				t.Fatalf("removed %d, left %v, want %v", removed, left, tc.left)
			}
			for i := range left {
				if left[i] != tc.left[i] {
					t.Errorf("left %v, want %v", left, tc.left)
				}
			}
		})
	}
}
