package install

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/boathook/boathook/internal/foreign"
)

// A project is not trusted: its files may have come from anybody who can commit to it. Antigravity runs what they name, but
// boathook reads no config, starts no program and believes no directory because of them. What install wrote there is known
// by its hash in the manifest, which is in the user's own data. The user's own files are believed, but not run where they
// are not what install wrote.

const notAsWritten = "it is not as boathook wrote it"

// recorded tells whether a file's bytes are what install wrote there.
func (p *planner) recorded(path string, data []byte) bool {
	known, ok := p.old.file(path)
	return ok && slices.Contains(known.After, sum(data))
}

// usual tells whether an agent's hooks are in a directory whatever the environment says. GEMINI_CLI_HOME is a user's, or a
// trusted project's .env has it.
func (p *planner) usual(a agent, dir string) bool {
	return slices.Contains(a.places(Env{Home: p.env.Home}), dir)
}

// onlyConfig is the config of the manifest, empty where that has none or several.
func (p *planner) onlyConfig() string {
	config := ""
	for _, u := range p.old.Uses {
		if config != "" && u.Config != config {
			return ""
		}
		config = u.Config
	}
	return config
}

// read reads a file of an installation. A project's links are not followed.
func (in *Installation) read(path string) ([]byte, error) {
	if in.Workspace {
		return foreign.ReadIn(filepath.Dir(in.Dir), path)
	}
	return readFile(path)
}

// again is how to mend what install would write anew: by hand, where a project's files can't be asked for their config and
// the manifest has several.
func (in *Installation) again() Mend {
	if in.strange && in.Config == "" {
		return ByHand
	}
	return Reinstall
}

// vouch lets what the hooks call be run where install wrote it, or it is written the same and calls this very program.
func (in *Installation) vouch(p *planner, written, same bool) {
	if written || same && !in.strange && in.calls(p.env.Exe) {
		in.NotRun = ""
	}
}

func (in *Installation) calls(exe string) bool {
	this, err := os.Stat(exe)
	other, failed := os.Stat(in.Program)
	return err == nil && failed == nil && os.SameFile(this, other)
}

// strangers says whose an installation is where this is root and that is another user: what they put there must not run
// with root's rights.
func (in *Installation) strangers(p *planner) string {
	if p.env.UID != 0 {
		return ""
	}
	paths := []string{p.env.Home, in.Dir, in.File, filepath.Join(in.Dir, stubName)}
	if !in.calls(p.env.Exe) {
		paths = append(paths, in.Program)
	}
	for _, path := range paths {
		info, err := os.Stat(path)
		if err != nil {
			continue // what is not there is nobody's
		}
		if uid, ok := owner(info); ok && uid != 0 {
			return fmt.Sprintf("%s belongs to another user (uid %d), and this is root: run this as that user, without sudo", path, uid)
		}
	}
	return ""
}
