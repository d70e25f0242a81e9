// Package selfwatch tells when a file that decides what boathook does is not what it was: its settings, its policies, the switch,
// the agents' files with its hooks. A program that runs as the user can change them all, and no hook sees it do so; that they have
// changed is seen afterwards, when a session starts and by the worker. What boathook's own commands change is known (Book.Expect).
//
// The list of what is known lies in the data directory, where such a program can write, too: this makes tampering visible, not
// impossible. It is on the hook path, and imports only what reads files.
package selfwatch

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io/fs"
	"path/filepath"
	"slices"

	"github.com/boathook/boathook/internal/foreign"
)

// Sum is what a file is known by: a hash of what matters in it, or a word for what stands in its place.
type Sum string

// The sums of files of which there is nothing to hash.
const (
	Absent     Sum = "absent"
	Unreadable Sum = "unreadable"
)

// maxFiles bounds how many files are looked at.
const maxFiles = 256

// Look gives the sums of files. A disk may hang in it.
func Look(paths []string) map[string]Sum {
	out := map[string]Sum{}
	for _, path := range paths {
		if !filepath.IsAbs(path) || len(out) >= maxFiles {
			continue
		}
		path = filepath.Clean(path)
		if _, seen := out[path]; !seen {
			out[path] = sum(path)
		}
	}
	return out
}

func sum(path string) Sum {
	data, err := foreign.Read(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return Absent
	case err != nil:
		return Unreadable
	}
	digest := sha256.Sum256(matters(path, data))
	return Sum(hex.EncodeToString(digest[:]))
}

// Change is one file that is not what it was.
type Change struct {
	Path     string
	Was, Now Sum
}

// Text says what happened, without the path.
func (c Change) Text() string {
	switch {
	case c.Now == Absent:
		return "was removed"
	case c.Now == Unreadable:
		return "can't be read any more"
	case c.Was == Absent:
		return "was made"
	}
	return "was changed"
}

// Changes compares what is known of files with what they are. A file of which nothing is known has not changed.
func Changes(known, now map[string]Sum) []Change {
	var out []Change
	for path, is := range now {
		if was, ok := known[path]; ok && was != is {
			out = append(out, Change{path, was, is})
		}
	}
	slices.SortFunc(out, func(a, b Change) int {
		if a.Path < b.Path {
			return -1
		}
		return 1
	})
	return out
}

// Note is how a note of a change begins. The path and the text follow.
const Note = "changed by no command of boathook's: "
