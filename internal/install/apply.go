package install

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"github.com/boathook/boathook/internal/atomicfile"
)

// run makes changes in order. If one fails, it and those before are taken back, last first, unless data are gone already.
func run(changes []Change) error {
	var undo []func() error
	for _, c := range changes {
		final := c.Op == RemoveData || c.Op == Forget
		if final {
			undo = nil
		}
		back := c.undo()
		if err := c.do(); err != nil {
			err = fmt.Errorf("%w%s", err, cure(err))
			if final {
				return fmt.Errorf("%w; the hooks are out already, and the next 'boathook uninstall --purge' does the rest", err)
			}
			return rollBack(err, append(undo, back))
		}
		undo = append(undo, back)
	}
	return nil
}

func rollBack(cause error, undo []func() error) error {
	var left []error
	for i := len(undo) - 1; i >= 0; i-- {
		if err := undo[i](); err != nil && !errors.Is(err, fs.ErrNotExist) {
			left = append(left, err)
		}
	}
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
	case errors.Is(err, syscall.EXDEV):
		return ": move it out of the way yourself, or pass --keep-pinta"
	case errors.Is(err, syscall.EBUSY):
		return ": it is mounted by itself, into a container say; mount its directory instead"
	case errors.Is(err, syscall.EPERM):
		return ": it is marked as not to be changed (lsattr, on macOS ls -lO, shows that), or a rule of the system forbids it; mend that and run this again"
	case errors.Is(err, fs.ErrPermission):
		return ": make the directory writable for you and run this again"
	}
	return ""
}

func (c Change) do() error {
	switch c.Op {
	case Mkdir:
		create := mkdir
		if c.exact {
			create = mkdirExactly
		}
		if err := create(c.Path, c.perm); err != nil && !errors.Is(err, fs.ErrExist) {
			return fmt.Errorf("create directory: %w", err)
		}
		return nil
	case Create, Edit:
		if err := c.unchanged(); err != nil {
			return err
		}
		err := atomicfile.WriteSync(c.Path, c.after, c.perm)
		if err == nil && c.exact && c.Op == Create {
			err = os.Chmod(c.Path, c.perm)
		}
		return err
	case Remove:
		return c.remove()
	case Rmdir:
		if err := os.Remove(c.Path); errors.Is(err, syscall.EIO) {
			return err
		}
		return nil // one that is not empty, or that can't go, stays
	case Move:
		if exists(c.To) {
			return fmt.Errorf("move to %s: something is there; run it again", c.To)
		}
		return os.Rename(c.Path, c.To)
	case Remember:
		return writeState(c.Path, c.after, c.backups)
	case RemoveData:
		return removeData(c.Path)
	case Forget:
		return removeState(c.Path, c.dirs)
	}
	return fmt.Errorf("change %s: unknown operation %q", c.Path, c.Op)
}

// undo says how to take a change back. It is asked before the change is made, and the answer does nothing where the
// change was not made.
func (c Change) undo() func() error {
	info, err := os.Lstat(c.Path)
	here := err == nil
	return func() error {
		switch c.Op {
		case Mkdir:
			if !here {
				return os.Remove(c.Path)
			}
		case Create, Edit:
			if now, err := readFile(c.Path); err != nil || !bytes.Equal(now, c.after) {
				return nil
			}
			return c.restore()
		case Remove:
			if !exists(c.Path) {
				return c.restore()
			}
		case Rmdir:
			if here && !exists(c.Path) {
				return mkdirExactly(c.Path, info.Mode().Perm())
			}
		case Move:
			if here && !exists(c.Path) {
				return os.Rename(c.To, c.Path)
			}
		case Remember:
			if c.before != nil {
				return atomicfile.Write(filepath.Join(c.Path, manifestName), c.before, 0o600)
			}
			var next manifest
			_ = json.Unmarshal(c.after, &next) // remember wrote it
			return removeState(c.Path, next.Dirs)
		}
		return nil
	}
}

// restore brings back the bytes that were there before, without waiting for the disk: it may be the disk that fails.
func (c Change) restore() error {
	if c.before == nil {
		return os.Remove(c.Path)
	}
	there := exists(c.Path)
	if err := atomicfile.Write(c.Path, c.before, c.perm); err != nil || there {
		return err
	}
	if c.link != "" && !exists(c.link) {
		_ = os.Symlink(c.Path, c.link)
	}
	return os.Chmod(c.Path, c.perm)
}

func (c Change) remove() error {
	if err := c.unchanged(); err != nil {
		return err
	}
	if err := os.Remove(c.Path); err != nil {
		return err
	}
	if c.link != "" {
		return os.Remove(c.link)
	}
	return nil
}

// unchanged makes sure that nobody edited the file after the plan was shown.
func (c Change) unchanged() error {
	data, err := readFile(c.Path)
	switch {
	case absent(err) && c.before == nil:
		return nil
	case err != nil:
		return fmt.Errorf("read again: %w", err)
	case c.before == nil || !bytes.Equal(data, c.before):
		return fmt.Errorf("write %s: it changed while this was running; run it again", c.Path)
	}
	return nil
}

// mkdir makes a directory that its owner can use and nobody else write to, whatever the umask.
func mkdir(path string, perm fs.FileMode) error {
	if err := os.Mkdir(path, perm); err != nil {
		return err
	}
	info, err := os.Stat(path)
	if err != nil || info.Mode().Perm()&0o700 == 0o700 {
		return err
	}
	return os.Chmod(path, info.Mode().Perm()|0o700)
}

func mkdirExactly(path string, perm fs.FileMode) error {
	if err := os.Mkdir(path, perm); err != nil {
		return err
	}
	return os.Chmod(path, perm)
}

// isTemp tells a name that atomicfile gives a file while it is written.
func isTemp(name string) bool {
	return strings.HasPrefix(name, ".") && strings.Contains(name, atomicfile.TempMark) && strings.HasSuffix(name, ".tmp")
}
