package postgres

import (
	"context"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"github.com/jackc/pgx/v5"

	"github.com/boathook/boathook/internal/memory"
)

// Each numbered file is one version. A file that was released is never changed.
//
//go:embed migrations/*.sql
var migrations embed.FS

// latest is the version that this program knows.
const latest = 3

// firstTenant is that of a login that makes the tables and has none.
const firstTenant = "default"

// Version is the version of the database's tables, 0 where there are none, and the one that this program needs.
func (s *Store) Version(ctx context.Context) (have, want int, err error) {
	f, err := s.look(ctx, s.pool)
	if err != nil {
		return 0, latest, failed("read the version of memory's tables", err)
	}
	return f.version, latest, nil
}

// Migrate brings the tables up to date, in one transaction; several may try at once. It needs a login that may create tables, which
// becomes their owner, and one of the tenant of these options if it has none. Where pgvector has been installed on the server it
// is created if that is permitted, and what it adds is added.
func (s *Store) Migrate(ctx context.Context) error { return s.MigrateTo(ctx, latest) }

// MigrateTo is Migrate up to a version, for tests of those in between.
func (s *Store) MigrateTo(ctx context.Context, version int) error {
	defer s.forgetFeatures()
	s.createVector(ctx)
	err := pgx.BeginFunc(ctx, s.pool, func(tx pgx.Tx) error {
		if _, err := tx.Exec(ctx, "SELECT pg_advisory_xact_lock(hashtextextended('boathook memory migrate', 0))"); err != nil {
			return err
		}
		f, err := s.look(ctx, tx)
		if err != nil {
			return err
		}
		if f.version > latest {
			return fmt.Errorf("version %d, this program knows %d: %w", f.version, latest, memory.ErrNewer)
		}
		if err := f.steps(ctx, tx, version); err != nil {
			return err
		}
		if len(f.tenants) == 0 && f.version == 0 && version > 0 {
			tenant := s.tenant
			if tenant == "" {
				tenant = firstTenant
			}
			_, err := tx.Exec(ctx, "INSERT INTO ltm_logins VALUES (session_user, $1) ON CONFLICT DO NOTHING", tenant)
			if err != nil {
				return err
			}
		}
		if version < latest || f.vector == "" || f.embeds {
			return nil
		}
		return f.addVectors(ctx, tx)
	})
	return failed("migrate memory's tables", err)
}

// createVector creates the extension where the server has it and this login may. That it can't is no error: memory is found by
// keywords then, and Stats says so.
func (s *Store) createVector(ctx context.Context) {
	_, _ = s.pool.Exec(ctx, "CREATE EXTENSION IF NOT EXISTS vector")
}

func (f *features) steps(ctx context.Context, tx pgx.Tx, version int) error {
	names, err := fs.Glob(migrations, "migrations/0*.sql")
	if err != nil {
		return err
	}
	if f.schema == `""` {
		return errors.New("the login's search_path names no schema that there is")
	}
	for n, name := range names[:version] {
		if n+1 <= f.version {
			continue
		}
		if err := f.run(ctx, tx, name); err != nil {
			return err
		}
		if _, err := tx.Exec(ctx, "INSERT INTO ltm_migrations (version) VALUES ($1)", n+1); err != nil {
			return err
		}
	}
	return nil
}

func (f *features) addVectors(ctx context.Context, tx pgx.Tx) error {
	if err := f.run(ctx, tx, "migrations/vectors.sql"); err != nil {
		return err
	}
	if f.halfvec {
		return f.run(ctx, tx, "migrations/halfvec.sql")
	}
	return f.run(ctx, tx, "migrations/fullvec.sql")
}

// run executes a file, whose names of schemas are filled in.
func (f *features) run(ctx context.Context, tx pgx.Tx, name string) error {
	text, err := migrations.ReadFile(name)
	if err != nil {
		return err
	}
	sql := strings.NewReplacer("{{schema}}", f.schema, "{{vector}}", f.vector, "{{halfvec}}", fmt.Sprint(f.halfvec)).Replace(string(text))
	if _, err := tx.Conn().PgConn().Exec(ctx, sql).ReadAll(); err != nil {
		return fmt.Errorf("run %s: %w", name, err)
	}
	return nil
}
