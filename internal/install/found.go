package install

import (
	"os"
	"path/filepath"

	"github.com/boathook/boathook/internal/confedit"
)

// What follows finds an install by its marks, for when the manifest is lost.

// marks are those in the places where agents look for everybody's hooks.
func (p *planner) marks() []mark {
	var out []mark
	if data, err := os.ReadFile(filepath.Join(geminiExtension(p.env), markFile)); err == nil {
		if m, ok := readMark(data); ok {
			out = append(out, m)
		}
	}
	if data, err := os.ReadFile(filepath.Join(antigravityDir(p.env), stubName)); err == nil {
		if m, ok := stubOwner(data); ok {
			out = append(out, m)
		}
	}
	return out
}

func foundGemini(p *planner) error {
	dir := geminiExtension(p.env)
	marked := filepath.Join(dir, markFile)
	data, err := os.ReadFile(marked)
	if _, ours := readMark(data); err != nil || !ours || p.goes(marked) {
		return nil
	}
	for _, e := range []entry{
		{Path: filepath.Join(dir, "hooks", "hooks.json"), Edited: editedHandlers},
		{Path: filepath.Join(dir, "gemini-extension.json"), Edited: editedKeep}, {Path: marked},
	} {
		now, err := p.read(e.Path)
		if err != nil {
			return err
		}
		if !now.exists {
			continue
		}
		if err := p.undoFile(e, now); err != nil {
			return err
		}
	}
	p.rmdirs([]string{filepath.Join(dir, "hooks"), dir})
	return nil
}

func foundAntigravity(p *planner) error {
	file, script := filepath.Join(antigravityDir(p.env), "hooks.json"), filepath.Join(antigravityDir(p.env), stubName)
	now, err := p.read(file)
	if err != nil {
		return err
	}
	if _, known := p.old.get(now.path); known {
		return nil
	}
	value, err := confedit.Member(now.data, ownerName)
	if err != nil {
		return nil // Antigravity can't read it either
	}
	if value != nil && antigravityOurs(value) {
		left, err := confedit.RemoveMember(now.data, ownerName)
		if err != nil {
			return badFile(file, err)
		}
		p.rewrite(now, left)
	}
	stub, err := p.read(script)
	if err != nil {
		return err
	}
	if _, ours := stubOwner(stub.data); ours && !p.goes(stub.path) {
		p.remove(stub)
	}
	return nil
}
