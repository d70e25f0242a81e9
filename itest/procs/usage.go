package procs

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"
)

// Peak is the most memory that a process has held so far, in bytes; zero where that can't be known.
func Peak(pid int) int64 {
	b, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		return 0
	}
	for line := range strings.Lines(string(b)) {
		if text, ok := strings.CutPrefix(line, "VmHWM:"); ok {
			n, _ := strconv.ParseInt(strings.Fields(text + " 0")[0], 10, 64)
			return n << 10
		}
	}
	return 0
}

// Watch looks at a process's peak again and again, also for one that ends. The function stops that and is the peak.
func Watch(pid int) (peak func() int64) {
	stop, done := make(chan struct{}), make(chan int64)
	go func() {
		var most int64
		for {
			most = max(most, Peak(pid))
			select {
			case <-stop:
				done <- max(most, Peak(pid))
				return
			case <-time.After(50 * time.Millisecond):
			}
		}
	}()
	return func() int64 { close(stop); return <-done }
}

// ticks is how many a second has in /proc, on every system that Go runs on.
const ticks = 100

// CPU is the time that a process has spent on processors; zero where that can't be known.
func CPU(pid int) time.Duration {
	b, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return 0
	}
	_, after, _ := strings.Cut(string(b), ") ") // the name before it may hold blanks
	fields := strings.Fields(after)
	if len(fields) < 13 {
		return 0
	}
	user, _ := strconv.ParseInt(fields[11], 10, 64)
	system, _ := strconv.ParseInt(fields[12], 10, 64)
	return time.Duration(user+system) * time.Second / ticks
}
