package main

import (
	"fmt"
	"io"
	"slices"
	"text/tabwriter"
	"time"
)

// The goals for a payload of 2 KB, as multiples of the smallest Go process.
const (
	limit = 3.0
	goal  = 2.5
)

// report prints the table. The first program is the unit of the ratios.
func report(w io.Writer, programs []program, all results) error {
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(table, "process\tpayload\tn\tmin ms\tmedian ms\tp95 ms\t× hello (median)\t× hello (min)\tCPU ms\tRSS MiB\t")
	for s := range sizes {
		unit := all[0][s].samples
		for p := range programs {
			samples := all[p][s].samples
			if len(samples) == 0 {
				continue
			}
			fmt.Fprintf(table, "%s\t%s\t%d\t%.2f\t%.2f\t%.2f\t%.2f\t%.2f\t%.2f\t%.1f\t\n",
				programs[p].name, sizes[s].name, len(samples),
				ms(quantile(samples, wall, 0)), ms(quantile(samples, wall, 0.5)), ms(quantile(samples, wall, 0.95)),
				ratio(samples, unit, 0.5), ratio(samples, unit, 0),
				ms(quantile(samples, cpu, 0.5)), float64(all[p][s].rss)/(1<<20))
		}
	}
	if err := table.Flush(); err != nil {
		return fmt.Errorf("print the table: %w", err)
	}
	got := ratio(all[ours][0].samples, all[hello][0].samples, 0.5)
	if _, err := fmt.Fprintf(w, "\n%s at %s: %.2f × a hello-world process (at most %.1f; goal %.1f): %s\n",
		programs[ours].name, sizes[0].name, got, limit, goal, judged(got)); err != nil {
		return fmt.Errorf("print the ratio: %w", err)
	}
	return nil
}

func judged(got float64) string {
	switch {
	case got <= goal:
		return "goal reached"
	case got <= limit:
		return "within the limit"
	default:
		return "over the limit"
	}
}

func wall(s sample) int64 { return int64(s.wall) }
func cpu(s sample) int64  { return int64(s.cpu) }

func ms(nanoseconds int64) float64 { return float64(nanoseconds) / float64(time.Millisecond) }

// quantile is the value below which the share q of the samples lies.
func quantile(samples []sample, of func(sample) int64, q float64) int64 {
	values := make([]int64, len(samples))
	for i, s := range samples {
		values[i] = of(s)
	}
	slices.Sort(values)
	return values[int(q*float64(len(values)-1)+0.5)]
}

func ratio(samples, unit []sample, q float64) float64 {
	return float64(quantile(samples, wall, q)) / float64(quantile(unit, wall, q))
}
