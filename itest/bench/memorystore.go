package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/boathook/boathook/itest/procs"
)

// leastSQLite is how many rows a second the worker has to bring from the spool into memory at least.
const leastSQLite = 1000

// oneCore is as good as one: what the worker had less of says nothing.
const oneCore = 0.9

// ingest puts turns into the spool and measures the worker until memory has all of them: out of the event store, by its sink. A turn is two
// messages and a call.
func ingest(w io.Writer, turns int) error {
	tb := &bench{}
	defer tb.cleanup()
	l, dir := memoryLab(tb)
	remembers(l, dir, "")
	feed := l.NewFeed(newCorpus(5, 1, time.Now()).sentence(80))
	for left := turns; left > 0; left -= 50 { // so many sessions work at once
		feed.Turns(min(left, 50))
	}
	began := time.Now()
	worker := l.Worker()
	var used time.Duration
	for deadline := began.Add(30 * time.Minute); ; time.Sleep(500 * time.Millisecond) {
		var s struct {
			Store struct {
				Messages int `json:"messages"`
				Calls    int `json:"tool_calls"`
			}
		}
		used = procs.CPU(worker.PID())
		r := l.Run("memory", "stats", "--json") // it fails while there is no memory yet
		if r.Code == 0 {
			if err := json.Unmarshal([]byte(r.Stdout), &s); err != nil {
				return fmt.Errorf("read memory stats: %w", err)
			}
		}
		if s.Store.Messages == 2*turns && s.Store.Calls == turns {
			break
		}
		if time.Now().After(deadline) {
			return fmt.Errorf("memory has %d messages and %d calls of %d turns", s.Store.Messages, s.Store.Calls, turns)
		}
	}
	took := time.Since(began)
	rate, cores := float64(3*turns)/took.Seconds(), used.Seconds()/took.Seconds()
	fmt.Fprintf(w, "\nworker: %d turns out of the spool into memory in SQLite in %.1f s, on %.2f cores\n", turns, took.Seconds(), cores)
	if cores < oneCore && rate < leastSQLite {
		fmt.Fprintf(w, "worker, SQLite: %.0f rows/s, %.0f for each core; not judged: the machine did not give it one\n", rate, rate/max(cores, 0.01))
		return worker.Stop()
	}
	return errors.Join(judgeStored(w, "worker, SQLite", rate, leastSQLite), worker.Stop())
}
