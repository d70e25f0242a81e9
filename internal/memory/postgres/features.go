package postgres

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/jackc/pgx/v5"

	"github.com/boathook/boathook/internal/memory"
)

// features are what the database can do, and for whom, looked up once.
type features struct {
	tenant string
	// version is the schema's.
	version int
	// schema and vector are the quoted names of the schemas that have the tables, and pgvector; vector is empty without it.
	schema, vector string
	// embeds says that the tables have what pgvector adds.
	embeds bool
	// halfvec and iterative are what pgvector has since 0.7 and 0.8.
	halfvec, iterative bool
	// vectorVersion is pgvector's, available one that isn't created yet.
	vectorVersion, available string
	// server is the server's major version.
	server int
	// migrated says that there are tables at all.
	migrated bool
	tenants  []string
	// above says that row security isn't for this login: a superuser.
	above bool
}

const featureSQL = `SELECT coalesce(current_schema(), ''), current_setting('server_version_num')::int / 10000,
	to_regclass('ltm_migrations') IS NOT NULL,
	coalesce((SELECT extversion FROM pg_extension WHERE extname = 'vector'), ''),
	coalesce((SELECT n.nspname FROM pg_extension e JOIN pg_namespace n ON n.oid = e.extnamespace WHERE extname = 'vector'), ''),
	coalesce((SELECT default_version FROM pg_available_extensions WHERE name = 'vector'), ''),
	EXISTS (SELECT FROM pg_attribute WHERE attrelid = to_regclass('ltm_chunks') AND attname = 'embedding' AND NOT attisdropped),
	coalesce((SELECT rolsuper OR rolbypassrls FROM pg_roles WHERE rolname = session_user), false)`

// look finds out what the database can do.
func (s *Store) look(ctx context.Context, q querier) (*features, error) {
	f := &features{}
	var schema, vector string
	err := q.QueryRow(ctx, featureSQL).Scan(&schema, &f.server, &f.migrated, &f.vectorVersion, &vector, &f.available, &f.embeds, &f.above)
	if err != nil {
		return nil, err
	}
	f.schema = quoted(schema)
	if vector != "" {
		f.vector = quoted(vector)
	}
	f.halfvec, f.iterative = atLeast(f.vectorVersion, 0, 7), atLeast(f.vectorVersion, 0, 8)
	f.embeds = f.embeds && f.vector != ""
	if !f.migrated {
		return f, nil
	}
	err = q.QueryRow(ctx, "SELECT coalesce((SELECT max(version) FROM ltm_migrations), 0), ltm_tenants()").Scan(&f.version, &f.tenants)
	return f, err
}

// querier is a pool, a connection or a transaction.
type querier interface {
	QueryRow(ctx context.Context, sql string, args ...any) pgx.Row
}

// ready are the features of a database that can be used. An error is memory.ErrOlder, ErrNewer, or that of a login which has no
// tenant, or several.
func (s *Store) ready(ctx context.Context) (*features, error) {
	s.mu.Lock()
	known := s.known
	s.mu.Unlock()
	if known != nil {
		return known, nil
	}
	f, err := s.look(ctx, s.pool)
	if err != nil {
		return nil, err
	}
	if err := f.usable(s.tenant); err != nil {
		return nil, err
	}
	s.mu.Lock()
	s.known = f
	s.mu.Unlock()
	return f, nil
}

// usable settles the tenant.
func (f *features) usable(tenant string) error {
	switch {
	case !f.migrated || f.version < latest:
		return memory.ErrOlder
	case f.version > latest:
		return fmt.Errorf("version %d, this program knows %d: %w", f.version, latest, memory.ErrNewer)
	case tenant != "" && !f.above && !slices.Contains(f.tenants, tenant):
		return fmt.Errorf("%w: the login is not one of tenant %s", memory.ErrDenied, tenant)
	case tenant != "":
		f.tenant = tenant
	case len(f.tenants) == 1:
		f.tenant = f.tenants[0]
	case len(f.tenants) == 0:
		return fmt.Errorf("%w: the login has no tenant; an administrator has to add it to ltm_logins", memory.ErrDenied)
	default:
		return fmt.Errorf("%w: the login has the tenants %s; set memory.tenant to one of them", memory.ErrDenied, strings.Join(f.tenants, ", "))
	}
	return nil
}

// vectors are the features of a database with vector search, or memory.ErrNoVectors. What is missing is looked for again: it may
// have been added since.
func (s *Store) vectors(ctx context.Context) (*features, error) {
	f, err := s.ready(ctx)
	if err != nil || f.embeds {
		return f, err
	}
	s.forgetFeatures()
	if f, err = s.ready(ctx); err == nil && !f.embeds {
		err = memory.ErrNoVectors
	}
	return f, err
}

func (s *Store) forgetFeatures() {
	s.mu.Lock()
	s.known = nil
	s.mu.Unlock()
}

func atLeast(version string, major, minor int) bool {
	parts := strings.SplitN(version+".0", ".", 3)
	have, err := strconv.Atoi(parts[0])
	if err != nil {
		return false
	}
	little, err := strconv.Atoi(parts[1])
	return err == nil && (have > major || have == major && little >= minor)
}

func quoted(name string) string { return pgx.Identifier{name}.Sanitize() }
