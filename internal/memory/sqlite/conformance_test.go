package sqlite

import (
	"path/filepath"
	"testing"

	"github.com/boathook/boathook/internal/memory"
	"github.com/boathook/boathook/internal/memory/storetest"
)

func TestConformance(t *testing.T) {
	storetest.Run(t, func(t *testing.T) memory.Store { return open(t) }, storetest.Options{Vectors: true})
}

func open(t testing.TB) *Store {
	t.Helper()
	s, err := Open(t.Context(), filepath.Join(t.TempDir(), FileName))
	if err != nil {
		t.Fatal(err)
	}
	return s
}
