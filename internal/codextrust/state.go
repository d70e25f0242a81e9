package codextrust

import "github.com/boathook/boathook/internal/tomledit"

// State is what Codex makes of a hook.
type State string

// The states. Codex runs only what is trusted, and of the others says nothing to who runs 'codex exec'.
const (
	Untrusted State = "untrusted"
	Modified  State = "modified"
	Disabled  State = "disabled"
	Trusted   State = "trusted"
)

// Path leads to a hook's hash in config.toml.
func Path(key string) []string { return []string{"hooks", "state", key, "trusted_hash"} }

// StateOf reads a hook's state out of a config.toml's values.
func StateOf(config map[string]any, h Hook) State {
	enabled, _ := tomledit.Get(config, "hooks", "state", h.Key, "enabled")
	hash, there := tomledit.Get(config, Path(h.Key)...)
	switch {
	case enabled == false:
		return Disabled
	case !there:
		return Untrusted
	case hash != h.Hash:
		return Modified
	}
	return Trusted
}

// HooksOff tells that a config.toml switches all hooks off.
func HooksOff(config map[string]any) bool {
	for _, name := range []string{"hooks", "codex_hooks"} { // the second is the older name
		if on, there := tomledit.Get(config, "features", name); there {
			return on == false
		}
	}
	return false
}
