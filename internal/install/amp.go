package install

import amphost "github.com/boathook/boathook/internal/host/amp"

// Amp runs the TypeScript files of ~/.config/amp/plugins, and of $XDG_CONFIG_HOME instead where that is set, in a process
// beside it (0.0.1790142911-g7618fb).
func amp() agent { return plugins(amphost.Host(), "amp", "amp", "plugins") }
