package pending

import (
	"bytes"
	"os"
	"strconv"
	"strings"
)

// System looks processes up in /proc.
func System() Look {
	return func(pid int) (Process, bool) {
		dir := "/proc/" + strconv.Itoa(pid)
		stat, err := os.ReadFile(dir + "/stat")
		if err != nil {
			return Process{}, false
		}
		// The name stands in brackets and may have any character.
		from, to := bytes.IndexByte(stat, '('), bytes.LastIndexByte(stat, ')')
		if from < 0 || to < from {
			return Process{}, false
		}
		fields := strings.Fields(string(stat[to+1:]))
		if len(fields) < 2 {
			return Process{}, false
		}
		p := Process{PID: pid, Name: string(stat[from+1 : to])}
		p.Parent, _ = strconv.Atoi(fields[1])
		if line, err := os.ReadFile(dir + "/cmdline"); err == nil {
			p.Args = strings.Split(strings.TrimSuffix(string(line), "\x00"), "\x00")
		}
		return p, true
	}
}
