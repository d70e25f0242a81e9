package install

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"unicode/utf8"

	"github.com/boathook/boathook/internal/foreign"
)

var errTooLarge = foreign.ErrTooLarge

// readFile reads a regular file of bounded size.
func readFile(path string) ([]byte, error) { return foreign.Read(path) }

// allowed refuses worlds in which this can't work or would change somebody else's home.
func (p *planner) allowed() error {
	if p.req.Managed {
		return p.managedAllowed()
	}
	if p.env.GOOS == "windows" {
		return refuse("install hooks: Windows is not supported yet")
	}
	home := p.env.Home
	if !filepath.IsAbs(home) {
		return misuse("find the home directory: HOME is not set to an absolute path")
	}
	if info, err := os.Stat(home); err != nil || !info.IsDir() {
		return refuse("find the home directory: HOME is %s, which is no directory", home)
	}
	if !p.undoing {
		if err := checkExe(p.env.Exe); err != nil {
			return err
		}
	}
	return p.mine(home, geminiDir(p.env), p.req.Workspace)
}

// mine refuses what root would write into another user's directory.
func (p *planner) mine(paths ...string) error {
	for _, path := range paths {
		for path != "" && !exists(path) && path != filepath.Dir(path) {
			path = filepath.Dir(path)
		}
		info, err := os.Stat(path)
		if err != nil || p.env.UID != 0 {
			continue
		}
		if uid, ok := owner(info); ok && uid != 0 {
			return refuse("change %s: it is another user's (uid %d) and this is root; run boathook as that user, without sudo", path, uid)
		}
	}
	return nil
}

func checkExe(exe string) error {
	if !filepath.IsAbs(exe) {
		return refuse("find the boathook program: its path is not known")
	}
	for part := range strings.SplitSeq(filepath.ToSlash(exe), "/") {
		if digits := strings.TrimPrefix(part, "go-build"); digits != part && strings.Trim(digits, "0123456789") == "" {
			return refuse("install %s: 'go run' removes this program when it ends; build it first, with 'go build' or 'go install'", exe)
		}
	}
	info, err := os.Stat(exe)
	if err != nil {
		return refuse("install %s: %w", exe, err)
	}
	if !info.Mode().IsRegular() || info.Mode()&0o111 == 0 {
		return refuse("install %s: it is not an executable file", exe)
	}
	return nil
}

// checkText refuses paths that JSON can't carry.
func checkText(paths ...string) error {
	for _, path := range paths {
		if !utf8.ValidString(path) {
			return refuse("use path %q: it is not valid UTF-8, so that an agent's configuration can't name it", path)
		}
	}
	return nil
}

// found is a file as it is now.
type found struct {
	// path is the file behind symbolic links, link the one that leads to it where there is one.
	path, link string
	exists     bool
	data       []byte
	mode       fs.FileMode
}

// read looks at a file that is to be changed. Install refuses what isn't a regular file of the user's; for uninstall nothing
// of boathook's can be in what isn't regular.
func (p *planner) read(path string) (found, error) {
	real := resolved(path)
	info, err := os.Stat(real)
	switch {
	case absent(err) && !exists(path):
		return found{path: real}, nil
	case p.undoing && (absent(err) || err == nil && !info.Mode().IsRegular()):
		p.note("%s is not a regular file: nothing in it is boathook's, and it stays", path)
		return found{path: real}, nil
	case absent(err):
		return found{}, refuse("edit %s: it is a symbolic link to nothing that can be read", path)
	case err != nil:
		return found{}, fmt.Errorf("read %s: %w", path, err)
	case !info.Mode().IsRegular():
		return found{}, refuse("edit %s: it is not a regular file", path)
	}
	if uid, ok := owner(info); ok && p.env.UID >= 0 && uid != p.env.UID {
		return found{}, refuse("edit %s: it belongs to another user (uid %d, and you are %d)", path, uid, p.env.UID)
	}
	data, err := readFile(real)
	if errors.Is(err, errTooLarge) {
		return found{}, refuse("edit: %w", err)
	}
	if err != nil {
		return found{}, fmt.Errorf("read: %w", err)
	}
	now := found{path: real, exists: true, data: data, mode: info.Mode().Perm()}
	if link, err := os.Lstat(path); err == nil && link.Mode()&fs.ModeSymlink != 0 {
		now.link = path
	}
	return now, nil
}

// resolved is a path without symbolic links, as far as it is there.
func resolved(path string) string {
	if real, err := filepath.EvalSymlinks(path); err == nil {
		return real
	}
	up := filepath.Dir(path)
	if up == path {
		return path
	}
	return filepath.Join(resolved(up), filepath.Base(path))
}

// absent tells that there is nothing at a path, for want of a directory above it or because a file is in the way.
func absent(err error) bool {
	return errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR) || errors.Is(err, syscall.ELOOP)
}

func exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}
