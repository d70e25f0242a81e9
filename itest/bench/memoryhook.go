package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/boathook/boathook/itest/build"
	"github.com/boathook/boathook/itest/hooklab"
)

// asker is one contestant at the prompt event.
type asker struct {
	program
	// limit is what 95 of a hundred of its processes may take at most; zero is not judged.
	limit time.Duration
	// tells says that it has memory, and that its answer has to have something of it.
	tells bool
}

// asked is what a round of prompts came to.
type asked struct {
	samples []sample
	told    int
}

// greeter is the smallest Go program, which all are compared with.
func greeter(env []string) asker {
	return asker{program: program{name: "Go hello-world", env: env, args: []string{build.Fixture(fatal{}, "hello")}}}
}

// memoryLab is a user's boathook with boathook-memory beside it; dir is the project.
func memoryLab(tb *bench) (l *hooklab.Lab, dir string) {
	l = hooklab.New(tb, "")
	second, err := os.ReadFile(filepath.Join(filepath.Dir(build.Boathook(fatal{})), "boathook-memory"))
	if err != nil {
		tb.Fatal(err)
	}
	l.Write(filepath.Join(filepath.Dir(l.Bin), "boathook-memory"), string(second), 0o700)
	dir = filepath.Join(l.Home, "work")
	l.Write(filepath.Join(dir, "README"), "a project\n", 0o600)
	if err := os.MkdirAll(l.Data, 0o700); err != nil {
		tb.Fatal(err)
	}
	return l, dir
}

// remembers turns a lab's memory on, with further settings of it.
func remembers(l *hooklab.Lab, dir, settings string) {
	l.Configure(fmt.Sprintf("[memory]\nenabled = true\ninject = \"on\"\nprojectIds = { %q = %q }\n%s", dir, askedHalf, settings))
}

// hookOf is the hook that Gemini CLI runs in a lab when a prompt was given.
func hookOf(l *hooklab.Lab, dir, name string, limit time.Duration, tells bool) asker {
	return asker{
		program: program{
			name: name, env: l.Environ(), args: []string{l.Bin, "hook", "--agent", "gemini", "--event", "BeforeAgent", "--config", l.Config},
			payload: func(int) []byte { return []byte(dir) },
		},
		limit: limit, tells: tells,
	}
}

// prompts measures so many rounds: each of them a prompt in a session of its own, which all get in turns.
func prompts(askers []asker, c *corpus, rounds int) ([]asked, error) {
	out := make([]asked, len(askers))
	programs := make([]program, len(askers))
	for i, a := range askers {
		programs[i] = a.program
	}
	for round := -1; round < rounds; round++ { // the first isn't counted: it fills caches and wakes workers
		if round >= 0 && round%placed == 0 {
			if err := place(programs); err != nil {
				return nil, err
			}
		}
		question := c.question()
		for n := range askers {
			i := (n + max(round, 0)) % len(askers) // nobody is always first
			one, told, err := prompt(askers[i], question)
			if err != nil {
				return nil, err
			}
			if round < 0 {
				continue
			}
			out[i].samples = append(out[i].samples, one)
			if told {
				out[i].told++
			}
		}
		if round < 0 {
			time.Sleep(2 * time.Second)
		}
	}
	return out, nil
}

var sessionsAsked int

// prompt runs one process, and tells whether it had something to tell.
func prompt(a asker, question string) (sample, bool, error) {
	sessionsAsked++
	dir := "/"
	if a.payload != nil {
		dir = string(a.payload(0))
	}
	in, err := json.Marshal(map[string]any{
		"session_id": fmt.Sprintf("0a8f5a54-7a4f-4f0e-9c39-%012d", sessionsAsked), "transcript_path": "/home/user/.gemini/tmp/shop/chats/session.jsonl",
		"cwd": dir, "hook_event_name": "BeforeAgent", "timestamp": "2026-01-02T03:04:05.678Z", "prompt": question,
	})
	if err != nil {
		return sample{}, false, err
	}
	cmd := exec.Command(a.args[0], a.args[1:]...)
	var answer bytes.Buffer
	cmd.Env, cmd.Stdin, cmd.Stdout = a.env, bytes.NewReader(in), &answer
	start := time.Now()
	if err := cmd.Run(); err != nil {
		return sample{}, false, fmt.Errorf("run %s: %w", a.name, err)
	}
	wall := time.Since(start)
	return sample{wall: wall, cpu: cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()}, bytes.Contains(answer.Bytes(), []byte("additionalContext")), nil
}

// leastTold is which share of the prompts has to be told something: all ask for what is there, and who is told nothing for he
// was too late is no quick one.
const leastTold = 0.95

// latency measures, prints and judges. What is over its limit is measured again: a busy machine is over it for a while.
func latency(w io.Writer, askers []asker, c *corpus, rounds int) error {
	var errs []error
	for look := range looks {
		all, err := prompts(askers, c, rounds)
		if err != nil {
			return err
		}
		if err := reportAsked(w, askers, all); err != nil {
			return err
		}
		errs = nil
		for i, a := range askers {
			errs = append(errs, judgeAsked(w, a, all[i]))
		}
		if errors.Join(errs...) == nil {
			return nil
		}
		if look+1 < looks {
			fmt.Fprintln(w, "once more:")
		}
	}
	return errors.Join(errs...)
}

func judgeAsked(w io.Writer, a asker, all asked) error {
	if !a.tells {
		return nil
	}
	var errs []error
	if share := float64(all.told) / float64(len(all.samples)); share < leastTold {
		errs = append(errs, fmt.Errorf("%s: %.0f %% of the prompts were told something, at least %.0f %%", a.name, 100*share, 100*leastTold))
	}
	if p95 := time.Duration(quantile(all.samples, wall, 0.95)); a.limit > 0 {
		verdict := "kept"
		if p95 > a.limit {
			verdict = "exceeded"
			errs = append(errs, fmt.Errorf("%s: p95 is %.1f ms, at most %d", a.name, ms(int64(p95)), a.limit.Milliseconds()))
		}
		fmt.Fprintf(w, "%s: p95 %.1f ms (at most %d): %s\n", a.name, ms(int64(p95)), a.limit.Milliseconds(), verdict)
	}
	return errors.Join(errs...)
}

// reportAsked prints the table. The first is the unit of the ratios.
func reportAsked(w io.Writer, askers []asker, all []asked) error {
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(table, "at a prompt\tn\ttold\tmin ms\tp50 ms\tp95 ms\tp99 ms\t× hello (p50)\tCPU ms\t")
	for i, a := range askers {
		s := all[i].samples
		fmt.Fprintf(table, "%s\t%d\t%d\t%.1f\t%.1f\t%.1f\t%.1f\t%.2f\t%.1f\t\n", a.name, len(s), all[i].told,
			ms(quantile(s, wall, 0)), ms(quantile(s, wall, 0.5)), ms(quantile(s, wall, 0.95)), ms(quantile(s, wall, 0.99)),
			ratio(s, all[0].samples, 0.5), ms(quantile(s, cpu, 0.5)))
	}
	if err := table.Flush(); err != nil {
		return fmt.Errorf("print the table: %w", err)
	}
	if text, err := os.ReadFile("/proc/loadavg"); err == nil {
		fmt.Fprintf(w, "load of the machine: %s\n", strings.Join(strings.Fields(string(text))[:3], " "))
	}
	return nil
}
