package cli

import (
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/boathook/boathook/internal/config"
	rows "github.com/boathook/boathook/internal/memory"
	"github.com/boathook/boathook/internal/memory/open"
	"github.com/boathook/boathook/internal/memory/project"
	memories "github.com/boathook/boathook/internal/sink/memory"
)

// TestMemorySinks: what is configured is there, and what isn't is absent, so that its cursor goes.
func TestMemorySinks(t *testing.T) {
	dir := t.TempDir()
	on := config.Memory{Enabled: true, Provider: "sqlite", Embedding: config.Embedding{Provider: "none"}}
	embedding := on
	embedding.Embedding = config.Embedding{Provider: "openai", Model: "m"}
	for name, tc := range map[string]struct {
		s            config.Settings
		sinks, other []string
	}{
		"off":         {config.Settings{}, nil, []string{memories.Name, memories.VectorsName}},
		"minimal":     {config.Settings{Memory: on, Minimal: true}, nil, []string{memories.Name, memories.VectorsName}},
		"on":          {config.Settings{Memory: on}, []string{memories.Name}, []string{memories.VectorsName}},
		"vectors":     {config.Settings{Memory: embedding, LLM: config.LLM{OpenAIKey: "k"}}, []string{memories.Name, memories.VectorsName}, nil},
		"without key": {config.Settings{Memory: embedding}, []string{memories.Name}, []string{memories.VectorsName}},
	} {
		env := &Env{Home: dir, Now: time.Now, Exe: "/nowhere/boathook"}
		sinks, absent := memorySinks(env, dir, tc.s, slog.New(slog.DiscardHandler))
		var names []string
		for _, s := range sinks {
			names = append(names, s.Name())
		}
		if !slices.Equal(names, tc.sinks) || !slices.Equal(absent, tc.other) {
			t.Errorf("%s: %v, absent %v", name, names, absent)
		}
	}
}

// TestMemoryRetention: exceptions are written as roots or as ids, and nothing is removed while settings are in doubt.
func TestMemoryRetention(t *testing.T) {
	root := t.TempDir()
	if err := os.MkdirAll(filepath.Join(root, "shop", ".git"), 0o700); err != nil {
		t.Fatal(err)
	}
	shop := filepath.Join(root, "shop")
	day := 24 * time.Hour
	s := config.Settings{Memory: config.Memory{
		Enabled: true, Provider: "sqlite", Raw: 90 * day, Summaries: 365 * day, ProjectIDs: map[string]string{shop: "acme/shop"},
		RetentionOf: map[string]time.Duration{"acme/shop": 7 * day},
	}}
	projects, err := open.Projects(root, s)
	if err != nil {
		t.Fatal(err)
	}
	p, err := projects.Of(shop)
	if err != nil {
		t.Fatal(err)
	}
	want := rows.Retention{Raw: 90 * day, Summaries: 365 * day, Of: map[string]rows.Retention{p.Key: {Raw: 7 * day, Summaries: 7 * day}}}
	config := func() rows.Retention {
		t.Helper()
		c, err := memoryConfig(&Env{Home: root, Now: time.Now}, root, s, slog.New(slog.DiscardHandler))
		if err != nil {
			t.Fatal(err)
		}
		return c.Retention
	}
	if diff := cmp.Diff(want, config()); diff != "" {
		t.Error(diff)
	}
	s.Problems = []string{"config.toml:3: memory.retention.rawDays is no number"}
	if diff := cmp.Diff(rows.Retention{}, config()); diff != "" {
		t.Error(diff)
	}
}

// TestOutside: an id or a name excludes a project, wherever in it a session works.
func TestOutside(t *testing.T) {
	shop := filepath.Join(t.TempDir(), "shop")
	if err := os.MkdirAll(filepath.Join(shop, ".git"), 0o700); err != nil {
		t.Fatal(err)
	}
	of := remembered(project.Resolver{IDs: map[string]string{shop: "github.com/acme/shop"}})
	for pattern, want := range map[string]bool{"github.com/acme/shop": true, "github.com/acme/*": true, "shop": true, shop: true, "other": false} {
		if got := outside(of, []string{pattern}, "")(filepath.Join(shop, "cmd")); got != want {
			t.Errorf("%s: %t", pattern, got)
		}
	}
	if outside(of, nil, "")(shop) {
		t.Error("nothing is excluded")
	}
	if key, root := keyAndRoot(of)(shop, ""); key == "" || root == "" {
		t.Errorf("%q %q", key, root)
	}
}
