// Package duration reads and writes lengths of time as people do: one form for every flag, one for every sentence.
package duration

import (
	"fmt"
	"strconv"
	"time"
)

const (
	day  = 24 * time.Hour
	week = 7 * day
	// maxNumber bounds all of a text; time.Duration ends at 292 years.
	maxNumber = 50_000 * day
)

// Forms names what Parse reads, for error messages.
const Forms = "like 30s, 5m, 1h or 2d"

// Parse reads 90s, 15m, 1h30m, 2d, 1d12h or 1w. Nothing is below zero.
func Parse(text string) (time.Duration, bool) {
	total, rest := time.Duration(0), text
	for {
		n := 0
		for n < len(rest) && rest[n] >= '0' && rest[n] <= '9' {
			n++
		}
		if n == 0 || n == len(rest) || rest[n] != 'd' && rest[n] != 'w' {
			break
		}
		unit := day
		if rest[n] == 'w' {
			unit = week
		}
		number, err := strconv.ParseUint(rest[:n], 10, 32)
		if err != nil || time.Duration(number) > (maxNumber-total)/unit {
			return 0, false
		}
		total += time.Duration(number) * unit
		rest = rest[n+1:]
	}
	if rest == "" {
		return total, text != ""
	}
	fine, err := time.ParseDuration(rest)
	if err != nil || fine < 0 || fine > maxNumber-total {
		return 0, false
	}
	return total + fine, true
}

// Text writes a length in at most two units, rounded down to the smaller: 250 ms, 45 s, 1 min 30 s, 59 min, 1 h 30 min,
// 2 d 3 h.
func Text(d time.Duration) string {
	if d < 0 {
		return "-" + Text(-d)
	}
	switch {
	case d == 0:
		return "0 s"
	case d < time.Second:
		return fmt.Sprintf("%d ms", max(d.Milliseconds(), 1))
	case d < 10*time.Minute:
		return two(d, time.Minute, "min", time.Second, "s")
	case d < time.Hour:
		return fmt.Sprintf("%d min", d/time.Minute)
	case d < day:
		return two(d, time.Hour, "h", time.Minute, "min")
	}
	return two(d, day, "d", time.Hour, "h")
}

func two(d, large time.Duration, largeName string, small time.Duration, smallName string) string {
	n, rest := d/large, d%large/small
	switch {
	case n == 0:
		return fmt.Sprintf("%d %s", rest, smallName)
	case rest == 0:
		return fmt.Sprintf("%d %s", n, largeName)
	}
	return fmt.Sprintf("%d %s %d %s", n, largeName, rest, smallName)
}

// Typed writes a length as it may be typed: 30s, 5m, 1h30m, and so that Parse reads it back.
func Typed(d time.Duration) string {
	if d > 0 && d%day == 0 {
		return fmt.Sprintf("%dd", d/day)
	}
	text := d.String()
	for _, zero := range []struct{ end, cut string }{{"m0s", "0s"}, {"h0m", "0m"}} {
		if n := len(text) - len(zero.end); n >= 0 && text[n:] == zero.end {
			text = text[:len(text)-len(zero.cut)]
		}
	}
	return text
}

// Ago says how long ago something was: never, just now, 5 s ago, 2 d 3 h ago.
func Ago(now, at time.Time) string {
	switch d := now.Sub(at); {
	case at.IsZero():
		return "never"
	case d < -time.Second:
		return "in the future"
	case d < time.Second:
		return "just now"
	default:
		return Text(d) + " ago"
	}
}
