// Package postgres is the memory store on PostgreSQL and pgvector. Only cmd/boathook-memory links it: pgx costs a process that never
// uses it a fifteenth of its start.
package postgres

import (
	// The pool that the store is built on.
	_ "github.com/jackc/pgx/v5/pgxpool"
)
