package pending

import (
	"bytes"
	"encoding/binary"
	"strings"

	"golang.org/x/sys/unix"
)

// System asks the kernel for processes.
func System() Look {
	return func(pid int) (Process, bool) {
		k, err := unix.SysctlKinfoProc("kern.proc.pid", pid)
		if err != nil {
			return Process{}, false
		}
		comm := make([]byte, 0, len(k.Proc.P_comm))
		for _, c := range k.Proc.P_comm {
			if c == 0 {
				break
			}
			comm = append(comm, byte(c))
		}
		return Process{PID: pid, Parent: int(k.Eproc.Ppid), Name: string(comm), Args: args(pid)}, true
	}
}

// args reads the command line: a count, the program's path, zeros, then the words.
func args(pid int) []string {
	raw, err := unix.SysctlRaw("kern.procargs2", pid)
	if err != nil || len(raw) < 4 {
		return nil
	}
	n := int(binary.LittleEndian.Uint32(raw))
	_, rest, found := bytes.Cut(raw[4:], []byte{0})
	if !found {
		return nil
	}
	words := strings.Split(strings.TrimLeft(string(rest), "\x00"), "\x00")
	return words[:min(max(n, 0), len(words))]
}
