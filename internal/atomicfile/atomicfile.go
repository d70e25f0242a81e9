// Package atomicfile replaces a file's content in one step: a reader sees the old content or the new, never a part, and a
// failure leaves the old. Installers and settings use it. It must not import the rest of boathook.
package atomicfile

import (
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
)

// maxLinks bounds a chain of symbolic links, as the kernel does.
const maxLinks = 40

// Write replaces path's content with data. A symbolic link stays one: what it points to is replaced. An existing file
// keeps its mode and owner; a new one gets perm, less the umask. The content survives a crash of the process, not a loss
// of power.
func Write(path string, data []byte, perm os.FileMode) error {
	return write(path, data, perm, false)
}

// WriteSync is Write that returns only when the content would survive a loss of power.
func WriteSync(path string, data []byte, perm os.FileMode) error {
	return write(path, data, perm, true)
}

func write(path string, data []byte, perm os.FileMode, sync bool) error {
	target, err := resolve(path)
	if err != nil {
		return fmt.Errorf("write file %s: %w", path, err)
	}
	if err := replace(target, data, perm, sync); err != nil {
		return fmt.Errorf("write file %s: %w", path, err)
	}
	return nil
}

func replace(target string, data []byte, perm os.FileMode, sync bool) (err error) {
	old, err := os.Stat(target)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		old = nil
	case err != nil:
		return err
	case !old.Mode().IsRegular():
		return fmt.Errorf("not a regular file (%s)", old.Mode().Type())
	}
	f, err := createBeside(target, perm)
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			_ = f.Close()
			_ = os.Remove(f.Name())
		}
	}()
	if old != nil {
		if err := keep(f, target, old); err != nil {
			return err
		}
	}
	if err := fill(f, data, sync); err != nil {
		return err
	}
	if err := f.Close(); err != nil {
		return err
	}
	if err := Rename(f.Name(), target); err != nil {
		return err
	}
	if sync {
		return SyncDir(filepath.Dir(target))
	}
	return nil
}

// keep gives f what old has, the file at target that it is going to replace: owner, group, attributes and mode. Where the
// group or an access list can't be kept, the group gets no more than everybody.
func keep(f *os.File, target string, old fs.FileInfo) error {
	perm := old.Mode().Perm()
	sameGroup := keepOwner(f, old)
	if !keepAttributes(target, f.Name()) || !sameGroup {
		perm &= 0o707 | perm&0o007<<3
	}
	return f.Chmod(perm)
}

// fill writes data.
func fill(f *os.File, data []byte, sync bool) error {
	if _, err := f.Write(data); err != nil {
		return err
	}
	if sync {
		return f.Sync()
	}
	return nil
}

// TempMark is in the name of every file that is being written: ".NAME" + TempMark + "XXXXXXXX.tmp". What a killed process
// leaves is known by it.
const TempMark = ".boathook-"

// usable makes sure that the owner can use what perm says, whatever the umask.
func usable(f *os.File, err error, perm os.FileMode) error {
	if err != nil {
		return err
	}
	info, err := f.Stat()
	if err == nil && info.Mode()&perm&0o700 != perm&0o700 {
		err = f.Chmod(info.Mode().Perm() | perm&0o700)
	}
	return err
}

// createBeside makes a new file in target's directory, so that the rename stays within one file system.
func createBeside(target string, perm os.FileMode) (*os.File, error) {
	dir, base := filepath.Split(target)
	for range 100 {
		name := fmt.Sprintf("%s.%s%s%08x.tmp", dir, base, TempMark, rand.Uint32())
		f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, perm)
		if !errors.Is(err, fs.ErrExist) {
			return f, usable(f, err, perm)
		}
	}
	return nil, fmt.Errorf("no free temporary name beside %s", target)
}

// resolve follows symbolic links from path to the file that a write should replace. That file need not exist.
func resolve(path string) (string, error) {
	for range maxLinks {
		fi, err := os.Lstat(path)
		if errors.Is(err, fs.ErrNotExist) {
			return path, nil
		}
		if err != nil {
			return "", err
		}
		if fi.Mode()&fs.ModeSymlink == 0 {
			return path, nil
		}
		if path, err = follow(path); err != nil {
			return "", err
		}
	}
	return "", errors.New("too many symbolic links")
}

// follow is one step along the link at path. The directory is resolved first, since ".." in a link's text counts from
// where the link really is.
func follow(path string) (string, error) {
	text, err := os.Readlink(path)
	if err != nil || filepath.IsAbs(text) {
		return text, err
	}
	dir, err := filepath.EvalSymlinks(filepath.Dir(path))
	if err != nil {
		return "", err
	}
	return filepath.Join(dir, text), nil
}
