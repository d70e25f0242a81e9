package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"os"
	"strings"
	"time"

	"github.com/boathook/boathook/itest/hooklab"
	"github.com/boathook/boathook/itest/otelcol"
	"github.com/boathook/boathook/itest/procs"
)

// The goals for a backlog.
const (
	goalEvents = 5000 // a second, on two cores
	twoCores   = 1.8  // are as good as two
	goalRSS    = 80 * mb
	textBytes  = 1700 // the rest of 2 KB is what all payloads have
)

// mb is the MB of the goal.
const mb = 1_000_000

// drain puts a backlog of about 2 KB each into the spool and measures the worker until the collector has all of it. It fails
// where the worker holds too much, and where it is too slow though the machine gave it two cores.
func drain(w io.Writer, events int) error {
	tb := &bench{}
	defer tb.cleanup()
	collector := otelcol.Start(tb, otelcol.Options{}) // it drops what it has received
	lab := hooklab.New(tb, fmt.Sprintf("[telemetry]\nendpoint = %q\nmetrics = false\n[spool]\nmax_mb = 8192\n", collector.Traces()))
	turns := events / 4
	fmt.Fprintf(w, "\nmaking a backlog of %d events …\n", 4*turns)
	lab.NewFeed(strings.Repeat("the quick brown fox. ", textBytes/21)).Turns(turns)

	began := time.Now()
	worker := lab.Worker()
	peak := procs.Watch(worker.PID())
	moved, err := head(lab, 4*turns)
	if err != nil {
		return err
	}
	took := moved.Sub(began)
	used := procs.CPU(worker.PID()) + procs.CPU(collector.PID())
	cores := used.Seconds() / took.Seconds()
	rate := float64(4*turns) / took.Seconds()
	fmt.Fprintf(w, "worker: %d events (%d spans) into store and collector in %.1f s\n", 4*turns, hooklab.SpansEach*turns, took.Seconds())
	return errors.Join(judgeRate(w, rate, cores), judgeRSS(w, peak()), worker.Stop())
}

// judgeRate judges what was measured. What two cores would have made of it is told, and decides nothing.
func judgeRate(w io.Writer, rate, cores float64) error {
	verdict, err := "reached", error(nil)
	switch {
	case rate >= goalEvents:
	case cores >= twoCores:
		verdict, err = "missed", fmt.Errorf("the worker: %.0f events/s on %.2f cores, at least %d", rate, cores, goalEvents)
	default:
		verdict = "not judged: the machine did not give the two cores that the goal is for"
	}
	fmt.Fprintf(w, "worker: %.0f events/s on %.2f cores, worker and collector together (goal %d on two): %s\n", rate, cores, goalEvents, verdict)
	if cores > 0 && cores < twoCores {
		fmt.Fprintf(w, "worker: that is %.0f events/s for each core; two at that rate would make %.0f\n", rate/cores, 2*rate/cores)
	}
	return err
}

// judgeRSS judges the most that the worker held; none is known where the system does not tell.
func judgeRSS(w io.Writer, rss int64) error {
	verdict, err := "reached", error(nil)
	switch {
	case rss == 0:
		verdict = "not judged: this system does not tell"
	case rss > goalRSS:
		verdict, err = "missed", fmt.Errorf("the worker held %.1f MB, at most %d", float64(rss)/mb, goalRSS/mb)
	}
	fmt.Fprintf(w, "worker: %.1f MB at most (goal %d): %s\n", float64(rss)/mb, goalRSS/mb, verdict)
	return err
}

// head waits until the cursor is behind the last event, and says when it got there.
func head(lab *hooklab.Lab, events int) (time.Time, error) {
	for deadline := time.Now().Add(30 * time.Minute); time.Now().Before(deadline); time.Sleep(time.Second) {
		var s struct {
			NotStored int `json:"not_stored"`
			Sinks     []struct {
				Events  int64     `json:"behind_events"`
				Turns   int64     `json:"behind_turns"`
				Success time.Time `json:"last_success"`
			}
		}
		if err := json.Unmarshal([]byte(lab.Must("telemetry", "status", "--json")), &s); err != nil {
			return time.Time{}, fmt.Errorf("read telemetry status: %w", err)
		}
		if len(s.Sinks) == 1 && s.NotStored == 0 && s.Sinks[0].Events == 0 && s.Sinks[0].Turns == 0 {
			return s.Sinks[0].Success, nil
		}
	}
	return time.Time{}, fmt.Errorf("the worker did not get through %d events", events)
}

// bench is the part of a test that the harness needs, for a program.
type bench struct {
	fatal
	cleanups []func()
}

func (b *bench) Error(args ...any) { log.Print(args...) }

func (b *bench) Errorf(format string, args ...any) { log.Printf(format, args...) }

func (b *bench) Fatalf(format string, args ...any) { log.Fatalf(format, args...) }

func (b *bench) Cleanup(f func()) { b.cleanups = append(b.cleanups, f) }

func (b *bench) TempDir() string {
	dir, err := os.MkdirTemp("", "boathook-bench-")
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { _ = os.RemoveAll(dir) }) // in the system's temporary folder
	return dir
}

func (b *bench) cleanup() {
	for i := len(b.cleanups) - 1; i >= 0; i-- {
		b.cleanups[i]()
	}
}
