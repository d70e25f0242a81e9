package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/boathook/boathook/internal/memory/postgres"
	"github.com/boathook/boathook/internal/memory/remote"
)

// maxSettings bounds what is read of stdin.
const maxSettings = 64 << 10

// migrated is what a migration came to, as JSON on stdout: boathook prints it.
type migrated struct {
	Have int `json:"have"`
	Want int `json:"want"`
	// Done says that the tables are as they should be now.
	Done bool `json:"done"`
}

// migrate brings PostgreSQL's tables up to date; with --dry-run it only says what there is to do. The settings come on stdin, so that
// no other process sees the connection string.
func migrate(ctx context.Context, e env, args []string) int {
	dry := len(args) == 1 && args[0] == "--dry-run"
	if len(args) > 0 && !dry {
		return e.misused("migrate takes --dry-run alone; 'boathook memory migrate' starts it")
	}
	if e.typed {
		return e.misused("migrate is started by 'boathook memory migrate', which tells it the connection on stdin")
	}
	var s remote.Settings
	if err := json.NewDecoder(io.LimitReader(e.stdin, maxSettings)).Decode(&s); err != nil {
		return e.failed(errors.New("read the settings on stdin: they are no JSON"))
	}
	out, err := migrateTables(ctx, s, dry)
	if err != nil {
		return e.failed(errors.New(hide(s, err.Error())))
	}
	text, _ := json.Marshal(out) // numbers alone
	fmt.Fprintf(e.stdout, "%s\n", text)
	return exitOK
}

func migrateTables(ctx context.Context, s remote.Settings, dry bool) (out migrated, err error) {
	store, err := postgres.Open(ctx, postgres.Options{DSN: s.DSN, Tenant: s.Tenant})
	if err != nil {
		return out, err
	}
	defer func() { _ = store.Close() }() // what it did is committed
	if out.Have, out.Want, err = store.Version(ctx); err != nil || dry {
		out.Done = err == nil && out.Have == out.Want
		return out, err
	}
	if err = store.Migrate(ctx); err != nil {
		return out, err
	}
	out.Done = true
	return out, nil
}
