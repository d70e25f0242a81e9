// Package project says which project a directory belongs to, for what is written to memory and for what is read from it: both ask
// here, so that neither can mean another. Worktrees of one repository are one project, and so are its subfolders. It reads a few
// small files of git's and starts no process. A repository's files are anybody's: none of them can make a directory pass for
// another repository.
package project

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"path/filepath"
	"strings"
	"time"

	"github.com/boathook/boathook/internal/bounded"
	"github.com/boathook/boathook/internal/paths"
)

// The errors of Of.
var (
	ErrHangs      = errors.New("find the project: the disk hangs")
	ErrNowhere    = errors.New("find the project: the working directory is not known")
	ErrNoMachine  = errors.New("find the project: a shared store needs the machine's key")
	errNoWorktree = errors.New("no worktree")
)

// Project is one project.
type Project struct {
	// Key is what rows are stored under: opaque, and the same whenever the same project is asked for.
	Key string
	// Root is the directory that stands for it: of worktrees that of the main one.
	Root string
	// Name is for people: the last part of the root, or the id that was chosen.
	Name string
	// Remote is where its origin is, normalized; empty where it has none. It identifies nothing until it is confirmed.
	Remote string
	// ID is the id that the configuration gives it.
	ID string
	// Private says that a shared store keeps it apart, since nobody has confirmed what others call it.
	Private bool
}

// Resolver finds projects. It may be used concurrently.
type Resolver struct {
	// IDs give directories an id, by memory.projectIds. The nearest one above a working directory counts.
	IDs map[string]string
	// Shared says that the store is one that several machines write to. Then a project is its id there, and without one it stays
	// this machine's own, by Machine: the machine's key.
	Shared  bool
	Machine []byte
	// Stuck names the filesystem that may keep whoever looks at a path for ever; nil knows none.
	Stuck func(path string) string
	// Limit is what the disk may take; zero is a quarter of a second.
	Limit time.Duration
}

// maxPath is how long a path may be, as on most systems: of a longer one every directory above it would be looked for, for minutes.
const maxPath = 4 << 10

const usually = 250 * time.Millisecond

// Of is the project of a directory, which need not exist any more.
func (r Resolver) Of(dir string) (Project, error) {
	if !filepath.IsAbs(dir) || len(dir) > maxPath {
		return Project{}, ErrNowhere
	}
	if r.Shared && len(r.Machine) == 0 {
		return Project{}, ErrNoMachine
	}
	dir = filepath.Clean(dir)
	if r.stuck(dir) {
		return Project{}, ErrHangs
	}
	limit := r.Limit
	if limit <= 0 {
		limit = usually
	}
	var p Project
	if !bounded.Do(limit, func() { p = r.look(dir) }) {
		return Project{}, ErrHangs
	}
	return p, nil
}

func (r Resolver) stuck(path string) bool { return r.Stuck != nil && r.Stuck(path) != "" }

func (r Resolver) look(dir string) Project {
	top := paths.Project(dir, exists)
	root, gitDir := top, filepath.Join(top, ".git")
	if common, err := r.common(top); err == nil {
		gitDir = common
		if root = common; filepath.Base(common) == ".git" {
			root = filepath.Dir(common)
		}
	}
	p := Project{Root: real(root), Remote: r.origin(gitDir)}
	p.Name = name(p.Root)
	p.ID = r.id(dir, top, root, p.Root)
	switch {
	case p.ID != "":
		p.Key, p.Name = key(nil, "id", p.ID), p.ID
	case r.Shared:
		p.Key, p.Private = key(r.Machine, "private", p.Root), true
	default:
		p.Key = key(nil, "root", p.Root)
	}
	return p
}

// id is the id of the nearest directory that has one, else that of the main worktree.
func (r Resolver) id(dir, top string, roots ...string) string {
	if len(r.IDs) == 0 {
		return ""
	}
	ids := make(map[string]string, 2*len(r.IDs))
	for path, id := range r.IDs {
		if path = filepath.Clean(path); id != "" && filepath.IsAbs(path) {
			ids[path] = id
			if !r.stuck(path) {
				ids[real(path)] = id
			}
		}
	}
	git := exists(filepath.Join(top, ".git")) // what lies around a repository is not it
	for _, from := range [...]string{dir, real(dir)} {
		for at := from; ; at = filepath.Dir(at) {
			if id := ids[at]; id != "" {
				return id
			}
			if at == filepath.Dir(at) || git && (at == top || at == real(top)) {
				break
			}
		}
	}
	for _, root := range roots {
		if id := ids[root]; id != "" {
			return id
		}
	}
	return ""
}

// key is the hash of what a project is known by. Of a private one nobody without the machine's key can find out what that is.
func key(machine []byte, kind, what string) string {
	if machine == nil {
		machine = []byte("boathook project")
	}
	mac := hmac.New(sha256.New, machine)
	mac.Write([]byte(kind + "\x00" + what))
	return "p" + hex.EncodeToString(mac.Sum(nil)[:16])
}

// name is what a person calls a root.
func name(root string) string {
	base := strings.TrimSuffix(filepath.Base(root), ".git")
	if base == "" || base == string(filepath.Separator) || base == "." {
		return root
	}
	return base
}

// real is a path without links, as far as it exists.
func real(path string) string {
	if whole, err := filepath.EvalSymlinks(path); err == nil {
		return whole
	}
	if up := filepath.Dir(path); up != path {
		return filepath.Join(real(up), filepath.Base(path))
	}
	return path
}
