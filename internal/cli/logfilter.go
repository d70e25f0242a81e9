package cli

import (
	"fmt"
	"strings"
	"time"

	"github.com/boathook/boathook/internal/duration"
)

// span is what --since and --until leave, zero times meaning no bound.
type span struct{ since, until time.Time }

func parseSpan(now time.Time, since, until string) (span, error) {
	var s span
	var err error
	if s.since, err = parseWhen(now, since); err != nil {
		return s, usage("--since %w", err)
	}
	if s.until, err = parseWhen(now, until); err != nil {
		return s, usage("--until %w", err)
	}
	if !s.since.IsZero() && !s.until.IsZero() && s.until.Before(s.since) {
		return s, usage("--until %s is before --since %s", until, since)
	}
	return s, nil
}

// parseWhen reads a point in time as people write it: an age (90s, 15m, 1h, 2d, 1w), a date, a time of today, or both.
func parseWhen(now time.Time, text string) (time.Time, error) {
	text = strings.TrimSpace(text)
	if text == "" {
		return time.Time{}, nil
	}
	if age, ok := duration.Parse(text); ok {
		return now.Add(-age), nil
	}
	if t, err := time.Parse(time.RFC3339, text); err == nil {
		return t, nil
	}
	for _, layout := range []string{"2006-01-02 15:04:05", "2006-01-02 15:04", "2006-01-02T15:04:05", "2006-01-02T15:04", time.DateOnly} {
		if t, err := time.ParseInLocation(layout, text, now.Location()); err == nil {
			return t, nil
		}
	}
	for _, layout := range []string{time.TimeOnly, "15:04"} {
		if t, err := time.Parse(layout, text); err == nil {
			y, m, d := now.Date()
			return time.Date(y, m, d, t.Hour(), t.Minute(), t.Second(), 0, now.Location()), nil
		}
	}
	return time.Time{}, fmt.Errorf("%q is no time: write an age like 15m, 1h or 2d, or a time like 2026-01-31, 14:30 or 2026-01-31T14:30:00Z", text)
}
