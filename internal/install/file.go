package install

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/boathook/boathook/internal/confedit"
)

// own plans a file that is boathook's as a whole. One that was edited is kept in the backups.
func (p *planner) own(path string, text []byte, perm fs.FileMode) error {
	if err := p.dir(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	now, err := p.read(path)
	if err != nil {
		return err
	}
	known := p.aside(path, now, text)
	p.next.put(known, sum(text))
	p.write(now, text, perm, "")
	return nil
}

// write plans that a file has these bytes; perm is for one that is not there yet.
func (p *planner) write(now found, text []byte, perm fs.FileMode, why string) {
	switch {
	case !now.exists:
		p.change(Change{Op: Create, Path: now.path, perm: perm, after: text, Why: why})
	case !bytes.Equal(now.data, text):
		p.change(Change{Op: Edit, Path: now.path, perm: now.mode, before: now.data, after: text, Why: why})
	}
}

// aside keeps what somebody made of a file of boathook's.
func (p *planner) aside(path string, now found, text []byte) file {
	known, ok := p.old.file(path)
	if !now.exists || !ok || slices.Contains(known.After, sum(now.data)) || bytes.Equal(now.data, text) {
		return known
	}
	if p.undoing && p.req.Purge {
		p.note("%s was edited since boathook wrote it: it goes with the edits", path)
		return known
	}
	p.note("%s was edited since boathook wrote it: the edited one is kept in %s", path, p.backup(path, now.data))
	return known
}

// disown plans the removal of a file that is boathook's as a whole. ours recognises one that the manifest doesn't know.
func (p *planner) disown(path string, ours func(data []byte) bool) error {
	now, err := p.read(path)
	if err != nil {
		return err
	}
	known, _ := p.old.file(path)
	switch {
	case now.exists && !ours(now.data) && !slices.Contains(known.After, sum(now.data)):
		p.note("%s stays: boathook did not write it", path)
	case now.exists:
		p.aside(path, now, nil)
		p.remove(now)
	}
	p.next.drop(path)
	return nil
}

func (p *planner) remove(now found) {
	p.change(Change{Op: Remove, Path: now.path, link: now.link, before: now.data, perm: now.mode})
}

func (p *planner) rewrite(now found, data []byte) {
	if !bytes.Equal(now.data, data) {
		p.change(Change{Op: Edit, Path: now.path, before: now.data, after: data, perm: now.mode})
	}
}

// sweep plans the removal of what a killed process left beside a file of ours.
func (p *planner) sweep(path string) {
	dir, base := filepath.Split(resolved(path))
	entries, err := os.ReadDir(dir)
	if err != nil {
		return
	}
	for _, e := range entries {
		name := e.Name()
		if e.Type().IsRegular() && isTemp(name) && len(name) > len(base) && name[1:1+len(base)] == base {
			if now, err := p.read(filepath.Join(dir, name)); err == nil {
				p.remove(now)
			}
		}
	}
}

// emptied tells that nothing is left in a file but an empty object.
func emptied(data []byte) bool {
	return string(bytes.Join(bytes.Fields(data), nil)) == "{}"
}

// badFile makes an error of one in a user's file that names file, line and column.
func badFile(path string, err error) error {
	var at *confedit.SyntaxError
	if errors.As(err, &at) {
		return refuse("edit %s:%w; mend it first, nothing in it was changed", path, at)
	}
	return fmt.Errorf("edit %s: %w", path, err)
}
