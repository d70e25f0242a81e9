package install

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/boathook/boathook/internal/confedit"
)

// member is our entry in a user's JSON file.
type member struct {
	path, key string
	value     []byte
	// replaced are members of others that go while ours is there.
	replaced []string
	// check may refuse the file's content as it is.
	check func(data []byte) error
	// ours tells whether a member of this key is one that boathook wrote.
	ours func(value []byte) bool
}

// member plans an edit that leaves every other byte of the file alone.
func (p *planner) member(m member) error {
	now, err := p.read(m.path)
	if err != nil {
		return err
	}
	if err := m.check(now.data); err != nil {
		return err
	}
	have, err := confedit.Member(now.data, m.key)
	if err != nil {
		return badFile(m.path, err)
	}
	if have != nil && !m.ours(have) {
		return refuse("edit %s: it has a hook %q that boathook did not write; rename or remove it first", m.path, m.key)
	}
	want := now.data
	for _, other := range m.replaced {
		if want, err = confedit.RemoveMember(want, other); err != nil {
			return badFile(m.path, err)
		}
	}
	if want, err = confedit.SetMember(want, m.key, m.value); err != nil {
		return badFile(m.path, err)
	}
	if now.exists && bytes.Equal(want, now.data) {
		return nil
	}
	return p.edit(m, now, want)
}

// edit plans the write, and remembers how to undo it. What is to come back is the file without our member: that is the
// original, as long as nobody else edited the file between two installs.
func (p *planner) edit(m member, now found, want []byte) error {
	if err := p.dir(filepath.Dir(m.path), 0o777); err != nil {
		return err
	}
	e := entry{Kind: kindMember, Path: now.path, Key: m.key, After: sum(want), Mode: uint32(now.mode), Replaced: m.replaced}
	c := Change{Op: Create, Path: now.path, perm: 0o644, after: want}
	if old, ok := p.old.get(now.path); ok && old.Kind == kindMember {
		e.Before, e.Backup = old.Before, old.Backup
		e.Replaced = append(old.Replaced, m.replaced...)
		if len(m.replaced) > 0 || sum(now.data) != old.After {
			base, err := without(now.data, old)
			if err != nil {
				return badFile(m.path, err)
			}
			e.Before, c.original = sum(base), base
			if old.Before == "" && emptied(base) {
				e.Before, c.original = "", nil
			}
		}
	} else if now.exists {
		base, err := confedit.RemoveMember(now.data, m.key) // there only if its manifest was lost
		if err != nil && len(bytes.TrimSpace(now.data)) > 0 {
			return badFile(m.path, err)
		}
		if err != nil {
			base = now.data
		}
		e.Before, c.original = sum(base), base
	}
	if now.exists {
		c.Op, c.before, c.perm = Edit, now.data, now.mode
	}
	if c.original != nil {
		e.Backup = p.backupPath(now.path, c.original)
		c.backup = e.Backup
	}
	p.change(c)
	p.remember(e)
	return nil
}

func (p *planner) backupPath(path string, data []byte) string {
	return filepath.Join(backupDir(p.plan.DataDir), filepath.Base(path)+"."+sum(data)[:16])
}

// without is the file's content without our member, and with those that ours replaced.
func without(data []byte, e entry) ([]byte, error) {
	out, err := confedit.RemoveMember(data, e.Key)
	if err != nil || len(e.Replaced) == 0 {
		return out, err
	}
	backup, err := os.ReadFile(e.Backup)
	if err != nil {
		return nil, fmt.Errorf("read backup %s: %w", e.Backup, err)
	}
	for _, key := range e.Replaced {
		value, err := confedit.Member(backup, key)
		if err != nil {
			return nil, fmt.Errorf("read backup %s: %w", e.Backup, err)
		}
		if value == nil {
			continue
		}
		if out, err = confedit.SetRaw(out, key, value); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// emptied tells that nothing is left in a file but an empty object.
func emptied(data []byte) bool {
	return string(bytes.Join(bytes.Fields(data), nil)) == "{}"
}

// badFile makes an error of one in a user's file that names file, line and column.
func badFile(path string, err error) error {
	var at *confedit.SyntaxError
	if errors.As(err, &at) {
		return refuse("edit %s:%w; mend it first, nothing was changed", path, at)
	}
	return fmt.Errorf("edit %s: %w", path, err)
}
