// Package procs finds and ends the processes that a test left running, by the folder that their program lies in. It knows
// them from /proc; where there is none it finds nothing. It imports only the standard library.
package procs

import (
	"fmt"
	"os"
	"path/filepath"
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

// End ends them, by id, and returns when they are gone.
func End(dir string) error {
	deadline := time.Now().Add(time.Minute)
	for {
		pids := Under(dir)
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
