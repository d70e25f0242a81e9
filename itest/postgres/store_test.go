package postgres_test

import (
	"testing"

	"github.com/boathook/boathook/internal/memory"
	store "github.com/boathook/boathook/internal/memory/postgres"
	"github.com/boathook/boathook/internal/memory/storetest"
	"github.com/boathook/boathook/itest/postgres"
)

// kinds are the servers that the suite runs on: the oldest without pgvector, and one with it.
func kinds() map[string]postgres.Options {
	return map[string]postgres.Options{"15": {Version: 15}, "17 with pgvector": {Version: 17, Vector: true}}
}

// TestStore is the suite of all stores.
func TestStore(t *testing.T) {
	for name, o := range kinds() {
		t.Run(name, func(t *testing.T) {
			storetest.Run(t, func(t *testing.T) memory.Store { return migrated(t, postgres.Start(t, o).DSN) },
				storetest.Options{Vectors: o.Vector, Pending: true, Slow: true})
		})
	}
}

// opened is a store that is closed with the test.
func opened(t *testing.T, o store.Options) *store.Store {
	t.Helper()
	s, err := store.Open(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return s
}

// migrated is one with all tables.
func migrated(t *testing.T, dsn string) *store.Store {
	t.Helper()
	s := opened(t, store.Options{DSN: dsn})
	if err := s.Migrate(t.Context()); err != nil {
		t.Fatal(err)
	}
	return s
}
