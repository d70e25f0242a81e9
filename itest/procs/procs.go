// Package procs finds and ends the processes that a test left running, by the folder that their program lies in or by the
// arguments that they were started with. It knows them from /proc; where there is none it finds nothing. It imports only
// the standard library.
package procs

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// Under are the ids of the processes that run a program from a folder, one that is deleted by now too.
func Under(dir string) []int {
	links, _ := filepath.Glob("/proc/[0-9]*/exe") // the pattern is well-formed
	var pids []int
	for _, link := range links {
		exe, err := os.Readlink(link)
		if err != nil || !strings.HasPrefix(exe, dir+string(filepath.Separator)) {
			continue
		}
		if pid, err := strconv.Atoi(filepath.Base(filepath.Dir(link))); err == nil {
			pids = append(pids, pid)
		}
	}
	return pids
}

// StartedWith are the ids of the processes that have all these arguments. A process that has ended has none.
func StartedWith(args ...string) []int {
	files, _ := filepath.Glob("/proc/[0-9]*/cmdline") // the pattern is well-formed
	var pids []int
	for _, file := range files {
		b, err := os.ReadFile(file)
		if err != nil {
			continue
		}
		have := strings.Split(string(b), "\x00")
		if slices.ContainsFunc(args, func(arg string) bool { return !slices.Contains(have, arg) }) {
			continue
		}
		if pid, err := strconv.Atoi(filepath.Base(filepath.Dir(file))); err == nil {
			pids = append(pids, pid)
		}
	}
	return pids
}

// End ends the processes that run a program from a folder, by id, and returns when they are gone.
func End(dir string) error { return EndAll(func() []int { return Under(dir) }) }

// EndAll ends the processes that are found, by id, and returns when none is found any more.
func EndAll(find func() []int) error {
	deadline := time.Now().Add(time.Minute)
	for {
		pids := find()
		if len(pids) == 0 {
			return nil
		}
		if time.Now().After(deadline) {
			return fmt.Errorf("processes %v do not end", pids)
		}
		for _, pid := range pids {
			_ = syscall.Kill(pid, syscall.SIGKILL) // it may be gone already
		}
		time.Sleep(20 * time.Millisecond)
	}
}
