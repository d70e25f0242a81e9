package otlp

import (
	"math/rand/v2"
	"time"

	wire "github.com/boathook/boathook/internal/otlp"
)

const (
	retryBase  = time.Second
	brokenBase = 30 * time.Second
	maxBackoff = 5 * time.Minute
	// maxWait bounds what a destination may ask for. A cursor that would wait longer was written by a clock that was wrong.
	maxWait = time.Hour
)

// wait is how long to wait after so many failures: a random part of a bound that doubles, so that many machines don't come
// back in step; never less than the destination asked for, nor than a tenth of the bound.
func wait(tries int, r wire.Result) time.Duration {
	base := retryBase
	if r.Outcome == wire.Misconfigured {
		base = brokenBase
	}
	bound := maxBackoff
	if shift := max(tries-1, 0); shift < 16 {
		bound = min(base<<shift, maxBackoff)
	}
	d := bound/10 + rand.N(bound-bound/10)
	return min(max(d, r.RetryAfter), maxWait)
}
