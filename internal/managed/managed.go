// Package managed knows where each agent reads what an administrator set for everybody on the machine. The installer writes
// there, doctor looks there, and a hook does, where there are managed settings, so that an event which a managed hook has is
// not counted again by a user's own. It only reads, and imports foreign alone of boathook.
package managed

import (
	"bytes"
	"path/filepath"
	"strconv"

	"github.com/boathook/boathook/internal/foreign"
)

// File is the file in which an agent finds managed hooks; empty where it has no such place. root is "/" but for tests.
func File(root, goos, agent string) string {
	name := linux[agent]
	if goos == "darwin" {
		name = darwin[agent]
	}
	if name == "" {
		return ""
	}
	return filepath.Join(root, filepath.FromSlash(name))
}

// Runs tells whether an agent's managed file has hooks of boathook's with a config.
func Runs(root, goos, agent, config string) bool {
	path := File(root, goos, agent)
	if path == "" || config == "" {
		return false
	}
	data, err := foreign.Read(path)
	return err == nil && Has(data, agent, config)
}

// Has tells whether a text has commands of boathook's for an agent, with a config.
func Has(data []byte, agent, config string) bool {
	if bytes.Contains(data, []byte("\nconst agent = "+strconv.Quote(agent)+"\n")) { // a plugin
		return bytes.Contains(data, []byte("\nconst config = "+strconv.Quote(config)+"\n"))
	}
	for {
		_, rest, found := bytes.Cut(data, []byte(" hook --agent "+agent+" --event "))
		if !found {
			return false
		}
		event, named, ok := bytes.Cut(rest, []byte(" --config "))
		if ok && len(event) < longest && bytes.Contains(named[:min(len(named), len(config)+quotes)], []byte(config)) {
			return true
		}
		data = rest
	}
}

// longest is more than the name of an event has, quotes more than what stands around a path.
const (
	longest = 64
	quotes  = 16
)
