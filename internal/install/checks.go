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
)

// maxFile bounds the files that are edited: a configuration is not this large.
const maxFile = 16 << 20

// allowed refuses worlds in which an install can't work or would change somebody else's home.
func (p *planner) allowed(installing bool) error {
	if p.env.GOOS == "windows" {
		return refuse("install hooks: Windows is not supported yet")
	}
	home := p.env.Home
	if !filepath.IsAbs(home) {
		return refuse("find the home directory: HOME is not set to an absolute path")
	}
	info, err := os.Stat(home)
	if err != nil || !info.IsDir() {
		return refuse("find the home directory: HOME is %s, which is no directory", home)
	}
	if uid, ok := owner(info); ok && p.env.UID == 0 && uid != 0 {
		return refuse("change %s: it is another user's home and this is root; run boathook as that user, without sudo", home)
	}
	if !installing {
		return nil
	}
	return checkExe(p.env.Exe)
}

func checkExe(exe string) error {
	if !filepath.IsAbs(exe) {
		return refuse("find the boathook program: its path is not known")
	}
	for part := range strings.SplitSeq(filepath.ToSlash(exe), "/") {
		if strings.HasPrefix(part, "go-build") {
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
func checkText(what string, paths ...string) error {
	for _, path := range paths {
		if !utf8.ValidString(path) {
			return refuse("use %s %q: it is not valid UTF-8, so that an agent's configuration can't name it", what, path)
		}
	}
	return nil
}

// found is a file as it is now.
type found struct {
	// path is the file behind symbolic links.
	path   string
	exists bool
	data   []byte
	mode   fs.FileMode
}

// read looks at a file that is to be changed. It refuses what isn't a regular file of the user's.
func (p *planner) read(path string) (found, error) {
	link, err := os.Lstat(path)
	if absent(err) {
		return found{path: path}, nil
	}
	if err != nil {
		return found{}, fmt.Errorf("read %s: %w", path, err)
	}
	real := path
	if link.Mode()&fs.ModeSymlink != 0 {
		if real, err = filepath.EvalSymlinks(path); err != nil {
			return found{}, refuse("edit %s: it is a symbolic link to nothing that can be read: %w", path, err)
		}
	}
	info, err := os.Stat(real)
	if err != nil {
		return found{}, fmt.Errorf("read %s: %w", path, err)
	}
	if err := p.editable(path, info); err != nil {
		return found{}, err
	}
	data, err := os.ReadFile(real)
	if err != nil {
		return found{}, fmt.Errorf("read %s: %w", path, err)
	}
	return found{path: real, exists: true, data: data, mode: info.Mode().Perm()}, nil
}

func (p *planner) editable(path string, info fs.FileInfo) error {
	if !info.Mode().IsRegular() {
		return refuse("edit %s: it is not a regular file", path)
	}
	if uid, ok := owner(info); ok && p.env.UID >= 0 && uid != p.env.UID {
		return refuse("edit %s: it belongs to another user (uid %d, and you are %d)", path, uid, p.env.UID)
	}
	if info.Size() > maxFile {
		return refuse("edit %s: it is larger than %d MiB", path, maxFile>>20)
	}
	return nil
}

// absent tells that there is nothing at a path, for want of a directory above it or because a file is in the way.
func absent(err error) bool {
	return errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR)
}

func exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}
