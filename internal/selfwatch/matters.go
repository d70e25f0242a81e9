package selfwatch

import (
	"bytes"
	"encoding/json"
	"path/filepath"
	"strings"

	"github.com/boathook/boathook/internal/lenient"
	"github.com/boathook/boathook/internal/tomledit"
)

// matters is what of a file says which hooks run. Agents write into their own settings all the time: what a person chose there beside
// the hooks is none of ours.
func matters(path string, data []byte) []byte {
	switch filepath.Base(path) {
	case "settings.json", "settings.local.json", "opencode.json", "opencode.jsonc":
		if part, ok := ofJSON(data); ok {
			return part
		}
	case "config.toml":
		if filepath.Base(filepath.Dir(path)) == "boathook" {
			return data
		}
		if part, ok := ofTOML(data); ok {
			return part
		}
	}
	return data
}

// ofJSON are the members about hooks, without the blanks.
func ofJSON(data []byte) ([]byte, bool) {
	v := lenient.Parse(data).Value
	if v.Kind() != lenient.Object {
		return nil, false
	}
	var out bytes.Buffer
	for _, name := range []string{"hooks", "hooksConfig", "disableAllHooks", "allowManagedHooksOnly", "plugin"} {
		for _, m := range v.Members().All(name) {
			out.WriteString(name + "=")
			if json.Compact(&out, m.Clean()) != nil {
				return nil, false
			}
			out.WriteByte('\n')
		}
	}
	return out.Bytes(), true
}

// ofTOML are Codex's switches for hooks. That it may run some is noted there when its user says so, which is no change of ours.
func ofTOML(data []byte) ([]byte, bool) {
	tree, err := tomledit.Tree(data)
	if err != nil {
		return nil, false
	}
	kept := map[string]any{}
	for _, name := range []string{"features", "hooks"} {
		table, ok := tree[name].(map[string]any)
		if !ok {
			continue
		}
		for key, value := range table {
			if name == "hooks" && key != "state" || strings.Contains(key, "hooks") {
				kept[name+"."+key] = value
			}
		}
	}
	out, err := json.Marshal(kept)
	return out, err == nil
}
