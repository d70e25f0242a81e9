package memory

import (
	"errors"
	"math/rand/v2"
	"time"

	"github.com/boathook/boathook/internal/memory"
)

const (
	retryBase  = time.Second
	brokenBase = 30 * time.Second
	maxBackoff = 5 * time.Minute
	// maxWait bounds a wait: a cursor that would wait longer was written by a clock that was wrong.
	maxWait = time.Hour
)

// wait is how long to wait after so many failures: between a tenth and the whole of a bound that doubles, so that the machines of a team
// don't come back in step.
func wait(tries int, why error) time.Duration {
	base := retryBase
	for _, lasting := range []error{memory.ErrDenied, memory.ErrOlder, memory.ErrNewer, memory.ErrPoison, memory.ErrConnectionString} {
		if errors.Is(why, lasting) {
			base = brokenBase
		}
	}
	bound := maxBackoff
	if shift := max(tries-1, 0); shift < 16 {
		bound = min(base<<shift, maxBackoff)
	}
	return bound/10 + rand.N(bound-bound/10)
}
