package install

import (
	"bytes"
	"os"
	"path/filepath"
)

// undo plans the inverse of one entry of the manifest.
func (p *planner) undo(e entry) error {
	if e.Kind == kindTree {
		return p.undoMove(e)
	}
	now, err := p.read(e.Path)
	if err != nil {
		return err
	}
	if !now.exists {
		return nil
	}
	if e.Kind == kindMember {
		return p.undoMember(e, now)
	}
	return p.undoFile(e, now)
}

// undoMove brings back a directory that install moved away.
func (p *planner) undoMove(e entry) error {
	if !exists(e.Backup) {
		p.note("%s can't be brought back: its backup %s is gone", e.Path, e.Backup)
		return nil
	}
	if exists(e.Path) {
		p.note("%s is there again; the one that was replaced stays in %s", e.Path, e.Backup)
		return nil
	}
	if err := p.dir(filepath.Dir(e.Path), 0o777); err != nil {
		return err
	}
	p.change(Change{Op: Move, Path: e.Backup, To: e.Path, Why: "comes back to where it was"})
	return nil
}

// undoMember restores the original bytes where nobody edited the file since, else it takes out only our member.
func (p *planner) undoMember(e entry, now found) error {
	if sum(now.data) == e.After {
		if e.Before == "" {
			p.remove(now)
			return nil
		}
		if original, err := os.ReadFile(e.Backup); err == nil && sum(original) == e.Before {
			p.rewrite(now, original)
			return nil
		}
	}
	left, err := without(now.data, e)
	if err != nil {
		return badFile(e.Path, err)
	}
	if e.Before == "" && emptied(left) {
		p.remove(now)
		return nil
	}
	p.rewrite(now, left)
	return nil
}

func (p *planner) remove(now found) {
	p.change(Change{Op: Remove, Path: now.path, before: now.data, perm: now.mode})
}

func (p *planner) rewrite(now found, data []byte) {
	if !bytes.Equal(now.data, data) {
		p.change(Change{Op: Edit, Path: now.path, before: now.data, after: data, perm: now.mode})
	}
}
