package install

import (
	"bytes"
	"io/fs"
	"path/filepath"
	"slices"

	"github.com/boathook/boathook/internal/confedit"
)

// ownFile is a file that boathook writes as a whole. A user may have edited it all the same; edited says what then.
type ownFile struct {
	path   string
	text   []byte
	perm   fs.FileMode
	edited string
}

// file plans a file of our own, with its directory.
func (p *planner) file(f ownFile) error {
	if err := p.dir(filepath.Dir(f.path), 0o777); err != nil {
		return err
	}
	now, err := p.read(f.path)
	if err != nil {
		return err
	}
	c := Change{Op: Create, Path: now.path, perm: f.perm, after: f.text}
	if now.exists {
		c.Op, c.before, c.perm = Edit, now.data, now.mode
		if c.after, err = merge(now.data, f); err != nil {
			return badFile(f.path, err)
		}
		if bytes.Equal(now.data, c.after) {
			return nil
		}
	}
	p.change(c)
	p.remember(entry{Kind: kindFile, Path: now.path, After: sum(c.after), Mode: uint32(f.perm), Edited: f.edited})
	return nil
}

// merge is the new text with what the user added to the old one.
func merge(now []byte, f ownFile) ([]byte, error) {
	switch f.edited {
	case editedKeep:
		if left, err := extraNames(now); err != nil || len(left) == 0 {
			return f.text, err
		}
		for _, key := range manifestNames {
			value, err := confedit.Member(f.text, key)
			if err != nil {
				return nil, err
			}
			if now, err = confedit.SetMember(now, key, value); err != nil {
				return nil, err
			}
		}
		return now, nil
	case editedHandlers:
		left, err := withoutHandlers(now)
		if err != nil || handlers(left) == 0 {
			return f.text, err
		}
		if sameGroups(now, f.text) {
			return now, nil
		}
		return addGroups(left, f.text)
	}
	return f.text, nil
}

// undoFile removes a file of ours. What a user added to it stays.
func (p *planner) undoFile(e entry, now found) error {
	switch e.Edited {
	case editedKeep:
		left, err := extraNames(now.data)
		if err != nil {
			return badFile(e.Path, err)
		}
		if len(left) > 0 {
			p.note("%s stays: it has entries that boathook did not write; remove it yourself if you don't need it", e.Path)
			return nil
		}
	case editedHandlers:
		left, err := withoutHandlers(now.data)
		if err != nil {
			return badFile(e.Path, err)
		}
		if handlers(left) > 0 {
			p.note("%s stays: it has hooks that boathook did not write", e.Path)
			p.rewrite(now, left)
			return nil
		}
	}
	p.remove(now)
	return nil
}

// manifestNames are what boathook writes into gemini-extension.json.
var manifestNames = []string{"name", "version", "description"}

func extraNames(data []byte) ([]string, error) {
	names, err := confedit.Names(data)
	return slices.DeleteFunc(names, func(n string) bool { return slices.Contains(manifestNames, n) }), err
}
