package doctor

import (
	"io/fs"
	"os"
	"os/exec"
)

func owner(fs.FileInfo) (int, bool) { return 0, false }

func ownGroup(*exec.Cmd) {}

func writable(string) error { return nil }

func room(string) (free, size uint64, ok bool) { return 0, 0, false }

func terminate(pid int) error {
	p, err := os.FindProcess(pid)
	if err != nil {
		return err
	}
	return p.Kill()
}

const hasModes = false
