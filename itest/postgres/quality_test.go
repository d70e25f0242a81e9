package postgres_test

import (
	"path/filepath"
	"testing"
	"time"

	"github.com/boathook/boathook/internal/memory/eval"
	"github.com/boathook/boathook/internal/memory/sqlite"
	"github.com/boathook/boathook/itest/postgres"
)

// TestQuality: what is kept is found again as well as on SQLite, and by its own project alone.
func TestQuality(t *testing.T) {
	s, err := sqlite.Open(t.Context(), filepath.Join(t.TempDir(), sqlite.FileName))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	want := eval.Gate(t, s, eval.GateLeakQueries, time.Now)
	for name, o := range kinds() {
		t.Run(name, func(t *testing.T) {
			eval.Compare(t, want, eval.Gate(t, migrated(t, postgres.Start(t, o).DSN), eval.GateLeakQueries, time.Now))
		})
	}
}
