package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strconv"
	"strings"
	"time"

	"github.com/boathook/boathook/itest/build"
)

// sample is one process.
type sample struct{ wall, cpu time.Duration }

// result is one program at one size.
type result struct {
	samples []sample
	rss     int64
}

// results are by program and size, in the order of both.
type results [][]result

// measure runs every program at every size, round by round.
func measure(programs []program, rounds int) (results, error) {
	payloads := make([][][]byte, len(programs))
	for p := range programs {
		for _, s := range sizes {
			payloads[p] = append(payloads[p], programs[p].payload(s.bytes))
		}
	}
	out, err := warm(programs, payloads)
	if err != nil {
		return nil, err
	}
	for round := range rounds {
		if round%placed == 0 {
			if err := place(programs); err != nil {
				return nil, err
			}
		}
		for s := range sizes {
			if sizes[s].bytes > 1_000_000 && round%3 != 0 {
				continue
			}
			for i := range programs {
				p := (i + round) % len(programs) // nobody is always first
				if programs[p].small && s > 0 {
					continue
				}
				one, err := once(programs[p], payloads[p][s])
				if err != nil {
					return nil, err
				}
				out[p][s].samples = append(out[p][s].samples, one)
			}
		}
	}
	return out, nil
}

// placed is after how many rounds the programs get another place in memory: where the pages of a file come to lie changes how long its
// processes take by a tenth, for as long as they lie there.
const placed = 6

// place writes every program anew.
func place(programs []program) error {
	done := map[string]bool{}
	for _, p := range programs {
		path := p.args[0]
		if p.system || done[path] {
			continue
		}
		done[path] = true
		b, err := os.ReadFile(path)
		if err != nil {
			return fmt.Errorf("read a program: %w", err)
		}
		if err := os.WriteFile(path+".new", b, 0o755); err != nil {
			return fmt.Errorf("write a program: %w", err)
		}
		if err := os.Rename(path+".new", path); err != nil {
			return fmt.Errorf("replace a program: %w", err)
		}
	}
	return nil
}

// warm runs everything once: it checks the answers, takes the memory, and leaves caches filled and a worker running.
func warm(programs []program, payloads [][][]byte) (results, error) {
	out := make(results, len(programs))
	for i, p := range programs {
		if err := checkAnswer(p, payloads[i][0]); err != nil {
			return nil, err
		}
		out[i] = make([]result, len(sizes))
		for s := range sizes {
			if p.small && s > 0 {
				continue
			}
			peak, err := rss(p, payloads[i][s])
			if err != nil {
				return nil, err
			}
			out[i][s].rss = peak
		}
	}
	time.Sleep(time.Second) // until the worker has stored what there was
	return out, nil
}

// once runs one process on one payload, through a pipe as agents do.
func once(p program, in []byte) (sample, error) {
	cmd := exec.Command(p.args[0], p.args[1:]...)
	cmd.Env, cmd.Stdin = p.env, bytes.NewReader(in)
	start := time.Now()
	if err := cmd.Run(); err != nil {
		return sample{}, fmt.Errorf("run %s: %w", p.name, err)
	}
	wall := time.Since(start)
	return sample{wall: wall, cpu: cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()}, nil
}

// rss is the most that one process held, in bytes; no less than a small process that starts it.
func rss(p program, in []byte) (int64, error) {
	cmd := exec.Command(build.Fixture(fatal{}, "spawn"), p.args...)
	cmd.Env, cmd.Stdin = p.env, bytes.NewReader(in)
	out, err := cmd.Output()
	if err != nil {
		return 0, fmt.Errorf("run %s: %w", p.name, err)
	}
	peak, err := strconv.ParseInt(string(out), 10, 64)
	if err != nil {
		return 0, fmt.Errorf("peak memory of %s: %w", p.name, err)
	}
	if runtime.GOOS == "linux" {
		peak *= 1024 // Linux counts in KiB, macOS in bytes
	}
	return peak, nil
}

// checkAnswer makes sure that a contestant does its work.
func checkAnswer(p program, in []byte) error {
	cmd := exec.Command(p.args[0], p.args[1:]...)
	cmd.Env, cmd.Stdin = p.env, bytes.NewReader(in)
	out, err := cmd.Output()
	if err != nil {
		return fmt.Errorf("run %s: %w", p.name, err)
	}
	if strings.TrimSpace(string(out)) != p.answer {
		return fmt.Errorf("run %s: it printed %q, not %q", p.name, out, p.answer)
	}
	return nil
}

// codeLine is a line of source code.
const codeLine = "func add(a, b int) int { return a + b } // the sum of a and b, as in any source file\n"

// payload is a BeforeTool payload of about so many bytes, which writes a file of source code.
func payload(n int) []byte {
	b, err := json.Marshal(map[string]any{
		"session_id": "0a8f5a54-7a4f-4f0e-9c39-0f3f2f9f6f11", "transcript_path": "/home/user/.gemini/tmp/shop/chats/session.jsonl",
		"cwd": "/", "hook_event_name": "BeforeTool", "timestamp": "2026-01-02T03:04:05.678Z", "tool_name": "write_file",
		"tool_input": map[string]string{"file_path": "main.go", "content": strings.Repeat(codeLine, max(0, n-450)/len(codeLine))},
	})
	if err != nil {
		panic(err) // strings always marshal
	}
	return b
}
