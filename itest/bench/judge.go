package main

import (
	"errors"
	"fmt"
	"io"
)

// budget holds one contestant to a multiple of another's median.
type budget struct {
	of, to int
	limit  float64
	what   string
}

// looks is how often a ratio is measured before it is called a fault: a busy machine falls on both sides alike only in the
// long run.
const looks = 4

// judge prints how the budgets are kept, and fails where one is not in any of several looks.
func judge(w io.Writer, programs []program, all results, rounds int) error {
	budgets := []budget{
		{holed, ours, 1.2, "with a collector that hangs, to none"},
		{sdk, hello, 1.5, "of the Go SDK, to a hello-world"},
		{ours, hello, limit, "to a hello-world"},
		{packed, ours, 1.1, "with all packs, to the built-in policy"},
	}
	budgets = append(budgets, hostBudgets()...)
	if len(programs) > first() {
		budgets = append(budgets, budget{ours, first(), 1.1, "to the first release"}, budget{packed, first(), 1.1, "with all packs, to the first release"})
	}
	var errs []error
	for _, b := range budgets {
		best := ratio(all[b.of][0].samples, all[b.to][0].samples, 0.5)
		for look := 1; look < looks && best > b.limit; look++ {
			again, err := measure(small(programs[b.of], programs[b.to]), rounds)
			if err != nil {
				return err
			}
			best = min(best, ratio(again[0][0].samples, again[1][0].samples, 0.5))
		}
		verdict := "kept"
		if best > b.limit {
			verdict = "exceeded"
			errs = append(errs, fmt.Errorf("a hook's process %s: %.2f × the median, at most %.2f", b.what, best, b.limit))
		}
		fmt.Fprintf(w, "a hook's process %s: %.2f × the median (at most %.2f): %s\n", b.what, best, b.limit, verdict)
	}
	return errors.Join(errs...)
}

// small leaves the contestants the usual payload alone.
func small(programs ...program) []program {
	for i := range programs {
		programs[i].small = true
	}
	return programs
}
