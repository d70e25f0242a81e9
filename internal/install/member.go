package install

import (
	"bytes"
	"maps"
	"path/filepath"
	"slices"

	"github.com/boathook/boathook/internal/confedit"
)

// member is boathook's entry in a user's JSON file.
type member struct {
	path, key string
	// ours recognises a command of boathook's.
	ours func(command string) bool
}

// set plans an edit that leaves every other byte of the file alone. replaced are members of others that go while ours is
// there.
func (p *planner) set(m member, value []byte, replaced []string) error {
	now, err := p.read(m.path)
	if err != nil {
		return err
	}
	if err := m.free(now.data); err != nil {
		return err
	}
	want, taken, err := m.edited(now.data, value, replaced)
	if err != nil {
		return badFile(m.path, err)
	}
	if err := p.dir(filepath.Dir(m.path), 0o755); err != nil {
		return err
	}
	known, ok := p.old.file(m.path)
	if !ok || !slices.Contains(known.After, sum(now.data)) || len(taken) > 0 {
		if known, err = p.original(m, now, known, ok); err != nil {
			return badFile(m.path, err)
		}
	}
	for key, text := range taken {
		if known.Replaced == nil {
			known.Replaced = map[string]string{}
		}
		known.Replaced[key] = text
	}
	p.next.put(known, sum(want))
	p.write(now, want, 0o644, "")
	return nil
}

// free refuses a member of our name that is not ours alone.
func (m member) free(data []byte) error {
	have, err := confedit.Member(data, m.key)
	if err != nil {
		return badFile(m.path, err)
	}
	switch ours, others := m.count(have); {
	case ours > 0 && others > 0:
		return refuse("edit %s: the hook %q is boathook's, and has commands that boathook did not write; move them to a hook of their own first", m.path, m.key)
	case others > 0:
		return refuse("edit %s: it has a hook %q that boathook did not write; rename or remove it first", m.path, m.key)
	}
	return nil
}

// edited is the file with our member, and the texts of those that it replaces.
func (m member) edited(data, value []byte, replaced []string) (out []byte, taken map[string]string, err error) {
	taken, out = map[string]string{}, data
	for _, key := range replaced {
		text, err := confedit.Member(data, key)
		if err != nil {
			return nil, nil, err
		}
		taken[key] = string(text)
		if out, err = confedit.RemoveMember(out, key); err != nil {
			return nil, nil, err
		}
	}
	out, err = confedit.SetMember(out, m.key, value)
	return out, taken, err
}

// original keeps what the file is to be after an uninstall: what it is now, without our member, and with what an earlier
// install replaced. Where nobody but boathook edited it since, that is known already.
func (p *planner) original(m member, now found, known file, ok bool) (file, error) {
	if !now.exists {
		return file{Path: m.path, Replaced: known.Replaced}, nil
	}
	base, _, err := p.without(m, now.data, known.Replaced)
	if err != nil {
		return known, err
	}
	next := file{Path: m.path, Before: sum(base), Replaced: known.Replaced}
	if ok && known.Before == "" && emptied(base) {
		next.Before = ""
		return next, nil
	}
	p.backup(m.path, base)
	return next, nil
}

// without takes our handlers out, wherever they are, and puts back what ours replaced, where it is not there again. left
// says that handlers of others are in our member.
func (p *planner) without(m member, data []byte, replaced map[string]string) (out []byte, left bool, err error) {
	out = data
	value, err := confedit.Member(data, m.key)
	if err != nil {
		return nil, false, err
	}
	ours, others := m.count(value)
	if ours > 0 && others == 0 {
		if out, err = confedit.RemoveMember(out, m.key); err != nil {
			return nil, false, err
		}
	}
	if n, _ := m.count(out); n > 0 {
		if out, err = m.withoutHandlers(out); err != nil {
			return nil, false, err
		}
	}
	for _, key := range slices.Sorted(maps.Keys(replaced)) {
		again, err := confedit.Member(out, key)
		if err != nil {
			return nil, false, err
		}
		if again != nil {
			continue
		}
		if out, err = confedit.SetRaw(out, key, []byte(replaced[key])); err != nil {
			return nil, false, err
		}
	}
	return out, others > 0, nil
}

// unset plans to take our member out: the original bytes come back where nobody edited the file since.
func (p *planner) unset(m member) error {
	now, err := p.read(m.path)
	if err != nil {
		return err
	}
	known, ok := p.old.file(m.path)
	p.next.drop(m.path)
	if !now.exists || ok && p.unedited(now, known) {
		return nil
	}
	left, others, err := p.without(m, now.data, known.Replaced)
	switch {
	case err != nil && !bytes.Contains(now.data, []byte(stubName)):
		return nil // no member of ours can be in it
	case err != nil:
		return badFile(m.path, err)
	case ok && known.Before == "" && emptied(left):
		p.remove(now)
		return nil
	case others:
		p.note("%s: the hook %q stays: it has commands that boathook did not write", m.path, m.key)
	}
	p.again(m, now, known)
	p.rewrite(now, left)
	return nil
}

// unedited plans to bring back the original bytes where nobody but boathook wrote a file since. It says whether it did.
func (p *planner) unedited(now found, known file) bool {
	if !slices.Contains(known.After, sum(now.data)) {
		return false
	}
	if known.Before == "" {
		p.remove(now)
		return true
	}
	backup := p.backupPath(backupName(known.Path, known.Before))
	if original, err := readFile(backup); err == nil && sum(original) == known.Before {
		p.rewrite(now, original)
		return true
	}
	p.note("the backup %s is gone: only boathook's entries in %s are taken out", backup, known.Path)
	return false
}

// again says that the user put back what boathook had replaced.
func (p *planner) again(m member, now found, known file) {
	for key, text := range known.Replaced {
		if have, err := confedit.Member(now.data, key); err == nil && have != nil && string(have) != text {
			kept := "goes with the backups"
			if !p.req.Purge {
				kept = "is kept in " + p.backup(m.path+"."+key, []byte(text))
			}
			p.note("%s has a hook %q again, which stays; the one that boathook replaced %s", m.path, key, kept)
		}
	}
}
