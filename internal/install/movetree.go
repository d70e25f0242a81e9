package install

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
)

// moveTree moves a directory, to another file system too. Modes, times and symbolic links stay what they are.
func moveTree(from, to string) error {
	err := os.Rename(from, to)
	if !errors.Is(err, syscall.EXDEV) {
		if err != nil {
			return fmt.Errorf("move directory: %w", err)
		}
		return nil
	}
	if err := copyTree(from, to); err != nil {
		_ = os.RemoveAll(to)
		return fmt.Errorf("move directory %s: %w", from, err)
	}
	if err := os.RemoveAll(from); err != nil {
		return fmt.Errorf("move directory %s: %w", from, err)
	}
	return nil
}

func copyTree(from, to string) error {
	info, err := os.Lstat(from)
	if err != nil {
		return err
	}
	switch {
	case info.Mode()&fs.ModeSymlink != 0:
		text, err := os.Readlink(from)
		if err != nil {
			return err
		}
		return os.Symlink(text, to)
	case info.IsDir():
		err = copyDir(from, to)
	case info.Mode().IsRegular():
		err = copyFile(from, to)
	default:
		return fmt.Errorf("%s is neither a file nor a directory", from)
	}
	if err != nil {
		return err
	}
	if err := os.Chmod(to, info.Mode().Perm()); err != nil {
		return err
	}
	return os.Chtimes(to, info.ModTime(), info.ModTime())
}

func copyDir(from, to string) error {
	if err := os.Mkdir(to, 0o700); err != nil {
		return err
	}
	entries, err := os.ReadDir(from)
	if err != nil {
		return err
	}
	for _, e := range entries {
		if err := copyTree(filepath.Join(from, e.Name()), filepath.Join(to, e.Name())); err != nil {
			return err
		}
	}
	return nil
}

func copyFile(from, to string) error {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	if _, err := io.Copy(out, in); err != nil {
		_ = out.Close()
		return err
	}
	return out.Close()
}
