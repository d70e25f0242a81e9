package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/boathook/boathook/internal/config"
	"github.com/boathook/boathook/internal/memory"
	"github.com/boathook/boathook/internal/memory/open"
	"github.com/boathook/boathook/internal/memory/remote"
	"github.com/boathook/boathook/internal/memory/sqlite"
	"github.com/boathook/boathook/internal/ownfile"
	"github.com/boathook/boathook/internal/wake"
)

// migration is what a migration came to, or would.
type migration struct {
	Backend string `json:"backend"`
	Have    int    `json:"have"`
	Want    int    `json:"want"`
	Done    bool   `json:"done"`
	DryRun  bool   `json:"dry_run,omitempty"`
}

func newMemoryMigrate(env *Env) *cobra.Command {
	var p place
	var dryRun, asJSON bool
	cmd := &cobra.Command{
		Use:   "migrate",
		Short: "Bring the database's tables up to date",
		Long: `Bring the tables of memory's database to the version of this program, in one transaction; run twice it changes nothing. SQLite's
file is also brought up to date by whoever opens it to write. For PostgreSQL the login in the connection string has to own
the tables, or be allowed to make them ('boathook memory roles --sql' makes an admin); where the server has pgvector it is
used from then on. Tables of a newer version are left alone.`,
		Example: `  boathook memory migrate --dry-run
  boathook memory migrate`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			ctx, stop := untilInterrupted(cmd.Context())
			defer stop()
			return env.failJSON(asJSON, runMemoryMigrate(ctx, env, p, dryRun, asJSON))
		},
	}
	p.flags(cmd)
	cmd.Flags().BoolVar(&dryRun, "dry-run", false, "say what there is to do, and do nothing")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return cmd
}

func runMemoryMigrate(ctx context.Context, env *Env, p place, dryRun, asJSON bool) error {
	dir, s, err := p.find(env)
	if err != nil {
		return err
	}
	m := migration{Backend: s.Memory.Provider, DryRun: dryRun}
	if m.Backend == open.Postgres {
		err = m.postgres(ctx, env, dir, s)
	} else {
		err = m.sqlite(ctx, dir)
	}
	if err != nil {
		return memoryFailed(err)
	}
	if asJSON {
		return env.printJSON(m, nil)
	}
	return env.sentence(m.text(), 0)
}

func (m migration) text() string {
	switch {
	case m.Have == m.Want && m.Done:
		return fmt.Sprintf("The tables are of version %d already, as they should be.", m.Want)
	case m.DryRun && m.Have == 0:
		return fmt.Sprintf("There are no tables yet: they would be made, of version %d. Nothing was changed: this was a dry run.", m.Want)
	case m.DryRun:
		return fmt.Sprintf("The tables are of version %d and would become version %d. Nothing was changed: this was a dry run.", m.Have, m.Want)
	}
	return fmt.Sprintf("The tables were of version %d and are of version %d now.", m.Have, m.Want)
}

// sqlite opens the file as a writer does, which is what migrates it.
func (m *migration) sqlite(ctx context.Context, dir string) error {
	path := filepath.Join(dir, sqlite.FileName)
	have, want, err := sqlite.Versions(ctx, path)
	m.Have, m.Want, m.Done = have, want, have == want
	switch {
	case err != nil:
		return err
	case have > want:
		return fmt.Errorf("migrate %s: %w", path, memory.ErrNewer)
	case m.Done || m.DryRun:
		return nil
	}
	if err := ownfile.MkdirAll(dir); err != nil {
		return err
	}
	s, err := sqlite.Open(ctx, path)
	if err != nil {
		return err
	}
	m.Done = true
	return s.Close()
}

// postgres has the second program do it, which links the driver.
func (m *migration) postgres(ctx context.Context, env *Env, dir string, s config.Settings) error {
	args := []string{"migrate"}
	if m.DryRun {
		args = append(args, "--dry-run")
	}
	text, err := besideWithDSN(ctx, env, dir, s, args...)
	if err != nil {
		return err
	}
	return json.Unmarshal(text, m)
}

// besideWithDSN runs the second program with the connection on its stdin, and gives what it printed. It gets nothing of the environment
// that could lead the connection elsewhere.
func besideWithDSN(ctx context.Context, env *Env, dir string, s config.Settings, args ...string) ([]byte, error) {
	place, err := open.Place(open.Options{DataDir: dir, Settings: s, Exe: env.Exe})
	if err != nil {
		return nil, exitWith(exitFailed, err)
	}
	ask, err := json.Marshal(place.Settings)
	if err != nil {
		return nil, fmt.Errorf("write the settings: %w", err)
	}
	return beside(ctx, env, ask, args...)
}

// beside runs the second program.
func beside(ctx context.Context, env *Env, stdin []byte, args ...string) ([]byte, error) {
	program, err := remote.Beside(env.Exe)
	if err != nil {
		return nil, exitWith(exitFailed, err)
	}
	var out, said bytes.Buffer
	cmd := exec.CommandContext(ctx, program, args...)
	cmd.Env, cmd.Stdin, cmd.Stdout, cmd.Stderr = wake.Environ(os.Getenv), bytes.NewReader(stdin), &out, &said
	if err := cmd.Run(); err != nil {
		text := strings.TrimPrefix(strings.TrimSpace(said.String()), remote.Program+": ")
		if text == "" {
			text = fmt.Sprintf("%s %s: %v", remote.Program, args[0], err)
		}
		return nil, exitWith(exitFailed, errors.New(text))
	}
	return out.Bytes(), nil
}
