package install

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"syscall"

	"github.com/boathook/boathook/internal/atomicfile"
)

// run makes changes in order and returns how to take them back, last first, even when one fails.
func run(changes []Change) (undo []func() error, err error) {
	for _, c := range changes {
		back, err := c.do()
		if back != nil {
			undo = append(undo, back)
		}
		if err != nil {
			return undo, err
		}
	}
	return undo, nil
}

func rollBack(cause error, undo []func() error) error {
	var left []error
	for i := len(undo) - 1; i >= 0; i-- {
		if err := undo[i](); err != nil && !errors.Is(err, fs.ErrNotExist) {
			left = append(left, err)
		}
	}
	cause = fmt.Errorf("%w%s", cause, cure(cause))
	if len(left) > 0 {
		return fmt.Errorf("%w; and taking back what was done failed: %w", cause, errors.Join(left...))
	}
	return fmt.Errorf("%w; what was done before was taken back", cause)
}

// cure says what helps against an error of the system.
func cure(err error) string {
	switch {
	case errors.Is(err, syscall.ENOSPC), errors.Is(err, syscall.EDQUOT):
		return ": free some disk space and run this again"
	case errors.Is(err, syscall.EROFS):
		return ": the file system is read-only; mount it writable, or point HOME elsewhere"
	case errors.Is(err, fs.ErrPermission):
		return ": make the directory writable for you and run this again"
	}
	return ""
}

// do makes one change and returns how to take it back.
func (c Change) do() (undo func() error, err error) {
	switch c.Op {
	case Mkdir:
		return c.mkdir()
	case Create, Edit:
		return c.write()
	case Remove:
		if err := c.unchanged(); err != nil {
			return nil, err
		}
		return func() error { return restore(c.Path, c.before, c.perm) }, os.Remove(c.Path)
	case Rmdir:
		return c.rmdir()
	case Move:
		return func() error { return moveTree(c.To, c.Path) }, moveTree(c.Path, c.To)
	case RemoveTree:
		return nil, os.RemoveAll(c.Path)
	}
	return nil, fmt.Errorf("change %s: unknown operation %q", c.Path, c.Op)
}

func (c Change) mkdir() (func() error, error) {
	err := os.Mkdir(c.Path, c.perm)
	if errors.Is(err, fs.ErrExist) {
		return nil, nil // made to hold the lock, or by somebody else meanwhile
	}
	if err != nil {
		return nil, fmt.Errorf("create directory: %w", err)
	}
	return func() error { return os.Remove(c.Path) }, nil
}

func (c Change) rmdir() (func() error, error) {
	info, err := os.Lstat(c.Path)
	if err != nil || os.Remove(c.Path) != nil {
		return nil, nil // gone, or not empty
	}
	return func() error { return mkdirExactly(c.Path, info.Mode().Perm()) }, nil
}

func mkdirExactly(path string, perm fs.FileMode) error {
	if err := os.Mkdir(path, perm); err != nil {
		return err
	}
	return os.Chmod(path, perm)
}

func (c Change) write() (func() error, error) {
	if err := c.unchanged(); err != nil {
		return nil, err
	}
	unbackup := func() error { return nil }
	if c.backup != "" && !exists(c.backup) {
		if err := atomicfile.WriteSync(c.backup, c.original, 0o600); err != nil {
			return nil, err
		}
		unbackup = func() error { return os.Remove(c.backup) }
	}
	if err := atomicfile.WriteSync(c.Path, c.after, c.perm); err != nil {
		return unbackup, err
	}
	return func() error {
		if c.before == nil {
			return errors.Join(os.Remove(c.Path), unbackup())
		}
		return errors.Join(restore(c.Path, c.before, c.perm), unbackup())
	}, nil
}

// unchanged makes sure that nobody edited the file after the plan was shown.
func (c Change) unchanged() error {
	data, err := os.ReadFile(c.Path)
	switch {
	case errors.Is(err, fs.ErrNotExist) && c.before == nil:
		return nil
	case err != nil:
		return fmt.Errorf("read again: %w", err)
	case c.before == nil || !bytes.Equal(data, c.before):
		return fmt.Errorf("write %s: it changed while this was running; run it again", c.Path)
	}
	return nil
}

func restore(path string, data []byte, perm fs.FileMode) error {
	if exists(path) {
		return atomicfile.WriteSync(path, data, perm)
	}
	if err := atomicfile.WriteSync(path, data, perm); err != nil {
		return err
	}
	return os.Chmod(path, perm)
}
