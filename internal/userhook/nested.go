package userhook

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strconv"
)

// Nested is the outcome of a program that was not asked, since it stands within too many of its own kind.
const Nested = "nested"

// maxNested is how many hooks of boathook's may have started one another. A program that has an agent judge starts another
// hook by that, which asks the program again: without a bound a session would end in a heap of processes.
const maxNested = 4

// maxAncestors bounds the way up.
const maxAncestors = 256

// nested counts the hooks of boathook's among the processes that this one descends from, as a proc filesystem tells it. No
// variable could: a repository could set it. Where there is no such filesystem there are none.
func nested(proc string, pid int) int {
	self, err := os.Stat(filepath.Join(proc, "self", "exe"))
	if err != nil {
		return 0
	}
	n := 0
	for range maxAncestors {
		if pid <= 1 {
			break
		}
		dir := filepath.Join(proc, strconv.Itoa(pid))
		if exe, err := os.Stat(filepath.Join(dir, "exe")); err == nil && os.SameFile(self, exe) && asksHooks(dir) {
			n++
		}
		pid = parent(dir)
	}
	return n
}

// asksHooks tells whether a process of boathook's is one that asks programs.
func asksHooks(dir string) bool {
	line, err := os.ReadFile(filepath.Join(dir, "cmdline"))
	words := bytes.Split(line, []byte{0})
	return err == nil && len(words) > 1 && slices.Contains([]string{"hook", "exec"}, string(words[1]))
}

// parent reads who started a process: the second field behind its name, which may hold anything; 0 where that is not known.
func parent(dir string) int {
	text, err := os.ReadFile(filepath.Join(dir, "stat"))
	fields := bytes.Fields(text[bytes.LastIndexByte(text, ')')+1:])
	if err != nil || len(fields) < 2 {
		return 0
	}
	pid, err := strconv.Atoi(string(fields[1]))
	if err != nil {
		return 0
	}
	return pid
}
