package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os/exec"
	"strings"
	"syscall"
	"time"
)

// sample is one process.
type sample struct {
	wall, cpu time.Duration
	rss       int64 // bytes
}

// results are the samples by program and size, in the order of both.
type results [][][]sample

// measure runs every program at every size, round by round. The first round warms caches and starts the worker; it only
// checks the answers.
func measure(programs []program, rounds int) (results, error) {
	out := make(results, len(programs))
	for i := range out {
		out[i] = make([][]sample, len(sizes))
	}
	payloads := make([][]byte, len(sizes))
	for i, s := range sizes {
		payloads[i] = payload(s.bytes)
	}
	for _, p := range programs {
		if err := checkAnswer(p, payloads[0]); err != nil {
			return nil, err
		}
	}
	time.Sleep(time.Second) // the worker is up and has nothing to do
	for round := range rounds {
		for s := range sizes {
			if sizes[s].bytes > 1_000_000 && round%3 != 0 {
				continue
			}
			for i := range programs {
				p := (i + round) % len(programs) // nobody is always first
				one, err := once(programs[p], payloads[s])
				if err != nil {
					return nil, err
				}
				out[p][s] = append(out[p][s], one)
			}
		}
	}
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
	state := cmd.ProcessState
	usage, ok := state.SysUsage().(*syscall.Rusage)
	if !ok {
		return sample{}, fmt.Errorf("run %s: no resource usage on this system", p.name)
	}
	return sample{wall: wall, cpu: state.UserTime() + state.SystemTime(), rss: maxRSS(usage)}, nil
}

// checkAnswer makes sure that a contestant does its work.
func checkAnswer(p program, in []byte) error {
	cmd := exec.Command(p.args[0], p.args[1:]...)
	cmd.Env, cmd.Stdin = p.env, bytes.NewReader(in)
	out, err := cmd.Output()
	if err != nil {
		return fmt.Errorf("run %s: %w", p.name, err)
	}
	if strings.TrimSpace(string(out)) != "{}" {
		return fmt.Errorf("run %s: it printed %q, not {}", p.name, out)
	}
	return nil
}

// payload is a BeforeTool payload of about so many bytes, which writes a file of source code.
func payload(n int) []byte {
	const line = "func add(a, b int) int { return a + b } // the sum of a and b, as in any source file\n"
	b, err := json.Marshal(map[string]any{
		"session_id": "0a8f5a54-7a4f-4f0e-9c39-0f3f2f9f6f11", "transcript_path": "/home/user/.gemini/tmp/work/chats/session.jsonl",
		"cwd": "/", "hook_event_name": "BeforeTool", "timestamp": "2026-01-02T03:04:05.678Z", "tool_name": "write_file",
		"tool_input": map[string]string{"file_path": "main.go", "content": strings.Repeat(line, max(0, n-450)/len(line))},
	})
	if err != nil {
		panic(err) // strings always marshal
	}
	return b
}
