package open

import (
	"github.com/boathook/boathook/internal/config"
	"github.com/boathook/boathook/internal/machinekey"
	"github.com/boathook/boathook/internal/memory/project"
	"github.com/boathook/boathook/internal/netfs"
)

// Projects is who says which project a directory is of, by these settings.
func Projects(dataDir string, s config.Settings) (project.Resolver, error) {
	r := project.Resolver{IDs: s.Memory.ProjectIDs, Shared: s.Memory.Provider == Postgres, Stuck: netfs.ReadMounts().Stuck}
	if !r.Shared {
		return r, nil
	}
	key, err := machinekey.Load(dataDir)
	r.Machine = key
	return r, err
}
