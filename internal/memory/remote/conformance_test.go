package remote

import (
	"path/filepath"
	"testing"

	"github.com/boathook/boathook/internal/memory"
	"github.com/boathook/boathook/internal/memory/sqlite"
	"github.com/boathook/boathook/internal/memory/storetest"
)

// TestConformance: a store that is asked over a connection does what it does when it is asked itself.
func TestConformance(t *testing.T) {
	storetest.Run(t, func(t *testing.T) memory.Store {
		s, err := sqlite.Open(t.Context(), filepath.Join(t.TempDir(), sqlite.FileName))
		must(t, err)
		return closing{connectTo(t, s).Client, s}
	}, storetest.Options{Vectors: true, Slow: true})
}

// closing closes both ends.
type closing struct {
	*Client
	behind memory.Store
}

func (c closing) Close() error {
	if err := c.Client.Close(); err != nil {
		return err
	}
	return c.behind.Close()
}
