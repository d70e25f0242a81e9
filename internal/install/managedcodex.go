package install

import (
	"path/filepath"

	"github.com/boathook/boathook/internal/tomledit"
)

// A user can switch Codex's hooks off, the managed ones too (features.hooks = false), unless the administrator's requirements
// say that they are on (0.171.0).

const (
	requirements   = "requirements.toml"
	requiredOn     = "# Hooks stay on, whatever a user's config.toml says. Written by 'boathook install --managed'.\n[features]\nhooks = true\n"
	featuresInTOML = "features"
)

// requireHooks plans requirements of boathook's own. An administrator's stay as they are.
func (p *planner) requireHooks(dir string) error {
	path := filepath.Join(dir, requirements)
	p.sweep(path)
	now, err := p.read(path)
	if err != nil {
		return err
	}
	if !now.exists || string(now.data) == requiredOn {
		return p.own(path, []byte(requiredOn), 0o644)
	}
	tree, err := tomledit.Tree(now.data)
	if err != nil {
		return badTOML(path, err)
	}
	if on, _ := tomledit.Get(tree, featuresInTOML, "hooks"); on != true {
		p.note("%s does not say features.hooks = true: a user can switch Codex's hooks off, the managed ones too", path)
	}
	return nil
}

func (p *planner) unrequireHooks(dir string) error {
	path := filepath.Join(dir, requirements)
	p.sweep(path)
	if _, known := p.old.file(path); !known {
		data, err := readFile(path)
		if err != nil || string(data) != requiredOn {
			return nil
		}
	}
	return p.disown(path, func(data []byte) bool { return string(data) == requiredOn })
}
