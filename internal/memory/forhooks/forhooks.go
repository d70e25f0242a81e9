// Package forhooks says who a hook asks for what was done before. main gives it to the hook path, which itself links no database;
// nothing in it runs unless memory is enabled.
package forhooks

import (
	"context"
	"errors"
	"os"

	"github.com/boathook/boathook/internal/config"
	"github.com/boathook/boathook/internal/llm"
	"github.com/boathook/boathook/internal/memory"
	"github.com/boathook/boathook/internal/memory/open"
	"github.com/boathook/boathook/internal/memory/recall"
)

// Deps are the store and the embedder of the settings.
func Deps(s config.Settings, dataDir string) recall.Deps {
	return recall.Deps{
		Open: func(ctx context.Context) (memory.Store, error) {
			exe, _ := os.Executable() // without it PostgreSQL's service is not found, which says so
			return open.Store(ctx, open.Options{DataDir: dataDir, Settings: s, Exe: exe, ReadOnly: true})
		},
		Embed: embed(s),
	}
}

func embed(s config.Settings) func(context.Context, string) (recall.Vector, error) {
	e, err := llm.NewEmbedder(s)
	if errors.Is(err, llm.ErrNone) {
		return nil
	}
	return func(ctx context.Context, text string) (recall.Vector, error) {
		if err != nil {
			return recall.Vector{}, err
		}
		vectors, err := e.Embed(ctx, llm.ForQuery, []string{text})
		if err != nil {
			return recall.Vector{}, err
		}
		return recall.Vector{Model: e.Model(), Numbers: vectors[0]}, nil
	}
}
