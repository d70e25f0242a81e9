// Package foreign reads files that are not boathook's own: agents' settings, what came with a repository, certificates.
// Whatever stands in their place, reading ends: a device, a FIFO or a directory is an error, and so is what is larger than a
// file of that kind can be. It must not import the rest of boathook.
package foreign

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// Most is how many bytes are read at most.
const Most = 16 << 20

// ErrTooLarge says that a file is larger.
var ErrTooLarge = errors.New("larger than 16 MiB")

// ErrLink says that a project has a symbolic link where a file of it is to be read. Where that leads is not followed: a
// repository must not choose what is read.
var ErrLink = errors.New("a symbolic link in a project, which is not followed")

// Read reads a regular file, also one behind a link: people link their own files.
func Read(path string) ([]byte, error) {
	info, err := os.Stat(path) // to open some devices does something
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, irregular(path)
	}
	f, err := os.OpenFile(path, os.O_RDONLY|nonblock, 0)
	return whole(f, path, nil, err)
}

// ReadIn reads a regular file of a project. Below the project, no part of the path may be a link.
func ReadIn(project, path string) ([]byte, error) {
	root, name, err := open(project, path)
	if err != nil {
		return nil, err
	}
	defer func() { _ = root.Close() }() // nothing is written through it
	info, err := plain(root, name, path)
	if err != nil {
		return nil, err
	}
	f, err := root.OpenFile(name, os.O_RDONLY|nonblock, 0)
	return whole(f, path, info, err)
}

// ChmodIn changes the mode of a regular file of a project, on the same condition.
func ChmodIn(project, path string, mode fs.FileMode) error {
	root, name, err := open(project, path)
	if err != nil {
		return err
	}
	defer func() { _ = root.Close() }() // nothing is written through it
	if _, err := plain(root, name, path); err != nil {
		return err
	}
	return root.Chmod(name, mode)
}

func open(project, path string) (root *os.Root, name string, err error) {
	if name, err = filepath.Rel(project, path); err != nil {
		return nil, "", err
	}
	root, err = os.OpenRoot(project)
	return root, name, err
}

// plain looks at each part of a path. A part that becomes a link afterwards leads nowhere outside: root sees to that.
func plain(root *os.Root, name, path string) (fs.FileInfo, error) {
	var at string
	var info fs.FileInfo
	for part := range strings.SplitSeq(filepath.ToSlash(name), "/") {
		at = filepath.Join(at, part)
		found, err := root.Lstat(at)
		if err != nil {
			return nil, err
		}
		if found.Mode()&fs.ModeSymlink != 0 {
			return nil, &os.PathError{Op: "read", Path: filepath.Join(root.Name(), at), Err: ErrLink}
		}
		info = found
	}
	if !info.Mode().IsRegular() {
		return nil, irregular(path)
	}
	return info, nil
}

// whole reads what was opened, if it is what was looked at.
func whole(f *os.File, path string, looked fs.FileInfo, err error) ([]byte, error) {
	if err != nil {
		return nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() || looked != nil && !os.SameFile(looked, info) {
		return nil, irregular(path)
	}
	data, err := io.ReadAll(io.LimitReader(f, Most+1))
	if err == nil && len(data) > Most {
		return nil, &os.PathError{Op: "read", Path: path, Err: ErrTooLarge}
	}
	return data, err
}

var errIrregular = errors.New("not a regular file")

func irregular(path string) error { return &os.PathError{Op: "read", Path: path, Err: errIrregular} }
