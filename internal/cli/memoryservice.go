package cli

import (
	"context"
	"log/slog"

	"github.com/boathook/boathook/internal/config"
	"github.com/boathook/boathook/internal/memory/open"
	"github.com/boathook/boathook/internal/memory/remote"
)

// memoryService is what a worker runs beside itself while memory is PostgreSQL's: boathook-memory, with connections that stay made,
// which hooks and commands reach by the socket in the data directory. What is wrong with the settings the memory's own sink says.
func memoryService(env *Env, dir string, s config.Settings, log *slog.Logger) []func(context.Context) {
	if !s.Memory.Enabled || s.Memory.Provider != open.Postgres {
		return nil
	}
	place, err := open.Place(open.Options{DataDir: dir, Settings: s, Exe: env.Exe})
	if err != nil {
		return nil
	}
	return []func(context.Context){remote.Keeper{Place: place, Log: log}.Run}
}
