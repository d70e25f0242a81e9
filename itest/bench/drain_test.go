package main

import (
	"io"
	"testing"
)

// TestVerdicts: the measured rate is judged, and only where there were two cores; the memory always.
func TestVerdicts(t *testing.T) {
	for _, row := range []struct {
		rate, cores float64
		fails       bool
	}{
		{5000, 2, false}, {5000, 0.5, false}, {4999, 2.4, true}, {4999, 1.8, true}, {4999, 1.7, false}, {100, 0, false},
	} {
		if err := judgeRate(io.Discard, row.rate, row.cores); (err != nil) != row.fails {
			t.Errorf("%.0f events/s on %.1f cores: %v", row.rate, row.cores, err)
		}
	}
	for rss, fails := range map[int64]bool{0: false, 80_000_000: false, 80_000_001: true} {
		if err := judgeRSS(io.Discard, rss); (err != nil) != fails {
			t.Errorf("%d bytes: %v", rss, err)
		}
	}
}
