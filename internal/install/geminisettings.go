package install

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"

	"github.com/tailscale/hujson"
)

// geminiSwitches warns of settings that keep an extension's hooks from running (0.61.0).
func (p *planner) geminiSwitches() {
	path := filepath.Join(geminiDir(p.env), "settings.json")
	data, err := os.ReadFile(path)
	if err != nil || len(data) > maxFile {
		return
	}
	plain, err := hujson.Standardize(data)
	if err != nil {
		return
	}
	var s struct {
		HooksConfig struct {
			Enabled  *bool
			Disabled []string
		}
		Security struct{ AllowedExtensions []string }
	}
	if json.Unmarshal(plain, &s) != nil {
		return
	}
	if s.HooksConfig.Enabled != nil && !*s.HooksConfig.Enabled {
		p.note("%s has hooksConfig.enabled = false: no hook runs until that is gone", path)
	}
	if slices.Contains(s.HooksConfig.Disabled, ownerName) {
		p.note("%s lists boathook in hooksConfig.disabled: its hooks don't run until that is gone", path)
	}
	if len(s.Security.AllowedExtensions) > 0 {
		p.note("%s has security.allowedExtensions: Gemini loads no extension that was put in place by hand", path)
	}
}
