package sqlite

import (
	"context"
	"embed"
	"fmt"
	"io/fs"

	"github.com/boathook/boathook/internal/memory"
)

// Each file is one step; SQLite's user_version is the number of steps taken. A file that was released is never changed.
//
//go:embed migrations/*.sql
var migrations embed.FS

// latest is the number of steps that this program knows.
const latest = 1

// migrate brings the tables up to date, in one transaction: several processes may try at once, and one that is killed
// leaves the old version.
func migrate(ctx context.Context, c *conn) error {
	have, _, err := c.number("PRAGMA user_version")
	switch {
	case err != nil || have == latest:
		return err
	case have > latest:
		return newer(have)
	case have == 0:
		// These stay with the file.
		if err := c.db.Exec("PRAGMA auto_vacuum = 2; PRAGMA journal_mode = wal"); err != nil {
			return err
		}
	}
	return c.within(ctx, "BEGIN IMMEDIATE", func() error {
		have, _, err := c.number("PRAGMA user_version") // another process may have been faster
		if err != nil {
			return err
		}
		if have > latest {
			return newer(have)
		}
		steps, err := fs.Glob(migrations, "migrations/*.sql")
		if err != nil {
			return err
		}
		for _, name := range steps[have:] {
			step, err := migrations.ReadFile(name)
			if err != nil {
				return err
			}
			if err := c.db.Exec(string(step)); err != nil {
				return fmt.Errorf("migrate with %s: %w", name, err)
			}
		}
		return c.db.Exec(fmt.Sprintf("PRAGMA user_version = %d", len(steps)))
	})
}

func newer(have int64) error {
	return fmt.Errorf("version %d, this program knows %d: %w", have, latest, memory.ErrNewer)
}

// check is migrate for readers, who leave the tables as they are.
func check(c *conn) error {
	have, _, err := c.number("PRAGMA user_version")
	switch {
	case err != nil:
		return err
	case have > latest:
		return newer(have)
	case have < 1:
		return fmt.Errorf("no tables yet: %w", fs.ErrNotExist)
	case have < latest:
		return memory.ErrOlder
	}
	return nil
}
