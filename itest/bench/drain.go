package main

import (
	"encoding/json"
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
	goalEvents = 5000 // a second
	goalRSS    = 80 << 20
	textBytes  = 1700 // the rest of 2 KB is what all payloads have
)

// drain puts a backlog of about 2 KB each into the spool and measures the worker until the collector has all of it.
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
	rss := peak()
	// On a machine that has more to do the worker gets less than two cores: what it does with those it gets is what counts.
	whole := rate / min(cores, 2) * 2
	fmt.Fprintf(w, "worker: %d events (%d spans) into store and collector in %.1f s: %.0f events/s on %.2f cores, worker and collector together; %.0f on two (goal %d): %s\n",
		4*turns, hooklab.SpansEach*turns, took.Seconds(), rate, cores, whole, goalEvents, reached(max(rate, whole) >= goalEvents))
	fmt.Fprintf(w, "worker: %.1f MiB at most (goal %d): %s\n", float64(rss)/(1<<20), goalRSS>>20, reached(rss > 0 && rss <= goalRSS))
	return worker.Stop()
}

func reached(ok bool) string {
	if ok {
		return "reached"
	}
	return "missed"
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
