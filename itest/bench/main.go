// Command bench measures what one hook costs: the processes of boathook, of the smallest Go program, of a hook of the Go SDK
// and of one in Node.js, those of boathook for each agent, those of boathook with a collector that never answers, with all packs in force, and as it was first
// released, in interleaved rounds of one run, so that whatever else the machine does falls on all of them alike, each program written anew every few. Then it
// measures the worker: a backlog into the store and a real OpenTelemetry Collector. It fails where a ratio is over its
// budget, where the worker holds too much, and where it is too slow on two cores.
//
//	go run ./bench [-rounds 60] [-backlog 100000]
//
// At last it measures memory: the hook's process at a prompt beside the same without memory, with memory in SQLite, and in PostgreSQL with
// vectors, by the worker's service and without one; how much of what is nearest by an exact look a search by vectors finds; how
// fast rows are stored. There, too, it fails where a limit is exceeded. Memory alone, and its growth up to a million chunks:
//
//	go run ./bench -rounds 0 -backlog 0 [-memory 100000] [-vectors 100000] [-prompts 200]
//	go run ./bench -rounds 0 -backlog 0 -vectors 0 -growth
package main

import (
	"errors"
	"flag"
	"fmt"
	"log"
	"os"

	"github.com/boathook/boathook/itest/build"
	"github.com/boathook/boathook/itest/procs"
)

// sizes are those of the payloads, from the usual one to one with a big file in it.
var sizes = []size{{"2 KB", 2_000}, {"200 KB", 200_000}, {"5 MB", 5_000_000}}

type size struct {
	name  string
	bytes int
}

func main() {
	log.SetFlags(0)
	rounds := flag.Int("rounds", 60, "how often each process runs at 2 KB and 200 KB; a third of that at 5 MB; 0 leaves them out")
	backlog := flag.Int("backlog", 100_000, "how many events the worker gets; 0 leaves it out")
	var m memoryOptions
	flag.IntVar(&m.chunks, "memory", 100_000, "how many `chunks` memory has at a prompt; 0 leaves memory out")
	flag.IntVar(&m.vectors, "vectors", -1, "how many of that PostgreSQL has, with vectors; 0 leaves it out, and -1 is as many as -memory")
	flag.IntVar(&m.prompts, "prompts", 200, "how many prompts each contestant is given")
	flag.BoolVar(&m.growth, "growth", false, "measure SQLite with 10,000, 100,000 and 1,000,000 chunks")
	flag.Parse()
	var err error
	if *rounds > 0 {
		err = hooks(max(*rounds, 3))
	}
	if *backlog > 0 {
		err = errors.Join(err, drain(os.Stdout, *backlog))
	}
	if m.chunks > 0 {
		err = errors.Join(err, remember(os.Stdout, m))
	}
	build.Cleanup()
	if err != nil {
		log.Fatal("bench: ", err)
	}
}

// hooks measures the hook's process.
func hooks(rounds int) error {
	dir, err := os.MkdirTemp("", "boathook-bench-")
	if err != nil {
		return fmt.Errorf("make a folder: %w", err)
	}
	defer func() { _ = os.RemoveAll(dir) }() // in the system's temporary folder
	defer func() {
		if err := procs.End(dir); err != nil {
			log.Print("bench: ", err)
		}
	}()
	programs, err := prepare(dir)
	if err != nil {
		return err
	}
	results, err := measure(programs, rounds)
	if err != nil {
		return err
	}
	if err := report(os.Stdout, programs, results); err != nil {
		return err
	}
	return judge(os.Stdout, programs, results, rounds)
}

// fatal is the part of a test that build needs, for a program.
type fatal struct{}

func (fatal) Helper() {}

func (fatal) Fatal(args ...any) { log.Fatal(args...) }
