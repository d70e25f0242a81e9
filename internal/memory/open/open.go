// Package open opens the memory that the settings name: SQLite's file in this process, PostgreSQL through boathook-memory.
package open

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"

	"github.com/boathook/boathook/internal/config"
	"github.com/boathook/boathook/internal/memory"
	"github.com/boathook/boathook/internal/memory/remote"
	"github.com/boathook/boathook/internal/memory/sqlite"
)

// The names of memory.provider.
const (
	SQLite   = "sqlite"
	Postgres = "postgres"
)

// Options say which memory is meant, and what for.
type Options struct {
	DataDir  string
	Settings config.Settings
	// Exe is this program; boathook-memory is looked for beside it.
	Exe string
	// ReadOnly has every call fail that would change a row, with memory.ErrDenied. It makes no file: where there is none yet the error
	// is fs.ErrNotExist.
	ReadOnly bool
}

// Store opens it. Whether memory is enabled is not asked here. An error that is memory.ErrUnavailable may pass by itself; others are
// of the settings, which they name.
func Store(ctx context.Context, o Options) (memory.Store, error) {
	m := o.Settings.Memory
	switch m.Provider {
	case "", SQLite:
		path := filepath.Join(o.DataDir, sqlite.FileName)
		if o.ReadOnly {
			return opened(sqlite.OpenReadOnly(ctx, path))
		}
		return opened(sqlite.Open(ctx, path))
	case Postgres:
		place, err := Place(o)
		if err != nil {
			return nil, err
		}
		return opened(remote.Dial(ctx, place))
	}
	return nil, fmt.Errorf("open memory: memory.provider is %.40q, and must be %s or %s", m.Provider, SQLite, Postgres)
}

// opened keeps a nil pointer from becoming a Store that is not nil.
func opened[S memory.Store](s S, err error) (memory.Store, error) {
	if err != nil {
		return nil, err
	}
	return s, nil
}

// Place is where a service for PostgreSQL is found.
func Place(o Options) (remote.Place, error) {
	m := o.Settings.Memory
	if m.DSN == "" {
		return remote.Place{}, noDSN(m)
	}
	return remote.Place{
		DataDir: o.DataDir, Exe: o.Exe, ReadOnly: o.ReadOnly, Settings: remote.Settings{DSN: m.DSN, Tenant: m.Tenant},
	}, nil
}

func noDSN(m config.Memory) error {
	if m.DSNEnv == "" {
		return errors.New("open memory: memory.provider is postgres, and memory.connectionStringEnv names no variable; " +
			"let it name the one that has the connection string, and set that in boathook.env beside the config")
	}
	return fmt.Errorf("open memory: memory.provider is postgres, and %s, which memory.connectionStringEnv names, is not set; "+
		"set it in boathook.env beside the config: %s=postgres://USER:PASSWORD@HOST/DATABASE", m.DSNEnv, m.DSNEnv)
}
