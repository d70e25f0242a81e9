package config

import "github.com/boathook/boathook/internal/netfs"

// Settle moves the data directory off a network filesystem, where the data cannot be kept, to a place on this machine;
// DataDirMoved says then what the files say. It looks at the disk, and does not wait for one that hangs. The hook does the
// same on its own, after the verdict.
func (s Settings) Settle() Settings {
	if local, moved := netfs.Local(s.Path, s.DataDir); moved {
		s.DataDir, s.DataDirMoved = local, s.DataDir
	}
	return s
}
