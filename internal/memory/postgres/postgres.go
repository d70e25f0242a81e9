// Package postgres is the memory store on PostgreSQL 15 or newer, with pgvector where the server has it and by keywords alone where
// it hasn't. Only cmd/boathook-memory links it: pgx costs a process that never uses it a fifteenth of its start.
//
// It keeps no state in a session of the database, so that it may stand behind a pooler that gives each transaction another
// connection. What a login may see is decided by the database's row-level security, never by the filters of these queries alone.
package postgres

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/boathook/boathook/internal/memory"
)

// Options say which database is used, and as whom.
type Options struct {
	// DSN is a connection string of PostgreSQL, as a URL or in key=value form. It may hold a password and is in no error.
	DSN string
	// Tenant is who the rows belong to; empty is the only one that the login has.
	Tenant string
	// Connections is how many the pool has at most; zero is four.
	Connections int
	// Connect is how long a connection may take to be made; zero is five seconds.
	Connect time.Duration
}

type poolConn = *pgxpool.Conn

// Store is the memory store on a PostgreSQL database.
type Store struct {
	pool   *pgxpool.Pool
	tenant string

	mu    sync.Mutex
	known *features
}

var _ memory.Store = (*Store)(nil)

// Open prepares the connections and makes none: a server that is away is found by the first call, as memory.ErrUnavailable. The
// error is that of a connection string that can't be read.
func Open(ctx context.Context, o Options) (*Store, error) {
	c, err := pgxpool.ParseConfig(o.DSN)
	if err != nil {
		return nil, fmt.Errorf("read the connection string of PostgreSQL: %w", withoutDSN(err))
	}
	c.MaxConns = 4
	if o.Connections > 0 {
		c.MaxConns = int32(min(o.Connections, 1000))
	}
	c.ConnConfig.ConnectTimeout = 5 * time.Second
	if o.Connect > 0 {
		c.ConnConfig.ConnectTimeout = o.Connect
	}
	// Nothing is prepared under a name: behind a pooler the next transaction runs elsewhere. Unnamed statements are planned with
	// their arguments, too, which a search by vectors needs.
	c.ConnConfig.DefaultQueryExecMode = pgx.QueryExecModeExec
	c.ConnConfig.StatementCacheCapacity = 0
	c.ConnConfig.DescriptionCacheCapacity = 0
	if c.ConnConfig.RuntimeParams["application_name"] == "" {
		c.ConnConfig.RuntimeParams["application_name"] = "boathook-memory"
	}
	c.MaxConnIdleTime = 10 * time.Minute
	// A ping before each question would be a round trip more; a connection that is dead is found by using it (again).
	c.ShouldPing = func(context.Context, pgxpool.ShouldPingParams) bool { return false }
	pool, err := pgxpool.NewWithConfig(ctx, c)
	if err != nil {
		return nil, fmt.Errorf("prepare connections to PostgreSQL: %w", withoutDSN(err))
	}
	return &Store{pool: pool, tenant: o.Tenant}, nil
}

// Close ends the connections; calls that run are waited for.
func (s *Store) Close() error {
	s.pool.Close()
	return nil
}
