package memory

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/boathook/boathook/internal/ownfile"
	"github.com/boathook/boathook/internal/transcripts"
)

// maxRecord is how large a record may be that is read.
const maxRecord = 256 << 20

// places are where agents keep their records, below the user's home. A payload names the file, and a payload may come of anybody: what
// lies elsewhere isn't read. (Who has moved an agent's directory by its variable can backfill.)
func places(agent string) []string {
	return map[string][]string{
		"claude": {".claude/projects"}, "codex": {".codex/sessions", ".codex/archived_sessions"}, "gemini": {".gemini/tmp"},
		"copilot": {".copilot/session-state"}, "qwen": {".qwen/projects", ".qwen/tmp"},
	}[agent]
}

var errElsewhere = errors.New("it does not lie where the agent keeps its records")

// fileAt is the record of a session in a file that a hook named; nil where there is none. It has to be a regular file of this user, below
// the agent's directory also when all links are followed.
func fileAt(home, agent, path string) (*transcripts.File, error) {
	if path == "" || home == "" {
		return nil, nil
	}
	if !filepath.IsAbs(path) || filepath.Clean(path) != path || len(places(agent)) == 0 {
		return nil, errElsewhere
	}
	if !lies(home, agent, path) {
		return nil, errElsewhere
	}
	f, err := ownfile.Open(path, os.O_RDONLY)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil // a session that said nothing has none
	}
	if err != nil {
		return nil, fmt.Errorf("open record: %w", err)
	}
	defer func() { _ = f.Close() }()
	fi, err := f.Stat()
	if err != nil {
		return nil, fmt.Errorf("open record: %w", err)
	}
	if fi.Size() > maxRecord {
		return nil, fmt.Errorf("it has %d bytes, more than %d", fi.Size(), maxRecord)
	}
	file, known := transcripts.At(agent, path)
	if !known {
		return nil, nil
	}
	file.Size, file.Changed = fi.Size(), fi.ModTime()
	return &file, nil
}

func lies(home, agent, path string) bool {
	real, err := filepath.EvalSymlinks(filepath.Dir(path))
	if err != nil {
		real = filepath.Dir(path)
	}
	for _, place := range places(agent) {
		root := filepath.Join(home, filepath.FromSlash(place))
		if !within(root, path) {
			continue
		}
		if whole, err := filepath.EvalSymlinks(root); err == nil {
			root = whole
		}
		if within(root, filepath.Join(real, filepath.Base(path))) {
			return true
		}
	}
	return false
}

func within(root, path string) bool {
	rel, err := filepath.Rel(root, path)
	return err == nil && rel != ".." && !strings.HasPrefix(rel, ".."+string(filepath.Separator))
}
