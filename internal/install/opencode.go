package install

import opencodehost "github.com/boathook/boathook/internal/host/opencode"

// opencode imports the JavaScript files of ~/.config/opencode/plugin, and of $XDG_CONFIG_HOME instead where that is set. A
// directory that OPENCODE_CONFIG_DIR names is read as well and not instead, so that nothing is put there (1.18.33).
func opencode() agent { return plugins(opencodehost.Host(), "opencode", "opencode", "plugin") }
